import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { hasMailbox } from '../accounts/shown-email.ts'
import { users } from '../accounts/tables.ts'
import type { Executor } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { unlessMissing } from './is-missing.ts'
import { paymentCustomers } from './tables.ts'

/** What the provider knows of a person. Who has none but a stand-in is asked for an address on the payment page. */
export const customerFacts = ({ name, email }: { name: string; email: string }) => ({
  name,
  email: hasMailbox(email) ? email : undefined,
})

/** Whether the provider has a name or an address that is not the person's any more. */
export function isOutdated(
  customer: Stripe.Customer,
  person: { name: string; email: string },
): boolean {
  const { name, email } = customerFacts(person)
  return customer.name !== name || (email !== undefined && customer.email !== email)
}

/** For who has another name or address from now on: the provider writes to the one that it knows. */
export async function tellProviderOf(executor: Executor, userId: string): Promise<void> {
  const [known] = await executor
    .select({ id: paymentCustomers.id })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId))
  if (known) await enqueue(executor, 'tellCustomer', { userId }, `tell customer ${userId}`)
}

/** A job: name and address as they are now. */
export async function tellCustomer(
  { userId }: { userId: string },
  { db, payments }: Pick<Services, 'db' | 'payments'>,
): Promise<void> {
  const [person] = await db
    .select({ customerId: paymentCustomers.id, name: users.name, email: users.email })
    .from(users)
    .innerJoin(paymentCustomers, eq(paymentCustomers.userId, users.id))
    .where(eq(users.id, userId))
  if (!person) return
  const { customers } = payments.stripe
  await unlessMissing(customers.update(person.customerId, customerFacts(person)))
}
