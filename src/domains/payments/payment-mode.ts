// Money of the sandbox, of Stripe's test mode and real money never meet in one database: it remembers which it has.
import { eq, or, sql } from 'drizzle-orm'
import type { Db, Executor } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import type { PaymentMode } from '../../server/stripe.ts'
import { paymentProvider } from './tables.ts'

/** Whatever would be paid out, charged or shown wrongly under another mode. */
const hasMoney = sql`(
  exists (select from payments) or exists (select from payouts)
  or exists (select from plan_subscriptions) or exists (select from payout_methods))`

/** For statements about money: whether any of it is real. */
export const inTestMode = sql<boolean>`coalesce((select mode <> 'live' from payment_provider), false)`

const words = {
  sandbox: {
    money: 'of the sandbox',
    start: 'there is no STRIPE_SECRET_KEY',
    back: 'Leave STRIPE_SECRET_KEY out again',
  },
  test: {
    money: 'of Stripe’s test mode',
    start: 'STRIPE_SECRET_KEY is a test key',
    back: 'Set the test key again',
  },
  live: {
    money: 'real',
    start: 'STRIPE_SECRET_KEY is a live key',
    back: 'Set the live key again',
  },
} as const

/** What stands in the way of a start in this mode, and what to do; null when nothing does. */
export async function modeConflict(
  executor: Executor,
  mode: PaymentMode,
): Promise<{ found: string; todo: string } | null> {
  const [kept] = await executor
    .select({ mode: paymentProvider.mode, hasMoney: sql<boolean>`${hasMoney}` })
    .from(paymentProvider)
  const was = kept?.mode
  if (!was || was === mode || !kept.hasMoney) return null
  return {
    found: `The money in this database is ${words[was].money}, but ${words[mode].start}: what was never paid would be paid out, or what was paid would not.`,
    todo: `${words[was].back}, or use another database. Only who wants it all the same: npm run payment-mode -- ${mode} (see “Payments” in operations.md).`,
  }
}

/**
 * For the start: the first one says which money this database has, and one in another mode may follow only while
 * there is none. A database from before this was kept says what its next start says.
 *
 * @throws {Error} with what to do
 */
export async function agreeOnMode(db: Db, mode: PaymentMode): Promise<void> {
  const { mode: kept } = paymentProvider
  // One statement: of two nodes that start at once, the second sees what the first one wrote.
  const agreed = await db
    .update(paymentProvider)
    .set({ mode })
    .where(or(sql`${kept} is null`, eq(kept, mode), sql`not ${hasMoney}`))
    .returning({ id: paymentProvider.id })
  if (agreed.length > 0) return
  const conflict = await modeConflict(db, mode)
  if (conflict) throw new Error(`${conflict.found}\n${conflict.todo}`)
}

/** What the operator decided, whatever money there is. Answers with the mode of before. */
export const setMode = (db: Db, mode: PaymentMode): Promise<PaymentMode | null> =>
  db.transaction(async (transaction) => {
    const [before] = await transaction
      .select({ mode: paymentProvider.mode })
      .from(paymentProvider)
      .for('update')
    await transaction.update(paymentProvider).set({ mode })
    return before?.mode ?? null
  })

/**
 * A node that still runs in the mode of before sells nothing, asks its provider about nobody and pays nothing out: it was
 * started before the others, with other keys, of which its provider knows no payment.
 *
 * @throws {Error} for the log
 */
export async function requireOwnMode({
  db,
  payments: { mode },
}: Pick<Services, 'db' | 'payments'>): Promise<void> {
  const [kept] = await db.select({ mode: paymentProvider.mode }).from(paymentProvider)
  if (kept?.mode && kept.mode !== mode) {
    throw new Error(
      `this node takes ${mode} payments, but the database is ${kept.mode}: restart it`,
    )
  }
}

/** A job that asks the provider, or sends money: a node with keys of another mode leaves it to the others. */
export const inOwnMode =
  <Payload>(job: (payload: Payload, services: Services) => Promise<void>) =>
  async (payload: Payload, services: Services): Promise<void> => {
    await requireOwnMode(services)
    return job(payload, services)
  }
