import { Button } from '../../../ui/button.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'

export function TranscriptLoading() {
  return (
    <Loading label="Loading transcript" className="grid content-start gap-3 p-4">
      <Skeleton className="w-4/5" />
      <Skeleton className="w-3/5" />
      <Skeleton className="w-2/3" />
    </Loading>
  )
}

export function TranscriptFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="grid place-content-center justify-items-center gap-3 p-4 text-center"
    >
      <p className="text-muted">The transcript could not be loaded.</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
