import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { AnswerBanner } from '../../billing/ui/answer-banner.tsx'
import { type BillingAnswer, typedBefore } from '../../billing/ui/billing-answer.ts'
import { money } from '../../billing/ui/plan-words.ts'
import { amountIn } from '../../courses/pricing.ts'
import type { Earnings } from '../../earnings/schema.ts'
import { largestPaypalPayment, largestPayoutOf, paypalFeePercent, payoutFeeOf } from '../rules.ts'
import type { PayoutSetup } from '../schema.ts'
import { destinationOf } from './payout-words.ts'
import { useFormAnswer } from './use-form-answer.ts'

export type PayOutFormProps = {
  method: NonNullable<PayoutSetup['method']>
  earnings: Earnings
  /** The answer that the page was sent with, where no script runs. */
  first?: BillingAnswer
  cancel: ReactNode
  /** The server is at it: whoever shows the form keeps it. */
  onBusy?: (busy: boolean) => void
  onDone: (words: string) => void
}

const place = '/payments/pay-out'

/** How much, where it goes, and what arrives there. */
export function PayOutForm({ method, earnings, first, cancel, onBusy, onDone }: PayOutFormProps) {
  const { available, currency } = earnings
  const { fetcher, busy, refusal } = useFormAnswer(place, onDone, first)
  useEffect(() => onBusy?.(busy), [onBusy, busy])
  const most = Math.min(available, largestPayoutOf(method.method))
  const [typed, setTyped] = useState(typedBefore(first).amount ?? (most / 100).toFixed(2))
  const amount = Math.floor(amountIn(typed))
  const arrives = amount - payoutFeeOf(method.method, amount)
  return (
    <fetcher.Form
      method="post"
      action={place}
      onSubmit={(event) => busy && event.preventDefault()}
      className="grid grid-cols-1 gap-5"
    >
      <Field
        label="Amount in US dollars"
        hint={`${money(available, currency)} is available.${most < available ? ` ${limitWords(method, currency)}` : ''}`}
        required
      >
        <Input
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <dl className="grid gap-2 rounded-card bg-wash p-4 text-sm">
        <Line term="To">{destinationOf(method)}</Line>
        {method.method === 'paypal' && (
          <Line term={`PayPal’s fee (${paypalFeePercent}%)`}>
            {money(amount - arrives, currency)}
          </Line>
        )}
        <Line term="You receive">
          <strong>{money(arrives, currency)}</strong>
        </Line>
      </dl>
      <AnswerBanner answer={refusal} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {cancel}
        <Button type="submit" busy={busy} busyText="Paying out...">
          Pay Out
        </Button>
      </div>
    </fetcher.Form>
  )
}

/** Why not all of it can be paid out at once. */
function limitWords({ method }: PayOutFormProps['method'], currency: string): string {
  const rest = 'Pay out the rest when this has arrived.'
  return method === 'paypal'
    ? `PayPal sends ${money(largestPaypalPayment, currency)} at most at once. ${rest}`
    : rest
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
      <dt className="text-muted">{term}</dt>
      <dd className="tabular-nums wrap-anywhere">{children}</dd>
    </div>
  )
}
