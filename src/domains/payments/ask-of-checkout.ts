import { eq } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { NotSettled } from './paid-charge.ts'
import { checkouts } from './tables.ts'
import { syncCheckout } from './sync-checkout.ts'

/**
 * How it stands with a payment page. While it is open the provider is asked, at most every two seconds for each
 * one, so that nobody has to wait for its message.
 */
export async function askOfCheckout(
  services: Services,
  checkoutId: string,
): Promise<'open' | 'paid' | 'expired' | 'refused'> {
  const before = await stateOf(services, checkoutId)
  if (before.status !== 'open' || !before.sessionId) return before.status
  if ((await services.rateLimits.asksByCheckout.count(checkoutId)) > 0) return before.status
  await syncCheckout(services, before.sessionId).catch((error: unknown) => {
    // Paid a moment ago: the webhook's job will say so, or the next question.
    if (!(error instanceof NotSettled)) throw error
  })
  return (await stateOf(services, checkoutId)).status
}

/**
 * Whether a payment page was filled in already: nobody pays there a second time, though nothing may be paid
 * for days, where a bank has to confirm it.
 */
export async function isFilledIn({ payments }: Services, sessionId: string): Promise<boolean> {
  const { status } = await payments.stripe.checkout.sessions.retrieve(sessionId)
  return status === 'complete'
}

async function stateOf({ db }: Services, checkoutId: string) {
  const [row] = await db
    .select({ status: checkouts.status, sessionId: checkouts.sessionId })
    .from(checkouts)
    .where(eq(checkouts.id, checkoutId))
  if (!row) throw new Error(`no checkout ${checkoutId}`)
  return row
}
