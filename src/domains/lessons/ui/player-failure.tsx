import { ExternalLink, VideoOff } from 'lucide-react'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'

type PlayerFailureProps = {
  /** Null where there is nothing that a tab could open. */
  url: string | null
  frame: string
  /** A version for every browser is on its way. */
  isProcessing?: boolean
  onRetry?: () => void
}

export function PlayerFailure({ url, frame, isProcessing = false, onRetry }: PlayerFailureProps) {
  return (
    <div
      role="alert"
      className={cn(
        'grid w-full place-content-center justify-items-center gap-4 rounded-card border',
        'bg-surface p-4 text-center',
        frame,
      )}
    >
      <span className="grid size-14 place-items-center rounded-2xl bg-danger-soft text-danger max-sm:hidden">
        <VideoOff size={26} strokeWidth={1.75} aria-hidden />
      </span>
      <div className="grid max-w-md gap-1">
        <p className="font-display text-xl font-bold">
          {isProcessing ? 'This video is still being processed' : 'Video format not supported'}
        </p>
        <p className="text-sm text-pretty text-muted sm:text-base">
          {isProcessing
            ? 'Your browser does not play it as it was uploaded. Please try again in a while.'
            : 'The video may be in a format not supported by your browser or may have been removed.'}
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {url !== null && (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ variant: 'secondary', size: 'sm' })}
          >
            <span className="inline-flex items-center gap-2">
              <ExternalLink size={16} aria-hidden />
              Open video in new tab
            </span>
          </a>
        )}
        {onRetry && (
          <Button variant="ghost" size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}
