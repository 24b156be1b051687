import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

type EmptyStateProps = {
  icon: LucideIcon
  title: ReactNode
  description?: ReactNode
  /** One button or link that changes the situation. */
  action?: ReactNode
  level?: 1 | 2 | 3
  className?: string
}

/** Nothing here yet: what would be here, and how to get it. */
export function EmptyState({
  icon: Icon,
  title,
  description,
  action,
  level = 2,
  className,
}: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div
      className={cn(
        'grid justify-items-center gap-5 rounded-card border border-dashed border-edge/60 px-6',
        'py-12 text-center sm:py-16',
        className,
      )}
    >
      <span className="grid size-14 place-items-center rounded-2xl bg-primary-soft text-primary">
        <Icon size={26} strokeWidth={1.75} aria-hidden />
      </span>
      <div className="grid max-w-md gap-2">
        <Heading className="text-xl">{title}</Heading>
        {description && <p className="text-balance text-muted">{description}</p>}
      </div>
      {action}
    </div>
  )
}
