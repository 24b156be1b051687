import { safe } from '@orpc/client'
import { data, redirectDocument } from 'react-router'
import type { Route } from './+types/payments-page'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { AnswerBanner } from '../../billing/ui/answer-banner.tsx'
import { type BillingAnswer, orUnreached } from '../../billing/ui/billing-answer.ts'
import { refusedForm } from '../../billing/ui/refused-form.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { Payout } from '../schema.ts'
import { OnboardingBanner } from './onboarding-banner.tsx'
import { filterIn, paymentsOf } from './payments-data.ts'
import { PaymentsProblem } from './payments-problem.tsx'
import { PaymentsSections } from './payments-sections.tsx'
import { isSchedule } from './payout-words.ts'
import { refusedUnproven } from './refused-unproven.ts'

const scheduleFailed = 'Failed to change when you are paid. Please try again.'
const onboardingFailed = 'The payment provider could not be reached. Please try again.'
const takingBackFailed = 'The payout was not taken back.'
const notYetBack = 'PayPal sends it back. It is in your balance when it is there.'
const takenBack: Partial<Record<Payout['status'], string>> = {
  failed: 'It is in your balance again.',
  paid: 'It has been claimed meanwhile, and has arrived.',
}

export const meta = () => pageMeta('Payments', 'What you earned, and how it is paid out.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const { searchParams } = url
  const fresh = searchParams.get('onboarding') === 'done'
  return paymentsOf(context.get(pageApi), { filter: filterIn(searchParams), fresh })
}

/** Sets when payouts happen by themselves, takes one back, or leads to the payment provider's own pages. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const api = context.get(formApi)
  const { payouts } = api
  if (form.get('intent') === 'onboarding') {
    const [error, address] = await safe(payouts.startOnboarding())
    if (error) return refusedUnproven(api, error, onboardingFailed, '/payments')
    throw redirectDocument(address.url)
  }
  if (form.get('intent') === 'take-back') {
    const payoutId = String(form.get('payoutId'))
    const [error, payout] = await safe(payouts.takeBackPayout({ payoutId }))
    if (error) return refusedForm(error, takingBackFailed, '/payments')
    return data<BillingAnswer>({ done: takenBack[payout.status] ?? notYetBack })
  }
  const schedule = form.get('schedule')
  if (!isSchedule(schedule)) {
    return data<BillingAnswer>({ problem: scheduleFailed }, { status: 422 })
  }
  const [error] = await safe(payouts.setPayoutSchedule({ schedule }))
  if (error) return refusedForm(error, scheduleFailed, '/payments')
  return data<BillingAnswer>({
    done: {
      manual: 'You are paid when you ask for it.',
      weekly: 'You are paid every Monday (UTC).',
      monthly: 'You are paid on the first of every month (UTC).',
    }[schedule],
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached('This did not work. Please try again.'))

export default function PaymentsPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="page-width grid max-w-[60rem] grid-cols-1 gap-6 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Payments"
        description="What you earned, and how it is paid out"
      />
      <OnboardingBanner standing={loaderData.setup.standing} />
      <AnswerBanner answer={actionData} />
      <PaymentsSections payments={loaderData} />
    </div>
  )
}

export const ErrorBoundary = PaymentsProblem
