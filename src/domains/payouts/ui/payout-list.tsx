import { useRef, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import { BillingDay } from '../../billing/ui/billing-day.tsx'
import { BillingForm } from '../../billing/ui/billing-form.tsx'
import { money } from '../../billing/ui/plan-words.ts'
import type { Payout, PayoutPage } from '../schema.ts'
import { payoutStates } from './payout-words.ts'

const newestFirst = (one: Payout, other: Payout) =>
  other.requestedAt.localeCompare(one.requestedAt) || other.id.localeCompare(one.id)

/** What was paid out, and what is on its way. */
export function PayoutList({ page }: { page: PayoutPage }) {
  const [kept, setKept] = useState<Payout[]>([])
  const [further, setFurther] = useState<{ nextCursor: string | null } | null>(null)
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextCursor } = further ?? page
  // The later word about a payout is the one that counts.
  const known = new Map([...kept, ...page.payouts].map((payout) => [payout.id, payout]))
  const payouts = [...known.values()].toSorted(newestFirst)

  async function loadMore() {
    if (nextCursor === null || more === 'loading') return
    setMore('loading')
    const [error, next] = await safe(client.payouts.getPayouts({ cursor: nextCursor }))
    setMore(error ? 'failed' : 'idle')
    if (error) return
    setKept([...payouts, ...next.payouts])
    setFurther(next)
  }

  return (
    <Card id="payouts" className="scroll-mt-24">
      <CardHeader title="Payouts" />
      {payouts.length === 0 ? (
        <p className="text-muted">What is paid out to you appears here.</p>
      ) : (
        <ul aria-label="Payouts" className="grid divide-y">
          {payouts.map((payout) => (
            <PayoutItem key={payout.id} payout={payout} />
          ))}
        </ul>
      )}
      {more === 'failed' && (
        <Banner tone="danger" className="mt-4">
          More payouts could not be loaded. Please try again.
        </Banner>
      )}
      {nextCursor !== null && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          busy={more === 'loading'}
          onClick={() => void loadMore()}
        >
          Load More
          <span className="sr-only"> payouts</span>
        </Button>
      )}
    </Card>
  )
}

function PayoutItem({ payout }: { payout: Payout }) {
  const { label, tone } = payoutStates[payout.status]
  const row = useRef<HTMLLIElement>(null)
  return (
    <li
      ref={row}
      tabIndex={-1}
      className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-4 outline-none first:pt-0 last:pb-0"
    >
      <div className="grid min-w-0 gap-0.5">
        <span className="font-semibold wrap-anywhere">{payout.destination}</span>
        <span className="text-sm text-muted">
          <When payout={payout} />
          {payout.isAutomatic && ' · by itself'}
        </span>
        {payout.failure !== null && (
          <span className="text-sm text-pretty text-danger">{payout.failure}</span>
        )}
        <BillingForm
          page="/payments"
          fields={{ intent: 'take-back', payoutId: payout.id }}
          label="Take Back"
          busyText="Taking back..."
          size="sm"
          // Of a payout that nobody claims at its address.
          isOffered={payout.failure !== null && payout.status === 'in_transit'}
          place={row}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        <span className="grid sm:justify-items-end">
          <span className="font-semibold tabular-nums">
            {money(payout.amount, payout.currency)}
          </span>
          {payout.fee > 0 && (
            <span className="text-sm text-muted tabular-nums">
              {money(payout.fee, payout.currency)} of it PayPal’s fee
            </span>
          )}
        </span>
      </div>
    </li>
  )
}

function When({ payout }: { payout: Payout }) {
  if (payout.status === 'paid') {
    return (
      <>
        Arrived on <BillingDay at={payout.endedAt} />
      </>
    )
  }
  if (payout.status === 'in_transit' && payout.arrivesAt !== null) {
    return (
      <>
        Expected on <BillingDay at={payout.arrivesAt} />
      </>
    )
  }
  return (
    <>
      Asked for on <BillingDay at={payout.requestedAt} />
    </>
  )
}
