import { safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { Route } from './+types/cancel-course-page'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { PurchasedCourse } from '../schema.ts'
import { type BillingAnswer, orUnreached } from './billing-answer.ts'
import { BillingDay } from './billing-day.tsx'
import { BillingProblem } from './billing-problem.tsx'
import { cancelCoursePage, cancelCourseQuestion, courseCanceled } from './billing-questions.tsx'
import { isGiven } from './is-given.ts'
import { QuestionPage } from './question-page.tsx'
import { refusedForm } from './refused-form.ts'

const failed = 'Failed to cancel the course. Please try again or contact support.'

export const meta = () => pageMeta('Cancel Course', 'Until when you have access.')

export async function loader({ context, params }: Route.LoaderArgs) {
  const { purchases } = await context.get(pageApi).billing.getBilling()
  const course = purchases.find(({ id }) => id === params.purchaseId)
  if (course?.pricingType !== 'monthly' || isGiven(course)) throw redirect('/billing#purchases')
  return { course }
}

/** The course stays open until the end of the period that is paid, if any. */
export async function action({ context, params }: Route.ActionArgs) {
  const { purchaseId } = params
  const { billing, purchases } = context.get(formApi)
  const here = cancelCoursePage(purchaseId)
  const [unread, found] = await safe(billing.getBilling())
  if (unread) return refusedForm(unread, failed, here)
  const before = found.purchases.find(({ id }) => id === purchaseId)
  const [error, canceled] = await safe(purchases.cancelPurchase({ purchaseId }))
  if (error) return refusedForm(error, failed, here)
  return data<BillingAnswer>({ done: courseCanceled(before, canceled) })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function CancelCoursePage({ loaderData, actionData }: Route.ComponentProps) {
  const { course } = loaderData
  const canCancel = course.status !== 'ended' && !course.cancelAtPeriodEnd
  return (
    <QuestionPage
      question={cancelCourseQuestion(course)}
      answer={actionData}
      settled={canCancel ? null : <Settled course={course} />}
      back={{ to: '/billing#purchases', label: 'Back to Billing' }}
    />
  )
}

function Settled({ course }: { course: PurchasedCourse }) {
  if (course.status === 'ended') return 'There is nothing to cancel.'
  if (course.status === 'past_due') return 'Already canceled.'
  return (
    <>
      Already canceled. You have access until <BillingDay at={course.currentPeriodEnd} />.
    </>
  )
}

export const ErrorBoundary = BillingProblem
