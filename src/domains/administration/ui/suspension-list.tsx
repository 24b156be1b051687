import { Badge } from '../../../ui/badge.tsx'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import type { PersonDetails } from '../schema.ts'

type Suspensions = PersonDetails['suspensions']

/** Nothing where nothing was ever suspended. */
export function SuspensionsSection(props: { suspensions: Suspensions; now: Date }) {
  if (props.suspensions.length === 0) return null
  return (
    <section aria-labelledby="suspensions" className="grid gap-3">
      <h2 id="suspensions" className="text-xl">
        Suspensions
      </h2>
      <SuspensionList {...props} />
    </section>
  )
}

/** What was decided, newest first, with the appeals. */
function SuspensionList({ suspensions, now }: { suspensions: Suspensions; now: Date }) {
  return (
    <ol
      // Safari forgets that a list without numbers is one, unless told.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      aria-label="Suspensions"
      className="divide-y rounded-card border bg-surface"
    >
      {suspensions.map((one) => (
        <li key={one.id} className="grid gap-1.5 px-4 py-3">
          <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
            <Badge tone={one.liftedAt ? 'neutral' : 'danger'}>
              {one.liftedAt ? 'Lifted' : 'Suspended'}
            </Badge>
            <span>
              <CaseTime at={one.createdAt} now={now} /> by {one.suspendedBy ?? 'a deleted account'}
            </span>
            {one.liftedAt && (
              <span>
                lifted <CaseTime at={one.liftedAt} now={now} /> by{' '}
                {one.liftedBy ?? 'a deleted account'}
              </span>
            )}
          </div>
          {one.isBecauseOfAccount && (
            <p className="text-sm">Because the account of the creator is suspended.</p>
          )}
          <p className="wrap-anywhere whitespace-pre-line">{one.reason}</p>
          {one.appeal && <Quote title="Appeal" text={one.appeal} />}
          {one.appealAnsweredAt && <Quote title="Answer" text={one.appealAnswer ?? ''} />}
        </li>
      ))}
    </ol>
  )
}

export function Quote({ title, text }: { title: string; text: string }) {
  return (
    <div className="rounded-control bg-wash px-3 py-2 text-sm">
      <p className="font-semibold">{title}</p>
      <p className="wrap-anywhere whitespace-pre-line">{text || 'Without words.'}</p>
    </div>
  )
}
