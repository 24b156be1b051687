import { eq } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { NotSettled } from './paid-charge.ts'
import { checkouts } from './tables.ts'
import { syncSeenCheckout } from './sync-checkout.ts'

type Standing = 'open' | 'paid' | 'expired' | 'refused'

/**
 * How it stands with a payment page. While it is open the provider is asked, at most every two seconds for each
 * one, so that nobody has to wait for its message.
 */
export async function askOfCheckout(services: Services, checkoutId: string): Promise<Standing> {
  const before = await stateOf(services, checkoutId)
  if (before.status !== 'open' || !before.sessionId) return before.status
  if ((await services.rateLimits.asksByCheckout.count(checkoutId)) > 0) return before.status
  const standing = await askProvider(services, checkoutId, before.sessionId)
  return standing === 'filled in' ? 'open' : standing
}

/**
 * The same, for who would be sent to the page: always asked. One that was filled in is told apart: nobody pays
 * there a second time, though nothing may be paid for days, where a bank has to confirm it.
 */
export async function standingOfCheckout(
  services: Services,
  checkoutId: string,
): Promise<Standing | 'filled in'> {
  const { status, sessionId } = await stateOf(services, checkoutId)
  return status === 'open' && sessionId ? askProvider(services, checkoutId, sessionId) : status
}

async function askProvider(services: Services, checkoutId: string, sessionId: string) {
  const seen = await services.payments.stripe.checkout.sessions.retrieve(sessionId)
  await syncSeenCheckout(services, seen).catch((error: unknown) => {
    // Paid a moment ago: the webhook's job will say so, or the next question.
    if (!(error instanceof NotSettled)) throw error
  })
  const { status } = await stateOf(services, checkoutId)
  return status === 'open' && seen.status === 'complete' ? 'filled in' : status
}

async function stateOf({ db }: Services, checkoutId: string) {
  const [row] = await db
    .select({ status: checkouts.status, sessionId: checkouts.sessionId })
    .from(checkouts)
    .where(eq(checkouts.id, checkoutId))
  if (!row) throw new Error(`no checkout ${checkoutId}`)
  return row
}
