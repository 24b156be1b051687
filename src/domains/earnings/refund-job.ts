import { and, asc, eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { quoted } from '../../isolated.ts'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { publishToPerson } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { notify } from '../notifications/notify.ts'
import { isMissing } from '../payments/is-missing.ts'
import { isTooPoor, tooPoor } from '../payments/is-too-poor.ts'
import { inTestMode } from '../payments/payment-mode.ts'
import { syncCharge } from '../payments/sync-charge.ts'
import { payments } from '../payments/tables.ts'
import { testMark } from '../payments/test-mode.ts'
import { amountLabel } from '../purchases/amount-label.ts'
import { refundRequests } from './tables.ts'

/** One job for a request, however often it is asked for; now, also when it waited for another try. */
export const enqueueRefund = (executor: Executor, requestId: string) =>
  enqueue(executor, 'refundSale', { requestId }, `refund request ${requestId}`)

interface Request {
  request: typeof refundRequests.$inferSelect
  sale: typeof payments.$inferSelect
  isTest: boolean
}

/**
 * A job: has the provider pay back what a creator asked for, once, however often it is tried. Access, the ledger
 * and the notices follow from the charge, as with every refund.
 */
export async function refundSale(
  { requestId }: { requestId: string },
  services: Services,
): Promise<void> {
  const { db } = services
  const [found] = await db
    .select({ request: refundRequests, sale: payments, isTest: inTestMode })
    .from(refundRequests)
    .innerJoin(payments, eq(payments.id, refundRequests.paymentId))
    .where(and(eq(refundRequests.id, requestId), eq(refundRequests.status, 'waiting')))
  if (!found) return
  const outcome = await payBack(services, found)
  // Also after a refusal: what the provider knows of the charge may be news to us.
  if (outcome !== unknownPayment) await syncCharge(services, found.sale.chargeId)
  await end(services, found, outcome)
}

/** Of another key of ours. */
const unknownPayment = { refusal: 'The payment provider does not know this payment.' }

/** Answers with the provider's refund, or with why there is none. */
async function payBack(
  { db, payments: provider, log }: Services,
  { request, sale }: Request,
): Promise<Outcome> {
  const { refunds } = provider.stripe
  try {
    // The provider forgets keys after a day: a try that comes later finds what an earlier one did.
    for await (const refund of refunds.list({ charge: sale.chargeId, limit: 100 })) {
      if (refund.metadata?.refundRequestId === request.id) return { refundId: refund.id }
    }
    const { id } = await refunds.create(
      {
        charge: sale.chargeId,
        amount: request.amount,
        reason: 'requested_by_customer',
        metadata: { refundRequestId: request.id },
      },
      { idempotencyKey: keyOf(request) },
    )
    return { refundId: id }
  } catch (error) {
    if (isMissing(error)) return unknownPayment
    // In words for people.
    if (error instanceof Stripe.errors.StripeCardError) return { refusal: error.message }
    if (isTooPoor(error)) {
      log.error({ err: error, refund: request.id }, tooPoor)
      const isIt = eq(refundRequests.id, request.id)
      await db.update(refundRequests).set({ tooPoorAt: new Date() }).where(isIt)
      throw error
    }
    // Another try can mend it.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    return { refusal: refusals.get(error.code) ?? error.message }
  }
}

/**
 * The provider answers a key as it did the first time, for a day: after a refusal that our balance was too low, which
 * did nothing, there is another key.
 */
const keyOf = ({ id, tooPoorAt }: Request['request']) =>
  tooPoorAt ? `refund request ${id} ${tooPoorAt.getTime()}` : `refund request ${id}`

type Code = string | undefined

const bankDecides = 'The bank of the buyer is deciding about this payment.'

const refusals = new Map<Code, string>([
  ['charge_already_refunded', 'It has been paid back in full already.'],
  ['charge_disputed', bankDecides],
  ['refund_disputed_payment', bankDecides],
  ['charge_not_refundable', 'The bank of the buyer takes no refund of this payment.'],
])

type Outcome = { refundId: string } | { refusal: string }

/** False when another try came first. */
async function note(transaction: Transaction, requestId: string, outcome: Outcome) {
  const ended = await transaction
    .update(refundRequests)
    .set({
      ...('refusal' in outcome
        ? { status: 'refused', refusal: outcome.refusal }
        : { status: 'done', refundId: outcome.refundId }),
      endedAt: new Date(),
    })
    .where(and(eq(refundRequests.id, requestId), eq(refundRequests.status, 'waiting')))
    .returning({ id: refundRequests.id })
  return ended.length > 0
}

async function end(
  { db }: Services,
  { request, sale, isTest }: Request,
  outcome: Outcome,
): Promise<void> {
  const { requestedBy } = request
  await db.transaction(async (transaction) => {
    if (requestedBy === null) {
      await note(transaction, request.id, outcome)
      return
    }
    await holdPeople(transaction, [requestedBy])
    if (!(await note(transaction, request.id, outcome))) return
    await publishToPerson(transaction, requestedBy, { type: 'earnings' })
    if (!('refusal' in outcome)) return
    const amount = amountLabel(request.amount, sale.currency)
    await notify(transaction, {
      userId: requestedBy,
      kind: 'refund_refused',
      title: 'A Refund Was Refused',
      message: `${amount} for ${quoted(sale.description)} were not paid back. ${outcome.refusal}${testMark(isTest)}`,
      href: '/payments',
    })
  })
}

/**
 * A job: what waits since the provider was down for longer than the queue tries, is tried again. All of it: those
 * that stay stuck would else keep the place of the rest.
 */
export async function resumeRefunds({ db }: Services): Promise<void> {
  const waiting = await db
    .select({ id: refundRequests.id })
    .from(refundRequests)
    .where(
      and(
        eq(refundRequests.status, 'waiting'),
        // What is tried at this moment needs no second try.
        sql`not exists (select from graphile_worker.jobs j
                         where j.key = 'refund request ' || ${refundRequests.id} and j.locked_at is not null)`,
      ),
    )
    .orderBy(asc(refundRequests.createdAt))
  for (const { id } of waiting) await enqueueRefund(db, id)
}
