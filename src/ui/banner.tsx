import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

const tones = {
  info: { Icon: Info, look: 'border-primary/25 bg-primary-soft', accent: 'text-primary' },
  success: { Icon: CircleCheck, look: 'border-success/25 bg-success-soft', accent: 'text-success' },
  warning: {
    Icon: TriangleAlert,
    look: 'border-warning/30 bg-warning-soft',
    accent: 'text-warning',
  },
  danger: { Icon: CircleAlert, look: 'border-danger/25 bg-danger-soft', accent: 'text-danger' },
}

type BannerProps = {
  tone?: keyof typeof tones
  title?: ReactNode
  /** A button or link under the text, beside it from 640 px on. */
  action?: ReactNode
  className?: string
  children?: ReactNode
}

/** A notice in the flow of the page. Danger is announced at once, the others politely. */
export function Banner({ tone = 'info', title, action, className, children }: BannerProps) {
  const { Icon, look, accent } = tones[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cn(
        'flex flex-col gap-3 rounded-card border px-4 py-3.5 text-start sm:flex-row sm:items-center',
        look,
        className,
      )}
    >
      <div className="flex flex-1 gap-3">
        <span className={cn('grid h-6 shrink-0 place-items-center', accent)}>
          <Icon size={20} aria-hidden />
        </span>
        <div className="grid flex-1 gap-0.5">
          {title && <p className="font-semibold">{title}</p>}
          {children && <div className="text-pretty">{children}</div>}
        </div>
      </div>
      {action && <div className="flex shrink-0 flex-wrap gap-2 pl-8 sm:pl-0">{action}</div>}
    </div>
  )
}
