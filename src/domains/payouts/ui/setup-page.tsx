import { safe } from '@orpc/client'
import { data, useNavigate } from 'react-router'
import type { Route } from './+types/setup-page'
import { ButtonLink } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { type BillingAnswer, orUnreached } from '../../billing/ui/billing-answer.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { typedIn } from '../../support/ui/form-answer.ts'
import { payoutMessages } from '../rules.ts'
import { newPayoutMethod } from '../schema.ts'
import { PaymentsFormPage } from './payments-form-page.tsx'
import { PaymentsProblem } from './payments-problem.tsx'
import { refusedUnproven } from './refused-unproven.ts'
import { noticeTime, SetupForm } from './setup-form.tsx'

const needsScript =
  'A bank account or a card can only be connected with JavaScript: your browser gives its numbers to the payment provider, and not to us.'

export const meta = () => pageMeta('Set Up Payout Method', 'Where your earnings go.')

export async function loader({ context }: Route.LoaderArgs) {
  return { setup: await context.get(pageApi).payouts.getPayoutSetup({}) }
}

/** Takes a token in place of numbers; what else is in the form is left where it is. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const problem = payoutMessages.failed
  const typed = typedIn(form)
  if (form.get('method') !== 'paypal' && !form.get('token')) {
    return data<BillingAnswer>({ problem, detail: needsScript, typed }, { status: 422 })
  }
  const meant = newPayoutMethod.safeParse(Object.fromEntries(form))
  if (!meant.success) {
    const detail = meant.error.issues[0]?.message
    return data<BillingAnswer>({ problem, detail, typed }, { status: 422 })
  }
  const api = context.get(formApi)
  const [error, setup] = await safe(api.payouts.connectPayoutMethod(meant.data))
  if (error) return refusedUnproven(api, error, problem, '/payments/setup', typed)
  return data<BillingAnswer>({
    done:
      setup.standing === 'information_needed'
        ? 'Payout method connected. The payment provider still needs something from you.'
        : 'Payout method connected.',
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(payoutMessages.failed))

export default function SetupPage({ loaderData, actionData }: Route.ComponentProps) {
  const { setup } = loaderData
  const navigate = useNavigate()
  return (
    <PaymentsFormPage
      title={setup.method ? 'Change Payout Method' : 'Set Up Payout Method'}
      description="Where your earnings go."
      answer={actionData}
    >
      <SetupForm
        setup={setup}
        first={actionData}
        cancel={
          <ButtonLink to="/payments" variant="secondary">
            Cancel
          </ButtonLink>
        }
        onDone={(words) => {
          void toast.success(words, { duration: noticeTime })
          void navigate('/payments')
        }}
      />
    </PaymentsFormPage>
  )
}

export const ErrorBoundary = PaymentsProblem
