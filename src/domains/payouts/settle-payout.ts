// What becomes of a payout, each once: sent, arrived, failed. The creator is told with it.
import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { balanceNow } from '../earnings/balance-now.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import { failedPayoutEntries, payoutFeeBackEntries } from '../ledger/rules.ts'
import { ledgerTransactions } from '../ledger/tables.ts'
import { notify } from '../notifications/notify.ts'
import { inTestMode } from '../payments/payment-mode.ts'
import { testMark } from '../payments/test-mode.ts'
import { amountLabel } from '../purchases/amount-label.ts'
import { dayLabel } from '../purchases/day-label.ts'
import { coverAgain, coverSales } from './covers.ts'
import { holdAccount } from './hold-account.ts'
import type { PayoutFailure } from './payout-refusal.ts'
import { throughOf } from './request-payout.ts'
import { payoutMethods, payouts } from './tables.ts'

type Payout = typeof payouts.$inferSelect

export async function payoutById(db: Db | Transaction, payoutId: string): Promise<Payout | null> {
  const [found] = await db.select().from(payouts).where(eq(payouts.id, payoutId))
  return found ?? null
}

/**
 * Changes a payout that nobody else changes meanwhile, if `change` still finds something to do. Answers whether it did
 * although its creator has left, so that nobody is told.
 */
const withPayout = (
  db: Db,
  { id, ledgerAccountId }: Payout,
  change: (
    transaction: Transaction,
    payout: Payout,
  ) => Promise<{ kind: Notice; title: string; message: string } | null>,
): Promise<boolean> =>
  db.transaction(async (transaction) => {
    const { userId } = await holdAccount(transaction, ledgerAccountId)
    const [found] = await transaction
      .select({ ...getTableColumns(payouts), isTest: inTestMode })
      .from(payouts)
      .where(eq(payouts.id, id))
      .for('update')
    const { isTest, ...payout } = found!
    const notice = await change(transaction, payout)
    if (!notice) return false
    if (!userId) {
      await forgetDestination(transaction, id)
      return true
    }
    const message = notice.message + testMark(isTest)
    await notify(transaction, { userId, href: '/payments', ...notice, message })
    await publishToPerson(transaction, userId, { type: 'earnings' })
    return false
  })

type Notice = 'payout_sent' | 'payout_paid' | 'payout_failed' | 'payout_attention'

/** In place of an address of PayPal. */
export const forgotten = 'PayPal'

/** Of who has left nothing stays that leads to them, once it is not needed any more. */
const forgetDestination = (transaction: Transaction, payoutId: string) =>
  transaction
    .update(payouts)
    .set({ destination: forgotten })
    .where(
      and(
        eq(payouts.id, payoutId),
        eq(payouts.method, 'paypal'),
        inArray(payouts.status, ['paid', 'failed']),
      ),
    )

const net = ({ amount, fee, currency }: Payout) => amountLabel(amount - fee, currency)

interface Sent {
  providerPayoutId: string
  arrivesAt: Date | null
  /** Where it went, when that is not where it was to go: the provider may have been given another account since. */
  to?: Pick<Payout, 'method' | 'destination'>
}

/** The provider has it, under this id. */
export const markSent = (db: Db, sent: Payout, { providerPayoutId, arrivesAt, to = sent }: Sent) =>
  withPayout(db, sent, async (transaction, payout) => {
    if (payout.status !== 'requested') return null
    await transaction
      .update(payouts)
      .set({
        status: 'in_transit',
        providerPayoutId,
        arrivesAt,
        method: to.method,
        destination: to.destination,
        sentAt: sql`now()`,
        checkedAt: sql`now()`,
      })
      .where(eq(payouts.id, payout.id))
    const day = arrivesAt ? ` It should arrive by ${dayLabel(arrivesAt)}.` : ''
    return {
      kind: 'payout_sent',
      title: 'Payout on Its Way',
      message: `${net(payout)} is on its way to ${to.destination}.${day}`,
    }
  })

/** Nobody has claimed it at PayPal: the creator is told once, and can take it back. */
export const markUnclaimed = (db: Db, unclaimed: Payout, why: string) =>
  withPayout(db, unclaimed, async (transaction, payout) => {
    if (payout.status !== 'in_transit' || payout.failure !== null) return null
    await transaction.update(payouts).set({ failure: why }).where(eq(payouts.id, payout.id))
    return {
      kind: 'payout_attention',
      title: 'Payout Not Claimed',
      message: `${net(payout)} is waiting for ${payout.destination}. ${why} You can take it back before.`,
    }
  })

/** It has arrived. What has come back stays back. `fee` is what PayPal kept of its own, where it says so. */
export const markPaid = (db: Db, arrived: Payout, fee?: number) =>
  withPayout(db, arrived, async (transaction, payout) => {
    const back = fee === undefined ? 0 : payout.fee - fee
    if (payout.status === 'paid' && back > 0) return feeBackLater(transaction, payout, back)
    if (payout.status !== 'requested' && payout.status !== 'in_transit') return null
    await transaction
      .update(payouts)
      .set({ status: 'paid', failure: null, endedAt: sql`now()`, checkedAt: sql`now()` })
      .where(eq(payouts.id, payout.id))
    if (back > 0) await giveFeeBack(transaction, payout, back)
    const kept = back > 0 ? ` ${keptLess(payout, back)}` : ''
    return {
      kind: 'payout_paid',
      title: 'Payout Arrived',
      message: `${net(payout)} has arrived at ${payout.destination}.${kept}`,
    }
  })

const keptLess = ({ currency }: Payout, back: number) =>
  `PayPal kept ${amountLabel(back, currency)} less than expected; it is in your balance again.`

/** PayPal had not said its fee when it arrived, or the version before did not ask. */
async function feeBackLater(transaction: Transaction, payout: Payout, back: number) {
  const source = eq(ledgerTransactions.source, feeBackSource(payout))
  if ((await transaction.$count(ledgerTransactions, source)) > 0) return null
  await giveFeeBack(transaction, payout, back)
  return {
    kind: 'payout_paid',
    title: 'A Fee Was Lower',
    message: `${net(payout)} has arrived at ${payout.destination} before. ${keptLess(payout, back)}`,
  } as const
}

const feeBackSource = ({ id }: Payout) => `payout fee ${id}`

/** PayPal's fee has a limit. What it did not keep was not taken from the balance after all. */
async function giveFeeBack(transaction: Transaction, payout: Payout, back: number): Promise<void> {
  const { id, ledgerAccountId, method, amount, fee, currency } = payout
  await transaction
    .update(payouts)
    .set({ amount: amount - back, fee: fee - back })
    .where(eq(payouts.id, id))
  await postTransaction(transaction, {
    kind: 'payout',
    source: feeBackSource(payout),
    payoutId: id,
    occurredAt: new Date(),
    currency,
    creatorAccountId: ledgerAccountId,
    entries: payoutFeeBackEntries(throughOf(method), back),
  })
  const { available } = await balanceNow(transaction, ledgerAccountId)
  const own = { id, ledgerAccountId }
  if (!(await coverAgain(transaction, own, available))) {
    await coverSales(transaction, own, available)
  }
}

/** It did not work, or came back: the creator has the money in the balance again, once. */
export const markFailed = (
  db: Db,
  failed: Payout,
  { failure, isDestination, next }: PayoutFailure,
) =>
  withPayout(db, failed, async (transaction, payout) => {
    if (payout.status === 'failed') return null
    const { id, ledgerAccountId, method, amount, fee, currency } = payout
    await transaction
      .update(payouts)
      .set({ status: 'failed', failure, endedAt: sql`now()`, checkedAt: sql`now()` })
      .where(eq(payouts.id, id))
    await postTransaction(transaction, {
      kind: 'payout_failed',
      source: `payout failed ${id}`,
      payoutId: id,
      occurredAt: new Date(),
      currency,
      creatorAccountId: ledgerAccountId,
      entries: failedPayoutEntries(throughOf(method), { amount, fee }),
    })
    const { available } = await balanceNow(transaction, ledgerAccountId)
    await coverAgain(transaction, { id, ledgerAccountId }, available)
    if (isDestination) await blameMethod(transaction, payout, failure)
    const then =
      next ??
      (isDestination
        ? 'Set up your payout method again before you ask for the next one.'
        : 'You can ask for it again.')
    return {
      kind: 'payout_failed',
      title: 'Payout Failed',
      message: `${net(payout)} could not be paid out to ${payout.destination}. ${failure} The money is in your balance again. ${then}`,
    }
  })

/** Unless something else was set up since, as after a payout that came back late. Who has left sets nothing up. */
const blameMethod = (transaction: Transaction, payout: Payout, failure: string) =>
  transaction
    .update(payoutMethods)
    .set({ problem: `The last payout came back. ${failure} Set up your payout method again.` })
    .where(
      and(
        eq(payoutMethods.ledgerAccountId, payout.ledgerAccountId),
        eq(payoutMethods.method, payout.method),
        isNull(payoutMethods.problem),
        sql`case when ${payout.method} = 'paypal'
                 then ${payout.destination} in (${payoutMethods.paypalEmail}, ${forgotten})
                 else right(${payout.destination}, 4) = right(${payoutMethods.last4}, 4) end`,
      ),
    )
