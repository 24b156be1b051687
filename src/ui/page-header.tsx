import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from './cn.ts'

type PageHeaderProps = {
  title: ReactNode
  description?: ReactNode
  /** Where the page hangs: 'Back to Dashboard'. */
  back?: { to: string; label: string }
  /** Badges beside the title. */
  badges?: ReactNode
  /** Buttons on the right, on the title's line; below it on phones. */
  actions?: ReactNode
  className?: string
}

/** The top of a page: its only h1. */
export function PageHeader({
  title,
  description,
  back,
  badges,
  actions,
  className,
}: PageHeaderProps) {
  return (
    <header className={cn('grid gap-4', className)}>
      {back && (
        <Link
          to={back.to}
          className={
            '-my-2 -ml-1 inline-flex min-h-10 w-fit items-center gap-1.5 rounded-control px-1 ' +
            'text-sm font-semibold text-muted no-underline hover:text-ink'
          }
        >
          <ArrowLeft size={16} aria-hidden />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-5">
        <div className={cn('grid max-w-3xl gap-2', description && 'grow basis-96')}>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="text-3xl">{title}</h1>
            {badges}
          </div>
          {description && <p className="text-lg text-pretty text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
    </header>
  )
}
