import { FileText, MessageSquare } from 'lucide-react'
import { Link } from 'react-router'
import { relativeTime } from '../../../ui/relative-time.ts'
import { postPath } from '../rules.ts'
import type { Found } from '../schema.ts'
import { useFeedClock } from './feed-clock.ts'

/** One post or comment that was found, with the words that were looked for. */
export function FoundRow({ slug, found }: { slug: string; found: Found }) {
  const { postId, commentId, author, excerpt, createdAt } = found
  const now = useFeedClock()
  const Icon = commentId === null ? FileText : MessageSquare
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-3.5 px-4 py-4 hover:bg-wash sm:px-5">
      <Icon size={18} aria-hidden className="mt-0.5 text-muted" />
      <div className="grid gap-1">
        <p className="text-sm text-muted">
          <Link
            to={postPath(slug, postId, commentId ?? undefined)}
            preventScrollReset
            className="rounded-sm font-semibold text-ink after:absolute after:inset-0 hover:underline"
          >
            {commentId === null ? 'Post' : 'Comment'} by{' '}
            <bdi>{author?.name ?? 'a former member'}</bdi>
          </Link>
          {' · '}
          <time dateTime={createdAt} suppressHydrationWarning>
            {relativeTime(new Date(createdAt), now)}
          </time>
        </p>
        <p className="wrap-anywhere [unicode-bidi:plaintext]">
          {excerpt.map(({ text, isMatch }, index) =>
            isMatch ? (
              <mark
                key={index}
                className="rounded-sm bg-primary-soft px-0.5 font-semibold text-primary"
              >
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </p>
      </div>
    </li>
  )
}
