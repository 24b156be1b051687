// The demo upgrade of test mode (spec 1, section 8): asks, and gives a real subscription of the sandbox.
import { safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { Route } from './+types/demo-page'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { brand } from '../../site/brand.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { PlanName } from '../rules.ts'
import { type BillingAnswer, orUnreached } from './billing-answer.ts'
import { BillingProblem } from './billing-problem.tsx'
import { demoQuestion } from './billing-questions.tsx'
import { isPlanName } from './plan-words.ts'
import { QuestionPage } from './question-page.tsx'
import { refusedForm } from './refused-form.ts'

const failed = 'Failed to process upgrade. Please try again.'

export const meta = () => pageMeta('Demo upgrade', 'Try Pro in test mode.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const { hasDemoUpgrade } = await context.get(pageApi).billing.getBilling()
  if (!hasDemoUpgrade) throw redirect('/upgrade')
  const asked = url.searchParams.get('plan')
  const plan: PlanName = isPlanName(asked) ? asked : 'annual'
  return { plan }
}

export async function action({ request, context }: Route.ActionArgs) {
  // What is no plan is refused by the call, in words.
  const plan = (await formDataOf(request)).get('plan') as PlanName
  const [error] = await safe(context.get(formApi).billing.demoUpgrade({ plan }))
  if (error) return refusedForm(error, failed, '/upgrade/demo')
  return data<BillingAnswer>({
    done: `Your subscription has been activated. Welcome to ${brand.name} Pro!`,
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function DemoPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <QuestionPage
      question={demoQuestion(loaderData.plan)}
      answer={actionData}
      back={{ to: '/upgrade', label: 'Back to plans' }}
    />
  )
}

export const ErrorBoundary = BillingProblem
