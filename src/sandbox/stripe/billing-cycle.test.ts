// Subscriptions of the sandbox over time, through Stripe's own SDK.
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStandaloneSandbox } from '../../../test/standalone-sandbox.ts'
import { createLog } from '../../server/log.ts'
import { runDue } from './clocks.ts'
import { openStore } from './store.ts'

let stand: Awaited<ReturnType<typeof startStandaloneSandbox>>
let stripe: Stripe

beforeAll(async () => {
  stand = await startStandaloneSandbox()
  stripe = stand.stripe
})
afterAll(() => stand.stop())

const day = 24 * 60 * 60
/** 31 January 2027, 12:00. */
const start = Date.UTC(2027, 0, 31, 12) / 1000
const at = (month: number, date: number) => Date.UTC(2027, month - 1, date, 12) / 1000

const monthly = async () => {
  const product = await stripe.products.create({ name: 'Thunder Pro' })
  return {
    currency: 'usd',
    product: product.id,
    unit_amount: 2900,
    recurring: { interval: 'month' as const },
  }
}

/** Somebody with a clock of their own, a card and a monthly subscription. */
async function subscriber(card = 'pm_card_visa') {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const customer = await stripe.customers.create({ name: 'Ada', test_clock: clock.id })
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: method.id,
    items: [{ price_data: await monthly() }],
    metadata: { checkoutId: 'c1' },
    expand: ['latest_invoice.payments'],
  })
  return {
    clock: clock.id,
    customer: customer.id,
    subscription,
    to: (time: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: time }),
    now: () => stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] }),
  }
}

/** Types of the events about this person since the last look, oldest first. */
function watch(customer: string) {
  let last: string | undefined
  return async () => {
    const events = await stripe.events.list({ limit: 100, ending_before: last })
    last = events.data[0]?.id ?? last
    return events.data
      .filter(({ data }) => (data.object as { customer?: unknown }).customer === customer)
      .map(({ type }) => type)
      .toReversed()
  }
}

const invoiceOf = (subscription: Stripe.Subscription) =>
  subscription.latest_invoice as Stripe.Invoice

const periodOf = ({ items }: Stripe.Subscription) => {
  const [item] = items.data
  return [item?.current_period_start, item?.current_period_end]
}

test('a subscription begins with a paid invoice and renews on its day', async () => {
  const one = await subscriber()
  expect(one.subscription.status).toBe('active')
  // 31 January, 28 February, 31 March: counted from the first day.
  expect(periodOf(one.subscription)).toEqual([start, at(2, 28)])
  const invoice = invoiceOf(one.subscription)
  expect(invoice).toMatchObject({
    status: 'paid',
    amount_paid: 2900,
    billing_reason: 'subscription_create',
    parent: {
      subscription_details: { subscription: one.subscription.id, metadata: { checkoutId: 'c1' } },
    },
  })
  expect(invoice.invoice_pdf).toContain(`/sandbox/stripe/i/${invoice.id}/pdf`)
  const intent = invoice.payments?.data[0]?.payment.payment_intent as string
  const found = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
  })
  expect(found.data).toMatchObject([{ invoice: invoice.id, status: 'paid', amount_paid: 2900 }])

  const happened = watch(one.customer)
  await happened()
  await one.to(at(2, 28) - 1)
  // Two days after a payment its money is there.
  expect(await happened()).toEqual(['charge.updated'])
  await one.to(at(4, 2))
  const renewed = await one.now()
  expect(periodOf(renewed)).toEqual([at(3, 31), at(4, 30)])
  const invoices = await stripe.invoices.list({ subscription: one.subscription.id })
  expect(invoices.data.map(({ status, created }) => [status, created])).toEqual([
    ['paid', at(3, 31)],
    ['paid', at(2, 28)],
    ['paid', start],
  ])
  expect(new Set(invoices.data.map(({ number }) => number)).size).toBe(3)
  const once = [
    'invoice.created',
    'invoice.finalized',
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'charge.updated',
  ]
  expect(await happened()).toEqual([...once, ...once])
})

describe('a renewal that is a draft at first', () => {
  beforeAll(() => stand.control('/switches', { draftSeconds: 3600 }))
  afterAll(() => stand.control('/switches', { draftSeconds: 0 }))
  const renewal = at(2, 28)

  test('is charged after an hour, also when it is canceled with its period meanwhile', async () => {
    const one = await subscriber()
    const happened = watch(one.customer)
    await one.to(renewal + 60)
    await happened()
    const renewed = await one.now()
    expect([renewed.status, periodOf(renewed)]).toEqual(['active', [renewal, at(3, 31)]])
    expect(invoiceOf(renewed)).toMatchObject({
      status: 'draft',
      billing_reason: 'subscription_cycle',
      automatically_finalizes_at: renewal + 3600,
      attempted: false,
      invoice_pdf: null,
    })
    await stripe.subscriptions.update(one.subscription.id, { cancel_at_period_end: true })
    await one.to(renewal + 3600)
    expect(invoiceOf(await one.now())).toMatchObject({
      status: 'paid',
      automatically_finalizes_at: null,
      invoice_pdf: expect.any(String),
    })
    expect(await happened()).toEqual([
      'customer.subscription.updated',
      'invoice.finalized',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
    ])
  })

  test('makes the subscription past due when the card is declined then', async () => {
    const one = await subscriber('pm_card_chargeCustomerFail')
    await one.to(renewal + 60)
    expect((await one.now()).status).toBe('active')
    await one.to(renewal + 3600)
    const failed = await one.now()
    expect(failed.status).toBe('past_due')
    expect(invoiceOf(failed)).toMatchObject({
      status: 'open',
      next_payment_attempt: renewal + 3600 + 3 * day,
    })
  })

  test('is charged for what has ended, unless it was stopped', async () => {
    for (const isStopped of [false, true]) {
      const one = await subscriber()
      await one.to(renewal + 60)
      const { id } = invoiceOf(await one.now())
      if (isStopped) {
        expect(await stripe.invoices.update(id!, { auto_advance: false })).toMatchObject({
          auto_advance: false,
          automatically_finalizes_at: null,
        })
      }
      await stripe.subscriptions.cancel(one.subscription.id)
      await one.to(renewal + 10 * day)
      expect((await stripe.invoices.retrieve(id!)).status).toBe(isStopped ? 'draft' : 'paid')
      expect((await one.now()).status).toBe('canceled')
    }
  })

  test('cannot be stopped any more when it was paid', async () => {
    const one = await subscriber()
    const paid = invoiceOf(one.subscription).id!
    const refused = await stripe.invoices.update(paid, { auto_advance: false }).catch((e) => e)
    expect(refused).toMatchObject({ type: 'StripeInvalidRequestError' })
  })
})

describe('a renewal that fails', () => {
  const at0 = at(2, 28)

  test('is tried three times more and ends the subscription', async () => {
    const one = await subscriber('pm_card_chargeCustomerFail')
    expect(one.subscription.status).toBe('active')
    const tries: [number, string, number, number | null][] = []
    for (const time of [at0, at0 + 3 * day, at0 + 8 * day, at0 + 15 * day]) {
      await one.to(time)
      const subscription = await one.now()
      const { attempt_count, next_payment_attempt } = invoiceOf(subscription)
      tries.push([time - at0, subscription.status, attempt_count, next_payment_attempt])
    }
    expect(tries).toEqual([
      [0, 'past_due', 1, at0 + 3 * day],
      [3 * day, 'past_due', 2, at0 + 8 * day],
      [8 * day, 'past_due', 3, at0 + 15 * day],
      [15 * day, 'canceled', 4, null],
    ])
    const ended = await one.now()
    expect(ended).toMatchObject({
      ended_at: at0 + 15 * day,
      cancellation_details: { reason: 'payment_failed' },
    })
    expect(invoiceOf(ended).status).toBe('open')
    // One intent, asked four times.
    const intents = await stripe.paymentIntents.list({ customer: one.customer })
    expect(intents.data.map(({ status }) => status)).toEqual([
      'requires_payment_method',
      'succeeded',
    ])
    const failures = await stripe.events.list({ type: 'invoice.payment_failed', limit: 100 })
    expect(
      failures.data.filter(({ data }) => (data.object as Stripe.Invoice).customer === one.customer),
    ).toHaveLength(4)
  })

  test('recovers with another card, at the next attempt or at once', async () => {
    for (const isAtOnce of [false, true]) {
      const one = await subscriber('pm_card_chargeCustomerFail')
      await one.to(at0)
      const failed = await one.now()
      const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: one.customer })
      const declined = await stripe.invoices
        .pay(invoiceOf(failed).id ?? '')
        .catch((error: unknown) => error)
      expect(declined).toMatchObject({ type: 'StripeCardError', code: 'card_declined' })
      // The attempt in between cost none of the planned ones.
      expect(invoiceOf(await one.now())).toMatchObject({
        attempt_count: 1,
        next_payment_attempt: at0 + 3 * day,
      })
      await stripe.subscriptions.update(one.subscription.id, { default_payment_method: card.id })
      if (isAtOnce) await stripe.invoices.pay(invoiceOf(failed).id ?? '')
      else await one.to(at0 + 3 * day)
      const recovered = await one.now()
      expect(recovered.status).toBe('active')
      expect(invoiceOf(recovered)).toMatchObject({ status: 'paid', next_payment_attempt: null })
      expect(periodOf(recovered)).toEqual([at0, at(3, 31)])
    }
  })
})

test('a first payment that is declined leaves the subscription incomplete, then expired', async () => {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const customer = await stripe.customers.create({ test_clock: clock.id })
  const refused = await stripe.paymentMethods
    .attach('pm_card_chargeDeclined', { customer: customer.id })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ type: 'StripeCardError', decline_code: 'generic_decline' })
  const method = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: method.id,
    items: [{ price_data: await monthly() }],
    off_session: true,
    expand: ['latest_invoice'],
  })
  expect(subscription.status).toBe('incomplete')
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + day })
  const expired = await stripe.subscriptions.retrieve(subscription.id)
  expect(expired.status).toBe('incomplete_expired')
  expect((await stripe.invoices.retrieve(invoiceOf(subscription).id ?? '')).status).toBe('void')
})

test('cancelled at the end of the period, taken back, and at once', async () => {
  const one = await subscriber()
  const { id } = one.subscription
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  expect(await one.now()).toMatchObject({ status: 'active', cancel_at: at(2, 28) })
  await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  expect(await one.now()).toMatchObject({ cancel_at: null, canceled_at: null })
  await one.to(at(3, 1))
  expect((await one.now()).status).toBe('active')
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  await one.to(at(4, 1))
  expect(await one.now()).toMatchObject({ status: 'canceled', ended_at: at(3, 31) })
  const invoices = await stripe.invoices.list({ subscription: id })
  expect(invoices.data).toHaveLength(2)

  const two = await subscriber()
  await stripe.subscriptions.cancel(two.subscription.id, {
    cancellation_details: { comment: 'No time' },
  })
  expect(await two.now()).toMatchObject({
    status: 'canceled',
    ended_at: start,
    cancellation_details: { comment: 'No time', reason: 'cancellation_requested' },
  })
  const again = await stripe.subscriptions.cancel(two.subscription.id).catch((error) => error)
  expect(again).toMatchObject({ code: 'resource_missing' })
  const running = await stripe.subscriptions.list({ customer: two.customer })
  expect(running.data).toEqual([])
  const all = await stripe.subscriptions.list({ customer: two.customer, status: 'all' })
  expect(all.data).toHaveLength(1)
})

test('who is deleted pays no more', async () => {
  const one = await subscriber()
  await stripe.customers.del(one.customer)
  expect((await one.now()).status).toBe('canceled')
  expect(await stripe.customers.retrieve(one.customer)).toMatchObject({ deleted: true })
  const charged = await stripe.subscriptions
    .create({ customer: one.customer, items: [{ price_data: await monthly() }] })
    .catch((error: unknown) => error)
  expect(charged).toMatchObject({ code: 'resource_missing', param: 'customer' })
})

test('a trial is free and then paid', async () => {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const customer = await stripe.customers.create({ test_clock: clock.id })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const { id, status } = await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: method.id,
    items: [{ price_data: await monthly() }],
    trial_period_days: 7,
  })
  expect(status).toBe('trialing')
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 8 * day })
  const paying = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(paying.status).toBe('active')
  expect(invoiceOf(paying)).toMatchObject({ status: 'paid', amount_paid: 2900 })
})

test('the time of one customer is moved ahead, and goes on from there', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(async () => {
      const customer = await stripe.customers.create({})
      const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
      const subscription = await stripe.subscriptions.create({
        customer: customer.id,
        default_payment_method: method.id,
        items: [{ price_data: await monthly() }],
      })
      return { customer: customer.id, subscription }
    }),
  )
  if (!one || !other) throw new Error('two people')
  await stand.control(`/customers/${one.customer}/advance`, { seconds: 62 * day })
  const invoices = await stripe.invoices.list({ customer: one.customer })
  expect(invoices.data.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
  expect((await stripe.invoices.list({ customer: other.customer })).data).toHaveLength(1)
  await expect(
    stand.control(`/customers/${one.customer}/advance`, { seconds: -1 }),
  ).rejects.toThrow('seconds')

  // By the wall's clock nothing is due, until two more months have passed there.
  const { pool } = stand
  const log = createLog('silent')
  const store = await openStore({ pool, appUrl: 'http://localhost:3000', log })
  expect(await runDue(store, log)).toBe(0)
  await pool.query('update stripe_sandbox.clock_leads set seconds = seconds + $1', [62 * day])
  while ((await runDue(store, log)) > 0);
  await store.stop()
  expect((await stripe.invoices.list({ customer: one.customer })).data).toHaveLength(5)
  expect((await stripe.invoices.list({ customer: other.customer })).data).toHaveLength(1)
})
