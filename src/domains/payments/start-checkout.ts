import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { standingOfCheckout } from './ask-of-checkout.ts'
import type { Checkout } from './checkout-of.ts'
import { giveUpCheckout } from './give-up-checkout.ts'
import { type OpenSession, openSession } from './open-session.ts'
import { requireOwnMode } from './payment-mode.ts'

/** What is there to pay: without a payment page, a reason for that or where to go instead. */
export type CheckoutDecision<Ended extends { refused: string } | { url: string }> =
  | Ended
  /** An open payment page with other terms, or without time. */
  | { outdated: Checkout }
  /** `name` is what is bought. */
  | { checkoutId: string; name: string }
  /** Another click made one at this moment. */
  | null

/** How often it is decided anew because the world changed while the provider was asked. */
const tries = 4

/** Where this person pays for what is decided. Asked again it is the same payment page, until the decision is another one. */
export async function startCheckout<Ended extends { refused: string } | { url: string }>(
  services: Services,
  person: { id: string; name: string; email: string },
  decide: (transaction: Transaction) => Promise<CheckoutDecision<Ended>>,
): Promise<Ended | OpenSession | { refused: 'PAYMENT_UNDER_WAY' }> {
  await requireOwnMode(services)
  let givenUp: string | null = null
  for (let round = 0; round < tries; round += 1) {
    const decision = await services.db.transaction(decide)
    if (!decision) continue
    if ('outdated' in decision) {
      const { outdated } = decision
      // It could not be given up: what was paid there takes a bank some days.
      if (outdated.id === givenUp) return { refused: 'PAYMENT_UNDER_WAY' }
      givenUp = outdated.id
      await giveUpCheckout(services, outdated)
      continue
    }
    if (!('checkoutId' in decision)) return decision
    const { checkoutId, name } = decision
    // Who comes back may have paid a moment ago.
    const standing = await standingOfCheckout(services, checkoutId)
    if (standing === 'filled in') return { refused: 'PAYMENT_UNDER_WAY' }
    if (standing !== 'open') continue
    const session = await openSession(services, { checkoutId, person, name })
    if (session) return session
  }
  throw new Error(`the checkout of ${person.id} found no rest`)
}
