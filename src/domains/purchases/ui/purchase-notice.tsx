import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { BillingDay } from '../../billing/ui/billing-day.tsx'
import type { CoursePurchase } from '../schema.ts'

/** On the course's own page: a monthly payment that is missing, or that ends. */
export function PurchaseNotice({ purchase }: { purchase: CoursePurchase }) {
  const toBilling = (label: string) => (
    <ButtonLink to="/billing#purchases" variant="secondary" size="sm">
      {label}
    </ButtonLink>
  )
  if (purchase.status === 'past_due') {
    return (
      <Banner
        tone="warning"
        title="Your last payment did not work"
        action={toBilling('Update Payment')}
      >
        You keep your access while we try again. Check your card, so that the course stays open to
        you.
      </Banner>
    )
  }
  if (!purchase.cancelAtPeriodEnd || purchase.currentPeriodEnd === null) return null
  return (
    <Banner
      title={
        <>
          Your access ends on <BillingDay at={purchase.currentPeriodEnd} />
        </>
      }
      action={purchase.canRenew && toBilling('Keep the Course')}
    >
      {purchase.canRenew
        ? 'The monthly payment is canceled. Until then everything stays open to you.'
        : 'Its creator has left, so no further months can be paid. Until then everything stays open to you.'}
    </Banner>
  )
}
