import { Badge } from '../../../ui/badge.tsx'
import type { ModerationCase } from '../schema.ts'
import { actionWords } from './case-words.ts'

/** What became of the case, and of what it is about. */
export function CaseBadges({ about }: { about: ModerationCase }) {
  const { status, outcome, subjectStatus, aboutInstructor } = about
  const isSaid = outcome === 'hide' ? 'hidden' : outcome === 'delete' ? 'deleted' : 'published'
  return (
    <>
      {aboutInstructor && <Badge tone="primary">By the instructor</Badge>}
      {status === 'open' ? (
        <Badge tone="warning">Open</Badge>
      ) : (
        <Badge tone={outcome === 'dismiss' ? 'neutral' : 'success'}>
          {outcome === null ? 'Closed' : actionWords[outcome]}
        </Badge>
      )}
      {subjectStatus !== isSaid && <Badge>{subjectWords[subjectStatus]}</Badge>}
    </>
  )
}

const subjectWords = {
  published: 'Restored',
  hidden: 'Hidden',
  deleted: 'Deleted',
} as const
