import { cn } from '../../../ui/cn.ts'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import type { SupportMessage } from '../schema.ts'

type ThreadProps = {
  messages: SupportMessage[]
  /** Who is shown as having written it. */
  writerOf: (message: SupportMessage) => string
  now: Date
}

/** What was written, oldest first. Addresses in it are text. */
export function Thread({ messages, writerOf, now }: ThreadProps) {
  return (
    <ol aria-label="Messages" className="grid gap-4">
      {messages.map((message) => (
        <li
          key={message.id}
          id={message.id}
          tabIndex={-1}
          className={cn(
            'grid gap-1.5 rounded-card border p-4 sm:p-5',
            message.fromTeam
              ? 'border-primary/25 bg-primary-soft sm:ml-10 lg:ml-16'
              : 'bg-surface shadow-card',
          )}
        >
          <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-muted">
            <span className="font-semibold text-ink wrap-anywhere">{writerOf(message)}</span>
            <CaseTime at={message.createdAt} now={now} />
          </p>
          <p className="whitespace-pre-line wrap-anywhere">{message.body}</p>
        </li>
      ))}
    </ol>
  )
}
