// What becomes of a creator's earnings when the account of the person is deleted.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import type { Leaving } from '../../server/personal-data.ts'
import { balanceNow, currency } from '../earnings/balance-now.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import { givenUpEntries } from '../ledger/rules.ts'
import { payments } from '../payments/tables.ts'
import { amountLabel } from '../purchases/amount-label.ts'
import { holdAccount } from './hold-account.ts'
import { hasOpenPayout } from './hold-method.ts'
import { payoutRowsOf, paypalGone } from './payout-setup.ts'
import { destinationOf } from './ready-method.ts'
import { isSuspended } from './request-payout.ts'
import { leastPayout } from './rules.ts'
import { forgotten } from './settle-payout.ts'
import { standingOf } from './standing.ts'
import { connectedAccounts, payoutMethods, payouts } from './tables.ts'

const money = (amount: number) => amountLabel(amount, currency)

interface Earnings {
  ledgerAccountId: string
  balance: number
  /** Where the rest can be sent by itself; null when it cannot be sent. */
  destination: string | null
  /** Why not, in words; empty when nothing was set up. */
  problem: string
  /** Nothing is sent by itself, then: who is suspended is not paid by leaving. */
  isSuspended: boolean
}

/** In place of a problem of the method, until the operator lets the money go. */
const suspendedWhenLeaving = 'The account was suspended when it was deleted.'

/** By PayPal nobody is paid where that is not offered any more. */
type Here = Pick<Leaving, 'offersPaypal'>

/** Null of somebody who has never earned anything and never set up to be paid. */
async function earningsLeftBy(
  executor: Executor,
  userId: string,
  { offersPaypal }: Here,
): Promise<Earnings | null> {
  const { ledgerAccountId, method, connected } = await payoutRowsOf(executor, userId)
  if (!ledgerAccountId) return null
  const { balance } = await balanceNow(executor, ledgerAccountId)
  const isStranded = method?.method === 'paypal' && !offersPaypal
  const { standing, explanation } = isStranded ? paypalGone : standingOf(method, connected)
  return {
    ledgerAccountId,
    balance,
    destination: method && standing === 'ready' ? destinationOf(method) : null,
    problem: explanation,
    isSuspended: await isSuspended(executor, userId),
  }
}

/** What somebody has to give up to leave now; null when nothing. */
export async function earningsInTheWay(
  executor: Executor,
  userId: string,
  here: Here,
): Promise<string | null> {
  const left = await earningsLeftBy(executor, userId, here)
  return left && left.destination === null && left.balance >= leastPayout
    ? money(left.balance)
    : null
}

/** Who has said that an amount is given up has not said it of more that was earned since; null when it is that amount. */
export async function moreThanGivenUp(
  executor: Executor,
  userId: string,
  { earningsGivenUp, ...here }: Here & Pick<Leaving, 'earningsGivenUp'>,
): Promise<string | null> {
  if (earningsGivenUp === null) return null
  const now = await earningsInTheWay(executor, userId, here)
  if (now === null || now === earningsGivenUp) return null
  return `You have earned ${now} by now that were not paid out yet. Please say again that you give them up.`
}

export async function earningsObstacle(
  executor: Executor,
  userId: string,
  here: Here,
): Promise<string | null> {
  const left = await earningsLeftBy(executor, userId, here)
  if (!left || left.destination !== null || left.balance < leastPayout) return null
  const why = left.problem ? ` ${left.problem}` : ''
  const what = left.isSuspended
    ? 'While your account is suspended nothing can be set up to send them: wait until that is over, or say that you give them up.'
    : 'Set up how you are paid, so that they can be sent to you, or say that you give them up.'
  return `You have earned ${money(left.balance)} that were not paid out yet.${why} ${what}`
}

export async function earningsConsequences(executor: Executor, userId: string, here: Here) {
  const left = await earningsLeftBy(executor, userId, here)
  if (!left || left.balance <= 0) return []
  const amount = money(left.balance)
  if (left.balance < leastPayout) {
    return [
      {
        text: `${amount} of your earnings are left and lost: less than ${money(leastPayout)} is not paid out.`,
        stays: false,
      },
    ]
  }
  if (left.destination === null) {
    return [
      {
        text: `The ${amount} that you earned and that were not paid out yet are lost, unless ${wayOut(left)}.`,
        stays: false,
      },
    ]
  }
  const text = left.isSuspended
    ? `The ${amount} that you earned are kept and not sent, because your account is suspended. Whoever runs this site decides about them; only then can they be sent to ${left.destination}.`
    : `The ${amount} that you earned are sent to ${left.destination} by themselves, as they become available. What is less than ${money(leastPayout)} in the end is not sent.`
  return [{ text, stays: true }]
}

function wayOut({ isSuspended: isHeld, problem }: Earnings): string {
  if (isHeld) return 'you wait until your account is not suspended any more'
  return problem ? 'your payout method is ready first' : 'you set up how you are paid first'
}

/** Before anything is decided: nobody is paid out meanwhile. */
export async function holdEarnings(transaction: Transaction, userId: string): Promise<void> {
  const { ledgerAccountId } = await payoutRowsOf(transaction, userId)
  if (ledgerAccountId) await holdAccount(transaction, ledgerAccountId)
}

/**
 * What can be paid out goes its way without the person, or waits for the operator; the rest is given up. A debt stays
 * for what may come back: what makes up for it must not be paid out.
 */
export async function leaveEarnings(
  transaction: Transaction,
  userId: string,
  here: Here,
): Promise<void> {
  const left = await earningsLeftBy(transaction, userId, here)
  if (!left) return
  const { ledgerAccountId } = left
  // Addresses of payouts that are over are needed by nobody; settle-payout.ts takes off those under way.
  await transaction
    .update(payouts)
    .set({ destination: forgotten })
    .where(
      and(
        eq(payouts.ledgerAccountId, ledgerAccountId),
        eq(payouts.method, 'paypal'),
        inArray(payouts.status, ['paid', 'failed']),
      ),
    )
  await transaction
    .update(payoutMethods)
    .set({
      firstName: '',
      lastName: '',
      schedule: 'manual',
      ...(left.isSuspended && { problem: suspendedWhenLeaving }),
    })
    .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
  if (left.balance > 0 && (left.destination === null || left.balance < leastPayout)) {
    await giveUp(transaction, ledgerAccountId, left.balance)
  }
  // After the commit, when the account is nobody's.
  await enqueue(transaction, 'payOutAvailable', { ledgerAccountId }, payOutKey(ledgerAccountId))
}

/** One job for a creator, whoever asks for it and when. */
export const payOutKey = (ledgerAccountId: string) => `pay out ${ledgerAccountId}`

/** What is left is ours; what is missing, we bear. */
async function giveUp(transaction: Transaction, ledgerAccountId: string, balance: number) {
  if (balance === 0) return
  await postTransaction(transaction, {
    kind: 'given_up',
    source: `given up ${ledgerAccountId} ${randomUUID()}`,
    occurredAt: new Date(),
    currency,
    creatorAccountId: ledgerAccountId,
    entries: givenUpEntries(balance),
  })
}

/** A bank sends money back for a week after it arrived; a dispute that is won gives back what was taken for it. */
async function mayComeBack(executor: Executor, ledgerAccountId: string): Promise<boolean> {
  const arrived = executor.$count(
    payouts,
    and(
      eq(payouts.ledgerAccountId, ledgerAccountId),
      eq(payouts.status, 'paid'),
      sql`${payouts.endedAt} > now() - interval '7 days'`,
    ),
  )
  const disputed = executor.$count(
    payments,
    and(eq(payments.creatorAccountId, ledgerAccountId), eq(payments.dispute, 'open')),
  )
  return (await arrived) + (await disputed) > 0
}

/**
 * Of an account whose person is gone, when nothing more can come: closes it, here and at the provider. Nothing
 * happens while money is pending, on its way, may still come back, or is kept because the provider does not pay it out. Answers whether
 * money is kept for somebody who has left; a debt is none.
 */
export async function settleDeparted(
  transaction: Transaction,
  ledgerAccountId: string,
): Promise<boolean> {
  const { userId } = await holdAccount(transaction, ledgerAccountId)
  if (userId) return false
  if (await hasOpenPayout(transaction, ledgerAccountId)) return true
  const [method] = await transaction
    .select()
    .from(payoutMethods)
    .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
  const { balance, pending } = await balanceNow(transaction, ledgerAccountId)
  const isMoneyLeft = balance >= leastPayout
  const mayGoOn = isMoneyLeft || pending > 0 || (await mayComeBack(transaction, ledgerAccountId))
  if (method && mayGoOn) return isMoneyLeft
  await giveUp(transaction, ledgerAccountId, balance)
  await transaction.delete(payoutMethods).where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
  const closed = await transaction
    .update(connectedAccounts)
    .set({ payoutsEnabled: false, detailsSubmitted: false, currentlyDue: [] })
    .where(eq(connectedAccounts.ledgerAccountId, ledgerAccountId))
    .returning({ id: connectedAccounts.id })
  for (const { id: accountId } of closed) {
    await enqueue(transaction, 'deleteConnectedAccount', { accountId }, `delete ${accountId}`)
  }
  return false
}
