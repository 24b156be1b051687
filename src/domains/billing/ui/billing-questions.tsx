import type { ReactNode } from 'react'
import { brand } from '../../site/brand.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { catalogue, type PlanName } from '../rules.ts'
import type { BillingPage, PurchasedCourse } from '../schema.ts'
import { BillingDay } from './billing-day.tsx'
import { isRunning, money } from './plan-words.ts'

/** Something that is asked before it is done: in a dialog, and on a page of its own without script. */
export interface BillingQuestion {
  /** Its own page, to which the answer is sent. */
  page: string
  title: string
  text: ReactNode
  /** The way back. */
  stay: string
  go: string
  /** While it goes. */
  going: string
  tone: 'primary' | 'danger'
  /** Sent along. */
  fields?: Record<string, string>
}

const points = 'grid list-disc gap-2 pl-5 text-pretty text-muted marker:text-edge'

/** Also of one that may be paid already, of which we have not heard: then nothing ends at once. */
const whileUnpaid = 'A new period is beginning. While it is not paid'

export const cancelPlanQuestion = ({
  subscription,
  mayBeUnpaid,
}: BillingPage): BillingQuestion => ({
  page: '/billing/cancel',
  title: 'Cancel your subscription?',
  text: (
    <ul className={points}>
      <li>Your subscription will not renew.</li>
      {subscription.subscription_status === 'past_due' ? (
        <li>
          Its last payment is missing, so it ends at once, and we stop asking for that payment.
        </li>
      ) : mayBeUnpaid ? (
        <li>{whileUnpaid}, Pro ends at once, and nothing more is charged.</li>
      ) : (
        <>
          <li>
            You keep Pro until the end of the period:{' '}
            <BillingDay at={subscription.current_period_end} />.
          </li>
          <li>You can reactivate it at any time before it ends.</li>
        </>
      )}
      <li>Your courses and your data stay safe.</li>
    </ul>
  ),
  stay: 'Keep Subscription',
  go: 'Cancel Subscription',
  going: 'Canceling...',
  tone: 'danger',
})

type Standing = Pick<BillingPage, 'plan' | 'subscription' | 'mayBeUnpaid'>

/** What came of it. It ends at once also where the provider does not know it, and Pro may have been given besides. */
export function planCanceled(before: Standing, { plan, subscription }: Standing): string {
  // One that has ended may have been to end with its period before.
  if (plan === 'pro' && isRunning(subscription) && subscription.cancel_at_period_end) {
    return 'Your subscription is canceled. You keep Pro until the end of the billing period.'
  }
  if (plan === 'pro') return 'Your subscription is canceled.'
  return before.mayBeUnpaid || before.subscription.subscription_status === 'past_due'
    ? 'Pro has ended, as the present period was not paid.'
    : 'Your subscription is canceled, and Pro has ended.'
}

export const updatePaymentQuestion: BillingQuestion = {
  page: '/billing/update-payment',
  title: 'Update Payment Method',
  text: (
    <p className="text-pretty text-muted">
      You will be redirected to our secure payment processor, where you can change your card. It
      brings you back here afterwards.
    </p>
  ),
  stay: 'Cancel',
  go: 'Update Payment Method',
  going: 'Updating...',
  tone: 'primary',
}

export const cancelCoursePage = (purchaseId: string) => `/billing/courses/${purchaseId}/cancel`

export const cancelCourseQuestion = (course: PurchasedCourse): BillingQuestion => ({
  page: cancelCoursePage(course.id),
  title: `Cancel “${withoutLightning(course.title)}”?`,
  text: (
    <ul className={points}>
      {course.status === 'past_due' ? (
        <li>Its last payment is missing, so your access ends at once. Nothing more is charged.</li>
      ) : course.mayBeUnpaid ? (
        <li>{whileUnpaid}, your access ends at once, and nothing more is charged.</li>
      ) : (
        <>
          <li>Nothing more is paid for this course after this period.</li>
          <li>
            You have access until <BillingDay at={course.currentPeriodEnd} />.
          </li>
          {course.canRenew && <li>Until then you can keep it after all.</li>}
        </>
      )}
      <li>What you completed stays remembered.</li>
    </ul>
  ),
  stay: 'Keep Course',
  go: 'Cancel Course',
  going: 'Canceling...',
  tone: 'danger',
})

/** What came of it. It ends at once also where the provider does not know it. */
export function courseCanceled(
  before: Pick<PurchasedCourse, 'status' | 'mayBeUnpaid'> | undefined,
  { status }: Pick<PurchasedCourse, 'status'>,
): string {
  if (status !== 'ended') {
    return 'The course is canceled. Your access stays until the end of the paid period.'
  }
  return before?.mayBeUnpaid || before?.status === 'past_due'
    ? 'The course is canceled. Your access has ended, as the present month was not paid.'
    : 'The course is canceled, and your access has ended.'
}

export const demoQuestion = (plan: PlanName): BillingQuestion => ({
  page: '/upgrade/demo',
  title: 'Demo upgrade to Pro?',
  text: (
    <p className="text-pretty text-muted">
      This is test mode: your account gets a subscription to {brand.name} Pro (
      {catalogue[plan].name}, {money(catalogue[plan].amount, catalogue[plan].currency)}) that is
      paid with a test card. No real money moves.
    </p>
  ),
  stay: 'Cancel',
  go: 'Upgrade',
  going: 'Processing...',
  tone: 'primary',
  fields: { plan },
})
