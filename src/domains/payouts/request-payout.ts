import { eq } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueue, laterThanOthers } from '../../server/jobs.ts'
import { publishToPerson } from '../../server/publish.ts'
import { users } from '../accounts/tables.ts'
import { switchedOff } from '../administration/switched-off.ts'
import { balanceNow, currency } from '../earnings/balance-now.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import { payoutEntries } from '../ledger/rules.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { amountLabel } from '../purchases/amount-label.ts'
import { coverSales } from './covers.ts'
import { holdAccount } from './hold-account.ts'
import { hasOpenPayout } from './hold-method.ts'
import { paypalGone } from './payout-setup.ts'
import { readyMethodOf } from './ready-method.ts'
import { largestPaypalPayment, largestPayoutOf, leastPayout, payoutFeeOf } from './rules.ts'
import { payouts } from './tables.ts'

type PayoutRow = typeof payouts.$inferSelect

interface PayoutRefusal {
  refused:
    | 'FEATURE_OFF'
    | 'SUSPENDED'
    | 'NOT_CONNECTED'
    | 'NOT_READY'
    | 'TOO_LITTLE'
    | 'TOO_MUCH'
    | 'PAYOUT_OPEN'
  /** What is in the way, in words. */
  message?: string
  /** It goes away without anybody mending it. */
  isPassing?: boolean
}

const money = (amount: number) => amountLabel(amount, currency)
const least = money(leastPayout)

/** Why so much cannot be paid out; null when it can. */
function amountRefusal(
  amount: number,
  available: number,
  method: PayoutRow['method'],
): PayoutRefusal | null {
  if (amount < leastPayout) {
    return { refused: 'TOO_LITTLE', message: `The smallest payout is ${least}.` }
  }
  const largest = largestPayoutOf(method)
  if (amount <= Math.min(available, largest)) return null
  if (available > largest) {
    const why =
      method === 'paypal'
        ? ` PayPal sends ${money(largestPaypalPayment)} at most, and the rest is for its fee.`
        : ''
    return {
      refused: 'TOO_MUCH',
      message: `You can pay out at most ${money(largest)} at once.${why}`,
    }
  }
  const message =
    available <= 0
      ? 'There is nothing to pay out at the moment.'
      : available < leastPayout
        ? `Only ${money(available)} can be paid out, and the smallest payout is ${least}.`
        : `You can pay out at most ${money(available)}.`
  return { refused: 'TOO_MUCH', message }
}

/**
 * Takes the amount out of the balance and lets a job send it. One at a time, and never more than is there: who
 * asks holds the creator's ledger account.
 */
export async function requestPayout(
  transaction: Transaction,
  {
    ledgerAccountId,
    amount: wanted,
    offersPaypal,
    isAutomatic = false,
  }: {
    ledgerAccountId: string
    amount: number | 'all'
    offersPaypal: boolean
    isAutomatic?: boolean
  },
): Promise<PayoutRow | PayoutRefusal> {
  const { userId } = await holdAccount(transaction, ledgerAccountId)
  const off = await switchedOff(transaction, 'payouts')
  if (off) return { refused: 'FEATURE_OFF', message: off, isPassing: true }
  if (userId && (await isSuspended(transaction, userId))) return { refused: 'SUSPENDED' }
  const ready = await readyMethodOf(transaction, ledgerAccountId)
  if (!ready) return { refused: 'NOT_CONNECTED' }
  if (await hasOpenPayout(transaction, ledgerAccountId)) {
    return { refused: 'PAYOUT_OPEN', isPassing: true }
  }
  if ('problem' in ready) {
    const { problem: message, isPassing } = ready
    return { refused: 'NOT_READY', message, isPassing }
  }
  if (ready.method === 'paypal' && !offersPaypal) {
    return { refused: 'NOT_READY', message: paypalGone.explanation }
  }
  const { available } = await balanceNow(transaction, ledgerAccountId)
  const { method, destination, connectedAccountId } = ready
  const amount = wanted === 'all' ? Math.min(available, largestPayoutOf(method)) : wanted
  const refusal = amountRefusal(amount, available, method)
  if (refusal) return refusal
  const [payout] = await transaction
    .insert(payouts)
    .values({
      ledgerAccountId,
      method,
      destination,
      amount,
      fee: payoutFeeOf(method, amount),
      currency,
      isAutomatic,
      connectedAccountId,
    })
    .returning()
  const { id, fee, requestedAt } = payout!
  await postTransaction(transaction, {
    kind: 'payout',
    source: `payout ${id}`,
    payoutId: id,
    occurredAt: requestedAt,
    currency,
    creatorAccountId: ledgerAccountId,
    entries: payoutEntries(throughOf(method), { amount, fee }),
  })
  await coverSales(transaction, { id, ledgerAccountId }, available - amount)
  await enqueueSending(transaction, id, isAutomatic ? laterThanOthers : 0)
  if (userId) await publishToPerson(transaction, userId, { type: 'earnings' })
  return payout!
}

/** The same for a person, who may never have sold anything. */
export async function requestOwnPayout(
  transaction: Transaction,
  { userId, amount, offersPaypal }: { userId: string; amount: number; offersPaypal: boolean },
): Promise<PayoutRow | PayoutRefusal> {
  const [account] = await transaction
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, userId))
  if (!account) return { refused: 'NOT_CONNECTED' }
  return requestPayout(transaction, { ledgerAccountId: account.id, amount, offersPaypal })
}

/** What is earned waits then, and stays the creator's. Whoever is suspended at this moment is paid once more. */
export async function isSuspended(executor: Executor, userId: string): Promise<boolean> {
  const [person] = await executor
    .select({ suspendedAt: users.suspendedAt })
    .from(users)
    .where(eq(users.id, userId))
  return Boolean(person!.suspendedAt)
}

/** Which of our accounts the money leaves. */
export const throughOf = (method: PayoutRow['method']) =>
  method === 'paypal' ? ('paypal' as const) : ('provider' as const)

/** One job for a payout, however often it is asked for. */
export const enqueueSending = (executor: Executor, payoutId: string, priority?: number) =>
  enqueue(executor, 'sendPayout', { payoutId }, `payout ${payoutId}`, undefined, priority)
