import { safe } from '@orpc/client'
import { data } from 'react-router'
import type { Route } from './+types/cancel-page'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { BillingPage } from '../schema.ts'
import { type BillingAnswer, orUnreached } from './billing-answer.ts'
import { BillingDay } from './billing-day.tsx'
import { BillingProblem } from './billing-problem.tsx'
import { cancelPlanQuestion, planCanceled } from './billing-questions.tsx'
import { canCancelPlan, isRunning } from './plan-words.ts'
import { QuestionPage } from './question-page.tsx'
import { refusedForm } from './refused-form.ts'

const here = '/billing/cancel'
const failed = 'Failed to cancel subscription. Please try again or contact support.'

export const meta = () => pageMeta('Cancel Subscription', 'What ends, and what stays.')

export async function loader({ context }: Route.LoaderArgs) {
  return { billing: await context.get(pageApi).billing.getBilling() }
}

/** Pro ends with the period that is paid. */
export async function action({ context }: Route.ActionArgs) {
  const { billing } = context.get(formApi)
  const [unread, before] = await safe(billing.getBilling())
  if (unread) return refusedForm(unread, failed, here)
  const [error] = await safe(billing.cancelSubscription())
  if (error) return refusedForm(error, failed, here)
  // It is canceled, whether or not we can read what came of it.
  const [, after] = await safe(billing.getBilling())
  return data<BillingAnswer>({
    done: after ? planCanceled(before, after) : 'Your subscription is canceled.',
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function CancelPage({ loaderData, actionData }: Route.ComponentProps) {
  const { billing } = loaderData
  return (
    <QuestionPage
      question={cancelPlanQuestion(billing)}
      answer={actionData}
      settled={canCancelPlan(billing) ? null : <Settled billing={billing} />}
    />
  )
}

function Settled({ billing: { plan, subscription } }: { billing: BillingPage }) {
  if (!isRunning(subscription)) return 'There is nothing to cancel.'
  if (plan !== 'pro') return 'Already canceled.'
  return (
    <>
      Already canceled. You have access until <BillingDay at={subscription.current_period_end} />.
    </>
  )
}

export const ErrorBoundary = BillingProblem
