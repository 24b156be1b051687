import { Card, CardHeader } from '../../../ui/card.tsx'
import { useFreshPage } from '../../../web/use-fresh-page.ts'
import type { BillingHistory as History, BillingPage } from '../schema.ts'
import { BillingHistory } from './billing-history.tsx'
import { PaymentMethod } from './payment-method.tsx'
import { PlanCard } from './plan-card.tsx'
import { isRunning } from './plan-words.ts'
import { AllOfPro, ProBenefits } from './pro-benefits.tsx'
import { PurchasedCourses } from './purchased-courses.tsx'

type BillingSectionsProps = {
  billing: BillingPage
  history?: History | null
  /** A payment for Pro is being confirmed: nothing here invites to another. */
  isConfirming?: boolean
  /** False while nobody looks: then the payment provider is not asked for the history. */
  isShown?: boolean
}

/** Everything about billing, on its page and in the settings. */
export function BillingSections({
  billing,
  history,
  isConfirming = false,
  isShown = true,
}: BillingSectionsProps) {
  useFreshPage(['plan', 'purchase'])
  const { plan, subscription } = billing
  const isOffered = plan === 'free' && !isRunning(subscription) && !isConfirming
  return (
    <>
      <PlanCard billing={billing} isConfirming={isConfirming} />
      {isRunning(subscription) && <PaymentMethod subscription={subscription} />}
      {isOffered && (
        <Card>
          <CardHeader title="You're on the Free Plan" description="Pro brings all of this." />
          <ProBenefits className="sm:grid-cols-2" />
          <div className="mt-4">
            <AllOfPro />
          </div>
        </Card>
      )}
      <PurchasedCourses billing={billing} />
      {isShown && <BillingHistory billing={billing} first={history} />}
    </>
  )
}
