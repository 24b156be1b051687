import type Stripe from 'stripe'
import { moveBalance, settlesWith } from './balance-transactions.ts'
import { wrong } from './refusal.ts'
import type { Unit } from './store.ts'

/** What the provider takes for a dispute, in cents. */
const disputeFee = 1500

/** Seconds in which one could answer it. */
const timeToAnswer = 9 * 24 * 60 * 60

/** The owner of the card wants the money back from the bank: it is taken until that is decided. */
export async function openDispute(
  unit: Unit,
  charge: Stripe.Charge,
  now: number,
): Promise<Stripe.Dispute> {
  if (charge.disputed) throw wrong(`Charge ${charge.id} has a dispute already.`, 'charge')
  const amount = charge.amount - charge.amount_refunded
  if (charge.status !== 'succeeded' || amount === 0) {
    throw wrong(`Charge ${charge.id} holds no money to dispute.`, 'charge')
  }
  const id = unit.newId('du_')
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [
      moveBalance(unit, {
        amount: -amount,
        fee: disputeFee,
        currency: charge.currency,
        source: id,
        type: 'adjustment',
        category: 'dispute',
        description: `Chargeback withdrawal for ${charge.id}`,
        created: now,
        of: await settlesWith(unit, charge),
      }),
    ],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: null,
      customer_name: null,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    evidence_details: {
      due_by: now + timeToAnswer,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  }
  charge.disputed = true
  unit.put(charge)
  unit.put(dispute)
  unit.emit('charge.dispute.created', dispute)
  unit.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The bank has decided. */
export async function closeDispute(
  unit: Unit,
  dispute: Stripe.Dispute,
  isWon: boolean,
): Promise<Stripe.Dispute> {
  if (dispute.status === 'won' || dispute.status === 'lost') {
    throw wrong(`Dispute ${dispute.id} is closed already.`, 'dispute')
  }
  const charge = await unit.require<Stripe.Charge>(String(dispute.charge), 'charge')
  dispute.status = isWon ? 'won' : 'lost'
  if (isWon) {
    dispute.balance_transactions.push(
      moveBalance(unit, {
        amount: dispute.amount,
        // Since June 2025 it is kept, also of a dispute that was won.
        fee: 0,
        currency: dispute.currency,
        source: dispute.id,
        type: 'adjustment',
        category: 'dispute_reversal',
        description: `Chargeback reversal for ${charge.id}`,
        created: await unit.now(charge.customer as string | null),
        of: await settlesWith(unit, charge),
      }),
    )
    dispute.is_charge_refundable = true
  }
  unit.put(dispute)
  unit.emit('charge.dispute.closed', dispute)
  if (isWon) unit.emit('charge.dispute.funds_reinstated', dispute)
  return dispute
}
