import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import type { UploadState } from './upload-state.ts'
import { percentOf, uploadDetail, valueOf } from './upload-state-words.ts'

type UploadStatusProps = {
  state: UploadState
  /** 'Remove' takes the failed file away; a failed upload would block saving. */
  onRetry: () => void
  onCancel: () => void
  className?: string
}

/** An upload under way or failed; nothing in the other phases. */
export function UploadStatus({ state, onRetry, onCancel, className }: UploadStatusProps) {
  if (state.phase === 'idle' || state.phase === 'ready') return null
  if (state.phase === 'failed') {
    return (
      <Banner tone="danger" title={<FileName name={state.filename} />} className={className}>
        <p>{state.message}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          {state.canRetry && (
            <Button size="sm" variant="secondary" onClick={onRetry}>
              Retry
            </Button>
          )}
          <Button size="sm" variant={state.canRetry ? 'ghost' : 'secondary'} onClick={onCancel}>
            Remove
          </Button>
        </div>
      </Banner>
    )
  }
  return (
    <div className={className}>
      <div className="grid gap-3 rounded-card border border-line bg-surface p-4 shadow-card">
        <Progress
          label={<FileName name={state.filename} />}
          percent={percentOf(state)}
          valueText={valueOf(state)}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-sm text-muted tabular-nums">{uploadDetail(state)}</p>
          <div className="flex gap-2">
            {state.phase === 'interrupted' && state.isOffline && (
              <Button size="sm" variant="secondary" onClick={onRetry}>
                Try now
              </Button>
            )}
            <Button size="sm" variant="secondary" onClick={onCancel}>
              Cancel
            </Button>
          </div>
        </div>
      </div>
    </div>
  )
}

/** Long names break anywhere rather than push the page wide. */
function FileName({ name }: { name: string }) {
  return <span className="wrap-anywhere">{name}</span>
}
