// What only happens when the world changed between two clicks: a payment page that nobody can use any more, a subscription
// that ended at the provider, a customer whom it does not know, a provider that answers otherwise than it should.
import { randomUUID } from 'node:crypto'
import { ORPCError } from '@orpc/client'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { advance, payHere, renewToDraft, switches } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { makePayment, makePurchase, makeSoldCourse } from '../../../test/sold-course.ts'
import { missingAtProvider, providerFailed } from '../../../test/told-provider.ts'
import { action as cancelForm } from './ui/cancel-page.tsx'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
afterEach(async () => {
  vi.restoreAllMocks()
  await switches(app, { dropPercent: 0, apiStatus: 0 })
})

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Person = Awaited<ReturnType<typeof someone>>

const stripe = () => app.services.payments.stripe
const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows
const post = (path: string, { cookie }: Person, body: object = {}) =>
  app.request(path, { body, cookie })

const buyPro = (person: Person, more: object = {}) =>
  post('/functions/v1/stripe-checkout', person, {
    price_id: 'pro_annual',
    mode: 'subscription',
    ...more,
  })
const checkoutsOf = ({ id }: Person) =>
  query('select * from checkouts where user_id = $1 order by created_at', id)
const statusesOf = async (person: Person) =>
  (await checkoutsOf(person)).map(({ status }) => status as string)

const tryPro = (person: Person, plan = 'monthly') =>
  post('/rest/v1/billing/demo-upgrade', person, { plan })
const change = (what: 'cancel' | 'reactivate', person: Person) =>
  post(`/rest/v1/billing/subscription/${what}`, person)

async function record({ cookie }: Person) {
  const { body } = await app.request('/rest/v1/stripe_user_subscriptions', { cookie })
  return body[0]
}

/** The key is known, with other facts. */
const otherFacts = () =>
  new Stripe.errors.StripeIdempotencyError({
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters.',
  })

/** What the provider answers about this customer's invoices; about others jobs may ask at any moment. */
function invoicesOf(customer: string, answer: () => Promise<unknown>) {
  const { invoices } = stripe()
  const list = invoices.list.bind(invoices)
  return vi
    .spyOn(invoices, 'list')
    .mockImplementation(((params: Stripe.InvoiceListParams) =>
      params.customer === customer ? answer() : list(params)) as never)
}

describe('the payment page for Pro', () => {
  test('leads back to the pages of ours that were asked for', async () => {
    const pages = { success_url: '/settings?paid=1', cancel_url: 'http://localhost:3000/pricing' }
    const { body } = await buyPro(await someone(), pages)
    expect(await stripe().checkout.sessions.retrieve(body.sessionId)).toMatchObject({
      success_url: 'http://localhost:3000/settings?paid=1',
      cancel_url: 'http://localhost:3000/pricing',
    })
  })

  test.each([
    ['has hardly any time left', `expires_at = now() + interval '30 seconds'`],
    ['is about another plan', `plan = 'monthly'`],
    ['is about another price', 'amount = 100'],
    ['is about another currency', `currency = 'eur'`],
  ])('that %s is followed by a new one', async (_, otherwise) => {
    const person = await someone()
    const { body } = await buyPro(person)
    await query(`update checkouts set ${otherwise} where user_id = $1`, person.id)
    const again = await buyPro(person)
    expect(again.status).toBe(200)
    expect(await statusesOf(person)).toEqual(['expired', 'open'])
    expect((await stripe().checkout.sessions.retrieve(body.sessionId)).status).toBe('expired')
    expect(await stripe().checkout.sessions.retrieve(again.body.sessionId)).toMatchObject({
      status: 'open',
      amount_total: 20_000,
      currency: 'usd',
    })
  })

  test('is not shown to who paid there a moment ago, of which no webhook has told', async () => {
    await switches(app, { dropPercent: 100 })
    const person = await someone()
    const { body } = await buyPro(person)
    await payHere(app, body.url)
    const again = await buyPro(person)
    expect([again.status, again.body.code]).toEqual([409, 'ALREADY_PRO'])
  })

  test('that was paid from a bank account, which takes days, is said to be under way meanwhile', async () => {
    const person = await someone()
    const { body } = await buyPro(person)
    const { sessions } = stripe().checkout
    const session = await sessions.retrieve(body.sessionId)
    const filledIn = {
      ...session,
      status: 'complete',
      payment_status: 'unpaid',
      subscription: null,
    }
    vi.spyOn(sessions, 'retrieve').mockResolvedValue(filledIn as never)
    vi.spyOn(sessions, 'expire').mockRejectedValue(
      new Stripe.errors.StripeInvalidRequestError({
        type: 'invalid_request_error',
        message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
      }),
    )
    const underWay = async (more: object) => {
      const { status, body: said } = await buyPro(person, more)
      return [status, said.code, said.message]
    }
    const words =
      'Your payment for Pro is under way: your bank has not confirmed it yet. You have Pro as soon as it has.'
    expect(await underWay({})).toEqual([409, 'PAYMENT_UNDER_WAY', words])
    // Also when another plan is chosen, for which a new page would be made.
    expect(await underWay({ price_id: 'pro_monthly' })).toEqual([409, 'PAYMENT_UNDER_WAY', words])
    expect(await statusesOf(person)).toEqual(['open'])
  })

  test('is the one that another click is making at this moment', async () => {
    const person = await someone()
    const id = randomUUID()
    const [answer] = await behindChange(
      app.services,
      [
        `insert into checkouts (id, user_id, kind, plan, amount, currency, success_url, cancel_url, expires_at)
         values ($1, $2, 'plan', 'annual', 20000, 'usd', 'http://localhost:3000/', 'http://localhost:3000/',
                 now() + interval '35 minutes')`,
        id,
        person.id,
      ],
      [() => buyPro(person)],
    )
    expect(answer).toMatchObject({ status: 200 })
    expect(await checkoutsOf(person)).toMatchObject([{ id, session_id: answer!.body.sessionId }])
  })

  test('is made anew when the provider knows the first one with other facts', async () => {
    const create = vi.spyOn(stripe().checkout.sessions, 'create')
    create.mockRejectedValueOnce(otherFacts())
    const person = await someone()
    expect((await buyPro(person)).status).toBe(200)
    expect(await statusesOf(person)).toEqual(['expired', 'open'])
  })

  test('is given up when four in a row cannot be had', async () => {
    const create = vi.spyOn(stripe().checkout.sessions, 'create')
    create.mockImplementation((() => Promise.reject(otherFacts())) as never)
    const person = await someone()
    expect((await buyPro(person)).status).toBe(500)
    expect(create).toHaveBeenCalledTimes(4)
    expect(await statusesOf(person)).toEqual(Array(4).fill('expired'))
  })

  test('is asked for 60 times in 10 minutes at most', async () => {
    const person = await someone()
    for (let count = 0; count < 60; count += 1) {
      await app.services.rateLimits.checkoutsByAccount.count(person.id)
    }
    expect(await buyPro(person)).toMatchObject({
      status: 429,
      body: {
        message: 'You have started many payments. Please wait a few minutes and try again.',
      },
    })
    expect(await statusesOf(person)).toEqual([])
  })
})

describe('a subscription to Pro', () => {
  test('that ended at the provider a moment ago is known to have ended, and not changed', async () => {
    const person = await someone()
    const { body } = await tryPro(person)
    await switches(app, { dropPercent: 100 })
    await stripe().subscriptions.cancel(body.subscription_id)
    const update = vi.spyOn(stripe().subscriptions, 'update')
    for (const what of ['cancel', 'cancel', 'reactivate'] as const) {
      const answer = await change(what, person)
      expect([answer.status, answer.body.code]).toEqual([409, 'NO_SUBSCRIPTION'])
      expect(await record(person)).toMatchObject({ subscription_status: 'canceled' })
    }
    // From then on there is nothing to ask the provider for.
    expect(update).toHaveBeenCalledTimes(1)
  })

  test('is as it was when the provider does not answer, which is said', async () => {
    const person = await someone()
    const { body } = await tryPro(person)
    vi.spyOn(stripe().subscriptions, 'update').mockRejectedValueOnce(providerFailed())
    const answer = await change('cancel', person)
    expect([answer.status, answer.body.code]).toEqual([503, 'PAYMENT_SERVICE_FAILED'])
    expect(await record(person)).toEqual(body)
  })

  test('that nobody has paid is none', async () => {
    const person = await someone()
    await query(
      `insert into plan_subscriptions (id, user_id, customer_id, plan, status, started_at)
       values ($1, $2, 'cus_1', 'monthly', 'incomplete', now())`,
      `sub_${randomUUID()}`,
      person.id,
    )
    for (const what of ['cancel', 'reactivate'] as const) {
      const answer = await change(what, person)
      expect([answer.status, answer.body.code]).toEqual([409, 'NO_SUBSCRIPTION'])
    }
  })

  /** Of which the next month cannot be paid. */
  async function soonUnpaid() {
    const person = await someone()
    const { body } = await buyPro(person, { price_id: 'pro_monthly' })
    await payHere(app, body.url, { number: '4000 0000 0000 0341' })
    await settled(app)
    const { customer_id: customer, subscription_id: id } = await record(person)
    const there = async () => (await stripe().subscriptions.retrieve(id)).status
    return { person, customer, id, there, passAMonth: () => advance(app, customer, 31.5 * 86_400) }
  }

  test('that is canceled ends at once when its payment is missing, also when no webhook has told', async () => {
    const { person, there, passAMonth } = await soonUnpaid()
    await switches(app, { dropPercent: 100 })
    await passAMonth()
    expect([await there(), (await record(person)).subscription_status]).toEqual([
      'past_due',
      'active',
    ])
    expect(await change('cancel', person)).toMatchObject({
      status: 200,
      body: { subscription_status: 'canceled' },
    })
    expect(await there()).toBe('canceled')
  })

  test('that is canceled a moment after its missing payment was made keeps what was paid', async () => {
    const { person, id, there, passAMonth } = await soonUnpaid()
    await passAMonth()
    await settled(app)
    await switches(app, { dropPercent: 100 })
    const { customer, latest_invoice } = await stripe().subscriptions.retrieve(id)
    const other = await stripe().paymentMethods.attach('pm_card_visa', {
      customer: String(customer),
    })
    await stripe().invoices.pay(String(latest_invoice), { payment_method: other.id })
    expect(await change('cancel', person)).toMatchObject({
      status: 200,
      body: { subscription_status: 'active', cancel_at_period_end: true },
    })
    expect(await there()).toBe('active')
  })

  describe('that was canceled while its payment was missing', () => {
    async function canceled() {
      const unpaid = await soonUnpaid()
      await unpaid.passAMonth()
      await settled(app)
      const { latest_invoice } = await stripe().subscriptions.retrieve(unpaid.id)
      const cancel = async () => {
        expect((await change('cancel', unpaid.person)).body.subscription_status).toBe('canceled')
        await settled(app)
      }
      return { ...unpaid, invoiceId: String(latest_invoice), cancel }
    }

    test('has no invoice any more that could be paid', async () => {
      const { invoiceId, cancel, there } = await canceled()
      await cancel()
      expect([(await stripe().invoices.retrieve(invoiceId)).status, await there()]).toEqual([
        'void',
        'canceled',
      ])
    })

    test('and is paid all the same is paid back', async () => {
      const { person, customer, invoiceId, cancel } = await canceled()
      // As of an invoice that a bank is paying already.
      vi.spyOn(stripe().invoices, 'voidInvoice').mockRejectedValueOnce(
        new Stripe.errors.StripeInvalidRequestError({
          type: 'invalid_request_error',
          message: 'This invoice cannot be voided.',
        }),
      )
      await cancel()
      const other = await stripe().paymentMethods.attach('pm_card_visa', { customer })
      await stripe().invoices.pay(invoiceId, { payment_method: other.id })
      await settled(app)
      expect(
        await query(
          `select refunded = gross as "isBack" from payments where payer_id = $1 order by paid_at`,
          person.id,
        ),
      ).toEqual([{ isBack: false }, { isBack: true }])
      expect((await record(person)).subscription_status).toBe('canceled')
    })
  })

  test('whose payment is missing ends at once when it is canceled in the portal', async () => {
    const { person, customer, id, there, passAMonth } = await soonUnpaid()
    await passAMonth()
    await settled(app)
    const { url } = await stripe().billingPortal.sessions.create({ customer })
    await fetch(`${app.url}${new URL(url).pathname}/subscriptions/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ action: 'cancel' }),
      redirect: 'manual',
    })
    await settled(app)
    expect(await there()).toBe('canceled')
    expect(await record(person)).toMatchObject({ subscription_status: 'canceled' })
  })

  describe('that is canceled is said to be what it is then:', () => {
    /** As the form on the page of that question is answered. */
    async function answerTo({ cookie }: Person, failing: { getBilling?: () => unknown } = {}) {
      const billing = {
        getBilling: async () =>
          (await failing.getBilling?.()) ??
          (await app.request('/rest/v1/billing', { cookie })).body,
        cancelSubscription: async () =>
          (await app.request('/rest/v1/billing/subscription/cancel', { cookie, body: {} })).body,
      }
      const context = { get: () => ({ billing }) }
      return (await cancelForm({ context } as never)).data
    }

    test('its payment was missing', async () => {
      const { person, passAMonth } = await soonUnpaid()
      await passAMonth()
      await settled(app)
      expect(await answerTo(person)).toEqual({
        done: 'Pro has ended, as the present period was not paid.',
      })
    })

    test('its payment was missing, of which no webhook had told', async () => {
      const { person, passAMonth } = await soonUnpaid()
      await switches(app, { dropPercent: 100 })
      await passAMonth()
      // As the clock of the provider is ahead of ours.
      await query(
        `update plan_subscriptions set current_period_end = now() - interval '1 hour',
           current_period_start = now() - interval '31 days' where user_id = $1`,
        person.id,
      )
      await query(
        `update payments set paid_at = now() - interval '31 days' where payer_id = $1`,
        person.id,
      )
      expect(await answerTo(person)).toEqual({
        done: 'Pro has ended, as the present period was not paid.',
      })
    })

    test('it was paid, and is unknown to the provider', async () => {
      const person = await someone()
      const { body } = await tryPro(person)
      await settled(app)
      vi.spyOn(stripe().subscriptions, 'update').mockRejectedValueOnce(
        missingAtProvider(body.subscription_id),
      )
      expect(await answerTo(person)).toEqual({
        done: 'Your subscription is canceled, and Pro has ended.',
      })
    })

    test('Pro goes on, as an administrator gave it', async () => {
      const { person, passAMonth } = await soonUnpaid()
      await query('insert into plan_grants (user_id) values ($1)', person.id)
      await passAMonth()
      await settled(app)
      expect(await answerTo(person)).toEqual({ done: 'Your subscription is canceled.' })
    })

    test('somebody whose log-in has ended is led to a new one, and back, and has canceled nothing', async () => {
      const person = await someone()
      await tryPro(person)
      await settled(app)
      const getBilling = () => Promise.reject(new ORPCError('UNAUTHORIZED'))
      const answer: unknown = await answerTo(person, { getBilling }).catch((thrown) => thrown)
      expect(answer).toBeInstanceOf(Response)
      expect((answer as Response).headers.get('location')).toBe('/login?to=%2Fbilling%2Fcancel')
      expect(await record(person)).toMatchObject({ cancel_at_period_end: false })
    })

    test('what came of it cannot be read, and it is canceled all the same', async () => {
      const person = await someone()
      await tryPro(person)
      await settled(app)
      const getBilling = vi
        .fn<() => Promise<unknown>>()
        .mockResolvedValueOnce(null)
        .mockRejectedValueOnce(new Error('gone'))
      expect(await answerTo(person, { getBilling })).toEqual({
        done: 'Your subscription is canceled.',
      })
      expect(await record(person)).toMatchObject({ cancel_at_period_end: true })
    })
  })

  describe('in the first hour of a period, which is not charged yet,', () => {
    async function firstHour() {
      const person = await someone()
      const { body } = await tryPro(person)
      await settled(app)
      return { person, body, ...(await renewToDraft(app, body.subscription_id)) }
    }

    test.each([0, 100])('ends when it is canceled; webhooks lost: %s %%', async (dropPercent) => {
      const { person, statusThere, charged } = await firstHour()
      await switches(app, { dropPercent })
      expect(await change('cancel', person)).toMatchObject({
        status: 200,
        body: { subscription_status: 'canceled' },
      })
      expect(await statusThere()).toBe('canceled')
      expect(await charged()).toEqual(['draft', 'paid'])
    })

    test('ends when it is canceled in the portal', async () => {
      const { person, body, statusThere, charged } = await firstHour()
      const { url } = await stripe().billingPortal.sessions.create({ customer: body.customer_id })
      await fetch(`${app.url}${new URL(url).pathname}/subscriptions/${body.subscription_id}`, {
        method: 'POST',
        body: new URLSearchParams({ action: 'cancel' }),
        redirect: 'manual',
      })
      await settled(app)
      expect(await record(person)).toMatchObject({ subscription_status: 'canceled' })
      expect(await statusThere()).toBe('canceled')
      expect(await charged()).toEqual(['draft', 'paid'])
    })

    test('goes on when nobody cancels it, and is charged', async () => {
      const { person, charged } = await firstHour()
      expect(await charged()).toEqual(['paid', 'paid'])
      await settled(app)
      expect(await record(person)).toMatchObject({ subscription_status: 'active' })
    })
  })

  test('whose payment is missing goes on when the person wants it to', async () => {
    const { person, passAMonth } = await soonUnpaid()
    await passAMonth()
    await settled(app)
    expect(await change('reactivate', person)).toMatchObject({
      status: 200,
      body: { subscription_status: 'past_due', cancel_at_period_end: false },
    })
  })

  test('and a monthly course: a new period that may be unpaid is known to the page that asks', async () => {
    const person = await someone()
    await tryPro(person)
    const sold = await makeSoldCourse(app.services)
    const purchase = await makePurchase(
      app.services,
      { ...sold, buyer: person },
      { subscriptionId: `sub_${randomUUID()}` },
    )
    const { id } = purchase
    await makePayment(app.services, purchase)
    await settled(app)
    const course = `/rest/v1/courses/${sold.course.slug}`
    const now = async () => {
      const { body } = await app.request('/rest/v1/billing', { cookie: person.cookie })
      const page = await app.request(course, { cookie: person.cookie })
      return [body.mayBeUnpaid, body.purchases[0].mayBeUnpaid, page.body.purchase.mayBeUnpaid]
    }
    const paid = (ago: string) =>
      query(
        'update payments set paid_at = now() - $2::interval where payer_id = $1',
        person.id,
        ago,
      )
    /** All of it began so long ago, and the present period so; the first one is paid. */
    const began = async (start: string, period: string) => {
      await paid(start)
      await query(
        `update plan_subscriptions set started_at = now() - $2::interval,
           current_period_start = now() - $3::interval, current_period_end = now() + interval '20 days'
          where user_id = $1`,
        person.id,
        start,
        period,
      )
      await query(
        `update purchases set created_at = now() - $2::interval,
           current_period_start = now() - $3::interval, current_period_end = now() + interval '20 days'
          where id = $1`,
        id,
        start,
        period,
      )
    }
    await began('20 minutes', '20 minutes')
    expect(await now()).toEqual([false, false, false])
    await began('31 days', '20 minutes')
    expect(await now()).toEqual([true, true, true])
    await began('31 days', '3 hours')
    expect(await now()).toEqual([false, false, false])
    await began('31 days', '90 minutes')
    expect(await now()).toEqual([true, true, true])
    await paid('30 minutes')
    expect(await now()).toEqual([false, false, false])
    await paid('31 days')
    for (const table of ['plan_subscriptions', 'purchases']) {
      await query(`update ${table} set cancel_at_period_end = true where user_id = $1`, person.id)
    }
    expect(await now()).toEqual([false, false, false])
  })

  test('is not to be tried with real keys, which is said', async () => {
    const { payments } = app.services
    payments.mode = 'live'
    const answer = await tryPro(await someone())
    payments.mode = 'sandbox'
    expect(answer.body.message).toBe('Pro can be tried in the sandbox only.')
  })
})

describe('a customer whom the provider does not know, as after new keys,', () => {
  async function unknown() {
    const [person, customer] = [await someone(), `cus_${randomUUID()}`]
    await query('insert into payment_customers (id, user_id) values ($1, $2)', customer, person.id)
    return { person, customer }
  }

  test('has no invoices', async () => {
    const { person, customer } = await unknown()
    const list = invoicesOf(customer, () => Promise.reject(missingAtProvider(customer)))
    const answer = await post('/functions/v1/stripe-billing-history', person, {
      customer_id: customer,
    })
    expect(answer).toMatchObject({ status: 200, body: { invoices: [] } })
    expect(list).toHaveBeenCalledWith({ customer, limit: 50 })
  })

  test('has no portal', async () => {
    const { person } = await unknown()
    const answer = await post('/functions/v1/stripe-portal', person)
    expect([answer.status, answer.body.code]).toEqual([409, 'NO_CUSTOMER'])
  })
})

describe('the portal', () => {
  test('leads back to billing, or straight to the card and back to where one was', async () => {
    const person = await someone()
    const { body } = await tryPro(person)
    const create = vi.spyOn(stripe().billingPortal.sessions, 'create')
    const made = async (given: object) => {
      expect((await post('/functions/v1/stripe-portal', person, given)).status).toBe(200)
      return create.mock.calls.at(-1)![0]
    }
    expect(await made({})).toEqual({
      customer: body.customer_id,
      return_url: 'http://localhost:3000/billing',
    })
    expect(await made({ return_url: '/settings', flow: 'payment_method_update' })).toEqual({
      customer: body.customer_id,
      return_url: 'http://localhost:3000/settings',
      flow_data: {
        type: 'payment_method_update',
        after_completion: {
          type: 'redirect',
          redirect: { return_url: 'http://localhost:3000/settings?card=updated' },
        },
      },
    })
  })

  test('is said to be away when the provider fails, not to be unknown', async () => {
    const person = await someone()
    await tryPro(person)
    await switches(app, { apiStatus: 500 })
    // Of who never was a customer it is not even asked.
    expect((await post('/functions/v1/stripe-portal', await someone())).status).toBe(409)
    const answer = await post('/functions/v1/stripe-portal', person)
    expect([answer.status, answer.body.code]).toEqual([503, 'PAYMENT_SERVICE_FAILED'])
  })
})

describe('the history', () => {
  /** The provider answers with these invoices; what is not said of one is as of one of somebody else's site. */
  async function told(person: Person, invoices: object[]) {
    await query(
      'insert into payment_customers (id, user_id) values ($1, $2)',
      `cus_${person.id}`,
      person.id,
    )
    const data = invoices.map((more, place) => ({
      id: `in_${place}`,
      total: 500,
      currency: 'usd',
      status: 'paid',
      created: 1_790_000_000,
      description: null,
      invoice_pdf: 'https://pay.example/pdf',
      parent: null,
      lines: { data: [] },
      ...more,
    }))
    invoicesOf(`cus_${person.id}`, () => Promise.resolve({ data }))
    const { body } = await post('/functions/v1/stripe-billing-history', person, {
      customer_id: `cus_${person.id}`,
    })
    return body.invoices
  }
  const linesOf = (description: string | null) => ({ lines: { data: [{ description }] } })
  const about = (subscription: unknown, metadata: object | null = null) => ({
    parent: { subscription_details: { subscription, metadata } },
  })

  test('has neither drafts nor what was voided, and what is not paid is open', async () => {
    const statuses = ['paid', 'draft', 'open', 'void', 'uncollectible', null]
    const invoices = await told(
      await someone(),
      statuses.map((status) => ({ status, invoice_pdf: undefined })),
    )
    expect(invoices.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      ['in_0', 'paid'],
      ['in_2', 'open'],
      ['in_4', 'uncollectible'],
      ['in_5', 'open'],
    ])
    expect(invoices[0]).toEqual({
      id: 'in_0',
      amount: 500,
      currency: 'usd',
      status: 'paid',
      created: 1_790_000_000,
      description: 'Payment',
      invoice_pdf: null,
    })
  })

  test('says that there are more', async () => {
    for (const has_more of [false, true]) {
      const person = await someone()
      const customer_id = `cus_${person.id}`
      await query(
        'insert into payment_customers (id, user_id) values ($1, $2)',
        customer_id,
        person.id,
      )
      invoicesOf(customer_id, () => Promise.resolve({ data: [], has_more }))
      const { body } = await post('/functions/v1/stripe-billing-history', person, { customer_id })
      expect(body).toEqual({ invoices: [], has_more })
    }
  })

  test('says what each invoice was for, in our words or in the provider’s', async () => {
    const person = await someone()
    const bought = `sub_${randomUUID()}`
    await query(
      `with account as (
         insert into ledger_accounts (kind, user_id) values ('creator', $1) returning id)
       insert into purchases (user_id, course_title, creator_account_id, pricing_type, amount, currency,
                              subscription_id)
       select $1, 'Knots', id, 'monthly', 900, 'usd', $2 from account`,
      person.id,
      bought,
    )
    const invoices = await told(person, [
      about('sub_1', { kind: 'plan', plan: 'monthly' }),
      about('sub_1', { kind: 'plan', plan: 'annual' }),
      about(bought, { kind: 'course', plan: 'annual' }),
      { ...about({ id: bought }), description: 'Not this' },
      { ...about('sub_gone'), description: 'Advice', ...linesOf('Not this') },
      { parent: {}, ...linesOf('12 × Splicing (at $20.00 / month)') },
      { ...about(null), ...linesOf('1 × Rope') },
      linesOf('Rope (at sea)'),
      linesOf('x 1 × Rope'),
      linesOf(null),
    ])
    expect(invoices.map(({ description }: { description: string }) => description)).toEqual([
      'Thunder Pro Monthly Plan',
      'Thunder Pro Annual Plan',
      'Knots',
      'Knots',
      'Advice',
      'Splicing',
      'Rope',
      'Rope (at sea)',
      'x 1 × Rope',
      'Payment',
    ])
  })
})
