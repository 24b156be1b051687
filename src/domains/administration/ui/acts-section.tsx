import type { Act } from '../schema.ts'
import { ActList } from './act-list.tsx'
import { TextLink } from './text-link.tsx'

type ActsSectionProps = {
  about: 'account' | 'course'
  subjectId: string
  /** The newest; the audit log has all. */
  acts: Act[]
  now: Date
}

export function ActsSection({ about, subjectId, acts, now }: ActsSectionProps) {
  return (
    <section aria-labelledby="acts" className="grid grid-cols-1 gap-3">
      <h2 id="acts" className="text-xl">
        History
      </h2>
      {acts.length > 0 ? (
        <>
          <ActList acts={acts} now={now} label={`History of this ${about}`} />
          <TextLink to={`/admin/log?subjectKind=${about}&subjectId=${subjectId}`}>
            All in the audit log
          </TextLink>
        </>
      ) : (
        <p className="text-muted">Nothing yet.</p>
      )}
    </section>
  )
}
