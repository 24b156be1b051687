import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { hasMailbox } from '../accounts/shown-email.ts'
import type { Executor } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { isMissing } from './is-missing.ts'
import { paymentCustomers } from './tables.ts'

/**
 * The customer that this person is at the provider; made there on first need, once. One whom the provider does
 * not know, as after a change from the sandbox or from test keys to live ones, is replaced.
 */
export async function customerOf(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  person: { id: string; name: string; email: string },
): Promise<string> {
  const known = await findCustomer(db, person.id)
  if (known && (await isThere(payments.stripe, known))) return known
  return db.transaction(async (transaction) => {
    const key = `payment customer of ${person.id}`
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    const madeMeanwhile = await findCustomer(transaction, person.id)
    if (madeMeanwhile && madeMeanwhile !== known) return madeMeanwhile
    const { id: userId, name } = person
    // Who has none but a stand-in is asked for an address on the payment page.
    const email = hasMailbox(person.email) ? person.email : undefined
    // With the facts in it: the provider refuses a key that comes again with others.
    const facts = createHash('sha256')
      .update(JSON.stringify([name, email]))
      .digest('hex')
    const make = (again = '') =>
      payments.stripe.customers.create(
        { name, email, metadata: { userId } },
        { idempotencyKey: `customer ${userId} ${facts.slice(0, 16)}${again}` },
      )
    let customer = await make()
    // The answer of an earlier day: that customer was deleted at the provider since.
    if (await ownerOf(transaction, customer.id)) customer = await make(` after ${customer.id}`)
    // What is still heard of an earlier one is about nobody.
    const isOld = eq(paymentCustomers.userId, userId)
    await transaction.update(paymentCustomers).set({ userId: null }).where(isOld)
    await transaction.insert(paymentCustomers).values({ id: customer.id, userId })
    return customer.id
  })
}

async function isThere({ customers }: Stripe, customerId: string): Promise<boolean> {
  const found = await customers.retrieve(customerId).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  return found !== null && !found.deleted
}

/** Null for who has never been there. */
export async function findCustomer(executor: Executor, userId: string): Promise<string | null> {
  const [found] = await executor
    .select({ id: paymentCustomers.id })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId))
  return found?.id ?? null
}

/** Whose customer this is; null when it is none of ours. The account may be gone. */
export async function ownerOf(
  executor: Executor,
  customerId: string,
): Promise<{ userId: string | null } | null> {
  const [found] = await executor
    .select({ userId: paymentCustomers.userId })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.id, customerId))
  return found ?? null
}
