import { Button } from '../../../ui/button.tsx'
import { Progress, percentText } from '../../../ui/progress.tsx'
import { playWarning } from './plays-in-browsers.ts'
import { percentOf, uploadDetail, valueOf } from './upload-state-words.ts'
import type { UploadQueue } from './upload-queue.ts'
import { useQueuedUpload } from './use-queued-upload.ts'

type UploadLineProps = {
  uploads: UploadQueue
  /** Under which the upload was started. */
  uploadKey: string
  /** The lesson, for the names of the controls. */
  name: string
  processesVideos: boolean
}

/** An upload under way or failed in little room, below the title of its collapsed lesson. */
export function UploadLine({ uploads, uploadKey, name, processesVideos }: UploadLineProps) {
  const state = useQueuedUpload(uploads, uploadKey)
  if (state.phase === 'idle' || state.phase === 'ready') return null
  const isFailed = state.phase === 'failed'
  const warning = isFailed ? null : playWarning(state.filename, processesVideos)
  const canGoOn = state.phase === 'interrupted' ? state.isOffline : isFailed && state.canRetry

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-t px-3 py-2 text-sm">
      {isFailed ? (
        <p className="min-w-0 flex-1 basis-40 wrap-anywhere text-danger">{state.message}</p>
      ) : (
        <div className="grid min-w-0 flex-1 basis-40 gap-1.5">
          <Progress
            hideLabel
            size="sm"
            label={`Video of “${name}”`}
            percent={percentOf(state)}
            valueText={valueOf(state)}
          />
          <p className="text-muted tabular-nums">
            {state.phase === 'uploading' && `${percentText(state.percent)} · `}
            {state.phase === 'waiting' ? 'Waiting' : uploadDetail(state)}
          </p>
          {warning && <p className="text-warning">{warning}</p>}
        </div>
      )}
      <div className="flex gap-2">
        {canGoOn && (
          <Button size="sm" variant="secondary" onClick={() => uploads.retry(uploadKey)}>
            {isFailed ? 'Retry' : 'Try now'}
            <span className="sr-only"> the video of “{name}”</span>
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={() => uploads.cancel(uploadKey)}>
          {isFailed ? 'Remove' : 'Cancel'}
          <span className="sr-only"> the video of “{name}”</span>
        </Button>
      </div>
    </div>
  )
}
