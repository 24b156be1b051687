// Everything that the sandbox answers and tells, compared with the types of Stripe's own SDK.
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  advance,
  arriveAtBank,
  closeDispute,
  disputeAtProvider,
  failAtBank,
  finishOnboarding,
  payHere,
  releaseFunds,
  setAccount,
  tokenize,
} from '../../../test/sandbox.ts'
import { validatorsOf } from '../../../test/stripe-schema.ts'

/** By what objects call themselves, the type that they have to be of. */
const typeNames: Record<string, string> = {
  account: 'Account',
  account_link: 'AccountLink',
  application_fee: 'ApplicationFee',
  balance: 'Balance',
  balance_transaction: 'BalanceTransaction',
  bank_account: 'BankAccount',
  'billing_portal.session': 'BillingPortal.Session',
  card: 'Card',
  charge: 'Charge',
  'checkout.session': 'Checkout.Session',
  customer: 'Customer',
  dispute: 'Dispute',
  invoice: 'Invoice',
  invoice_payment: 'InvoicePayment',
  item: 'LineItem',
  line_item: 'InvoiceLineItem',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  payout: 'Payout',
  price: 'Price',
  product: 'Product',
  refund: 'Refund',
  subscription: 'Subscription',
  'test_helpers.test_clock': 'TestHelpers.TestClock',
  token: 'Token',
  transfer: 'Transfer',
  transfer_reversal: 'TransferReversal',
  webhook_endpoint: 'WebhookEndpoint',
}

let app: TestApp
let stripe: Stripe
const seen = new Map<string, object>()

beforeAll(async () => {
  app = await startTestApp()
  const { sandbox } = app.services.payments
  if (!sandbox) throw new Error('there is no sandbox')
  const { host, port, secretKey } = sandbox
  stripe = new Stripe(secretKey, {
    host,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request)
      if (response.ok) keep(await response.clone().json())
      return response
    }),
  })
})
afterAll(() => app?.stop())

/** An answer, the parts of a list, and what an event is about: each version of each object once. */
function keep(answer: { object: string; id?: string; deleted?: true; data?: unknown }) {
  if (answer.object === 'list') {
    for (const part of answer.data as (typeof answer)[]) keep(part)
  } else if (!answer.deleted) {
    if (answer.object === 'event') keep((answer as unknown as Stripe.Event).data.object as never)
    else seen.set(JSON.stringify(answer), answer)
  }
}

const home = 'http://localhost:3000'
const day = 86_400
const card = { type: 'card', card: { token: 'tok_visa' } } as const

const item = (amount: number, recurring?: { interval: 'month' | 'year' }) => ({
  quantity: 1,
  price_data: {
    currency: 'usd',
    unit_amount: amount,
    recurring,
    product_data: { name: 'Pottery' },
  },
})

async function sellOnce(customer: string) {
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    line_items: [item(4900)],
    success_url: home,
    cancel_url: home,
  })
  await stripe.checkout.sessions.listLineItems(session.id)
  await payHere(app, session.url ?? '')
  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge.balance_transaction', 'line_items', 'customer'],
  })
  const { latest_charge } = paid.payment_intent as Stripe.PaymentIntent
  return (latest_charge as Stripe.Charge).id
}

async function subscribe(customer: string, number?: string) {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [item(2000, { interval: 'month' })],
    success_url: home,
    cancel_url: home,
  })
  await payHere(app, session.url ?? '', { number })
  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice', 'subscription.default_payment_method', 'invoice'],
  })
  return (paid.subscription as Stripe.Subscription).id
}

test(
  'all that the sandbox answers has the shape that Stripe’s types say',
  { timeout: 180_000 },
  async () => {
    const customer = await stripe.customers.create({ email: 'pat@example.com', name: 'Pat' })
    await stripe.customers.update(customer.id, { name: 'Pat Payer' })
    const charge = await sellOnce(customer.id)
    await stripe.refunds.create({ charge, amount: 900 })
    await stripe.charges.retrieve(charge, {
      expand: ['balance_transaction', 'customer', 'refunds'],
    })
    const disputed = await sellOnce(customer.id)
    const dispute = await disputeAtProvider(app, disputed)
    await stripe.disputes.retrieve(dispute.id)
    await closeDispute(app, dispute.id, true)
    await stripe.disputes.list({ charge: disputed })

    const subscription = await subscribe(customer.id)
    await advance(app, customer.id, 32 * day)
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: false })
    const invoices = await stripe.invoices.list({ subscription })
    await stripe.invoicePayments.list({ invoice: invoices.data[0]?.id ?? '' })
    await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: home })
    await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })

    const late = await stripe.customers.create({ email: 'late@example.com' })
    const failing = await subscribe(late.id, '4000000000000341')
    await advance(app, late.id, 33 * day)
    await stripe.subscriptions.retrieve(failing, { expand: ['latest_invoice'] })
    await advance(app, late.id, 20 * day)
    await stripe.subscriptions.list({ customer: late.id, status: 'all' })

    const product = await stripe.products.create({ name: 'Pottery' })
    await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 500 })
    await stripe.paymentMethods.create(card)
    await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) })
    await stripe.charges.list({ customer: customer.id })
    await stripe.refunds.list({ charge })
    await stripe.balanceTransactions.list()
    const open = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [item(100)],
      success_url: home,
      cancel_url: home,
    })
    await stripe.checkout.sessions.expire(open.id)
    for await (const event of stripe.events.list({ limit: 100 })) void event

    await releaseFunds(app, charge)
    const bank = { account_number: '000123456789', routing_number: '110000000' }
    const token = await tokenize(app, { bank_account: bank })
    await stripe.tokens.retrieve(token)
    const account = await stripe.accounts.create({
      controller: {
        fees: { payer: 'application' },
        losses: { payments: 'application' },
        requirement_collection: 'application',
        stripe_dashboard: { type: 'none' },
      },
      country: 'US',
      business_type: 'individual',
      business_profile: { product_description: 'Courses' },
      capabilities: { transfers: { requested: true } },
      individual: { first_name: 'Cleo', last_name: 'Creator' },
      settings: { payouts: { schedule: { interval: 'manual' } } },
      external_account: token,
    })
    const link = await stripe.accountLinks.create({
      account: account.id,
      type: 'account_onboarding',
      refresh_url: home,
      return_url: home,
    })
    await finishOnboarding(app, link.url)
    const own = { stripeAccount: account.id }
    await stripe.accounts.retrieve(account.id)
    const cardToken = await tokenize(app, { card: { number: '4000056655665556' } })
    await stripe.tokens.retrieve(cardToken)
    const debitCard = await stripe.accounts.createExternalAccount(account.id, {
      external_account: cardToken,
    })
    await stripe.accounts.listExternalAccounts(account.id)
    const usd = { currency: 'usd' }
    const transfer = await stripe.transfers.create({
      ...usd,
      amount: 1000,
      destination: account.id,
    })
    await stripe.transfers.createReversal(transfer.id, { amount: 100 })
    await stripe.transfers.listReversals(transfer.id)
    await stripe.transfers.retrieve(transfer.id)
    const arriving = await stripe.payouts.create({ ...usd, amount: 400 }, own)
    await arriveAtBank(app, arriving.id)
    const atOnce = { ...usd, amount: 100, destination: debitCard.id, method: 'instant' } as const
    await stripe.payouts.create(atOnce, own)
    const returned = await stripe.payouts.create({ ...usd, amount: 300 }, own)
    await failAtBank(app, returned.id)
    await stripe.payouts.list({}, own)
    await stripe.balanceTransactions.list({}, own)
    await stripe.balance.retrieve({}, own)
    await stripe.balance.retrieve()
    for (const state of ['paused', 'rejected', 'information needed', 'under review'] as const) {
      await setAccount(app, account.id, state)
      await stripe.accounts.retrieve(account.id)
    }
    for await (const event of stripe.events.list({ limit: 100 }, own)) void event
    const endpoint = await stripe.webhookEndpoints.create({
      url: `${home}/own`,
      enabled_events: ['customer.deleted'],
    })
    await stripe.webhookEndpoints.del(endpoint.id)

    const wrong = wrongOnes()
    expect(wrong).toEqual([])
    expect(new Set([...seen.values()].map(nameOf)).size).toBeGreaterThan(20)
  },
)

const nameOf = (answer: object) => (answer as { object: string }).object

/** What differs from the types, each kind of difference once. */
function wrongOnes(): string[] {
  const names = [...new Set(Object.values(typeNames))]
  const validators = validatorsOf(names)
  const wrong = new Set<string>()
  for (const answer of seen.values()) {
    const type = typeNames[nameOf(answer)]
    const validate = type === undefined ? undefined : validators.get(type)
    if (!validate) {
      wrong.add(`nobody knows ${nameOf(answer)}`)
      continue
    }
    if (validate(answer)) continue
    for (const error of validate.errors ?? []) {
      if (error.keyword === 'anyOf' || error.keyword === 'const') continue
      const { additionalProperty = '' } = error.params as { additionalProperty?: string }
      wrong.add(`${type}${error.instancePath} ${error.message} ${additionalProperty}`.trim())
    }
  }
  return [...wrong]
}
