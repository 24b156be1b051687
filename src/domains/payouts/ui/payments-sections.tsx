import { useFreshPage } from '../../../web/use-fresh-page.ts'
import { EarningCards } from '../../earnings/ui/earning-cards.tsx'
import { EarningsHistory } from '../../earnings/ui/earnings-history.tsx'
import { Statements } from '../../earnings/ui/statements.tsx'
import { noMoneyMoved } from '../../payments/test-mode.ts'
import { HowPaymentsWork } from './how-payments-work.tsx'
import { AvailableCard } from './available-card.tsx'
import type { Payments } from './payments-data.ts'
import { PayoutList } from './payout-list.tsx'
import { PayoutMethodCard } from './payout-method-card.tsx'

/** Everything about being paid, on its page and in the settings. */
export function PaymentsSections({ payments }: { payments: Payments }) {
  useFreshPage(['earnings', 'plan'])
  const { setup, earnings, payouts, sales, courses, filter } = payments
  return (
    <>
      <PayoutMethodCard setup={setup} />
      {setup.isTestMode && <p className="text-sm text-muted">{noMoneyMoved}.</p>}
      <EarningCards earnings={earnings}>
        <AvailableCard setup={setup} earnings={earnings} />
      </EarningCards>
      <HowPaymentsWork feePercent={earnings.feePercent} offersPaypal={setup.offersPaypal} />
      <PayoutList page={payouts} />
      <EarningsHistory page={sales} courses={courses} filter={filter} />
      <Statements statements={earnings.statements} />
    </>
  )
}
