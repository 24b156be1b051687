import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import { platformFeeOf } from '../billing/rules.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import {
  disputeEntries,
  failedRefundEntries,
  paymentEntries,
  refundEntries,
  returnedFee,
  wonDisputeEntries,
} from '../ledger/rules.ts'
import { paymentDisputes, paymentRefunds, payments } from './tables.ts'

export interface ChargeToRecord {
  /** Succeeded, with its balance transaction. */
  charge: Stripe.Charge
  refunds: Stripe.Refund[]
  /** With their balance transactions. */
  disputes: Stripe.Dispute[]
  about:
    | {
        kind: 'course'
        purchaseId: string
        courseId: string | null
        creatorAccountId: string
        /** Ours, at the moment of the payment; of a charge that is recorded already the first one stays. */
        feePercent: number
      }
    | { kind: 'plan'; subscriptionId: string }
    | { kind: 'refused' }
  payerId: string | null
  /** For receipts: the title of the course, or of the plan. */
  description: string
  checkoutId: string | null
  invoice: { id: string; pdf: string | null } | null
}

type Payment = typeof payments.$inferSelect

export interface RecordedCharge {
  paymentId: string
  isNew: boolean
  gross: number
  /** Minor units of the refunds that were not known before. */
  newlyRefunded: number
  /** Minor units of the refunds of which we hear that they failed: they did not reach who paid. */
  cameBack: number
  refundedInFull: boolean
  dispute: Payment['dispute']
  disputeChanged: boolean
  /** Something of it is not as it was: what the creator earned, or when it can be paid out. */
  isChanged: boolean
}

/**
 * Brings our rows and the ledger in line with a charge, idempotently. Amounts only move forward: an older view
 * of the charge, which arrives late, changes nothing.
 */
export async function recordCharge(
  transaction: Transaction,
  toRecord: ChargeToRecord,
): Promise<RecordedCharge> {
  const { payment, isNew, isMoved } = await keepPayment(transaction, toRecord)
  const before = {
    refunds: await transaction
      .select()
      .from(paymentRefunds)
      .where(eq(paymentRefunds.paymentId, payment.id)),
    disputes: await transaction
      .select()
      .from(paymentDisputes)
      .where(eq(paymentDisputes.paymentId, payment.id)),
  }
  const moveFee = feeMover(payment, before)
  const { change, paidBack, failed } = await keepRefunds(transaction, payment, {
    refunds: toRecord.refunds,
    rows: before.refunds,
    moveFee,
  })
  const dispute = await keepDisputes(transaction, payment, {
    disputes: toRecord.disputes,
    rows: before.disputes,
    moveFee,
  })
  const refunded = payment.refunded + change
  // Of one that had failed before we knew of the payment nobody waits for the money.
  const cameBack = isNew ? 0 : failed
  const disputeChanged = dispute !== payment.dispute
  if (change !== 0 || disputeChanged) {
    await transaction.update(payments).set({ refunded, dispute }).where(eq(payments.id, payment.id))
  }
  return {
    paymentId: payment.id,
    isNew,
    gross: payment.gross,
    newlyRefunded: paidBack,
    cameBack,
    refundedInFull: refunded >= payment.gross,
    dispute,
    disputeChanged,
    isChanged: isNew || isMoved || change !== 0 || cameBack > 0 || disputeChanged,
  }
}

type RefundRow = typeof paymentRefunds.$inferSelect
type DisputeRow = typeof paymentDisputes.$inferSelect

/** What of our fee moves to the creator when so much more was taken back of the payment; negative when less. */
type MoveFee = (amount: number) => number

/** In whatever order refunds and disputes come and go: what has moved is the fee's share of what is taken back. */
function feeMover(
  payment: Payment,
  { refunds, disputes }: { refunds: RefundRow[]; disputes: DisputeRow[] },
): MoveFee {
  const standing = [
    ...refunds.filter(({ status }) => status !== 'failed'),
    ...disputes.filter(({ status }) => status !== 'won'),
  ]
  let taken = standing.reduce((sum, { amount }) => sum + amount, 0)
  let returned = [...refunds, ...disputes].reduce((sum, { platformFee }) => sum + platformFee, 0)
  return (amount) => {
    taken += amount
    const moved = returnedFee(payment, taken) - returned
    returned += moved
    return moved
  }
}

const moment = (seconds: number) => new Date(seconds * 1000)

/** @throws when the provider has not said yet what became of a charge: another try will find it. */
function settlementOf({ id, balance_transaction: settled }: Stripe.Charge) {
  if (!settled || typeof settled === 'string') {
    throw new Error(`the provider has not settled ${id} yet`)
  }
  return settled
}

/** From when on the provider lets us pay it out. */
const availableAtOf = (charge: Stripe.Charge) => moment(settlementOf(charge).available_on)

/** What the provider took for a charge, in the charge's own currency. */
function providerFeeOf(charge: Stripe.Charge): number {
  const settled = settlementOf(charge)
  return settled.exchange_rate ? Math.round(settled.fee / settled.exchange_rate) : settled.fee
}

/** The row of the charge, which is held from here on; `isMoved`: it can be paid out sooner than was said. */
async function keepPayment(
  transaction: Transaction,
  { charge, about, ...facts }: ChargeToRecord,
): Promise<{ payment: Payment; isNew: boolean; isMoved: boolean }> {
  const isOf = eq(payments.chargeId, charge.id)
  const [known] = await transaction.select().from(payments).where(isOf).for('update')
  if (known) {
    const missing = {
      checkoutId: known.checkoutId ?? facts.checkoutId,
      invoiceId: known.invoiceId ?? facts.invoice?.id ?? null,
      invoicePdf: known.invoicePdf ?? facts.invoice?.pdf ?? null,
    }
    // It can only come sooner than was said.
    const availableAt = new Date(
      Math.min(availableAtOf(charge).getTime(), known.availableAt.getTime()),
    )
    const isMoved = availableAt.getTime() !== known.availableAt.getTime()
    const isComplete =
      !isMoved &&
      missing.checkoutId === known.checkoutId &&
      missing.invoiceId === known.invoiceId &&
      missing.invoicePdf === known.invoicePdf
    if (!isComplete) {
      await transaction
        .update(payments)
        .set({ ...missing, availableAt })
        .where(isOf)
    }
    return { payment: { ...known, ...missing, availableAt }, isNew: false, isMoved }
  }
  if (!charge.paid || !charge.captured) throw new Error(`${charge.id} was not paid`)
  const gross = charge.amount_captured
  const feePercent = about.kind === 'course' ? about.feePercent : 0
  const [made] = await transaction
    .insert(payments)
    .values({
      chargeId: charge.id,
      kind: about.kind,
      checkoutId: facts.checkoutId,
      ...(about.kind === 'course'
        ? {
            purchaseId: about.purchaseId,
            courseId: about.courseId,
            creatorAccountId: about.creatorAccountId,
          }
        : {}),
      ...(about.kind === 'plan' ? { subscriptionId: about.subscriptionId } : {}),
      payerId: facts.payerId,
      description: facts.description,
      currency: charge.currency,
      gross,
      feePercent,
      platformFee: platformFeeOf(gross, feePercent),
      providerFee: providerFeeOf(charge),
      invoiceId: facts.invoice?.id ?? null,
      invoicePdf: facts.invoice?.pdf ?? null,
      receiptUrl: charge.receipt_url,
      paidAt: moment(charge.created),
      availableAt: availableAtOf(charge),
    })
    .onConflictDoNothing({ target: payments.chargeId })
    .returning()
  if (!made) {
    const [other] = await transaction.select().from(payments).where(isOf).for('update')
    return { payment: other!, isNew: false, isMoved: false }
  }
  await postTransaction(transaction, {
    kind: 'payment',
    source: `payment ${charge.id}`,
    ...ledgerFacts(made),
    occurredAt: made.paidAt,
    entries: paymentEntries(made.kind, made),
  })
  return { payment: made, isNew: true, isMoved: false }
}

const ledgerFacts = ({ id, currency, creatorAccountId }: Payment) => ({
  paymentId: id,
  currency,
  creatorAccountId,
})

type RefundStatus = RefundRow['status']

const refundStatus = ({ status }: Stripe.Refund): RefundStatus => {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

/** A bank can send back what had succeeded; after that there is nothing more to come. */
const refundSteps: RefundStatus[] = ['pending', 'succeeded', 'failed']

/** `paidBack`: of refunds that are new; `failed`: of those that failed; `change`: how `refunded` changes by both. */
async function keepRefunds(
  transaction: Transaction,
  payment: Payment,
  { refunds, rows, moveFee }: { refunds: Stripe.Refund[]; rows: RefundRow[]; moveFee: MoveFee },
) {
  const known = new Map(rows.map((row) => [row.id, row]))
  let change = 0
  let paidBack = 0
  let failed = 0
  for (const refund of refunds.toSorted((a, b) => a.created - b.created)) {
    const status = refundStatus(refund)
    const before = known.get(refund.id)
    const { amount } = refund
    const facts = { ...ledgerFacts(payment), occurredAt: moment(refund.created) }
    if (!before) {
      const isOver = status === 'failed'
      const platformFee = isOver ? 0 : moveFee(amount)
      await transaction
        .insert(paymentRefunds)
        .values({ id: refund.id, paymentId: payment.id, amount, platformFee, status })
      // Nothing moved for good by one that we hear of only now that it has failed.
      if (isOver) {
        failed += amount
        continue
      }
      await postTransaction(transaction, {
        kind: 'refund',
        source: `refund ${refund.id}`,
        ...facts,
        entries: refundEntries(payment.kind, { amount, platformFee }),
      })
      change += amount
      paidBack += amount
    } else if (refundSteps.indexOf(status) > refundSteps.indexOf(before.status)) {
      const moved = status === 'failed' ? moveFee(0 - before.amount) : 0
      await transaction
        .update(paymentRefunds)
        .set({ status, platformFee: before.platformFee + moved })
        .where(eq(paymentRefunds.id, refund.id))
      if (status !== 'failed') continue
      await postTransaction(transaction, {
        kind: 'refund_failed',
        source: `refund failed ${refund.id}`,
        ...facts,
        entries: failedRefundEntries(payment.kind, { ...before, platformFee: 0 - moved }),
      })
      change -= before.amount
      failed += before.amount
    }
  }
  return { change, paidBack, failed }
}

type DisputeStatus = DisputeRow['status']

/** Null of an inquiry, and of one that the provider settled beforehand: no money was taken. */
function disputeStatus({ status, balance_transactions }: Stripe.Dispute): DisputeStatus | null {
  if (status.startsWith('warning_') || status === 'prevented') return null
  if (balance_transactions.length === 0) return null
  if (status === 'won') return 'won'
  return status === 'lost' ? 'lost' : 'open'
}

/** A lost one can still be won by an appeal. */
const disputeSteps: DisputeStatus[] = ['open', 'lost', 'won']

/** Answers with what the disputes of the payment come to. */
async function keepDisputes(
  transaction: Transaction,
  payment: Payment,
  { disputes, rows, moveFee }: { disputes: Stripe.Dispute[]; rows: DisputeRow[]; moveFee: MoveFee },
): Promise<Payment['dispute']> {
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const dispute of disputes) {
    const status = disputeStatus(dispute)
    if (!status) continue
    const facts = { ...ledgerFacts(payment), occurredAt: moment(dispute.created) }
    const before = known.get(dispute.id)
    if (before && disputeSteps.indexOf(status) <= disputeSteps.indexOf(before.status)) continue
    const fees = dispute.balance_transactions.map(({ fee }) => fee)
    let row = before
    if (!row) {
      const { id, amount } = dispute
      const fee = fees.reduce((sum, one) => sum + Math.max(0, one), 0)
      const [made] = await transaction
        .insert(paymentDisputes)
        .values({ id, paymentId: payment.id, amount, fee, platformFee: moveFee(amount), status })
        .returning()
      row = made!
      await postTransaction(transaction, {
        kind: 'dispute',
        source: `dispute ${id}`,
        ...facts,
        entries: disputeEntries(payment.kind, row),
      })
    }
    if (status === 'won') {
      const moved = moveFee(0 - row.amount)
      // The provider may keep its fee also of a dispute that was won.
      const fee = Math.min(
        row.fee,
        fees.reduce((sum, one) => sum + Math.max(0, -one), 0),
      )
      await postTransaction(transaction, {
        kind: 'dispute_won',
        source: `dispute won ${dispute.id}`,
        ...facts,
        entries: wonDisputeEntries(payment.kind, { ...row, fee, platformFee: 0 - moved }),
      })
      row = { ...row, platformFee: row.platformFee + moved }
    }
    const { platformFee } = row
    await transaction
      .update(paymentDisputes)
      .set({ status, platformFee })
      .where(eq(paymentDisputes.id, dispute.id))
    known.set(dispute.id, { ...row, status })
  }
  const now = [...known.values()].map(({ status }) => status)
  return (['lost', 'open', 'won'] as const).find((status) => now.includes(status)) ?? null
}
