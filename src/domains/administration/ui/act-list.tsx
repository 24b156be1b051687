import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { announcementsPage } from '../announcement-rules.ts'
import { type Action, actions } from '../rules.ts'
import type { Act } from '../schema.ts'
import { TextLink } from './text-link.tsx'

/** Where what an act was about can be looked at; null when there is no page for it. */
function subjectPage({ subjectKind, subjectId }: Act): string | null {
  if (subjectId === null) return null
  if (subjectKind === 'account') return `/admin/people/${subjectId}`
  if (subjectKind === 'course') return `/admin/courses/${subjectId}`
  if (subjectKind === 'payment_event') return `/admin/payments?search=${subjectId}`
  if (subjectKind === 'moderation_case') return `/moderation?case=${subjectId}`
  if (subjectKind === 'support_request') return `/admin/support/${subjectId}`
  if (subjectKind === 'challenge') return `/admin/challenges/${subjectId}`
  if (subjectKind === 'announcement') return announcementsPage
  if (subjectKind === 'feature') return '/admin/features'
  return null
}

const actionWords = (action: string) =>
  Object.hasOwn(actions, action) ? actions[action as Action] : action.replaceAll('_', ' ')

/** What administrators did, newest first. */
export function ActList({ acts, now, label }: { acts: Act[]; now: Date; label: string }) {
  return (
    <ol
      // Safari forgets that a list without numbers is one, unless told.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      aria-label={label}
      className="divide-y rounded-card border bg-surface"
    >
      {acts.map((act) => (
        <ActItem key={act.id} act={act} now={now} />
      ))}
    </ol>
  )
}

function ActItem({ act, now }: { act: Act; now: Date }) {
  const page = subjectPage(act)
  const name = act.subjectName || 'a deleted account'
  return (
    <li className="grid gap-1 px-4 py-3">
      <p className="wrap-anywhere">
        {actionWords(act.action)}{' '}
        {page ? (
          <TextLink to={page} className="font-semibold">
            {name}
          </TextLink>
        ) : (
          <span className="font-semibold">{name}</span>
        )}
      </p>
      {act.reason && <p className="text-sm wrap-anywhere whitespace-pre-line">“{act.reason}”</p>}
      <p className="text-sm text-muted">
        {act.actor ? (
          <TextLink to={`/admin/people/${act.actor.id}`}>{act.actor.name}</TextLink>
        ) : (
          'The command line, or an account that was deleted'
        )}
        {' · '}
        <CaseTime at={act.createdAt} now={now} />
      </p>
    </li>
  )
}
