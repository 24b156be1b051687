import { ORPCError } from '@orpc/server'
import { and, eq, isNull } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Executor } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { inTurns } from '../../server/turns.ts'
import { closeCheckout } from './close-checkout.ts'
import { customerOf } from './customer-of.ts'
import { sessionParams } from './session-params.ts'
import { checkouts } from './tables.ts'

type Asking = Pick<Services, 'db' | 'payments'>

export interface OpenSession {
  url: string
  sessionId: string
}

// Two clicks ask the provider once; two nodes are told apart by its idempotency key.
const turns = inTurns(1)

/**
 * The payment page of a checkout, made at the provider where it is not there yet. Nothing is stored when that
 * fails: the next try asks with the same key, and gets the page that the first one may have made. Null when
 * the checkout cannot be paid any more: the caller decides anew.
 */
export async function openSession(
  services: Asking,
  order: {
    checkoutId: string
    person: { id: string; name: string; email: string }
    /** What is bought, for the payment page and for invoices. */
    name: string
  },
): Promise<OpenSession | null> {
  const { db } = services
  const done = await turns.take(order.checkoutId)
  try {
    const checkout = await openCheckout(db, order.checkoutId)
    if (!checkout) return null
    const { url, sessionId } = checkout
    if (url && sessionId) return { url, sessionId }
    const customer = await customerOf(services, order.person)
    const session = await askForSession(services, checkout.id, () =>
      sessionParams(checkout, { customer, name: order.name }),
    )
    return session && (await keepSession(services, checkout.id, session))
  } finally {
    done()
  }
}

async function openCheckout(executor: Executor, checkoutId: string) {
  const [row] = await executor
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.id, checkoutId), eq(checkouts.status, 'open')))
  return row ?? null
}

/** Milliseconds between two looks at what another node is asking for. */
const pause = 250

async function askForSession(
  { db, payments }: Asking,
  checkoutId: string,
  params: () => Stripe.Checkout.SessionCreateParams,
): Promise<Stripe.Checkout.Session | null> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const answer = await payments.stripe.checkout.sessions
      .create(params(), { idempotencyKey: checkoutId })
      .catch((error: unknown) => error)
    if (!(answer instanceof Error)) return answer as Stripe.Checkout.Session
    if (!(answer instanceof Stripe.errors.StripeError)) throw answer
    if (answer.code === 'idempotency_key_in_use' && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, pause))
      continue
    }
    if (!(answer instanceof Stripe.errors.StripeIdempotencyError)) throw answer
    // The course was renamed since the first try. Nobody knows the page that this may have made.
    await db.transaction((transaction) => closeCheckout(transaction, checkoutId, 'expired'))
    return null
  }
}

async function keepSession(
  { db, payments }: Asking,
  checkoutId: string,
  { id: sessionId, url }: Stripe.Checkout.Session,
): Promise<OpenSession | null> {
  if (!url) {
    throw new ORPCError('PAYMENT_SERVICE_FAILED', {
      status: 503,
      message: 'No checkout URL received',
    })
  }
  const kept = await db
    .update(checkouts)
    .set({ sessionId, url })
    .where(
      and(eq(checkouts.id, checkoutId), eq(checkouts.status, 'open'), isNull(checkouts.sessionId)),
    )
    .returning({ id: checkouts.id })
  if (kept.length > 0) return { url, sessionId }
  const row = await openCheckout(db, checkoutId)
  // Another node was first, and was answered the same.
  if (row?.sessionId === sessionId) return { url, sessionId }
  // It was closed meanwhile, and nobody has this page yet.
  await payments.stripe.checkout.sessions.expire(sessionId)
  return null
}
