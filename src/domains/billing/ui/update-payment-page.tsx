import { safe } from '@orpc/client'
import { redirectDocument } from 'react-router'
import type { Route } from './+types/update-payment-page'
import { formApi } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { orUnreached } from './billing-answer.ts'
import { BillingProblem } from './billing-problem.tsx'
import { updatePaymentQuestion } from './billing-questions.tsx'
import { QuestionPage } from './question-page.tsx'
import { refusedForm } from './refused-form.ts'

const failed = 'Failed to update payment method. Please try again.'

export const meta = () => pageMeta('Update Payment Method', 'Change the card that pays.')

/** Leads to the payment provider's own page for cards. */
export async function action({ context }: Route.ActionArgs) {
  const [error, portal] = await safe(
    context.get(formApi).billing.stripePortal({
      return_url: '/billing',
      flow: 'payment_method_update',
    }),
  )
  if (error) return refusedForm(error, failed, '/billing/update-payment')
  throw redirectDocument(portal.url)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function UpdatePaymentPage({ actionData }: Route.ComponentProps) {
  return <QuestionPage question={updatePaymentQuestion} answer={actionData} />
}

export const ErrorBoundary = BillingProblem
