import { safe } from '@orpc/client'
import { data, useNavigate } from 'react-router'
import type { Route } from './+types/refund-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { randomId } from '../../../web/random-id.ts'
import { type BillingAnswer, orUnreached } from '../../billing/ui/billing-answer.ts'
import { amountIn } from '../../courses/pricing.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { PaymentsFormPage } from '../../payouts/ui/payments-form-page.tsx'
import { PaymentsProblem } from '../../payouts/ui/payments-problem.tsx'
import { refusedAmount } from '../../payouts/ui/refused-amount.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { typedIn } from '../../support/ui/form-answer.ts'
import { refundAnswer } from './refund-answer.ts'
import { RefundForm } from './refund-form.tsx'
import { refundPage } from './sale-words.ts'

const failed = 'Failed to refund this sale. Please try again.'

export const meta = () => pageMeta('Refund a Sale', 'What goes back, and what that does.')

export async function loader({ context, params: { saleId } }: Route.LoaderArgs) {
  const sale = await context.get(pageApi).earnings.getSale({ saleId })
  return { sale, requestId: randomId() }
}

export async function action({ request, context, params: { saleId } }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const amount = amountIn(String(form.get('amount') ?? ''))
  // A page that was open before the server had this knows of none.
  const requestId = form.get('requestId')?.toString()
  const { refundSale } = context.get(formApi).earnings
  const [error, sale] = await safe(refundSale({ saleId, amount, requestId }))
  if (error) return refusedAmount(error, { failed, here: refundPage(saleId), form })
  return data<BillingAnswer>(refundAnswer(sale, { amount, requestId, typed: typedIn(form) }))
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function RefundPage({ loaderData, actionData }: Route.ComponentProps) {
  const { sale, requestId } = loaderData
  const navigate = useNavigate()
  const title = withoutLightning(sale.courseTitle)
  const nothing = (
    <Banner tone="warning">
      Nothing of this sale can be paid back now. A refund may be on its way already, or a bank has
      it in dispute.
    </Banner>
  )
  return (
    <PaymentsFormPage
      title="Refund this sale?"
      description={sale.buyer ? `${title}, bought by ${sale.buyer.name}` : title}
      answer={actionData}
      instead={!actionData && sale.refundable === 0 ? nothing : undefined}
    >
      <RefundForm
        sale={sale}
        requestId={requestId}
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
    </PaymentsFormPage>
  )
}

export const ErrorBoundary = PaymentsProblem
