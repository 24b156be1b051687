import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cn } from '../../../ui/cn.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { CreatorLink } from '../../courses/ui/creator-link.tsx'
import type { ModerationCase } from '../schema.ts'
import { CaseBadges } from './case-badges.tsx'
import { CaseTime } from './case-time.tsx'
import { reasonWords } from './case-words.ts'

type CaseItemProps = {
  about: ModerationCase
  /** Where cases of several courses stand together. */
  namesCourse: boolean
  isOpen: boolean
  now: Date
  onToggle: () => void
  /** Opened: what is known, and what can be done. */
  children: ReactNode
}

/** What was reported, how often and why, and, opened, the rest. */
export function CaseItem({ about, namesCourse, isOpen, now, onToggle, children }: CaseItemProps) {
  const { id, subject, author, course, content, reasons, reportsCount, createdAt } = about
  const name = author?.name ?? 'somebody who left'
  const excerpt = <p className="line-clamp-2 wrap-anywhere">{content || 'Nothing is kept.'}</p>
  return (
    <li
      className={cn(
        'scroll-mt-20 rounded-card border bg-surface shadow-card',
        isOpen && 'border-primary/50',
      )}
    >
      <div className="relative flex items-start gap-3 rounded-card p-4 hover:bg-wash sm:px-5">
        <Avatar name={name} src={author?.avatarUrl} lazy />
        <div className="grid min-w-0 flex-1 gap-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="min-w-0 font-text text-base tracking-normal">
              {subject === 'post' ? 'Post' : 'Comment'} by{' '}
              {author ? (
                <CreatorLink {...author} className="relative z-10 wrap-anywhere" />
              ) : (
                'somebody who left'
              )}
            </h2>
            <span className="text-sm text-muted">
              <CaseTime at={createdAt} now={now} />
            </span>
            <span className="flex flex-wrap gap-1.5 sm:ml-auto">
              <CaseBadges about={about} />
            </span>
          </div>
          {namesCourse && (
            <p className="text-sm font-medium wrap-anywhere text-muted">
              {withoutLightning(course.title)}
            </p>
          )}
          {isOpen ? <noscript>{excerpt}</noscript> : excerpt}
          <p className="flex flex-wrap items-center gap-1.5 text-sm text-muted">
            <span className="mr-1.5">{countLabel(reportsCount, 'report')}</span>
            {reasons.map(({ reason, count }) => (
              <Badge key={reason} tone="danger">
                {reasonWords[reason]}
                {count > 1 && ` × ${count}`}
              </Badge>
            ))}
          </p>
        </div>
        <button
          type="button"
          id={toggleOf(id)}
          aria-expanded={isOpen}
          aria-controls={`case-${id}`}
          aria-label={`Case: ${subject} by ${name}`}
          onClick={onToggle}
          className="grid size-9 shrink-0 place-items-center rounded-control text-muted outline-none noscript:hidden after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-primary"
        >
          <ChevronDown size={20} aria-hidden className={cn(isOpen && 'rotate-180')} />
        </button>
      </div>
      {isOpen && (
        <div id={`case-${id}`} className="border-t p-4 sm:p-5 noscript:hidden">
          {children}
        </div>
      )}
    </li>
  )
}

export const toggleOf = (id: string) => `case-${id}-toggle`
