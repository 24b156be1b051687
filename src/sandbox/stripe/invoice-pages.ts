// Invoices and receipts, as people see them: anybody who has the address.
import { Hono } from 'hono'
import type Stripe from 'stripe'
import { answerThreeDSecure } from './charge-card.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { recordPaid } from './invoices.ts'
import { isWornOut } from './lasting-links.ts'
import { cardForm, emptyCard } from './pages/card-fields.ts'
import { invoicePage, receiptPage } from './pages/invoice-page.ts'
import { message } from './pages/layout.ts'
import { threeDSecurePage } from './pages/pay-page.ts'
import { newCardMethod, readCard, type CardErrors, type CardForm } from './read-card.ts'
import { tryAgain } from './renewals.ts'
import { wallSeconds, type Store, type Unit } from './store.ts'

async function findInvoice(unit: Unit, id: string): Promise<Stripe.Invoice | null> {
  const invoice = await unit.get<Stripe.Invoice>(id)
  return invoice?.object === 'invoice' ? invoice : null
}

type Paid =
  | { outcome: 'paid' }
  | { outcome: 'confirm' }
  | { outcome: 'refused'; problem: string }
  | { outcome: 'mistaken'; errors: CardErrors }

async function pay(unit: Unit, invoice: Stripe.Invoice, form: CardForm): Promise<Paid> {
  if (invoice.status !== 'open') return { outcome: 'paid' }
  const read = readCard(form, { asksEmail: false, now: wallSeconds() })
  if ('errors' in read) return { outcome: 'mistaken', errors: read.errors }
  const customer = String(invoice.customer)
  const method = newCardMethod(
    unit,
    { ...read.card, email: invoice.customer_email },
    { customer, created: await unit.now(customer) },
  )
  const result = await tryAgain(unit, invoice, {
    offSession: false,
    paymentMethod: method.id,
    isExtra: true,
  })
  if (result.outcome === 'declined') return { outcome: 'refused', problem: result.message }
  if (result.outcome === 'succeeded') return { outcome: 'paid' }
  return { outcome: 'confirm' }
}

/** The payment of this invoice that waits for its owner. */
async function waitingFor(unit: Unit, invoice: Stripe.Invoice) {
  const payments = await unit.find<Stripe.InvoicePayment>('invoice_payment', {
    invoice: invoice.id,
  })
  for (const { payment } of payments) {
    const intent = await unit.get<Stripe.PaymentIntent>(String(payment.payment_intent))
    if (intent?.status === 'requires_action') return intent
  }
  return null
}

async function confirm(unit: Unit, invoice: Stripe.Invoice, isConfirmed: boolean) {
  const intent = await waitingFor(unit, invoice)
  if (!intent || invoice.status !== 'open') return null
  const result = await answerThreeDSecure(unit, intent, isConfirmed)
  if (result.outcome === 'declined') return result.message
  if (result.outcome !== 'succeeded') return null
  await recordPaid(unit, invoice, result)
  const id = invoice.parent?.subscription_details?.subscription
  const subscription = id ? await unit.get<Stripe.Subscription>(String(id)) : null
  if (subscription && ['past_due', 'incomplete'].includes(subscription.status)) {
    subscription.status = 'active'
    unit.put(subscription)
    unit.emit('customer.subscription.updated', subscription)
  }
  return null
}

export function invoicePages(store: Store) {
  const app = new Hono()
  const gone = () => message('Nothing here', 'This address leads nowhere, or no longer.')
  const wornOut = () => message('This link has expired', 'Ask the shop for a new one.')

  app.get('/i/:id', async (context) => {
    const invoice = await store.look((unit) => findInvoice(unit, context.req.param('id')))
    return invoice
      ? context.html(invoicePage({ invoice, form: emptyCard }))
      : context.html(gone(), 404)
  })

  app.post('/i/:id', async (context) => {
    const form = cardForm(await context.req.formData())
    const done = await store.work(async (unit) => {
      const invoice = await findInvoice(unit, context.req.param('id'))
      return invoice && { invoice, paid: await pay(unit, invoice, form) }
    })
    if (!done) return context.html(gone(), 404)
    const { invoice, paid } = done
    if (paid.outcome === 'paid') return context.redirect(`/sandbox/stripe/i/${invoice.id}`, 303)
    if (paid.outcome === 'confirm') {
      return context.redirect(`/sandbox/stripe/i/${invoice.id}/confirm`, 303)
    }
    if (paid.outcome === 'mistaken') {
      return context.html(invoicePage({ invoice, form, errors: paid.errors }), 422)
    }
    const kept = { ...form, number: '', cvc: '' }
    return context.html(invoicePage({ invoice, form: kept, problem: paid.problem }), 402)
  })

  app.get('/i/:id/confirm', async (context) => {
    const id = context.req.param('id')
    const intent = await store.look(async (unit) => {
      const invoice = await findInvoice(unit, id)
      return invoice && waitingFor(unit, invoice)
    })
    return intent
      ? context.html(threeDSecurePage(intent))
      : context.redirect(`/sandbox/stripe/i/${id}`, 303)
  })

  app.post('/i/:id/confirm', async (context) => {
    const sent = await context.req.formData()
    const isConfirmed = sent.get('answer') === 'complete'
    const done = await store.work(async (unit) => {
      const invoice = await findInvoice(unit, context.req.param('id'))
      return invoice && { invoice, problem: await confirm(unit, invoice, isConfirmed) }
    })
    if (!done) return context.html(gone(), 404)
    const { invoice, problem } = done
    return problem
      ? context.html(invoicePage({ invoice, form: emptyCard, problem }), 402)
      : context.redirect(`/sandbox/stripe/i/${invoice.id}`, 303)
  })

  app.get('/i/:id/pdf', async (context) => {
    const invoice = await store.look((unit) => findInvoice(unit, context.req.param('id')))
    if (!invoice) return context.html(gone(), 404)
    const { until } = context.req.query()
    if (await store.look((unit) => isWornOut(unit, invoice, until))) {
      return context.html(wornOut(), 410)
    }
    context.header('content-type', 'application/pdf')
    const name = `invoice-${invoice.number ?? invoice.id}.pdf`
    context.header('content-disposition', `attachment; filename="${name}"`)
    return context.body(await invoicePdf(invoice))
  })

  app.get('/receipts/:id', async (context) => {
    const found = await store.look(async (unit) => {
      const charge = await unit.get<Stripe.Charge>(context.req.param('id'))
      if (charge?.object !== 'charge' || !charge.paid) return null
      if (await isWornOut(unit, charge, context.req.query('until'))) return 'worn out'
      return { charge, refunds: await unit.find<Stripe.Refund>('refund', { charge: charge.id }) }
    })
    if (found === 'worn out') return context.html(wornOut(), 410)
    return found ? context.html(receiptPage(found)) : context.html(gone(), 404)
  })
  return app
}
