import type Stripe from 'stripe'
import { moveBalance, settlesWith } from './balance-transactions.ts'
import { wrong } from './refusal.ts'
import type { Unit } from './store.ts'

export interface RefundTerms {
  /** Minor units; without it all that is left. */
  amount?: number
  reason?: string
  metadata?: Stripe.Metadata
}

const inMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)

/** Gives back the money of a payment, or a part of it. The provider keeps its fee. */
export async function refundCharge(
  unit: Unit,
  charge: Stripe.Charge,
  { amount: asked, reason, metadata = {} }: RefundTerms,
): Promise<Stripe.Refund> {
  const { id: chargeId, currency } = charge
  if (charge.status !== 'succeeded') {
    throw wrong(`Charge ${chargeId} was not paid.`, 'charge')
  }
  if (charge.disputed) {
    const [dispute] = await unit.find<Stripe.Dispute>('dispute', { charge: chargeId })
    if (!dispute?.is_charge_refundable) {
      const message = `Charge ${chargeId} has been charged back; cannot issue a refund.`
      throw wrong(message, undefined, 'charge_disputed')
    }
  }
  const left = charge.amount - charge.amount_refunded
  if (left === 0) {
    const message = `Charge ${chargeId} has already been refunded.`
    throw wrong(message, undefined, 'charge_already_refunded')
  }
  const amount = asked ?? left
  if (amount < 1) throw wrong('Invalid positive integer', 'amount', 'parameter_invalid_integer')
  if (amount > left) {
    const sums = [amount, left].map((sum) => inMoney(sum, currency))
    throw wrong(
      `Refund amount (${sums[0]}) is greater than unrefunded amount on charge (${sums[1]})`,
      'amount',
    )
  }
  const created = await unit.now(charge.customer as string | null)
  const id = unit.newId('re_')
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: moveBalance(unit, {
      amount: -amount,
      currency,
      source: id,
      type: 'refund',
      category: 'refund',
      description: `REFUND FOR CHARGE${charge.description ? ` (${charge.description})` : ''}`,
      created,
      of: await settlesWith(unit, charge),
    }).id,
    charge: chargeId,
    created,
    currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: (reason ?? null) as Stripe.Refund.Reason | null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  unit.put(refund)
  unit.put(charge)
  unit.emit('refund.created', refund)
  unit.emit('charge.refunded', charge)
  return refund
}

/** The bank could not credit the card: the money comes back. */
export async function failRefund(unit: Unit, refund: Stripe.Refund): Promise<Stripe.Refund> {
  if (refund.status !== 'succeeded') throw wrong(`Refund ${refund.id} did not succeed.`, 'refund')
  const charge = await unit.require<Stripe.Charge>(String(refund.charge), 'charge')
  refund.status = 'failed'
  refund.failure_reason = 'lost_or_stolen_card'
  refund.failure_balance_transaction = moveBalance(unit, {
    amount: refund.amount,
    currency: refund.currency,
    source: refund.id,
    type: 'refund_failure',
    category: 'refund_failure',
    created: await unit.now(charge.customer as string | null),
    of: await settlesWith(unit, charge),
  }).id
  charge.amount_refunded -= refund.amount
  charge.refunded = false
  unit.put(refund)
  unit.put(charge)
  unit.emit('refund.updated', refund)
  unit.emit('refund.failed', refund)
  unit.emit('charge.updated', charge)
  return refund
}
