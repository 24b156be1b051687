// Money of the sandbox, of Stripe's test mode and real money never meet in one database: it remembers which it has.
import { desc, eq, or, sql } from 'drizzle-orm'
import type { Db, Executor } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import type { PaymentMode } from '../../server/stripe.ts'
import { paymentProvider, payments } from './tables.ts'

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

/** Of a database from before its mode was kept. */
const ofProvider = { money: 'not of the sandbox', back: 'Set STRIPE_SECRET_KEY again' } as const

/** Where the newest payment was made, of which nobody has said it; null without any. */
async function unsaidMoney(executor: Executor): Promise<'sandbox' | 'provider' | null> {
  // With keys of Stripe there never was a sandbox here.
  const { rows } = await executor.execute<{ hasSandbox: boolean }>(
    sql`select to_regclass('stripe_sandbox.objects') is not null as "hasSandbox"`,
  )
  const [newest] = await executor
    .select({
      isOfSandbox: rows[0]!.hasSandbox
        ? sql<boolean>`exists (select from stripe_sandbox.objects o where o.id = ${payments.chargeId})`
        : sql<boolean>`false`,
    })
    .from(payments)
    .orderBy(desc(payments.id))
    .limit(1)
  if (!newest) return null
  return newest.isOfSandbox ? 'sandbox' : 'provider'
}

/** What stands in the way of a start in this mode, and what to do; null when nothing does. */
export async function modeConflict(
  executor: Executor,
  mode: PaymentMode,
): Promise<{ found: string; todo: string } | null> {
  const [kept] = await executor
    .select({ mode: paymentProvider.mode, hasMoney: sql<boolean>`${hasMoney}` })
    .from(paymentProvider)
  if (!kept?.hasMoney) return null
  const was = kept.mode ?? (await unsaidMoney(executor))
  const isAsBefore = was === mode || (was === 'provider' && mode !== 'sandbox')
  if (was === null || isAsBefore) return null
  const { money, back } = was === 'provider' ? ofProvider : words[was]
  return {
    found: `The money in this database is ${money}, but ${words[mode].start}: what was never paid would be paid out, or what was paid would not.`,
    todo: `${back}, or use another database. Only who wants it all the same: npm run payment-mode -- ${mode} (see “Payments” in operations.md).`,
  }
}

/**
 * For the start: the first one says which money this database has, and one in another mode may follow only while
 * there is none. A database from before this was kept says what its next start says, unless its payments say otherwise:
 * where the keys were lost, real money is not taken for that of the sandbox.
 *
 * @throws {Error} with what to do
 */
export async function agreeOnMode(db: Db, mode: PaymentMode): Promise<void> {
  const before = await modeConflict(db, mode)
  if (before) throw new Error(`${before.found}\n${before.todo}`)
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
