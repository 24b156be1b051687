import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Executor } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { customerFacts, isOutdated, unlessEmailRefused, updateCustomer } from './customer-facts.ts'
import { unlessMissing } from './is-missing.ts'
import { refusalOf } from './refusal-of.ts'
import { paymentCustomers } from './tables.ts'

/**
 * The customer that this person is at the provider, with name and address as they are; made there on first need, once.
 * One whom the provider does not know, as after a change from the sandbox or from test keys to live ones, is replaced.
 */
export async function customerOf(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  person: { id: string; name: string; email: string },
): Promise<string> {
  const known = await findCustomer(db, person.id)
  const found = known && (await customerAt(payments.stripe, known))
  if (found) {
    // Nobody is kept from paying by what the provider does not take.
    if (isOutdated(found, person)) {
      await refusalOf(updateCustomer({ userId: person.id }, { db, payments }))
    }
    return found.id
  }
  return db.transaction(async (transaction) => {
    const key = `payment customer of ${person.id}`
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    const madeMeanwhile = await findCustomer(transaction, person.id)
    if (madeMeanwhile && madeMeanwhile !== known) return madeMeanwhile
    const userId = person.id
    const make = (again = '') =>
      unlessEmailRefused(customerFacts(person), ({ name, email }) => {
        // With the facts in it: the provider refuses a key that comes again with others.
        const facts = createHash('sha256')
          .update(JSON.stringify([name, email]))
          .digest('hex')
        return payments.stripe.customers.create(
          { name, email, metadata: { userId } },
          { idempotencyKey: `customer ${userId} ${facts.slice(0, 16)}${again}` },
        )
      })
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

async function customerAt(
  { customers }: Stripe,
  customerId: string,
): Promise<Stripe.Customer | null> {
  const found = await unlessMissing(customers.retrieve(customerId))
  return found && !found.deleted ? found : null
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
