import { Bell, CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from '../../../ui/cn.ts'
import { relativeTime } from '../../../ui/relative-time.ts'
import type { BellNotice } from '../bell-schema.ts'
import { readAbout } from './read-about.ts'

const looks = {
  success: { icon: CircleCheck, name: 'Success', className: 'bg-success-soft text-success' },
  warning: { icon: TriangleAlert, name: 'Warning', className: 'bg-warning-soft text-warning' },
  error: { icon: CircleAlert, name: 'Error', className: 'bg-danger-soft text-danger' },
  info: { icon: Bell, name: 'Notice', className: 'bg-primary-soft text-primary' },
}

type NoticeItemProps = {
  notice: BellNotice
  now: Date
  onFollow?: () => void
  /** The button that deletes it. */
  children: ReactNode
}

/** One notice; all of it is the link when there is something to look at. */
export function NoticeItem({ notice, now, onFollow, children }: NoticeItemProps) {
  const { title, message, href, read, createdAt } = notice
  const { icon: Icon, name, className } = looks[notice.type]
  return (
    <li className="relative flex items-start gap-3 px-4 py-3.5 has-[a:hover]:bg-wash sm:px-5">
      <span className={cn('grid size-9 shrink-0 place-items-center rounded-full', className)}>
        <Icon size={18} aria-hidden />
        <span className="sr-only">{name}</span>
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex items-baseline gap-2 font-semibold wrap-anywhere">
          {href === null ? (
            <span>{title}</span>
          ) : (
            <Link
              to={href}
              onClick={() => {
                if (!read) void readAbout(href)
                onFollow?.()
              }}
              className="no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary"
            >
              {title}
            </Link>
          )}
          {!read && (
            <span className="size-2 shrink-0 self-center rounded-full bg-primary forced-colors:bg-[Highlight]">
              <span className="sr-only">Unread</span>
            </span>
          )}
        </p>
        <p className="text-sm wrap-anywhere whitespace-pre-line text-muted">{message}</p>
        <time
          dateTime={createdAt}
          title={createdAt.slice(0, 10)}
          className="text-xs text-muted tabular-nums"
        >
          {relativeTime(new Date(createdAt), now)}
        </time>
      </div>
      {/* Above the link that covers the rest. */}
      <div className="relative -mt-1 -mr-2">{children}</div>
    </li>
  )
}
