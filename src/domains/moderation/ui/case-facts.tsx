import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Avatar } from '../../../ui/avatar.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { postPath } from '../../community/rules.ts'
import { AttachmentsOnly } from '../../community/ui/post-parts.tsx'
import { CreatorLink } from '../../courses/ui/creator-link.tsx'
import type { CaseDetails } from '../schema.ts'
import { CaseTime } from './case-time.tsx'
import { actionWords, reasonWords } from './case-words.ts'

/** What it said, what it says now, and the way to where it stands. */
export function ReportedText({ details }: { details: CaseDetails }) {
  const { subject, content, currentContent, subjectStatus, attachments, pollAnswers } = details
  const { course, postId, commentId, showsElse } = details
  return (
    <div className="grid grid-cols-1 gap-4">
      <Part title={currentContent === null ? `The ${subject}` : 'When it was reported'}>
        <Quote>{content}</Quote>
      </Part>
      {currentContent !== null && (
        <Part title="Now, after its author changed it">
          <Quote>{currentContent}</Quote>
        </Part>
      )}
      {showsElse && (
        <Banner tone="warning">
          Its author has edited it since it was reported. It says the same now; if it had images or
          videos then, they may have been others.
        </Banner>
      )}
      {attachments.length > 0 && (
        <Part title="Images and videos">
          <AttachmentsOnly
            attachments={attachments}
            author={details.author?.name ?? 'somebody who left'}
          />
        </Part>
      )}
      {pollAnswers.length > 0 && (
        <Part title="Poll">
          <ul className="list-disc pl-5">
            {pollAnswers.map((answer, index) => (
              <li key={index} className="wrap-anywhere">
                {answer}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {subjectStatus === 'published' && postId !== null && (
        <Link
          to={postPath(course.slug, postId, commentId ?? undefined)}
          className="inline-flex min-h-10 w-fit items-center gap-1.5 rounded-control font-semibold text-primary"
        >
          View in discussion
          <ArrowUpRight size={16} aria-hidden />
        </Link>
      )}
    </div>
  )
}

/** As it was written: neither pictures nor links, which could lead anywhere. */
function Quote({ children }: { children: string }) {
  return (
    <blockquote
      // It can be long, and then it has to be scrolled by keyboard, too.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-80 overflow-y-auto rounded-card bg-wash px-4 py-3 whitespace-pre-line wrap-anywhere"
    >
      {children || <span className="text-muted">Nothing is kept of it.</span>}
    </blockquote>
  )
}

type DatedProps = { details: CaseDetails; now: Date }

/** Who reported it, and why: for moderators' eyes only. */
export function CaseReports({ details: { reports, reportsCount }, now }: DatedProps) {
  return (
    <Part title="Reports">
      {reports.length === 0 && <p className="text-muted">Who reported it has left.</p>}
      <ul className="grid gap-4">
        {reports.map(({ id, reporter, reason, note, createdAt }) => (
          <Entry key={id} person={reporter} at={createdAt} now={now} note={note}>
            {reasonWords[reason]}
          </Entry>
        ))}
      </ul>
      {reportsCount > reports.length && reports.length > 0 && (
        <p className="text-sm text-muted">
          And {(reportsCount - reports.length).toLocaleString('en-US')} more.
        </p>
      )}
    </Part>
  )
}

/** What moderators did and noted. */
export function CaseHistory({ details: { history }, now }: DatedProps) {
  return (
    <Part title="History">
      {history.length === 0 && <p className="text-muted">Nothing was done yet.</p>}
      <ul className="grid gap-4">
        {history.map(({ id, moderator, action, note, createdAt }) => (
          <Entry key={id} person={moderator} at={createdAt} now={now} note={note}>
            {actionWords[action]}
          </Entry>
        ))}
      </ul>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 content-start gap-2.5">
      <h3 className="font-text text-sm tracking-normal text-muted">{title}</h3>
      {children}
    </section>
  )
}

type EntryProps = {
  /** Null when the account is gone. */
  person: CaseDetails['author']
  at: string
  now: Date
  note: string
  children: ReactNode
}

function Entry({ person, at, now, note, children }: EntryProps) {
  return (
    <li className="flex gap-3">
      <Avatar name={person?.name ?? '?'} src={person?.avatarUrl} size="sm" lazy />
      <div className="grid min-w-0 gap-0.5">
        <p className="text-sm wrap-anywhere">
          <span className="font-semibold">{children}</span>
          <span className="text-muted">
            {' by '}
            {person ? <CreatorLink {...person} /> : 'somebody who left'}
            {', '}
            <CaseTime at={at} now={now} />
          </span>
        </p>
        {note && <p className="whitespace-pre-line wrap-anywhere">{note}</p>}
      </div>
    </li>
  )
}
