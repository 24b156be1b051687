import { randomId } from '../../../web/random-id.ts'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'
import { money } from '../../billing/ui/plan-words.ts'
import type { Sale } from '../schema.ts'

interface Sent {
  amount: number
  requestId?: string
  typed: Record<string, string>
}

/**
 * What the form says of a refund that was taken. It may be an earlier try, whose answer was lost: then it may have been
 * refused since, or another refund was asked for.
 */
export function refundAnswer(
  { refund, currency }: Pick<Sale, 'refund' | 'currency'>,
  { amount, requestId, typed }: Sent,
): BillingAnswer {
  if (requestId && refund?.id !== requestId) {
    const problem = 'Another refund of this sale was asked for since.'
    return { problem, detail: 'Look at the sale before you pay back more.', typed }
  }
  if (refund?.status === 'refused') {
    const problem = `${money(refund.amount, currency)} could not be paid back.`
    const detail = refund.refusal ?? undefined
    // That request is over: what is asked for from here on is another one.
    return { problem, detail, typed: { ...typed, requestId: randomId() } }
  }
  return { done: `${money(amount, currency)} is on its way back to the buyer.` }
}
