import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { cn } from '../../../ui/cn.ts'
import { EmailAddress } from '../../../ui/email-address.tsx'
import { CreatorLink } from '../../courses/ui/creator-link.tsx'
import { ReviewDay } from '../../reviews/ui/review-day.tsx'
import type { Application } from '../schema.ts'
import { ApplicationStatus } from './application-status.tsx'

export const toggleOf = (id: string) => `application-${id}-toggle`

type ApplicationItemProps = {
  application: Application
  isOpen: boolean
  isGone: boolean
  /** Left out where it cannot be selected. */
  selection?: { isSelected: boolean; onSelect: (isSelected: boolean) => void }
  /** Others beside it can be selected. */
  keepsPlace: boolean
  onToggle: () => void
  /** What is to be done about it, or has been done. */
  review: ReactNode
}

/** Who applies, and, opened, what was asked and answered. */
export function ApplicationItem({
  application,
  isOpen,
  isGone,
  selection,
  keepsPlace,
  onToggle,
  review,
}: ApplicationItemProps) {
  const { id, user, submittedAt } = application
  return (
    <li
      className={cn(
        'scroll-mt-20 scroll-mb-24 rounded-card border bg-surface shadow-card',
        isOpen && 'border-primary/50',
      )}
    >
      <div className="relative flex items-start gap-3 rounded-card p-4 hover:bg-wash sm:items-center sm:px-5">
        {selection ? (
          // Above the button that covers the row.
          <Checkbox
            className="relative z-10 mt-2 sm:mt-0"
            label={<span className="sr-only">Select {user.name}</span>}
            checked={selection.isSelected}
            onChange={(event) => selection.onSelect(event.target.checked)}
          />
        ) : (
          keepsPlace && <span className="w-8 shrink-0" />
        )}
        <Avatar name={user.name} src={user.avatarUrl} lazy />
        <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
          <div className="grid min-w-0 gap-0.5">
            <h3 className="min-w-0 font-text text-base tracking-normal">
              <CreatorLink {...user} className="relative z-10 font-semibold wrap-anywhere" />
            </h3>
            <p className="text-sm text-muted">
              <EmailAddress address={user.email} />
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:justify-end">
            <ReviewDay moment={submittedAt} />
            <ApplicationStatus application={application} isGone={isGone} />
          </div>
        </div>
        <button
          type="button"
          id={toggleOf(id)}
          aria-expanded={isOpen}
          aria-controls={`application-${id}`}
          aria-label={`Application of ${user.name}`}
          onClick={onToggle}
          className="grid size-9 shrink-0 place-items-center rounded-control text-muted outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-primary"
        >
          <ChevronDown size={20} aria-hidden className={cn(isOpen && 'rotate-180')} />
        </button>
      </div>
      {isOpen && (
        <div
          id={`application-${id}`}
          className="grid grid-cols-1 gap-6 border-t p-4 sm:p-5 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10"
        >
          <Answers application={application} />
          <div className="grid content-start gap-4 lg:border-l lg:pl-8">{review}</div>
        </div>
      )}
    </li>
  )
}

function Answers({ application: { answers } }: { application: Application }) {
  return (
    <dl className="grid content-start gap-5">
      {answers.map(({ id, question, answer }) => (
        <div key={id} className="grid gap-1">
          <dt className="text-sm font-semibold text-muted wrap-anywhere">{question}</dt>
          <dd className="max-w-[44rem] whitespace-pre-line wrap-anywhere">
            {answer || <span className="text-muted">No answer</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
