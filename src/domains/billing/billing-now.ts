import { paymentProblem } from '../../server/payment-problem.ts'
import type { Services } from '../../server/services.ts'
import { askOfCheckout } from '../payments/ask-of-checkout.ts'
import { billingOf } from './queries.ts'

/**
 * The plan of this person and what pays for it. Who comes back from paying for Pro waits for no message of the
 * provider: it is asked about the payment page that is open. While it does not answer, what we know has to do.
 */
export async function billingNow(services: Services, userId: string) {
  const { checkoutId, ...known } = await billingOf(services.pool, userId)
  if (checkoutId === null || known.checkout !== 'open') return known
  const became = await askOfCheckout(services, checkoutId).catch((error: unknown) => {
    if (paymentProblem(error)) return 'open' as const
    throw error
  })
  if (became === 'open') return known
  const { checkoutId: _, ...now } = await billingOf(services.pool, userId)
  return now
}
