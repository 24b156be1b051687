import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { AnswerBanner } from '../../billing/ui/answer-banner.tsx'
import { type BillingAnswer, typedBefore } from '../../billing/ui/billing-answer.ts'
import { money } from '../../billing/ui/plan-words.ts'
import { amountIn } from '../../courses/pricing.ts'
import { useFormAnswer } from '../../payouts/ui/use-form-answer.ts'
import type { Sale } from '../schema.ts'
import { refundEffect, refundPage } from './sale-words.ts'

type RefundFormProps = {
  sale: Sale
  /** Of this form, until the provider refused: sent again after an answer that was lost, it pays back once. */
  requestId: string
  /** The answer that the page was sent with, where no script runs. */
  first?: BillingAnswer
  cancel: ReactNode
  /** The server is at it: whoever shows the form keeps it. */
  onBusy?: (busy: boolean) => void
  onDone: (words: string) => void
}

/** How much goes back, and what that does to the balance and to access, before it is done. */
export function RefundForm(props: RefundFormProps) {
  const { sale, first, cancel, onBusy, onDone } = props
  const { fetcher, busy, refusal } = useFormAnswer(refundPage(sale.id), onDone, first)
  useEffect(() => onBusy?.(busy), [onBusy, busy])
  const [typed, setTyped] = useState(
    typedBefore(first).amount ?? (sale.refundable / 100).toFixed(2),
  )
  const [requestId, setRequestId] = useState(typedBefore(first).requestId ?? props.requestId)
  const nextRequestId = typedBefore(refusal).requestId
  if (nextRequestId && nextRequestId !== requestId) setRequestId(nextRequestId)
  const amount = Math.min(Math.floor(amountIn(typed)), sale.refundable)
  return (
    <fetcher.Form
      method="post"
      action={refundPage(sale.id)}
      onSubmit={(event) => busy && event.preventDefault()}
      className="grid grid-cols-1 gap-5"
    >
      <input type="hidden" name="requestId" value={requestId} />
      <Field
        label="Amount in US dollars"
        hint={`Up to ${money(sale.refundable, sale.currency)} can be paid back.`}
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
      <Effect sale={sale} amount={amount} />
      <AnswerBanner answer={refusal} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {cancel}
        <Button type="submit" variant="danger" busy={busy} busyText="Refunding...">
          Refund
        </Button>
      </div>
    </fetcher.Form>
  )
}

function Effect({ sale, amount }: { sale: Sale; amount: number }) {
  const { feeBack, balance, isFull } = refundEffect(sale, amount)
  const words = (cents: number) => money(cents, sale.currency)
  return (
    <ul
      aria-label="What this does"
      className="grid list-disc gap-2 pl-5 text-pretty text-muted marker:text-edge"
    >
      <li>
        The buyer gets <strong className="text-ink">{words(amount)}</strong> back.
      </li>
      <li>
        Your balance goes down by <strong className="text-ink">{words(balance)}</strong>
        {feeBack > 0 && `: we give you ${words(feeBack)} of our fee back`}.
      </li>
      <li>The card fee of {words(sale.providerFee)} is not given back.</li>
      <li>{isFull ? ending(sale) : 'Access to the course stays as it is.'}</li>
      {sale.state === 'paid_out' && (
        <li>
          This sale was paid out already: it is taken from what is available now, or from your next
          sales.
        </li>
      )}
    </ul>
  )
}

const ending = ({ pricingType }: Sale) =>
  pricingType === 'monthly'
    ? 'If this is the newest month, the subscription is canceled and access ends at once. An older month ends nothing.'
    : 'The buyer’s access by this payment ends at once.'
