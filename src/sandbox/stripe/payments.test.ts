import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  closeDispute,
  disputeAtProvider,
  passThreeDSecure,
  payHere,
  refundAtProvider,
} from '../../../test/sandbox.ts'

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  app = await startTestApp()
  stripe = app.services.payments.stripe
})
afterAll(() => app.stop())

const home = 'http://localhost:3000'

async function openSession(more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const customer = await stripe.customers.create({ email: 'pat@example.com', name: 'Pat' })
  return stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customer.id,
    line_items: [
      {
        price_data: { currency: 'usd', unit_amount: 4900, product_data: { name: 'Pottery' } },
        quantity: 1,
      },
    ],
    metadata: { checkoutId: 'one' },
    payment_intent_data: { description: 'Pottery', metadata: { checkoutId: 'one' } },
    success_url: `${home}/paid?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${home}/course/pottery`,
    ...more,
  })
}

/** The session's payment, with its charge and what the provider kept of it. */
async function paymentOf(sessionId: string) {
  const { payment_intent } = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge.balance_transaction'],
  })
  const intent = payment_intent as Stripe.PaymentIntent
  const charge = intent.latest_charge as Stripe.Charge
  return { intent, charge, balance: charge.balance_transaction as Stripe.BalanceTransaction }
}

test('a payment page is paid once, however often its button is pressed', async () => {
  const session = await openSession()
  expect(session).toMatchObject({ status: 'open', amount_total: 4900, payment_status: 'unpaid' })
  const page = await (await fetch(app.url + new URL(session.url ?? '').pathname)).text()
  expect(page).toContain('TEST MODE: no money moves')
  expect(page).toContain('$49.00')
  const presses = await Promise.all([1, 2, 3].map(() => payHere(app, session.url ?? '')))
  for (const press of presses) {
    expect(press).toMatchObject({ status: 303, location: `${home}/paid?session=${session.id}` })
  }
  const { intent, charge, balance } = await paymentOf(session.id)
  expect(intent).toMatchObject({ status: 'succeeded', metadata: { checkoutId: 'one' } })
  expect(charge).toMatchObject({ amount: 4900, paid: true, description: 'Pottery' })
  expect(balance).toMatchObject({ amount: 4900, fee: 172, net: 4728 })
  const { data } = await stripe.charges.list({ customer: String(session.customer) })
  expect(data).toHaveLength(1)
})

test.each([
  ['4000000000000002', 'Your card was declined.', 'generic_decline'],
  ['4000000000009995', 'Your card has insufficient funds.', 'insufficient_funds'],
  [
    '4111111111111111',
    'Your card was declined. Your request was in test mode, but used a non test card.',
    'test_mode_live_card',
  ],
])('card %s is refused, and another one pays', async (number, message, reason) => {
  const session = await openSession()
  const url = session.url ?? ''
  expect(await payHere(app, url, { number })).toMatchObject({ status: 402, message })
  const [failed] = (await stripe.charges.list({ customer: String(session.customer) })).data
  expect(failed).toMatchObject({ status: 'failed', paid: false, outcome: { reason } })
  expect(await payHere(app, url)).toMatchObject({ status: 303 })
  const { intent } = await paymentOf(session.id)
  expect(intent).toMatchObject({ status: 'succeeded', last_payment_error: null })
})

test('what is wrong is said beside its field, and nothing is charged', async () => {
  const session = await openSession()
  const { status, html } = await payHere(app, session.url ?? '', {
    number: '4242 4242 4242 4241',
    expiry: '01/20',
    cvc: '',
    email: 'nobody',
    name: '<b>',
  })
  expect(status).toBe(422)
  for (const words of [
    'Your card number is invalid.',
    'expiration date is in the past.',
    'security code is incomplete.',
    'Your email is incomplete.',
  ]) {
    expect(html).toContain(words)
  }
  expect(html).toContain('value="&lt;b&gt;"')
  expect((await stripe.charges.list({ customer: String(session.customer) })).data).toEqual([])
})

test('3-D Secure completes a payment, or fails it and leaves the page open', async () => {
  const session = await openSession()
  const asked = await payHere(app, session.url ?? '', { number: '4000002760003184' })
  expect(asked.location).toMatch(/\/sandbox\/stripe\/c\/3ds\/pi_/)
  const bank = asked.location ?? ''
  expect(await passThreeDSecure(app, bank, false)).toMatchObject({
    status: 402,
    message: expect.stringContaining('unable to authenticate'),
  })
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
  const again = await payHere(app, session.url ?? '', { number: '4000002760003184' })
  const passed = await passThreeDSecure(app, again.location ?? '')
  expect(passed.location).toBe(`${home}/paid?session=${session.id}`)
  // Pressed twice.
  expect(await passThreeDSecure(app, again.location ?? '')).toMatchObject({ status: 303 })
  const { data } = await stripe.charges.list({ customer: String(session.customer) })
  expect(data.map(({ status }) => status)).toEqual(['succeeded'])
})

const monthly = {
  mode: 'subscription' as const,
  line_items: [
    {
      price_data: {
        currency: 'usd',
        unit_amount: 1900,
        recurring: { interval: 'month' as const },
        product_data: { name: 'Pro' },
      },
      quantity: 1,
    },
  ],
  payment_intent_data: undefined,
  subscription_data: { metadata: { kind: 'plan' } },
}

test('a subscription begins with its first payment; 3-D Secure that fails leaves none', async () => {
  const session = await openSession(monthly)
  const url = session.url ?? ''
  await payHere(app, url, { number: '4000000000000002' })
  const asked = await payHere(app, url, { number: '4000002500003155' })
  await passThreeDSecure(app, asked.location ?? '', false)
  const customer = String(session.customer)
  expect((await stripe.subscriptions.list({ customer })).data).toEqual([])
  const again = await payHere(app, url, { number: '4000002500003155' })
  await passThreeDSecure(app, again.location ?? '')
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    payment_intent: null,
    subscription: { status: 'active', metadata: { kind: 'plan' } },
  })

  // The portal: another card, which is the customer's and not the subscription's, and the end of the subscription.
  const portal = await stripe.billingPortal.sessions.create({ customer, return_url: home })
  const declined = await payHere(app, `${portal.url}/card`, { number: '4000000000000002' })
  expect(declined).toMatchObject({ status: 422, message: 'Your card was declined.' })
  const changed = await payHere(app, `${portal.url}/card`, { number: '5555555555554444' })
  expect(changed.status).toBe(303)
  const { id } = paid.subscription as Stripe.Subscription
  const last4 = (card: unknown) => (card as Stripe.PaymentMethod).card?.last4
  const cards = async () => {
    const general = 'invoice_settings.default_payment_method'
    const found = await stripe.customers.retrieve(customer, { expand: [general] })
    const own = await stripe.subscriptions.retrieve(id, { expand: ['default_payment_method'] })
    const { invoice_settings } = found as Stripe.Customer
    return [last4(invoice_settings.default_payment_method), last4(own.default_payment_method)]
  }
  expect(await cards()).toEqual(['4444', '3155'])
  const isEnding = async () => (await stripe.subscriptions.retrieve(id)).cancel_at !== null
  expect(await isEnding()).toBe(false)
  const press = (action: string) =>
    fetch(`${app.url}${new URL(portal.url).pathname}/subscriptions/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ action }),
      redirect: 'manual',
    })
  await press('cancel')
  expect(await isEnding()).toBe(true)
  await press('resume')
  expect(await isEnding()).toBe(false)

  const [invoice] = (await stripe.invoices.list({ customer })).data
  const page = await fetch(app.url + new URL(invoice?.invoice_pdf ?? '').pathname)
  expect(page.headers.get('content-type')).toBe('application/pdf')
  const pdf = Buffer.from(await page.arrayBuffer()).toString('latin1')
  expect(pdf.slice(0, 4)).toBe('%PDF')
  // A PDF writes its letters as numbers, in pieces.
  const written = [...pdf.matchAll(/<([0-9a-f]+)>/g)]
    .map(([, hex]) => Buffer.from(hex ?? '', 'hex').toString('latin1'))
    .join('')
  expect(written).toContain('$19.00')
  expect(written).toContain(invoice?.number)
})

test('refunds give back what is left, and no more', async () => {
  const session = await openSession()
  await payHere(app, session.url ?? '')
  const { charge } = await paymentOf(session.id)
  const part = { charge: charge.id, amount: 1000 }
  const first = await stripe.refunds.create(part, { idempotencyKey: 'refund-a-part' })
  const again = await stripe.refunds.create(part, { idempotencyKey: 'refund-a-part' })
  expect(again.id).toBe(first.id)
  await expect(stripe.refunds.create({ charge: charge.id, amount: 3901 })).rejects.toThrow(
    'Refund amount ($39.01) is greater than unrefunded amount on charge ($39.00)',
  )
  await refundAtProvider(app, charge.id)
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({
    amount_refunded: 4900,
    refunded: true,
  })
  await expect(refundAtProvider(app, charge.id)).rejects.toMatchObject({
    code: 'charge_already_refunded',
  })
  const { data } = await stripe.refunds.list({ charge: charge.id })
  expect(data.map(({ amount }) => amount)).toEqual([3900, 1000])
})

test('a dispute takes money and fee; won, the money comes back', async () => {
  const sums = async (disputeId: string) => {
    const dispute = await stripe.disputes.retrieve(disputeId)
    return dispute.balance_transactions.map(({ amount, fee }) => [amount, fee])
  }
  const session = await openSession()
  await payHere(app, session.url ?? '', { number: '4000000000000259' })
  const { charge } = await paymentOf(session.id)
  expect(charge.disputed).toBe(true)
  const [won] = (await stripe.disputes.list({ charge: charge.id })).data
  await expect(refundAtProvider(app, charge.id)).rejects.toMatchObject({ code: 'charge_disputed' })
  await closeDispute(app, won?.id ?? '', true)
  expect(await sums(won?.id ?? '')).toEqual([
    [-4900, 1500],
    [4900, 0],
  ])

  const other = await openSession()
  await payHere(app, other.url ?? '')
  const lost = await disputeAtProvider(app, (await paymentOf(other.id)).charge.id)
  await closeDispute(app, lost.id, false)
  expect(await sums(lost.id)).toEqual([[-4900, 1500]])
  expect(await stripe.disputes.retrieve(lost.id)).toMatchObject({ status: 'lost' })
})

test('an expired page takes no money; wrong terms are refused', async () => {
  const session = await openSession()
  expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({
    status: 'expired',
    url: null,
  })
  expect(await payHere(app, session.url ?? '')).toMatchObject({ status: 410 })
  await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow('can be expired')
  const soon = Math.floor(Date.now() / 1000) + 60
  await expect(openSession({ expires_at: soon })).rejects.toMatchObject({ param: 'expires_at' })
  await expect(openSession({ customer: 'cus_none' })).rejects.toMatchObject({
    code: 'resource_missing',
  })
  await expect(openSession({ consent_collection: { promotions: 'auto' } })).rejects.toMatchObject({
    code: 'parameter_unknown',
  })
})

test('the dashboard is for who sits at this machine', async () => {
  const path = '/sandbox/stripe/dashboard'
  expect((await app.request(path)).status).toBe(200)
  const far = { headers: { 'x-forwarded-for': '203.0.113.7' } }
  expect((await app.request(path, far)).status).toBe(404)
  expect((await app.request(`${path}/switches`, { ...far, method: 'POST' })).status).toBe(404)
})
