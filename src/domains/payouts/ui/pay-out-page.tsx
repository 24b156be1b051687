import { safe } from '@orpc/client'
import { data, useNavigate } from 'react-router'
import type { Route } from './+types/pay-out-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { type BillingAnswer, orUnreached } from '../../billing/ui/billing-answer.ts'
import { BillingDay } from '../../billing/ui/billing-day.tsx'
import { money } from '../../billing/ui/plan-words.ts'
import { amountIn } from '../../courses/pricing.ts'
import type { Earnings } from '../../earnings/schema.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { isTooLittle, payOutObstacle } from './available-card.tsx'
import { PayOutForm } from './pay-out-form.tsx'
import { PaymentsFormPage } from './payments-form-page.tsx'
import { PaymentsProblem } from './payments-problem.tsx'
import { refusedAmount } from './refused-amount.ts'

const failed = 'Failed to pay out. Please try again.'

export const meta = () => pageMeta('Pay Out', 'How much, and where it goes.')

export async function loader({ context }: Route.LoaderArgs) {
  const { payouts, earnings } = context.get(pageApi)
  const [setup, earned] = await Promise.all([payouts.getPayoutSetup({}), earnings.getEarnings()])
  return { setup, earnings: earned }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const amount = amountIn(String(form.get('amount') ?? ''))
  const [error, payout] = await safe(context.get(formApi).payouts.requestPayout({ amount }))
  if (error) return refusedAmount(error, { failed, here: '/payments/pay-out', form })
  return data<BillingAnswer>({
    done: `${money(payout.amount - payout.fee, payout.currency)} is on its way to ${payout.destination}.`,
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function PayOutPage({ loaderData, actionData }: Route.ComponentProps) {
  const { setup, earnings } = loaderData
  const navigate = useNavigate()
  const { payouts: off } = useSwitchedOff()
  const obstacle = payOutObstacle({ setup, earnings, off })
  return (
    <PaymentsFormPage
      title="Pay Out"
      answer={actionData}
      instead={
        !actionData && obstacle !== null ? (
          <Obstacle obstacle={obstacle} earnings={earnings} />
        ) : undefined
      }
    >
      {setup.method && (
        <PayOutForm
          method={setup.method}
          earnings={earnings}
          first={actionData}
          cancel={
            <ButtonLink to="/payments" variant="secondary">
              Cancel
            </ButtonLink>
          }
          onDone={(words) => {
            void toast.success(words)
            void navigate('/payments')
          }}
        />
      )}
    </PaymentsFormPage>
  )
}

/** Why there is no form, and the way back. */
function Obstacle({ obstacle, earnings }: { obstacle: string; earnings: Earnings }) {
  const { available, leastPayout, pending, nextAvailableAt, currency } = earnings
  const back = (
    <ButtonLink to="/payments" variant="secondary" size="sm">
      Back to Payments
    </ButtonLink>
  )
  if (!isTooLittle(earnings)) {
    return (
      <Banner tone="warning" action={back}>
        {obstacle}
      </Banner>
    )
  }
  return (
    <Banner
      title={`You have ${money(available, currency)} available. You can be paid out once it is ${money(leastPayout, currency)} or more.`}
      action={back}
    >
      {pending > 0 ? `${money(pending, currency)} is pending.` : 'Nothing is pending.'}
      {nextAvailableAt !== null && (
        <>
          {' '}
          Next release: <BillingDay at={nextAvailableAt} />.
        </>
      )}
    </Banner>
  )
}

export const ErrorBoundary = PaymentsProblem
