import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { hasMailbox } from '../accounts/shown-email.ts'
import { users } from '../accounts/tables.ts'
import type { Executor } from '../../server/db.ts'
import { enqueue, GivenUp } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { unlessMissing } from './is-missing.ts'
import { refusalOf } from './refusal-of.ts'
import { paymentCustomers } from './tables.ts'

export interface CustomerFacts {
  name: string
  email?: string | undefined
}

/** What the provider knows of a person. Who has none but a stand-in is asked for an address on the payment page. */
export const customerFacts = ({ name, email }: { name: string; email: string }): CustomerFacts => ({
  name,
  email: hasMailbox(email) ? email : undefined,
})

/** Nobody is kept from paying by an address that the provider does not take: the rest is told without it. */
export const unlessEmailRefused = <Answer>(
  facts: CustomerFacts,
  ask: (facts: CustomerFacts) => Promise<Answer>,
): Promise<Answer> =>
  ask(facts).catch((error: unknown) => {
    const isAboutEmail =
      error instanceof Stripe.errors.StripeInvalidRequestError &&
      (error.param === 'email' || error.code === 'email_invalid')
    if (!isAboutEmail || facts.email === undefined) throw error
    return ask({ ...facts, email: undefined })
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

/** A job: name and address as they are now. What the provider refuses it would refuse again. */
export async function tellCustomer(
  about: { userId: string },
  services: Pick<Services, 'db' | 'payments'>,
): Promise<void> {
  const refusal = await refusalOf(updateCustomer(about, services))
  if (refusal)
    throw new GivenUp(`the customer of ${about.userId} stays as it was: ${refusal.message}`)
}

export async function updateCustomer(
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
  await unlessMissing(
    unlessEmailRefused(customerFacts(person), (facts) =>
      customers.update(person.customerId, { ...facts }),
    ),
  )
}
