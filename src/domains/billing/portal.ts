import type { Services } from '../../server/services.ts'
import { findCustomer } from '../payments/customer-of.ts'
import { isMissing } from '../payments/is-missing.ts'

/** Who comes back with another card is told so; who only comes back is not. */
function afterCard(returnUrl: string): string {
  const address = new URL(returnUrl)
  address.searchParams.set('card', 'updated')
  return address.href
}

/** The provider's own pages for this person's cards and invoices; null for who is no customer there. */
export async function portalOf(
  { db, payments }: Services,
  {
    userId,
    returnUrl,
    flow,
  }: { userId: string; returnUrl: string; flow?: 'payment_method_update' },
): Promise<{ url: string } | null> {
  const customer = await findCustomer(db, userId)
  if (!customer) return null
  const asked = payments.stripe.billingPortal.sessions.create({
    customer,
    return_url: returnUrl,
    ...(flow && {
      flow_data: {
        type: flow,
        after_completion: { type: 'redirect', redirect: { return_url: afterCard(returnUrl) } },
      },
    }),
  })
  const session = await asked.catch((error: unknown) => {
    // The keys were changed since, and nothing was paid with the new ones yet.
    if (isMissing(error)) return null
    throw error
  })
  return session && { url: session.url }
}
