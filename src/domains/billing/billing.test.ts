import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { advance, payHere, refundAtProvider, switches } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { watchStatements } from '../../../test/statements.ts'
import { createConnectionCheck } from '../payments/check-connection.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Person = Awaited<ReturnType<typeof someone>>

const buyPro = ({ cookie }: Person, more: object = {}) =>
  app.request('/functions/v1/stripe-checkout', {
    body: { price_id: 'pro_annual', mode: 'subscription', ...more },
    cookie,
  })
const billing = async ({ cookie }: Person) =>
  (await app.request('/rest/v1/billing', { cookie })).body
const subscription = async ({ cookie }: Person) => {
  const { body } = await app.request('/rest/v1/stripe_user_subscriptions', { cookie })
  expect(body).toHaveLength(1)
  return body[0]
}
const post = (path: string, { cookie }: Person, body: object = {}) =>
  app.request(path, { body, cookie })
const tryPro = (person: Person, plan = 'annual') =>
  post('/rest/v1/billing/demo-upgrade', person, { plan })
const history = (person: Person, customer_id: string) =>
  post('/functions/v1/stripe-billing-history', person, { customer_id })
const noticesOf = async ({ id }: Person) =>
  (
    await app.services.pool.query<{ kind: string }>(
      'select kind from notifications where user_id = $1 order by id',
      [id],
    )
  ).rows.map(({ kind }) => kind)
const stripe = () => app.services.payments.stripe

const call = (name: string, cookie?: string) =>
  app.request(`/rest/v1/rpc/${name}`, { method: 'POST', body: {}, cookie })

test('a newcomer is on the free plan and pays 5 % of a sale', async () => {
  const { id } = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, id)
  expect(await call('get_user_plan', cookie)).toMatchObject({ status: 200, body: 'free' })
  expect(await call('get_user_transaction_fee', cookie)).toMatchObject({ status: 200, body: 5 })
})

test('strangers have neither a plan nor a fee', async () => {
  for (const name of ['get_user_plan', 'get_user_transaction_fee']) {
    const { status, body } = await call(name)
    expect([name, status, body.message]).toEqual([name, 401, 'User must be authenticated'])
  }
})

test.each([
  ['active', 'pro', 0],
  ['trialing', 'pro', 0],
  ['past_due', 'free', 5],
  ['incomplete', 'free', 5],
  ['canceled', 'free', 5],
])('a subscription that is %s is %s and pays %i %%', async (status, plan, fee) => {
  const person = await someone()
  await app.services.pool.query(
    `insert into plan_subscriptions (id, user_id, customer_id, plan, status, started_at)
       values ('sub_' || $1::uuid, $1, 'cus_' || $1::uuid, 'monthly', $2, now())`,
    [person.id, status],
  )
  expect(await call('get_user_plan', person.cookie)).toMatchObject({ status: 200, body: plan })
  expect((await call('get_user_transaction_fee', person.cookie)).body).toBe(fee)
})

describe('buying Pro', () => {
  test.each([
    ['pro_monthly', 'monthly', 2000],
    ['pro_annual', 'annual', 20_000],
  ])('as %s leads to a subscription at the catalogue’s price', async (price_id, plan, amount) => {
    const person = await someone()
    const { status, body } = await buyPro(person, { price_id, metadata: { price: '1' } })
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(['sessionId', 'url'])
    expect(await stripe().checkout.sessions.retrieve(body.sessionId)).toMatchObject({
      url: body.url,
      mode: 'subscription',
      amount_total: amount,
      currency: 'usd',
      success_url: `http://localhost:3000/billing?success=true&plan=${plan}`,
      cancel_url: 'http://localhost:3000/billing?canceled=true',
      metadata: { kind: 'plan', plan },
    })
    expect(await subscription(person)).toMatchObject({ subscription_status: 'inactive' })
  })

  test.each([
    [{ price_id: 'pro_weekly' }, 'Product not found'],
    [{ price_id: 'price_1' }, 'Product not found'],
    [{ mode: 'payment' }, 'Plans are paid as a subscription'],
    [
      { success_url: 'https://evil.example/billing' },
      'After paying you can return to a page of this site only.',
    ],
    [{ cancel_url: '//evil.example' }, 'After paying you can return to a page of this site only.'],
  ])('with %j is refused', async (more, message) => {
    const { status, body } = await buyPro(await someone(), more)
    expect([status, body.message]).toEqual([422, message])
  })

  test('20 clicks are one payment page; the other plan is another one', async () => {
    const person = await someone()
    const answers = await Promise.all(Array.from({ length: 20 }, () => buyPro(person)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1)
    const other = await buyPro(person, { price_id: 'pro_monthly' })
    expect(other.body.sessionId).not.toBe(answers[0]!.body.sessionId)
    const first = await stripe().checkout.sessions.retrieve(answers[0]!.body.sessionId)
    expect(first.status).toBe('expired')
  })

  test('and paying makes it so: Pro, a card, an invoice, a notice', async () => {
    const person = await someone()
    expect(await billing(person)).toEqual({
      plan: 'free',
      isGranted: false,
      mayBeUnpaid: false,
      checkout: 'none',
      isTest: true,
      hasDemoUpgrade: true,
      purchases: [],
      hasMorePurchases: false,
      subscription: {
        customer_id: null,
        subscription_id: null,
        subscription_status: 'inactive',
        price_id: null,
        current_period_start: null,
        current_period_end: null,
        cancel_at_period_end: false,
        payment_method_brand: null,
        payment_method_last4: null,
      },
    })
    const { body } = await buyPro(person)
    await payHere(app, body.url)
    await settled(app)
    const record = await subscription(person)
    expect(record).toMatchObject({
      subscription_status: 'active',
      price_id: 'pro_annual',
      cancel_at_period_end: false,
      payment_method_brand: 'visa',
      payment_method_last4: '4242',
    })
    const days = (record.current_period_end - record.current_period_start) / 86_400
    expect(days).toBeGreaterThan(364)
    expect(await billing(person)).toMatchObject({ plan: 'pro', subscription: record })
    expect((await call('get_user_plan', person.cookie)).body).toBe('pro')
    const invoices = await history(person, record.customer_id)
    expect(invoices.body.invoices).toEqual([
      {
        id: expect.stringMatching(/^in_/),
        amount: 20_000,
        currency: 'usd',
        status: 'paid',
        created: expect.any(Number),
        description: 'Thunder Pro Annual Plan',
        invoice_pdf: expect.stringContaining('/pdf'),
      },
    ])
    expect((await noticesOf(person)).filter((kind) => kind === 'plan_started')).toHaveLength(1)
    const again = await buyPro(person)
    expect([again.status, again.body.code]).toEqual([409, 'ALREADY_PRO'])
    expect((await tryPro(person)).body.code).toBe('ALREADY_PRO')
  })

  test('is known on the page that one returns to, though no webhook comes', async () => {
    const person = await someone()
    await switches(app, { dropPercent: 100 })
    const { body } = await buyPro(person)
    await payHere(app, body.url)
    const returned = await billing(person)
    await switches(app, { dropPercent: 0 })
    expect(returned).toMatchObject({
      plan: 'pro',
      subscription: { subscription_status: 'active', payment_method_last4: '4242' },
    })
  })

  test('is told apart from a payment page that is open, and from one that has closed', async () => {
    const person = await someone()
    const { body } = await buyPro(person)
    expect(await billing(person)).toMatchObject({ plan: 'free', checkout: 'open' })
    await stripe().checkout.sessions.expire(body.sessionId)
    await settled(app)
    expect(await billing(person)).toMatchObject({ plan: 'free', checkout: 'expired' })
    await payHere(app, (await buyPro(person)).body.url)
    await settled(app)
    expect(await billing(person)).toMatchObject({ plan: 'pro', checkout: 'paid' })
    // Another account in the same browser has nothing to do with any of it.
    expect(await billing(await someone())).toMatchObject({ plan: 'free', checkout: 'none' })
  })

  test('and a provider that fails leaves the page as it is', async () => {
    const person = await someone()
    await switches(app, { dropPercent: 100 })
    const { body } = await buyPro(person)
    await payHere(app, body.url)
    await switches(app, { apiStatus: 500 })
    const answer = await app.request('/rest/v1/billing', { cookie: person.cookie })
    await switches(app, { apiStatus: 0, dropPercent: 0 })
    expect([answer.status, answer.body.plan]).toEqual([200, 'free'])
    // The next look is not one too many.
    await app.services.pool.query('delete from rate_limits')
    expect(await billing(person)).toMatchObject({ plan: 'pro' })
  })

  test('again after it was paid back and canceled at the provider, of which we hear by then', async () => {
    const person = await someone()
    await switches(app, { dropPercent: 100 })
    const { body } = await buyPro(person)
    await payHere(app, body.url)
    const session = await stripe().checkout.sessions.retrieve(body.sessionId)
    const { data } = await stripe().charges.list({ customer: String(session.customer) })
    await refundAtProvider(app, data[0]!.id)
    await stripe().subscriptions.cancel(String(session.subscription))
    const again = await buyPro(person)
    expect(again.status).toBe(200)
    expect(again.body.sessionId).not.toBe(body.sessionId)
    await switches(app, { dropPercent: 0 })
    await payHere(app, again.body.url)
    await settled(app)
    expect(await billing(person)).toMatchObject({ plan: 'pro' })
  })
})

describe('a subscription', () => {
  const cancel = (person: Person) => post('/rest/v1/billing/subscription/cancel', person)
  const reactivate = (person: Person) => post('/rest/v1/billing/subscription/reactivate', person)

  test('is canceled at the end of the period, reactivated, and ends when it is not', async () => {
    const person = await someone()
    for (const answer of [await cancel(person), await reactivate(person)]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'NO_SUBSCRIPTION'])
    }
    const demo = await tryPro(person, 'monthly')
    expect(demo).toMatchObject({
      status: 200,
      body: {
        subscription_status: 'active',
        price_id: 'pro_monthly',
        payment_method_last4: '4242',
      },
    })
    const once = await cancel(person)
    expect(once.body).toMatchObject({ subscription_status: 'active', cancel_at_period_end: true })
    expect((await cancel(person)).body).toEqual(once.body)
    expect((await reactivate(person)).body).toMatchObject({ cancel_at_period_end: false })
    expect((await reactivate(person)).status).toBe(200)
    await cancel(person)
    await advance(app, demo.body.customer_id, 32 * 86_400)
    await settled(app)
    expect(await billing(person)).toMatchObject({
      plan: 'free',
      subscription: { subscription_status: 'canceled' },
    })
    expect((await noticesOf(person)).slice(-1)).toEqual(['plan_ended'])
    expect((await cancel(person)).body.code).toBe('NO_SUBSCRIPTION')
    // Nothing stands against another one.
    expect((await tryPro(person, 'monthly')).body.subscription_status).toBe('active')
  })

  test('without its payment is Free; it is not bought again, and canceling ends it at once', async () => {
    const person = await someone()
    const { body } = await buyPro(person, { price_id: 'pro_monthly' })
    await payHere(app, body.url, { number: '4000 0000 0000 0341' })
    await settled(app)
    const { customer_id } = await subscription(person)
    await advance(app, customer_id, 31.5 * 86_400)
    await settled(app)
    expect(await billing(person)).toMatchObject({
      plan: 'free',
      subscription: { subscription_status: 'past_due' },
    })
    const again = await buyPro(person)
    expect([again.status, again.body.code]).toEqual([409, 'PAYMENT_MISSING'])
    expect((await cancel(person)).body.subscription_status).toBe('canceled')
    expect((await buyPro(person)).status).toBe(200)
  })

  test.each([
    ['is not kept', cancel, 200],
    ['cannot be reactivated', reactivate, 409],
  ])(
    'that the provider does not know, as of other keys, %s, ends, and another one is bought',
    async (_, change, status) => {
      const person = await someone()
      await app.services.pool.query(
        `insert into plan_subscriptions (id, user_id, customer_id, plan, status, started_at)
           values ('sub_' || $1::uuid, $1, 'cus_' || $1::uuid, 'annual', 'active', now())`,
        [person.id],
      )
      expect((await buyPro(person)).body.code).toBe('ALREADY_PRO')
      expect((await change(person)).status).toBe(status)
      expect(await billing(person)).toMatchObject({
        plan: 'free',
        subscription: { subscription_status: 'canceled' },
      })
      expect(await noticesOf(person)).toEqual(['plan_ended'])
      const again = await cancel(person)
      expect([again.status, again.body.code]).toEqual([409, 'NO_SUBSCRIPTION'])
      expect((await buyPro(person)).status).toBe(200)
    },
  )

  test('tried twice at once is one', async () => {
    const person = await someone()
    const answers = await Promise.all([tryPro(person), tryPro(person), tryPro(person)])
    const tried = answers.filter(({ status }) => status === 200)
    expect(tried.length).toBeGreaterThan(0)
    const { customer_id } = await subscription(person)
    const { data } = await stripe().subscriptions.list({ customer: customer_id, status: 'all' })
    expect(data).toHaveLength(1)
  })

  test('is not given away with real keys, be they for tests', async () => {
    const person = await someone()
    const { payments } = app.services
    for (const mode of ['test', 'live'] as const) {
      payments.mode = mode
      const { status, body } = await tryPro(person)
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
      expect(await billing(person)).toMatchObject({
        hasDemoUpgrade: false,
        isTest: mode === 'test',
      })
    }
    payments.mode = 'sandbox'
  })

  test('given by an administrator has nothing to cancel', async () => {
    const person = await someone()
    await app.services.pool.query('insert into plan_grants (user_id) values ($1)', [person.id])
    expect(await billing(person)).toMatchObject({ plan: 'pro', isGranted: true })
    expect((await cancel(person)).body.code).toBe('NO_SUBSCRIPTION')
    expect((await buyPro(person)).body.code).toBe('ALREADY_PRO')
  })
})

describe('the history and the portal', () => {
  test('are one’s own', async () => {
    const [person, other] = [await someone(), await someone()]
    const portal = (body: object) => post('/functions/v1/stripe-portal', person, body)
    expect((await portal({})).body.code).toBe('NO_CUSTOMER')
    await tryPro(person)
    await tryPro(other)
    const others = (await subscription(other)).customer_id
    const foreign = await history(person, others)
    expect([foreign.status, foreign.body.message]).toEqual([404, 'Customer not found'])
    expect((await history(person, 'cus_nobody')).body).toEqual(foreign.body)
    expect((await portal({ return_url: 'https://evil.example' })).status).toBe(422)
    for (const body of [{}, { return_url: '/settings', flow: 'payment_method_update' }]) {
      const { status, body: answer } = await portal(body)
      expect([status, Object.keys(answer)]).toEqual([200, ['url']])
    }
  })

  test('never invent an invoice: when the provider fails, so do they', async () => {
    const person = await someone()
    await tryPro(person)
    const { customer_id } = await subscription(person)
    await switches(app, { apiStatus: 500 })
    const { status, body } = await history(person, customer_id)
    expect([status, body.message]).toEqual([503, 'Server error occurred. Please try again later.'])
  })

  afterEach(() => switches(app, { apiStatus: 0 }))
})

test('what was bought is listed with its receipts, in three statements at most', async () => {
  const watch = watchStatements(app)
  const course = await makeCourse(app.services, await someone(), { title: 'Knots' })
  await app.services.pool.query(
    `update courses set pricing_type = 'monthly', price_amount = 900 where id = $1`,
    [course.id],
  )
  const buyer = await someone()
  const { body } = await post('/functions/v1/course-checkout', buyer, { course_id: course.id })
  await payHere(app, body.url)
  await settled(app)
  let page: Awaited<ReturnType<typeof billing>>
  const texts = await watch.during(async () => {
    page = await billing(buyer)
  })
  expect(texts.filter((text) => /plan_subscriptions|purchases/.test(text)).length).toBeLessThan(4)
  expect(page.purchases).toMatchObject([
    {
      title: 'Knots',
      slug: course.slug,
      pricingType: 'monthly',
      amount: 900,
      status: 'active',
      endedReason: null,
      courseId: course.id,
      isMember: true,
      canRenew: true,
      isFree: false,
      cancelAtPeriodEnd: false,
      receipts: [{ amount: 900, refunded: 0, currency: 'usd' }],
    },
  ])
  const [receipt] = page.purchases[0].receipts
  expect([receipt.receiptUrl, receipt.invoicePdf]).toEqual([
    `/billing/receipts/${receipt.id}/receipt`,
    `/billing/receipts/${receipt.id}/invoice`,
  ])
  expect(page.plan).toBe('free')
  const invoices = await history(buyer, page.subscription.customer_id)
  expect(invoices.body.invoices).toMatchObject([{ description: 'Knots', amount: 900 }])
})

describe('what is too much for one list', () => {
  /** Of so many days, newest last. */
  const payDays = (person: Person, days: number) =>
    app.services.pool.query(
      `insert into payments (charge_id, kind, payer_id, description, currency, gross, fee_percent,
                             platform_fee, provider_fee, receipt_url, invoice_id, paid_at, available_at)
       select 'ch_' || gen_random_uuid(), 'plan', $1, 'Payment ' || day, 'usd', 2000, 0, 0, 88,
              case when day % 2 = 0 then 'https://pay.example/receipt' end,
              case when day % 3 = 0 then 'in_' || day end,
              timestamptz '2026-01-01' + day * interval '1 day', now()
         from generate_series(1, $2) day`,
      [person.id, days],
    )
  const receipts = async (person: Person | null, query = '') =>
    app.request(`/rest/v1/billing/receipts${query}`, { cookie: person?.cookie })

  test('is had page by page: every receipt, by who paid alone', async () => {
    const [person, other] = [await someone(), await someone()]
    await payDays(person, 120)
    await payDays(other, 1)
    expect((await receipts(null)).status).toBe(401)
    const seen: string[] = []
    let cursor: string | null = null
    for (const size of [50, 50, 20]) {
      const { body } = await receipts(person, cursor === null ? '' : `?cursor=${cursor}`)
      expect(body.receipts).toHaveLength(size)
      seen.push(...body.receipts.map(({ description }: { description: string }) => description))
      cursor = body.nextCursor
    }
    expect(cursor).toBeNull()
    expect(seen).toEqual(Array.from({ length: 120 }, (_, place) => `Payment ${120 - place}`))
    const { body } = await receipts(person)
    const [newest, next] = body.receipts
    const place = `/billing/receipts/${newest.id}`
    expect(newest).toMatchObject({
      amount: 2000,
      refunded: 0,
      receiptUrl: `${place}/receipt`,
      invoicePdf: `${place}/invoice`,
    })
    expect([next.receiptUrl, next.invoicePdf]).toEqual([null, null])
  })

  test('is said to be, of courses', async () => {
    const person = await someone()
    const buy = (count: number) =>
      app.services.pool.query(
        `with account as (
           insert into ledger_accounts (kind, user_id) values ('creator', $1)
           on conflict do nothing returning id)
         insert into purchases (user_id, course_title, creator_account_id, pricing_type, amount,
                                currency)
         select $1, 'Course ' || place, id, 'one_time', 900, 'usd'
           from (select id from account
                 union select id from ledger_accounts where user_id = $1) a,
                generate_series(1, $2) place`,
        [person.id, count],
      )
    await buy(50)
    expect(await billing(person)).toMatchObject({ hasMorePurchases: false })
    await buy(1)
    const page = await billing(person)
    expect([page.purchases.length, page.hasMorePurchases]).toEqual([50, true])
  })
})

describe('a receipt', () => {
  const bought = async () => {
    const course = await makeCourse(app.services, await someone(), { title: 'Bends' })
    await app.services.pool.query(
      `update courses set pricing_type = 'monthly', price_amount = 900 where id = $1`,
      [course.id],
    )
    const buyer = await someone()
    const { body } = await post('/functions/v1/course-checkout', buyer, { course_id: course.id })
    await payHere(app, body.url)
    await settled(app)
    const page = await billing(buyer)
    const id: string = page.purchases[0].receipts[0].id
    return { buyer, id, customerId: page.subscription.customer_id as string }
  }
  const addressOf = (id: string, document: string, person?: Person) =>
    app.request(`/rest/v1/billing/receipts/${id}/${document}`, { cookie: person?.cookie })
  const opened = async (url: string) => {
    const { pathname, search } = new URL(url)
    return (await fetch(app.url + pathname + search)).status
  }

  test.each(['receipt', 'invoice'])(
    'and its %s can be had after the provider’s links went out',
    async (document) => {
      const { buyer, id, customerId } = await bought()
      const first = await addressOf(id, document, buyer)
      expect(first.status).toBe(200)
      expect(first.headers.get('cache-control')).toBe('no-store')
      expect(await opened(first.body.url)).toBe(200)
      await advance(app, customerId, 31 * 86_400)
      expect(await opened(first.body.url)).toBe(410)
      const later = await addressOf(id, document, buyer)
      expect(await opened(later.body.url)).toBe(200)
    },
  )

  test('is one’s own, and said in words to be missing', async () => {
    const { buyer, id } = await bought()
    expect((await addressOf(id, 'receipt')).status).toBe(401)
    const refused = [
      await addressOf(id, 'receipt', await someone()),
      await addressOf(crypto.randomUUID(), 'receipt', buyer),
    ]
    for (const { status, body } of refused) {
      expect([status, body.message]).toEqual([404, 'Receipt not found'])
    }
    expect((await addressOf(id, 'picture', buyer)).status).toBe(422)
    await app.services.pool.query(
      `update payments set charge_id = 'ch_of_other_keys', invoice_id = 'in_of_other_keys'
        where id = $1`,
      [id],
    )
    for (const document of ['receipt', 'invoice']) {
      expect((await addressOf(id, document, buyer)).status).toBe(404)
    }
    await app.services.pool.query('update payments set invoice_id = null where id = $1', [id])
    expect((await addressOf(id, 'invoice', buyer)).status).toBe(404)
  })

  test('is asked for in vain while the provider fails', async () => {
    const { buyer, id } = await bought()
    await switches(app, { apiStatus: 500 })
    const { status, body } = await addressOf(id, 'receipt', buyer)
    await switches(app, { apiStatus: 0 })
    expect([status, body.message]).toEqual([503, 'Server error occurred. Please try again later.'])
  })
})

test('the connection check: 204, or 503, and the provider is asked once for many', async () => {
  const asking = vi.spyOn(stripe().customers, 'list')
  const { rows: before } = await app.services.pool.query('select checked_at from payment_provider')
  const options = { method: 'OPTIONS' }
  const many = await Promise.all(
    Array.from({ length: 30 }, () => fetch(`${app.url}/functions/v1/stripe-checkout`, options)),
  )
  expect(many.map(({ status }) => status)).toEqual(many.map(() => 204))
  expect(asking).toHaveBeenCalledTimes(1)
  await switches(app, { apiStatus: 503 })
  const check = createConnectionCheck(app.services)
  const answers = await Promise.all([check(), check()])
  expect(answers.map(({ status }) => status)).toEqual([503, 503])
  expect(asking).toHaveBeenCalledTimes(2)
  const { rows } = await app.services.pool.query('select * from payment_provider')
  expect(rows).toMatchObject([{ is_reachable: false }])
  expect(rows[0].checked_at).not.toEqual(before[0]?.checked_at)
  await switches(app, { apiStatus: 0 })
})
