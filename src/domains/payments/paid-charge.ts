import { eq, inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Executor } from '../../server/db.ts'
import { idOf } from './outcome.ts'
import { payments } from './tables.ts'

/** Money that arrived, with what became of it, as the provider tells it. */
export interface PaidCharge {
  charge: Stripe.Charge
  refunds: Stripe.Refund[]
  disputes: Stripe.Dispute[]
  invoice: { id: string; pdf: string | null } | null
  /** Of a later month or year. */
  isRenewal: boolean
}

/** What asked for a charge of a subscription. */
type Asked = Pick<PaidCharge, 'invoice' | 'isRenewal'>
const byCheckout: Asked = { invoice: null, isRenewal: false }

const expand = ['balance_transaction']

/** What the provider takes for a charge is not known for a moment after it was paid: another try will tell. */
export class NotSettled extends Error {}

/** Null of a charge that did not succeed. Throws while the provider has not settled it. */
export async function fetchCharge(
  stripe: Stripe,
  chargeId: string,
  asked: Asked = byCheckout,
): Promise<PaidCharge | null> {
  const charge = await stripe.charges.retrieve(chargeId, { expand })
  if (!charge.paid || charge.status !== 'succeeded') return null
  if (!charge.balance_transaction || typeof charge.balance_transaction === 'string') {
    throw new NotSettled(`The provider has not said yet what it takes for ${chargeId}`)
  }
  return { charge, ...asked, ...(await takenBack(stripe, charge)) }
}

/** A refund that failed is not in the charge's sum any more, so it is asked for in any case. */
async function takenBack(stripe: Stripe, { id, disputed }: Stripe.Charge) {
  const refunds = await stripe.refunds.list({ charge: id, limit: 100 })
  const disputes = disputed ? await stripe.disputes.list({ charge: id, limit: 100 }) : { data: [] }
  return { refunds: refunds.data, disputes: disputes.data }
}

/** Null when it was not paid. */
export async function chargeOfIntent(
  stripe: Stripe,
  paymentIntentId: string,
  asked: Asked = byCheckout,
): Promise<PaidCharge | null> {
  const intent = await stripe.paymentIntents.retrieve(paymentIntentId)
  const chargeId = idOf(intent.latest_charge)
  if (intent.status !== 'succeeded' || !chargeId) return null
  return fetchCharge(stripe, chargeId, asked)
}

/** Invoices that are looked at: more are missing only after a year without us, and have events of their own. */
const latest = 12

/**
 * The charges of a subscription's paid invoices that we have no payment of, oldest first; of `also`, which
 * may be older, too.
 */
export async function newChargesOf(
  executor: Executor,
  stripe: Stripe,
  subscription: string,
  also?: Stripe.Invoice,
): Promise<PaidCharge[]> {
  const listed = await stripe.invoices.list({ subscription, limit: latest })
  const all = new Map([...(also ? [also] : []), ...listed.data].map((found) => [found.id, found]))
  const paid = [...all.values()].filter((found) => found.status === 'paid' && found.amount_paid > 0)
  const ids = paid.map(({ id }) => id)
  const known = await executor
    .select({ invoiceId: payments.invoiceId })
    .from(payments)
    .where(inArray(payments.invoiceId, ids))
  const recorded = new Set(known.map(({ invoiceId }) => invoiceId))
  const charges: PaidCharge[] = []
  for (const invoice of paid.toSorted((a, b) => a.created - b.created)) {
    if (recorded.has(invoice.id)) continue
    const made = await stripe.invoicePayments.list({ invoice: invoice.id, limit: 10 })
    for (const { status, payment } of made.data) {
      const intentId = idOf(payment.payment_intent)
      if (status !== 'paid' || !intentId) continue
      const charge = await chargeOfIntent(stripe, intentId, {
        invoice: { id: invoice.id, pdf: invoice.invoice_pdf ?? null },
        isRenewal: invoice.billing_reason !== 'subscription_create',
      })
      if (charge) charges.push(charge)
    }
  }
  return charges
}

export async function paymentOfCharge(executor: Executor, chargeId: string) {
  const [found] = await executor.select().from(payments).where(eq(payments.chargeId, chargeId))
  return found ?? null
}
