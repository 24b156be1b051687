import type { ReactNode } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { relativeTime } from '../../../ui/relative-time.ts'
import { CreatorLink } from '../../courses/ui/creator-link.tsx'
import { VerifiedTick } from '../../courses/ui/verified-badge.tsx'
import type { Author } from '../schema.ts'
import { useFeedClock } from './feed-clock.ts'

type AuthorLineProps = {
  author: Author
  createdAt: string
  edited: boolean
  /** Small marks behind the time. */
  extra?: ReactNode
}

/** Who wrote it and when. */
export function AuthorLine({ author, createdAt, edited, extra }: AuthorLineProps) {
  const now = useFeedClock()
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={author.name} src={author.avatarUrl} lazy />
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 leading-tight wrap-anywhere">
          <CreatorLink name={author.name} username={author.username} className="font-semibold" />
          {author.verified && <VerifiedTick />}
          {author.isInstructor && <Badge tone="primary">Instructor</Badge>}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-muted">
          <time
            dateTime={createdAt}
            title={fullDate(createdAt)}
            className="tabular-nums"
            suppressHydrationWarning
          >
            {relativeTime(new Date(createdAt), now)}
          </time>
          {edited && <span>(edited)</span>}
          {extra}
        </p>
      </div>
    </div>
  )
}

const longDate = new Intl.DateTimeFormat('en', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** In UTC, so that the server and every browser write the same. */
const fullDate = (at: string) => `${longDate.format(new Date(at))} UTC`
