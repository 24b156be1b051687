// Choosing Pro as a page of its own, and the call behind 'Upgrade to Pro' everywhere.
import { safe } from '@orpc/client'
import { data, redirectDocument, useNavigate } from 'react-router'
import type { Route } from './+types/upgrade-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { catalogue } from '../rules.ts'
import { type BillingAnswer, orUnreached } from './billing-answer.ts'
import { BillingProblem } from './billing-problem.tsx'
import { isPlanName, upgradeFailed } from './plan-words.ts'
import { refusedForm } from './refused-form.ts'
import { UpgradeForm } from './upgrade-form.tsx'

export const meta = () => pageMeta('Upgrade to Pro', 'What Pro brings, and what it costs.')

export async function loader({ context }: Route.LoaderArgs) {
  const { plan } = await context.get(pageApi).billing.getBilling()
  return { plan }
}

export async function action({ request, context }: Route.ActionArgs) {
  const plan = (await formDataOf(request)).get('plan')
  if (!isPlanName(plan)) {
    return data<BillingAnswer>(
      { problem: upgradeFailed, detail: 'Product not found' },
      { status: 422 },
    )
  }
  const { priceId, mode } = catalogue[plan]
  const [error, started] = await safe(
    context.get(formApi).billing.stripeCheckout({
      price_id: priceId,
      mode,
      success_url: `/billing?success=true&plan=${plan}`,
      cancel_url: '/billing?canceled=true',
    }),
  )
  if (error) return refusedForm(error, upgradeFailed, '/upgrade', { plan })
  throw redirectDocument(started.url)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(upgradeFailed))

export default function UpgradePage({ loaderData, actionData }: Route.ComponentProps) {
  const navigate = useNavigate()
  return (
    <div className="page-width grid max-w-[44rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/billing', label: 'Back to Billing' }}
        title="Upgrade to Pro"
        description={
          loaderData.plan === 'pro'
            ? 'You are on Pro already.'
            : 'Choose how you pay. You can cancel at any time.'
        }
      />
      {loaderData.plan === 'pro' ? (
        <Banner
          tone="success"
          action={
            <ButtonLink to="/billing" variant="secondary" size="sm">
              Billing
            </ButtonLink>
          }
        >
          You have access to all Pro features.
        </Banner>
      ) : (
        <Card>
          <UpgradeForm first={actionData} onUpgraded={() => void navigate('/billing')} />
        </Card>
      )}
    </div>
  )
}

export const ErrorBoundary = BillingProblem
