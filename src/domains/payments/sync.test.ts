// What the provider tells is brought in line with what we have: once, in any order, by any number of processes.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import {
  advance,
  closeDispute,
  disputeAtProvider,
  payHere,
  refundAtProvider,
  switches,
} from '../../../test/sandbox.ts'
import { mailTo, tokenIn } from '../../../test/mailbox.ts'
import { settled } from '../../../test/settled.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { customerOf } from './customer-of.ts'
import { syncCheckout } from './sync-checkout.ts'
import { syncSubscription } from './sync-subscription.ts'

let app: TestApp
/** Another process on the same database. */
let other: TestApp
let creator: { id: string }

beforeAll(async () => {
  app = await startTestApp()
  other = await startTestApp({
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: app.services.secret,
  })
  creator = await makePerson(app.services)
})
afterEach(() =>
  switches(app, { dropPercent: 0, repeat: 0, shuffle: false, delayMs: 0, apiStatus: 0 }),
)
afterAll(async () => {
  await other.stop()
  await app.stop()
})

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function priced(pricingType: 'one_time' | 'monthly' = 'one_time') {
  const course = await makeCourse(app.services, creator)
  await query(
    'update courses set pricing_type = $2, price_amount = 2900 where id = $1',
    course.id,
    pricingType,
  )
  return course
}

async function makeBuyer() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Buyer = Awaited<ReturnType<typeof makeBuyer>>

async function checkoutOf(buyer: Buyer, course: { id: string }) {
  const answer = await app.request('/functions/v1/course-checkout', {
    cookie: buyer.cookie,
    body: { course_id: course.id },
  })
  expect(answer).toMatchObject({ status: 200 })
  const [row] = await query(
    'select * from checkouts where user_id = $1 and course_id = $2 order by created_at desc',
    buyer.id,
    course.id,
  )
  return {
    url: answer.body.url as string,
    id: row.id as string,
    sessionId: row.session_id as string,
  }
}

async function buy(buyer: Buyer, course: { id: string }) {
  const checkout = await checkoutOf(buyer, course)
  expect(await payHere(app, checkout.url)).toMatchObject({ status: 303 })
  return checkout
}

/** All that there must be exactly one of, or none. */
async function standing(buyer: { id: string }, course: { id: string }) {
  const [row] = await query(
    `select (select count(*)::int from enrollments where user_id = $1 and course_id = $2) as members,
            (select count(*)::int from payments where payer_id = $1 and course_id = $2) as payments,
            (select count(*)::int from ledger_transactions t join payments p on p.id = t.payment_id
              where p.payer_id = $1 and p.course_id = $2) as movements,
            (select count(*)::int from notifications
              where user_id = $1 and kind = 'payment_received') as receipts,
            (select string_agg(status, ' ' order by created_at) from purchases
              where user_id = $1 and course_id = $2) as purchases,
            (select string_agg(status, ' ' order by created_at) from checkouts
              where user_id = $1 and course_id = $2) as checkouts`,
    buyer.id,
    course.id,
  )
  return row
}

const member = {
  members: 1,
  payments: 1,
  movements: 1,
  receipts: 1,
  purchases: 'active',
  checkouts: 'paid',
}

const chargesOf = async (buyer: { id: string }): Promise<string[]> =>
  (
    await query('select charge_id from payments where payer_id = $1 order by paid_at', buyer.id)
  ).map((row) => row.charge_id)

const outcomesAbout = async (objectId: string): Promise<string[]> =>
  (await query('select status, outcome from payment_events where object_id = $1', objectId)).map(
    ({ status, outcome }) => `${status}: ${outcome}`,
  )

async function balanced() {
  await checkLedger(app.services)
  const [row] = await query(
    `select coalesce(sum(differences), 0)::int as differences from counter_checks
      where counter like 'ledger%'`,
  )
  expect(row).toEqual({ differences: 0 })
}

describe('a course that is paid once', () => {
  test('is open to who paid, when the webhook comes', async () => {
    const [buyer, course] = [await makeBuyer(), await priced()]
    const { sessionId } = await buy(buyer, course)
    await settled(app)
    expect(await standing(buyer, course)).toEqual(member)
    expect(await outcomesAbout(sessionId)).toEqual([
      expect.stringMatching(/^applied: Enrolled in “/),
    ])
  })

  test('is bought exactly once though webhooks come many times, in any order, to two processes', async () => {
    await switches(app, { repeat: 4, shuffle: true })
    const [buyer, course] = [await makeBuyer(), await priced()]
    const { sessionId } = await buy(buyer, course)
    await Promise.all([
      syncCheckout(app.services, sessionId),
      syncCheckout(other.services, sessionId),
      syncCheckout(app.services, sessionId),
      syncCheckout(other.services, sessionId),
    ])
    await settled(app)
    expect(await standing(buyer, course)).toEqual(member)
    await balanced()
  })

  test('is open on the return, before any webhook', async () => {
    await switches(app, { dropPercent: 100 })
    const [buyer, course] = [await makeBuyer(), await priced()]
    await buy(buyer, course)
    const state = await app.request(`/rest/v1/courses/${course.slug}/checkout`, {
      cookie: buyer.cookie,
    })
    expect(state.body).toEqual({ status: 'paid' })
    expect(await standing(buyer, course)).toEqual(member)
  })

  test('is over when all was paid back, and not before', async () => {
    const [buyer, course] = [await makeBuyer(), await priced()]
    await buy(buyer, course)
    await settled(app)
    const [charge] = await chargesOf(buyer)
    await refundAtProvider(app, charge!, 900)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ members: 1, purchases: 'active' })
    await refundAtProvider(app, charge!)
    await settled(app)
    expect(await standing(buyer, course)).toEqual({
      ...member,
      members: 0,
      movements: 3,
      purchases: 'ended',
    })
    expect(await query('select refunded from payments where charge_id = $1', charge)).toEqual([
      { refunded: 2900 },
    ])
    await balanced()
  })

  test('is over when the bank takes the payment back, though the refund came first of all', async () => {
    await switches(app, { dropPercent: 100 })
    const [buyer, course] = [await makeBuyer(), await priced()]
    const { sessionId } = await buy(buyer, course)
    const { stripe } = app.services.payments
    const session = await stripe.checkout.sessions.retrieve(sessionId, {
      expand: ['payment_intent'],
    })
    const intent = session.payment_intent as { latest_charge: string }
    await switches(app, { dropPercent: 0 })
    // Of the purchase itself nothing was heard.
    const dispute = await disputeAtProvider(app, intent.latest_charge)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ ...member, movements: 2 })
    await closeDispute(app, dispute.id, false)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ members: 0, purchases: 'ended' })
    await balanced()
  })

  test('that is gone meanwhile is paid back', async () => {
    const [buyer, course] = [await makeBuyer(), await priced()]
    const { url, id } = await checkoutOf(buyer, course)
    await query('delete from courses where id = $1', course.id)
    await payHere(app, url)
    await settled(app)
    expect(await query('select status from checkouts where id = $1', id)).toEqual([
      { status: 'refused' },
    ])
    const { data } = await app.services.payments.stripe.charges.list({
      customer: await customerOf(app.services, buyer),
    })
    expect(data).toMatchObject([{ amount: 2900, refunded: true }])
    // In the books, too: what is left of it is what the provider keeps, and the payer sees it.
    const kept = await query(
      `select kind, gross, refunded, payer_id = $1 as "isPayers" from payments where charge_id = $2`,
      buyer.id,
      data[0]!.id,
    )
    expect(kept).toEqual([{ kind: 'refused', gross: 2900, refunded: 2900, isPayers: true }])
    const sums = await query(
      `select a.kind, sum(e.amount)::int as sum from ledger_entries e
         join ledger_accounts a on a.id = e.account_id
         join ledger_transactions t on t.id = e.transaction_id
         join payments p on p.id = t.payment_id
        where p.charge_id = $1 group by 1 order by 1`,
      data[0]!.id,
    )
    expect(sums).toEqual([
      { kind: 'provider', sum: -114 },
      { kind: 'provider_costs', sum: 114 },
      { kind: 'refused_payments', sum: 0 },
    ])
    await balanced()
    const told = await query(
      `select kind from notifications where user_id = $1 and kind like 'payment%'`,
      buyer.id,
    )
    expect(told).toEqual([{ kind: 'payment_refunded' }])
  })

  test('whose payment page expired can be bought again', async () => {
    const [buyer, course] = [await makeBuyer(), await priced()]
    const { sessionId } = await checkoutOf(buyer, course)
    await app.services.payments.stripe.checkout.sessions.expire(sessionId)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ members: 0, checkouts: 'expired' })
    await buy(buyer, course)
    await settled(app)
    expect(await standing(buyer, course)).toEqual({ ...member, checkouts: 'expired paid' })
  })
})

describe('a monthly course', () => {
  const month = 32 * 24 * 3600

  test('is paid each month, once, whatever comes when', async () => {
    await switches(app, { repeat: 2, shuffle: true })
    const [buyer, course] = [await makeBuyer(), await priced('monthly')]
    await buy(buyer, course)
    await settled(app)
    const customer = await customerOf(app.services, buyer)
    await advance(app, customer, month)
    await advance(app, customer, month)
    const [{ subscription_id: id }] = await query(
      'select subscription_id from purchases where user_id = $1',
      buyer.id,
    )
    await Promise.all([
      syncSubscription(app.services, id),
      syncSubscription(other.services, id),
      syncSubscription(app.services, id),
    ])
    await settled(app)
    expect(await standing(buyer, course)).toEqual({
      ...member,
      payments: 3,
      movements: 3,
      receipts: 3,
    })
    // Money back for an earlier month takes nothing from the present one.
    const [first, , last] = await chargesOf(buyer)
    await refundAtProvider(app, first!)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ members: 1, purchases: 'active' })
    await refundAtProvider(app, last!)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ members: 0, purchases: 'ended' })
    const { stripe } = app.services.payments
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
    await balanced()
  })

  test('that has ended is not paid any more: a month charged since is paid back', async () => {
    const [buyer, course] = [await makeBuyer(), await priced('monthly')]
    await buy(buyer, course)
    await settled(app)
    // Our clock may be far from the provider's.
    await query(
      `update purchases set status = 'ended', ended_reason = 'removed',
              ended_at = now() + interval '1 year' where user_id = $1`,
      buyer.id,
    )
    await advance(app, await customerOf(app.services, buyer), month)
    await settled(app)
    const charges = await query(
      'select refunded from payments where payer_id = $1 order by paid_at',
      buyer.id,
    )
    expect(charges).toEqual([{ refunded: 0 }, { refunded: 2900 }])
    await balanced()
  })

  test('whose card fails later is past due, and over when it fails for good', async () => {
    const [buyer, course] = [await makeBuyer(), await priced('monthly')]
    const { url } = await checkoutOf(buyer, course)
    await payHere(app, url, { number: '4000 0000 0000 0341' })
    await settled(app)
    const customer = await customerOf(app.services, buyer)
    await advance(app, customer, month)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ members: 1, purchases: 'past_due' })
    await advance(app, customer, month)
    await settled(app)
    expect(await standing(buyer, course)).toMatchObject({ members: 0, purchases: 'ended' })
  })
})

describe('Pro', () => {
  test('bought twice is paid back once', async () => {
    const buyer = await makeBuyer()
    const customer = await customerOf(app.services, buyer)
    const { stripe } = app.services.payments
    const product = await stripe.products.create({ name: 'Thunder Pro' })
    const subscribe = () =>
      stripe.subscriptions.create({
        customer,
        default_payment_method: 'pm_card_visa',
        items: [
          {
            price_data: {
              currency: 'usd',
              unit_amount: 2000,
              recurring: { interval: 'month' },
              product: product.id,
            },
          },
        ],
        metadata: { kind: 'plan', plan: 'monthly' },
      })
    await switches(app, { dropPercent: 100 })
    const older = await subscribe()
    const newer = await subscribe()
    await switches(app, { dropPercent: 0 })
    // The newer one is heard of first.
    await syncSubscription(app.services, newer.id)
    await syncSubscription(app.services, older.id)
    await settled(app)
    const of = (subscription: { id: string }) => stripe.subscriptions.retrieve(subscription.id)
    expect([(await of(older)).status, (await of(newer)).status]).toEqual(['active', 'canceled'])
    const { data } = await stripe.charges.list({ customer })
    expect(data.map(({ refunded }) => refunded).toSorted()).toEqual([false, true])
    const kept = await query(
      'select id, status, card_last4 from plan_subscriptions where user_id = $1',
      buyer.id,
    )
    expect(kept).toEqual([{ id: older.id, status: 'active', card_last4: '4242' }])
    const recorded = await query(
      'select kind, refunded from payments where payer_id = $1 order by kind',
      buyer.id,
    )
    expect(recorded).toEqual([
      { kind: 'plan', refunded: 0 },
      { kind: 'refused', refunded: 2000 },
    ])
    await balanced()
  })
})

describe('a customer', () => {
  test('is made once for a person, however many ask at once', async () => {
    const buyer = await makeBuyer()
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        customerOf((number % 2 ? app : other).services, buyer),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    const customer = await app.services.payments.stripe.customers.retrieve(ids[0]!)
    expect(customer).toMatchObject({ name: buyer.name, email: buyer.email })
  })

  test('whom the provider does not know, as after new keys, is replaced', async () => {
    const buyer = await makeBuyer()
    const [gone, course] = [`cus_${crypto.randomUUID()}`, await priced()]
    await query('insert into payment_customers (id, user_id) values ($1, $2)', gone, buyer.id)
    await buy(buyer, course)
    await settled(app)
    expect(await standing(buyer, course)).toEqual(member)
    const customer = await customerOf(app.services, buyer)
    expect(customer).not.toBe(gone)
    // So is one whom somebody deleted at the provider's dashboard, of which we have not heard.
    await switches(app, { dropPercent: 100 })
    await app.services.payments.stripe.customers.del(customer)
    await switches(app, { dropPercent: 0 })
    const ids = await Promise.all(
      [app, other, app].map(({ services }) => customerOf(services, buyer)),
    )
    expect(new Set([...ids, customer]).size).toBe(2)
    expect(await query('select id from payment_customers where user_id = $1', buyer.id)).toEqual([
      { id: ids[0] },
    ])
  })

  describe('whose name or address changes', () => {
    const factsOf = async (id: string) => {
      const customer = await app.services.payments.stripe.customers.retrieve(id)
      return customer.deleted ? null : { name: customer.name, email: customer.email }
    }

    test('is told to the provider, whichever way it changed', async () => {
      const person = await app.signUp({ name: 'Ann Lee' })
      const { cookie } = person
      const id = await customerOf(app.services, person)
      const { body: profile } = await app.request('/rest/v1/me/profile', { cookie })
      const change = { name: 'Ann King', version: profile.version }
      await app.request('/rest/v1/me/profile', { method: 'PATCH', body: change, cookie })
      await settled(app)
      expect(await factsOf(id)).toEqual({ name: 'Ann King', email: person.email })

      await app.request('/auth/v1/update-user', { body: { name: 'Ann Smith' }, cookie })
      await settled(app)
      expect(await factsOf(id)).toEqual({ name: 'Ann Smith', email: person.email })

      const newEmail = `${crypto.randomUUID()}@example.com`
      await app.request('/auth/v1/change-email', { body: { newEmail }, cookie })
      const token = tokenIn(await mailTo(app, newEmail, /Confirm your email address/))
      await app.request(`/auth/v1/verify-email?token=${token}`)
      await settled(app)
      expect(await factsOf(id)).toEqual({ name: 'Ann Smith', email: newEmail })
    })

    test('while nobody heard of it is found out before the next payment page', async () => {
      const buyer = await makeBuyer()
      const id = await customerOf(app.services, buyer)
      const email = `${crypto.randomUUID()}@example.com`
      await query(`update users set name = 'Bo', email = $2 where id = $1`, buyer.id, email)
      const { sessionId } = await checkoutOf(buyer, await priced())
      expect(await factsOf(id)).toEqual({ name: 'Bo', email })
      const { sessions } = app.services.payments.stripe.checkout
      expect((await sessions.retrieve(sessionId)).customer_details?.email).toBe(email)
    })

    test('has no stand-in for an address told, and keeps what was typed at the provider', async () => {
      const buyer = await makeBuyer()
      const email = `${crypto.randomUUID()}@phone.invalid`
      await query('update users set email = $2 where id = $1', buyer.id, email)
      const id = await customerOf(app.services, { ...buyer, email })
      expect(await factsOf(id)).toEqual({ name: buyer.name, email: null })
      await app.services.payments.stripe.customers.update(id, { email: 'typed@example.com' })
      await query(`update users set name = 'Cy' where id = $1`, buyer.id)
      expect(await customerOf(app.services, { ...buyer, name: 'Cy', email })).toBe(id)
      expect(await factsOf(id)).toEqual({ name: 'Cy', email: 'typed@example.com' })
    })
  })

  test('whom we do not know is left alone', async () => {
    const { stripe } = app.services.payments
    const stranger = await stripe.customers.create({ email: 'stranger@example.com' })
    await stripe.customers.update(stranger.id, { name: 'Somebody' })
    const session = await stripe.checkout.sessions.create({
      customer: stranger.id,
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Something' } },
        },
      ],
      success_url: 'http://localhost:3000/',
    })
    await payHere(app, session.url!)
    await settled(app)
    expect(await outcomesAbout(session.id)).toEqual([
      'ignored: About a customer whom we do not know',
    ])
  })
})
