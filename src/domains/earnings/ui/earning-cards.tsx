import type { ReactNode } from 'react'
import { Card } from '../../../ui/card.tsx'
import { BillingDay } from '../../billing/ui/billing-day.tsx'
import { money } from '../../billing/ui/plan-words.ts'
import type { Earnings } from '../schema.ts'

/** What was earned, in four numbers; the last one, what can be had now, is the caller's. */
export function EarningCards({ earnings, children }: { earnings: Earnings; children: ReactNode }) {
  const { total, thisMonth, pending, nextAvailableAt, paidOut, currency } = earnings
  return (
    // Beside the settings' tabs there is less room than on the page of its own, and amounts may be long.
    <div className="@container">
      <div className="grid grid-cols-1 gap-4 @md:grid-cols-2 @4xl:grid-cols-4">
        <Figure title="Total Earnings" amount={money(total, currency)}>
          After fees, refunds and disputes. {money(paidOut, currency)} was paid out.
        </Figure>
        <Figure title="This Month" amount={money(thisMonth, currency)}>
          Months begin and end at midnight, UTC.
        </Figure>
        <Figure title="Pending" amount={money(pending, currency)}>
          {nextAvailableAt === null ? (
            'Nothing is waiting at the payment provider.'
          ) : (
            <>
              Next release: <BillingDay at={nextAvailableAt} />.
            </>
          )}
        </Figure>
        {children}
      </div>
    </div>
  )
}

function Figure(props: { title: string; amount: string; children: ReactNode }) {
  return (
    <Card className="grid content-start gap-2">
      <h2 className="text-sm font-semibold text-muted">{props.title}</h2>
      <p className="text-2xl font-semibold tabular-nums">{props.amount}</p>
      <p className="text-sm text-pretty text-muted">{props.children}</p>
    </Card>
  )
}
