import { safe } from '@orpc/client'
import { data } from 'react-router'
import type { Route } from './+types/remove-method-page'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { type BillingAnswer, orUnreached } from '../../billing/ui/billing-answer.ts'
import { QuestionPage } from '../../billing/ui/question-page.tsx'
import { refusedForm } from '../../billing/ui/refused-form.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { PaymentsProblem } from './payments-problem.tsx'
import { removeMethodQuestion } from './remove-method-question.tsx'

const failed = 'Failed to remove the payout method. Please try again.'

export const meta = () => pageMeta('Remove Payout Method', 'What ends, and what stays.')

export async function loader({ context }: Route.LoaderArgs) {
  const { method } = await context.get(pageApi).payouts.getPayoutSetup({})
  return { isSetUp: method !== null }
}

export async function action({ context }: Route.ActionArgs) {
  const [error] = await safe(context.get(formApi).payouts.removePayoutMethod())
  if (error) return refusedForm(error, failed, removeMethodQuestion.page)
  return data<BillingAnswer>({ done: 'The payout method is removed.' })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function RemoveMethodPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer =
    actionData ?? (loaderData.isSetUp ? undefined : { done: 'There is no payout method.' })
  return (
    <QuestionPage
      question={removeMethodQuestion}
      answer={answer}
      back={{ to: '/payments', label: 'Back to Payments' }}
      home={{ to: '/payments', label: 'Payments' }}
    />
  )
}

export const ErrorBoundary = PaymentsProblem
