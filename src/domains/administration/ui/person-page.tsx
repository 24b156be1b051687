import { UserRound } from 'lucide-react'
import type { Route } from './+types/person-page'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { VerifiedBadge } from '../../courses/ui/verified-badge.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { ActsSection } from './acts-section.tsx'
import { answered, orUnreached, refusalOf } from './admin-answer.ts'
import { AnswerBanner } from './answer-banner.tsx'
import { DayOf } from './day-of.tsx'
import { FactList } from './fact-list.tsx'
import { MarkButton } from './mark-button.tsx'
import { LiftForm, SuspendForm } from './suspend-form.tsx'
import { SuspensionsSection } from './suspension-list.tsx'
import { TextLink } from './text-link.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(loaderData?.person.name ?? 'Person', 'The facts about an account.')

export async function loader({ context, params }: Route.LoaderArgs) {
  const { administration, accounts } = context.get(pageApi)
  const [person, me] = await Promise.all([
    administration.getPerson({ userId: params.userId }),
    accounts.getMe(),
  ])
  return { person, isMe: me?.id === person.id, now: new Date().toISOString() }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const { administration } = context.get(formApi)
  const { userId } = params
  const text = (name: string) => String(form.get(name) ?? '')
  const intent = text('intent')
  const here = `/admin/people/${userId}`
  switch (intent) {
    case 'suspend':
      return answered(administration.suspendAccount({ userId, reason: text('reason') }), {
        intent,
        form,
        here,
        done: 'The account is suspended, and signed out everywhere.',
      })
    case 'lift':
      return answered(
        administration.liftSuspension({ suspensionId: text('suspensionId'), note: text('note') }),
        { intent, form, here, done: 'The suspension is lifted.' },
      )
    case 'end-sessions':
      return answered(administration.endAllSessions({ userId }), {
        intent,
        form,
        here,
        done: 'The person is signed out everywhere.',
      })
    default: {
      const verified = text('value') === 'on'
      return answered(administration.verifyAccount({ userId, verified }), {
        intent,
        form,
        here,
        done: verified ? 'The person has a verified mark.' : 'The verified mark is gone.',
      })
    }
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(''))

/** For administrators: an account and what was done about it. Nothing of what the person keeps private. */
/** Another administrator may have done it, or an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

export default function PersonPage({ loaderData, actionData }: Route.ComponentProps) {
  const { person, isMe } = loaderData
  const now = useNow(loaderData.now)
  const open = person.suspensions.find(({ liftedAt }) => liftedAt === null)
  const refused = refusalOf(actionData, 'suspend')
  return (
    <div key={person.id} className="grid grid-cols-1 gap-8">
      <PageHeader
        back={{ to: '/admin/people', label: 'People' }}
        title={<span className="wrap-anywhere">{person.name}</span>}
        badges={
          <>
            {person.verified && <VerifiedBadge />}
            {person.role === 'admin' && <Badge tone="primary">Administrator</Badge>}
            {person.suspendedAt && <Badge tone="danger">Suspended</Badge>}
          </>
        }
      />
      {!refused && <AnswerBanner answer={actionData} />}
      <Card as="section" aria-label="Account" className="grid gap-6">
        <FactList
          facts={[
            [
              'Email address',
              person.email === ''
                ? 'None'
                : `${person.email}${person.emailVerified ? '' : ' (not confirmed)'}`,
            ],
            [
              'Profile',
              person.username === null || person.suspendedAt ? (
                (person.username ?? 'None yet')
              ) : (
                <TextLink key="profile" to={`/user/${person.username}`}>
                  {person.username}
                </TextLink>
              ),
            ],
            ['Joined', <DayOf key="joined" at={person.createdAt} />],
            [
              'Last seen',
              person.lastSeen === null ? 'Signed out' : <DayOf key="seen" at={person.lastSeen} />,
            ],
            ['Plan', person.plan === 'pro' ? 'Pro' : 'Free'],
            ['Open sessions', person.sessionsCount.toLocaleString('en-US')],
            ['Member of', coursesLabel(person.enrollmentsCount)],
            ['Courses created', person.coursesCount.toLocaleString('en-US')],
          ]}
        />
        <div className="flex flex-wrap gap-3">
          <MarkButton
            intent="verify"
            value={person.verified ? 'off' : 'on'}
            label={person.verified ? 'Take the verified mark' : 'Give a verified mark'}
          />
          {!isMe && <MarkButton intent="end-sessions" label="Sign out everywhere" />}
        </div>
      </Card>
      {person.courses.length > 0 && (
        <section aria-labelledby="courses" className="grid gap-3">
          <h2 id="courses" className="text-xl">
            Courses
          </h2>
          <ul className="grid gap-2">
            {person.courses.map(({ id, title, status, isSuspended }) => (
              <li key={id} className="flex flex-wrap items-center gap-2">
                <TextLink to={`/admin/courses/${id}`}>{withoutLightning(title)}</TextLink>
                {isSuspended ? (
                  <Badge tone="danger">Suspended</Badge>
                ) : (
                  status === 'draft' && <Badge tone="warning">Draft</Badge>
                )}
              </li>
            ))}
          </ul>
          {person.coursesCount > person.courses.length && (
            <TextLink to={`/admin/courses?search=${person.id}`}>
              All {person.coursesCount.toLocaleString('en-US')} courses
            </TextLink>
          )}
        </section>
      )}
      <SuspensionsSection suspensions={person.suspensions} now={now} />
      {open && (
        <LiftForm what="account" suspensionId={open.id} refusal={refusalOf(actionData, 'lift')} />
      )}
      {!open && !isMe && (
        <SuspendForm
          what="account"
          refusal={refused}
          consequences="It is signed out everywhere, its profile and published courses are not shown, and its payouts wait. Members keep its courses. The person can log in to read why, appeal, download their data, or delete the account."
        />
      )}
      <ActsSection about="account" subjectId={person.id} acts={person.acts} now={now} />
    </div>
  )
}

const coursesLabel = (count: number) =>
  count === 1 ? '1 course' : `${count.toLocaleString('en-US')} courses`

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={UserRound}
      notFound="Person not found"
      description="There is no such account, or it was deleted."
      back={{ to: '/admin/people', label: 'People' }}
      failed="Could not load this account"
    />
  )
}
