import { BookX } from 'lucide-react'
import type { Route } from './+types/course-details-page'
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
import { amountLabel } from '../../purchases/amount-label.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { CourseDetails } from '../schema.ts'
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
  pageMeta(
    loaderData ? withoutLightning(loaderData.course.title) : 'Course',
    'The facts about a course.',
  )

export async function loader({ context, params }: Route.LoaderArgs) {
  const { administration } = context.get(pageApi)
  const course = await administration.getCourse({ courseId: params.courseId })
  return { course, now: new Date().toISOString() }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const { administration } = context.get(formApi)
  const { courseId } = params
  const text = (name: string) => String(form.get(name) ?? '')
  const intent = text('intent')
  const here = `/admin/courses/${courseId}`
  switch (intent) {
    case 'suspend':
      return answered(administration.suspendCourse({ courseId, reason: text('reason') }), {
        intent,
        form,
        here,
        done: 'The course is suspended. Its members keep it.',
      })
    case 'lift':
      return answered(
        administration.liftSuspension({ suspensionId: text('suspensionId'), note: text('note') }),
        { intent, form, here, done: 'The suspension is lifted.' },
      )
    default: {
      const verified = text('value') === 'on'
      return answered(administration.verifyCourse({ courseId, verified }), {
        intent,
        form,
        here,
        done: verified ? 'The course has a verified mark.' : 'The verified mark is gone.',
      })
    }
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(''))

const priceOf = ({ pricingType, priceAmount }: CourseDetails) => {
  if (pricingType === 'free') return 'Free'
  return `${amountLabel(priceAmount, 'usd')}${pricingType === 'monthly' ? ' each month' : ''}`
}

const consequences = (withAccount: boolean) =>
  withAccount
    ? 'It is suspended with the account of its creator, and would come back with it. Suspended for itself it stays so. The creator reads why, and can appeal when the account is back.'
    : 'It becomes a draft that cannot be published: nobody new finds, joins or buys it. Members keep what they have. The creator reads why, can mend it, and can appeal.'

/** For administrators: a course and what was done about it. */
/** Another administrator may have done it, or an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

export default function CourseDetailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { course } = loaderData
  const now = useNow(loaderData.now)
  const open = course.suspensions.find(({ liftedAt }) => liftedAt === null)
  const refused = refusalOf(actionData, 'suspend')
  return (
    <div key={course.id} className="grid grid-cols-1 gap-8">
      <PageHeader
        back={{ to: '/admin/courses', label: 'Courses' }}
        title={<span className="wrap-anywhere">{withoutLightning(course.title)}</span>}
        badges={
          <>
            {course.verified && <VerifiedBadge />}
            {course.suspendedAt ? (
              <Badge tone="danger">Suspended</Badge>
            ) : (
              course.status === 'draft' && <Badge tone="warning">Draft</Badge>
            )}
          </>
        }
      />
      {!refused && <AnswerBanner answer={actionData} />}
      <Card as="section" aria-label="Course" className="grid gap-6">
        <FactList
          facts={[
            [
              'Creator',
              <TextLink key="creator" to={`/admin/people/${course.creator.id}`}>
                {course.creator.name}
              </TextLink>,
            ],
            [
              'Page',
              <TextLink key="page" to={`/course/${course.slug}`}>
                /course/{course.slug}
              </TextLink>,
            ],
            ['Created', <DayOf key="created" at={course.createdAt} />],
            [
              'First published',
              course.publishedAt === null ? (
                'Not yet'
              ) : (
                <DayOf key="published" at={course.publishedAt} />
              ),
            ],
            ['Last changed', <DayOf key="changed" at={course.updatedAt} />],
            ['Price', priceOf(course)],
            ['Students', course.studentsCount.toLocaleString('en-US')],
            ['Lessons', course.lessonsCount.toLocaleString('en-US')],
            [
              'Open reports',
              course.openReports === 0 ? (
                '0'
              ) : (
                <TextLink key="reports" to={`/course/${course.slug}/moderation`}>
                  {course.openReports.toLocaleString('en-US')}
                </TextLink>
              ),
            ],
          ]}
        />
        <MarkButton
          intent="verify"
          value={course.verified ? 'off' : 'on'}
          label={course.verified ? 'Take the verified mark' : 'Give a verified mark'}
        />
      </Card>
      <SuspensionsSection suspensions={course.suspensions} now={now} />
      {open && !open.isBecauseOfAccount && (
        <LiftForm what="course" suspensionId={open.id} refusal={refusalOf(actionData, 'lift')} />
      )}
      {(!open || open.isBecauseOfAccount) && (
        <SuspendForm what="course" refusal={refused} consequences={consequences(Boolean(open))} />
      )}
      <ActsSection about="course" subjectId={course.id} acts={course.acts} now={now} />
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description="There is no such course, or it was deleted."
      back={{ to: '/admin/courses', label: 'Courses' }}
      failed="Could not load this course"
    />
  )
}
