import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Progress, percentText } from '../../../ui/progress.tsx'
import { sizeText, timeLeftText } from './upload-words.ts'
import type { UploadState } from './upload-state.ts'

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

const interruption = (isOffline: boolean) =>
  isOffline
    ? 'You are offline. The upload goes on by itself when the connection is back.'
    : 'The connection was interrupted. Trying again…'

export type UploadUnderWay = Exclude<UploadState, { phase: 'idle' | 'ready' | 'failed' }>

/** Undefined where nobody knows. */
export function percentOf(state: UploadUnderWay): number | undefined {
  if (state.phase === 'waiting') return 0
  return state.phase === 'checking' ? undefined : state.percent
}

export function valueOf({ phase }: UploadUnderWay): string | undefined {
  if (phase === 'waiting') return 'Waiting'
  return phase === 'checking' ? 'Checking' : undefined
}

/** Size, speed and time left, or why nothing moves. */
export function uploadDetail(state: UploadUnderWay): string {
  if (state.phase === 'waiting')
    return `${sizeText(state.sizeBytes)}. Begins when the videos before it are uploaded.`
  if (state.phase === 'checking') return 'All sent. Checking the file…'
  if (state.phase === 'interrupted') return interruption(state.isOffline)
  const parts = [`${sizeText(state.sentBytes)} of ${sizeText(state.sizeBytes)}`]
  if (state.bytesPerSecond) parts.push(`${sizeText(state.bytesPerSecond)}/s`)
  if (state.secondsLeft !== null) parts.push(timeLeftText(state.secondsLeft))
  return parts.join(' · ')
}

/** For screen readers: the start, each quarter, the end; never every percent. */
export function uploadAnnouncement(state: UploadState): string {
  switch (state.phase) {
    case 'waiting':
      return `${state.filename} waits for its turn`
    case 'uploading': {
      const quarter = Math.floor(state.percent / 25) * 25
      return quarter === 0
        ? `Uploading ${state.filename}`
        : `${percentText(quarter)} of ${state.filename} uploaded`
    }
    case 'checking':
      return `${state.filename} is uploaded and is being checked`
    case 'interrupted':
      return interruption(state.isOffline)
    case 'ready':
      return `${state.filename} is ready`
    // A failure is announced by its own alert.
    default:
      return ''
  }
}
