import { safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { Route } from './+types/billing-page'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { AnswerBanner } from './answer-banner.tsx'
import { type BillingAnswer, orUnreached } from './billing-answer.ts'
import { BillingProblem } from './billing-problem.tsx'
import { BillingSections } from './billing-sections.tsx'
import { refusedForm } from './refused-form.ts'
import { isOfNoPayment, ReturnBanner, useIsConfirming } from './return-banner.tsx'

const reactivateFailed = 'Failed to reactivate subscription. Please try again or contact support.'
const keepFailed = 'Failed to keep the course. Please try again or contact support.'
const returnFailed = 'Failed to return to the course. Please try again or contact support.'

export const meta = () => pageMeta('Billing', 'Your plan, what you pay, and your invoices.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const billing = await context.get(pageApi).billing.getBilling()
  if (isOfNoPayment(url.searchParams, billing)) throw redirect('/billing')
  const { customer_id } = billing.subscription
  if (url.searchParams.get('history') !== 'shown' || customer_id === null) return { billing }
  // Where no script asks for it.
  const [, history = null] = await safe(
    context.get(formApi).billing.stripeBillingHistory({ customer_id }),
  )
  return { billing, history }
}

/** Takes a cancellation back: of Pro, or of a monthly course; or returns to a course that is paid for. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const { billing, purchases, enrollment } = context.get(formApi)
  if (form.get('intent') === 'return') {
    const courseId = String(form.get('courseId'))
    const [error, joined] = await safe(enrollment.enroll({ courseId }))
    if (error) return refusedForm(error, returnFailed, '/billing')
    throw redirect(`/course/${joined.slug}/dashboard`)
  }
  if (form.get('intent') === 'keep') {
    const purchaseId = String(form.get('purchaseId'))
    const [error] = await safe(purchases.resumePurchase({ purchaseId }))
    if (error) return refusedForm(error, keepFailed, '/billing')
    return data<BillingAnswer>({ done: 'You keep the course: it renews as before.' })
  }
  const [error] = await safe(billing.reactivateSubscription())
  if (error) return refusedForm(error, reactivateFailed, '/billing')
  return data<BillingAnswer>({ done: 'You keep Pro: your subscription renews as before.' })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached('This did not work. Please try again.'))

export default function Billing({ loaderData, actionData }: Route.ComponentProps) {
  const { billing } = loaderData
  const isConfirming = useIsConfirming(billing)
  return (
    <div className="page-width grid max-w-[52rem] grid-cols-1 gap-6 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Billing"
        description="Manage your subscription, and what you pay for courses"
      />
      <ReturnBanner billing={billing} />
      <AnswerBanner answer={actionData} />
      <BillingSections
        billing={billing}
        isConfirming={isConfirming}
        history={'history' in loaderData ? loaderData.history : undefined}
      />
    </div>
  )
}

export const ErrorBoundary = BillingProblem
