import type Stripe from 'stripe'
import type { Services } from '../../server/services.ts'
import { findCustomer } from '../payments/customer-of.ts'
import { isMissing } from '../payments/is-missing.ts'
import { idOf } from '../payments/outcome.ts'
import { titlesBySubscription } from '../purchases/list-purchases.ts'
import { titleOfPlan } from './rules.ts'
import type { BillingHistory } from './schema.ts'

/** How many invoices are told, the newest ones. */
const most = 50

/** This customer's invoices, from the provider; null when it is not this person. */
export async function historyOf(
  { db, payments }: Services,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<BillingHistory | null> {
  if ((await findCustomer(db, userId)) !== customerId) return null
  const { data, has_more } = await payments.stripe.invoices
    .list({ customer: customerId, limit: most })
    .catch((error: unknown) => {
      if (isMissing(error)) return { data: [], has_more: false }
      throw error
    })
  const invoices = data.filter(({ status }) => status !== 'draft' && status !== 'void')
  const titles = await titlesBySubscription(db, userId, invoices.flatMap(subscriptionOf))
  return {
    invoices: invoices.map((invoice) => ({
      id: invoice.id,
      amount: invoice.total,
      currency: invoice.currency,
      status: invoice.status ?? 'open',
      created: invoice.created,
      description: describe(invoice, titles),
      invoice_pdf: invoice.invoice_pdf ?? null,
    })),
    has_more: has_more === true,
  }
}

function subscriptionOf({ parent }: Stripe.Invoice): string[] {
  const id = idOf(parent?.subscription_details?.subscription)
  return id ? [id] : []
}

function describe(invoice: Stripe.Invoice, titles: ReadonlyMap<string, string>): string {
  const metadata = invoice.parent?.subscription_details?.metadata
  if (metadata?.kind === 'plan') {
    return titleOfPlan(metadata.plan === 'annual' ? 'annual' : 'monthly')
  }
  const title = subscriptionOf(invoice).flatMap((id) => titles.get(id) ?? [])[0]
  // '1 × Something (at $20.00 / month)' in the provider's words.
  const line = invoice.lines.data[0]?.description?.replace(/^\d+ × (.*?)(?: \(at .*\))?$/, '$1')
  return title ?? invoice.description ?? line ?? 'Payment'
}
