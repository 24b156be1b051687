import { CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

type ErrorStateProps = {
  /** What happened: 'Could not load your courses'. */
  title: ReactNode
  /** What to do about it, in one sentence. */
  description?: ReactNode
  /** Shows 'Try again'. */
  onRetry?: () => void
  retryLabel?: string
  retrying?: boolean
  /** Another way on, usually a ButtonLink. */
  action?: ReactNode
  level?: 1 | 2 | 3
  className?: string
}

/** Something could not be shown. Announced at once. */
export function ErrorState({
  title,
  description,
  onRetry,
  retryLabel = 'Try again',
  retrying,
  action,
  level = 2,
  className,
}: ErrorStateProps) {
  const Heading = `h${level}` as const
  return (
    <div
      role="alert"
      className={cn(
        'grid justify-items-center gap-5 rounded-card border bg-surface px-6 py-12 text-center',
        className,
      )}
    >
      <span className="grid size-14 place-items-center rounded-2xl bg-danger-soft text-danger">
        <CircleAlert size={26} strokeWidth={1.75} aria-hidden />
      </span>
      <div className="grid max-w-md gap-2">
        <Heading className="text-xl">{title}</Heading>
        {description && <p className="text-pretty text-muted">{description}</p>}
      </div>
      {(onRetry || action) && (
        <div className="flex flex-wrap justify-center gap-3">
          {onRetry && (
            <Button variant="secondary" onClick={onRetry} busy={retrying}>
              <RotateCw size={18} aria-hidden />
              {retryLabel}
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  )
}
