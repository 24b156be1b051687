import type Stripe from 'stripe'
import { voidInvoice } from './invoices.ts'
import { withNewLinks } from './lasting-links.ts'
import { pageFields, readParams } from './params.ts'
import { missing, Refusal, wrong } from './refusal.ts'
import { tryAgain } from './renewals.ts'
import { pageOf, type Route } from './route.ts'
import type { Unit } from './store.ts'

async function requireInvoice(unit: Unit, id: string): Promise<Stripe.Invoice> {
  const invoice = await unit.get<Stripe.Invoice>(id)
  if (invoice?.object !== 'invoice') throw missing('invoice', id, 'invoice')
  return invoice
}

export const invoiceRoutes: Route[] = [
  [
    'GET',
    '/v1/invoices',
    async (call) => {
      const { customer, subscription, status } = readParams(call.params, {
        ...pageFields,
        customer: 'text',
        subscription: 'text',
        status: 'text',
      })
      const filter = { customer, subscription, status }
      const page = await pageOf(call, '/v1/invoices', 'invoice', filter)
      const data: Stripe.Invoice[] = []
      for (const invoice of page.data as unknown as Stripe.Invoice[]) {
        data.push(await withNewLinks(call.unit, invoice))
      }
      return { ...page, data }
    },
  ],
  [
    'GET',
    '/v1/invoices/:id',
    async ({ unit, id, params }) => {
      readParams(params, {})
      return withNewLinks(unit, await requireInvoice(unit, id))
    },
  ],
  [
    'POST',
    '/v1/invoices/:id',
    async ({ unit, id, params }) => {
      const { auto_advance } = readParams(params, { auto_advance: 'yesNo' })
      const invoice = await requireInvoice(unit, id)
      if (auto_advance !== undefined) {
        if (invoice.status !== 'draft' && invoice.status !== 'open') {
          throw wrong('Only an invoice that is a draft or open goes on by itself.', 'auto_advance')
        }
        invoice.auto_advance = auto_advance
        if (!auto_advance) {
          invoice.automatically_finalizes_at = null
          invoice.next_payment_attempt = null
        }
        unit.put(invoice)
        unit.emit('invoice.updated', invoice)
      }
      return invoice
    },
  ],
  [
    'POST',
    '/v1/invoices/:id/pay',
    async ({ unit, id, params }) => {
      const given = readParams(params, { off_session: 'yesNo', payment_method: 'text' })
      const invoice = await requireInvoice(unit, id)
      if (invoice.status === 'paid') {
        throw wrong('Invoice is already paid', undefined, 'invoice_already_paid')
      }
      if (invoice.status !== 'open') throw wrong('Invoice is not open')
      const result = await tryAgain(unit, invoice, {
        // Nobody stands behind a call of the API who could confirm it.
        offSession: given.off_session ?? true,
        paymentMethod: given.payment_method,
        isExtra: true,
      })
      if (result.outcome === 'succeeded') return invoice
      const isDeclined = result.outcome === 'declined'
      return new Refusal(
        402,
        isDeclined ? result.message : 'This payment needs the confirmation of its owner.',
        {
          type: 'card_error',
          code: isDeclined ? result.code : 'invoice_payment_intent_requires_action',
          decline_code: (isDeclined && result.declineCode) || undefined,
        },
      )
    },
  ],
  [
    'POST',
    '/v1/invoices/:id/void',
    async ({ unit, id }) => {
      const invoice = await requireInvoice(unit, id)
      if (invoice.status !== 'open') throw wrong('You can only void an open invoice.')
      await voidInvoice(unit, invoice)
      return invoice
    },
  ],
  [
    'GET',
    '/v1/invoice_payments',
    async (call) => {
      const { invoice, payment, status } = readParams(call.params, {
        ...pageFields,
        invoice: 'text',
        payment: 'group',
        status: 'text',
      })
      const { payment_intent } = readParams(
        payment ?? {},
        { type: 'text', payment_intent: 'text' },
        'payment',
      )
      return pageOf(call, '/v1/invoice_payments', 'invoice_payment', {
        invoice,
        payment_intent,
        status,
      })
    },
  ],
  [
    'GET',
    '/v1/invoice_payments/:id',
    async ({ unit, id }) => unit.require<Stripe.InvoicePayment>(id),
  ],
]
