// A payment page from its first click to its end, where the provider or another click is not as one would wish.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { makeCourse, makePerson, type MadePerson } from '../../../test/factories.ts'
import {
  missingAtProvider,
  providerFailed,
  type ToldObject,
  toldProvider,
} from '../../../test/told-provider.ts'
import { coupons } from '../purchases/tables.ts'
import { askOfCheckout } from './ask-of-checkout.ts'
import type { Checkout } from './checkout-of.ts'
import { closeCheckout } from './close-checkout.ts'
import { closeCheckouts } from './close-checkouts.ts'
import { giveUpCheckout } from './give-up-checkout.ts'
import { isFresh, newCheckout, openCheckoutOf } from './new-checkout.ts'
import { openSession } from './open-session.ts'
import { sessionParams } from './session-params.ts'
import { checkouts, couponRedemptions, paymentCustomers } from './tables.ts'

let app: TestApp
let person: MadePerson
const customer = `cus_${randomUUID()}`
let course: { id: string }
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  person = await makePerson(app.services)
  course = await makeCourse(app.services, await makePerson(app.services))
  await db().insert(paymentCustomers).values({ id: customer, userId: person.id })
})
afterAll(() => app?.stop())
afterEach(() => {
  vi.useRealTimers()
})

const db = () => app.services.db

type Terms = Partial<typeof checkouts.$inferInsert>
const terms = {
  kind: 'course' as const,
  pricingType: 'one_time' as const,
  amount: 2900,
  currency: 'usd',
  successUrl: 'https://thunder.example/paid',
  cancelUrl: 'https://thunder.example/canceled',
}

/** One that is in nobody's way, as it is about no course. */
async function page(more: Terms = {}): Promise<Checkout> {
  const [made] = await db()
    .insert(checkouts)
    .values({ ...terms, userId: person.id, expiresAt: new Date(Date.now() + 35 * 60_000), ...more })
    .returning()
  return made!
}
const now = async ({ id }: { id: string }) =>
  (await db().select().from(checkouts).where(eq(checkouts.id, id)))[0]!

const invalid = (code: string) =>
  new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    code,
    message: 'No',
  })
const otherFacts = (code?: string) =>
  new Stripe.errors.StripeIdempotencyError({ type: 'idempotency_error', code, message: 'Used' })

describe('asking the provider for it', () => {
  const answer = (id = `cs_${randomUUID()}`) => ({ id, url: `https://pay.example/${id}` })

  /** A provider that does this when a page is asked for. */
  function provider(create: (params: object, options: object) => Promise<unknown>) {
    const objects: ToldObject[] = [{ id: customer, object: 'customer' }]
    const { services } = toldProvider(app.services, objects)
    const sessions = { create: vi.fn(create), expire: vi.fn(async (_id: string) => ({})) }
    Object.assign(services.payments.stripe, { checkout: { sessions } })
    const open = ({ id }: { id: string }) =>
      openSession(services, { checkoutId: id, person, name: 'Knots' })
    return { open, ...sessions }
  }

  test('is done once, with the checkout as its key; from then on it is known', async () => {
    const made = answer()
    const { open, create } = provider(async () => made)
    const checkout = await page()
    const shown = { url: made.url, sessionId: made.id }
    expect(await Promise.all([open(checkout), open(checkout)])).toEqual([shown, shown])
    expect(await open(checkout)).toEqual(shown)
    expect(create.mock.calls).toEqual([
      [sessionParams(checkout, { customer, name: 'Knots' }), { idempotencyKey: checkout.id }],
    ])
    expect(await now(checkout)).toMatchObject({ sessionId: made.id, url: made.url })
  })

  test('is not done for one that has ended, or never was', async () => {
    const { open, create } = provider(async () => answer())
    expect(await open(await page({ status: 'expired' }))).toBeNull()
    expect(await open({ id: randomUUID() })).toBeNull()
    expect(create).not.toHaveBeenCalled()
  })

  test('waits while another node is asking the same', async () => {
    const made = answer()
    const { open, create } = provider(async () => made)
    create.mockRejectedValueOnce(otherFacts('idempotency_key_in_use'))
    expect(await open(await page())).toMatchObject({ sessionId: made.id })
    expect(create).toHaveBeenCalledTimes(2)
  })

  test('waits for ten seconds at most', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    const inUse = invalid('idempotency_key_in_use')
    const times = [9999, 10_000]
    const { open, create } = provider(async () => {
      vi.setSystemTime(1_800_000_000_000 + times.shift()!)
      throw inUse
    })
    const checkout = await page()
    await expect(open(checkout)).rejects.toBe(inUse)
    expect(create).toHaveBeenCalledTimes(2)
    expect((await now(checkout)).status).toBe('open')
  })

  test('anew needs another checkout when the first try was about something else', async () => {
    const { open } = provider(async () => {
      throw otherFacts()
    })
    const checkout = await page()
    expect(await open(checkout)).toBeNull()
    expect((await now(checkout)).status).toBe('expired')
  })

  test.each([
    ['the provider fails', providerFailed()],
    ['it refuses', invalid('amount_too_small')],
    ['something else is wrong', new RangeError('ours')],
  ])('changes nothing when %s', async (_, error) => {
    const { open } = provider(async () => {
      throw error
    })
    const checkout = await page()
    await expect(open(checkout)).rejects.toBe(error)
    expect(await now(checkout)).toEqual(checkout)
  })

  test('is of no use without an address', async () => {
    const { open } = provider(async () => ({ id: 'cs_1', url: null }))
    await expect(open(await page())).rejects.toMatchObject({
      code: 'PAYMENT_SERVICE_FAILED',
      status: 503,
      message: 'No checkout URL received',
    })
  })

  test('from two nodes at once is answered the same, and both lead there', async () => {
    const [made, checkout] = [answer(), await page()]
    const { open, expire } = provider(async () => {
      await db()
        .update(checkouts)
        .set({ sessionId: made.id, url: made.url })
        .where(eq(checkouts.id, checkout.id))
      return made
    })
    expect(await open(checkout)).toEqual({ url: made.url, sessionId: made.id })
    expect(expire).not.toHaveBeenCalled()
  })

  test.each<[string, Terms]>([
    ['ended', { status: 'expired' }],
    ['got another page', { sessionId: 'cs_other', url: '/other' }],
  ])('while the checkout %s: the page is closed, as nobody has it', async (_, change) => {
    const [made, checkout] = [answer(), await page()]
    const { open, expire } = provider(async () => {
      await db().update(checkouts).set(change).where(eq(checkouts.id, checkout.id))
      return made
    })
    expect(await open(checkout)).toBeNull()
    expect(expire.mock.calls).toEqual([[made.id]])
    expect(await now(checkout)).toMatchObject(change)
  })
})

describe('what the provider is asked for', () => {
  const checkout = {
    ...terms,
    id: 'the checkout',
    courseId: 'the course',
    plan: null,
    expiresAt: new Date(1_790_000_000_900),
  } as unknown as Checkout
  const common = {
    customer,
    adaptive_pricing: { enabled: false },
    success_url: 'https://thunder.example/paid',
    cancel_url: 'https://thunder.example/canceled',
    expires_at: 1_790_000_000,
  }
  const item = (more: object = {}) => ({
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: 2900,
          product_data: { name: 'Knots' },
          ...more,
        },
      },
    ],
  })
  const ask = (more: Partial<Checkout> = {}) =>
    sessionParams({ ...checkout, ...more }, { customer, name: 'Knots' })

  test('is one payment for a course that is paid once', () => {
    const metadata = { checkoutId: 'the checkout', kind: 'course', courseId: 'the course' }
    expect(ask()).toEqual({
      ...common,
      ...item(),
      metadata,
      mode: 'payment',
      payment_intent_data: { metadata, description: 'Knots' },
    })
  })

  test('is one each month for a monthly course', () => {
    const metadata = { checkoutId: 'the checkout', kind: 'course', courseId: 'the course' }
    expect(ask({ pricingType: 'monthly' })).toEqual({
      ...common,
      ...item({ recurring: { interval: 'month' } }),
      metadata,
      mode: 'subscription',
      subscription_data: { metadata, description: 'Knots' },
    })
  })

  test.each([
    ['monthly', 'month'],
    ['annual', 'year'],
  ] as const)('is one each time for Pro, %s: each %s', (plan, interval) => {
    const metadata = { checkoutId: 'the checkout', kind: 'plan', plan }
    const about = { kind: 'plan', plan, courseId: null, pricingType: null } as const
    expect(ask(about)).toEqual({
      ...common,
      ...item({ recurring: { interval } }),
      metadata,
      mode: 'subscription',
      subscription_data: { metadata, description: 'Knots' },
    })
  })
})

describe('an open page', () => {
  test('leads people there until a minute before its end, and is asked for until half an hour before', () => {
    const at = new Date(1_790_000_000_000)
    const left = (minutes: number, sessionId: string | null, status: Checkout['status'] = 'open') =>
      isFresh(
        {
          status,
          sessionId,
          expiresAt: new Date(at.getTime() + minutes * 60_000),
        } as Checkout,
        at,
      )
    expect([left(1, 'cs_1'), left(1.01, 'cs_1'), left(-5, 'cs_1')]).toEqual([false, true, false])
    expect([left(30, null), left(30.01, null)]).toEqual([false, true])
    expect([left(20, 'cs_1', 'paid'), left(20, 'cs_1', 'expired')]).toEqual([false, false])
  })

  test('is one for each course and one for Pro, for 35 minutes', async () => {
    const { id: userId } = await makePerson(app.services)
    const make = (more: Terms) =>
      db().transaction((transaction) => newCheckout(transaction, { ...terms, userId, ...more }))
    const before = Date.now()
    const ofCourse = (await make({ courseId: course.id }))!
    const ofPlan = (await make({ kind: 'plan', plan: 'annual' }))!
    const minutes = ((await now({ id: ofCourse })).expiresAt.getTime() - before) / 60_000
    expect(Math.round(minutes)).toBe(35)
    expect(await make({ courseId: course.id })).toBeNull()
    expect(await make({ kind: 'plan', plan: 'monthly' })).toBeNull()
    const found = async (which: Parameters<typeof openCheckoutOf>[1]) =>
      (await openCheckoutOf(db(), which))?.id
    expect(await found({ userId, courseId: course.id })).toBe(ofCourse)
    expect(await found({ userId, kind: 'plan' })).toBe(ofPlan)
    expect(await openCheckoutOf(db(), { userId, courseId: randomUUID() })).toBeNull()
    expect(await openCheckoutOf(db(), { userId: randomUUID(), kind: 'plan' })).toBeNull()
  })
})

describe('how it stands', () => {
  const told = (session: { id: string; status?: string; metadata?: object }) =>
    toldProvider(app.services, [{ object: 'checkout.session', customer, ...session }])

  test('is asked of the provider while it is open, and not again and again', async () => {
    const sessionId = `cs_${randomUUID()}`
    const { id } = await page({ sessionId })
    const { services, asked } = told({ id: sessionId, status: 'open' })
    expect(await askOfCheckout(services, id)).toBe('open')
    // The two seconds for which it is not asked again are not over, however long this takes.
    await app.services.pool.query('update rate_limits set expire = $1 where key = $2', [
      Date.now() + 60_000,
      app.services.rateLimits.asksByCheckout.nameOf(id),
    ])
    expect(await askOfCheckout(services, id)).toBe('open')
    expect(asked).toEqual([`sessions.retrieve ${sessionId}`])
  })

  test('is known of one that was closed there a moment ago', async () => {
    const sessionId = `cs_${randomUUID()}`
    const { id } = await page({ sessionId })
    const session = { id: sessionId, status: 'expired', metadata: { checkoutId: id } }
    expect(await askOfCheckout(told(session).services, id)).toBe('expired')
  })

  test('is not asked about one that has ended, or that the provider has not made', async () => {
    const { services, asked } = told({ id: 'none' })
    expect(
      await askOfCheckout(services, (await page({ status: 'paid', sessionId: 'cs_2' })).id),
    ).toBe('paid')
    expect(await askOfCheckout(services, (await page()).id)).toBe('open')
    expect(asked).toEqual([])
    const none = randomUUID()
    await expect(askOfCheckout(services, none)).rejects.toThrow(`no checkout ${none}`)
  })

  test('is open for a moment after it was paid, until the payment is settled', async () => {
    const sessionId = `cs_${randomUUID()}`
    const { id } = await page({ sessionId })
    const session = {
      id: sessionId,
      object: 'checkout.session',
      customer,
      status: 'complete',
      payment_status: 'paid',
      payment_intent: 'pi_1',
      metadata: { checkoutId: id },
    }
    const { services } = toldProvider(app.services, [
      session,
      { id: 'pi_1', object: 'payment_intent', status: 'succeeded', latest_charge: 'ch_1' },
      { id: 'ch_1', object: 'charge', paid: true, status: 'succeeded', balance_transaction: null },
    ])
    expect(await askOfCheckout(services, id)).toBe('open')
  })

  test('is not guessed when the provider cannot say', async () => {
    const { id } = await page({ sessionId: `cs_${randomUUID()}` })
    await expect(askOfCheckout(told({ id: 'none' }).services, id)).rejects.toThrow(/No such object/)
  })
})

describe('a page that is given up', () => {
  function provider(answer: object, objects: ToldObject[] = []) {
    const { services, asked } = toldProvider(app.services, objects)
    const expire = vi.fn(async () => {
      if (answer instanceof Error) throw answer
      return answer
    })
    Object.assign(services.payments.stripe.checkout.sessions, { expire })
    return { services, asked, expire }
  }

  test.each<[string, string | null, object]>([
    ['closed there', 'open', {}],
    ['expired, when it is not there', 'gone', missingAtProvider('cs_1')],
    ['expired, when it never was there', null, new RangeError('must not be asked')],
  ])('is %s', async (_, name, answer) => {
    const sessionId = name && `cs_${randomUUID()}`
    const checkout = await page({ sessionId })
    const { services, expire } = provider(answer)
    await giveUpCheckout(services, checkout)
    expect((await now(checkout)).status).toBe('expired')
    expect(expire.mock.calls).toEqual(sessionId ? [[sessionId]] : [])
  })

  test('but was paid before is asked about', async () => {
    const sessionId = `cs_${randomUUID()}`
    const checkout = await page({ sessionId })
    const session = { id: sessionId, object: 'checkout.session', customer, status: 'open' }
    const { services, asked } = provider(invalid('resource_not_open'), [session])
    await giveUpCheckout(services, checkout)
    expect(asked).toEqual([`sessions.retrieve ${sessionId}`])
    expect((await now(checkout)).status).toBe('open')
  })

  test('stays open while the provider cannot be asked', async () => {
    const checkout = await page({ sessionId: `cs_${randomUUID()}` })
    const failed = providerFailed()
    await expect(giveUpCheckout(provider(failed).services, checkout)).rejects.toBe(failed)
    expect((await now(checkout)).status).toBe('open')
  })

  test('is each open one of a course whose sale was stopped', async () => {
    const courseId = course.id
    const other = await makeCourse(app.services, await makePerson(app.services))
    const open = await page({ courseId })
    const [paid, elsewhere] = [
      await page({ courseId, status: 'paid' }),
      await page({ courseId: other.id }),
    ]
    await closeCheckouts({ courseId }, provider({}).services)
    expect((await now(open)).status).toBe('expired')
    expect((await now(paid)).status).toBe('paid')
    expect((await now(elsewhere)).status).toBe('open')
  })
})

describe('a page that ends', () => {
  const close = (id: string, status: 'paid' | 'expired' | 'refused') =>
    db().transaction((transaction) => closeCheckout(transaction, id, status))

  test('only ever ends better than before', async () => {
    const became: string[] = []
    for (const before of ['open', 'expired', 'paid', 'refused'] as const) {
      for (const status of ['paid', 'expired', 'refused'] as const) {
        const { id } = await page({ status: before })
        if (await close(id, status)) became.push(`${before} ${(await now({ id })).status}`)
        else expect((await now({ id })).status).toBe(before)
      }
    }
    expect(became).toEqual([
      'open paid',
      'open expired',
      'open refused',
      'expired paid',
      'expired refused',
      'paid refused',
    ])
    expect(await close(randomUUID(), 'paid')).toBe(false)
  })

  async function withCoupon() {
    const [coupon] = await db()
      .insert(coupons)
      .values({
        courseId: course.id,
        code: randomUUID().slice(0, 12).toUpperCase(),
        percentOff: 50,
        redemptionsCount: 1,
      })
      .returning()
    const couponId = coupon!.id
    const checkout = await page({ couponId })
    await db()
      .insert(couponRedemptions)
      .values({ couponId, userId: person.id, checkoutId: checkout.id })
    return { couponId, checkout }
  }

  test.each([
    ['paid', 1],
    ['expired', 0],
    ['refused', 0],
  ] as const)('as %s leaves of its coupon so many uses taken: %i', async (status, uses) => {
    const { couponId, checkout } = await withCoupon()
    await close(checkout.id, status)
    expect(await db().$count(couponRedemptions, eq(couponRedemptions.couponId, couponId))).toBe(
      uses,
    )
    const [coupon] = await db().select().from(coupons).where(eq(coupons.id, couponId))
    expect(coupon!.redemptionsCount).toBe(uses)
  })

  test('takes the coupon before the page, as whoever changes the coupon does', async () => {
    const { couponId, checkout } = await withCoupon()
    const client = await app.services.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from coupons where id = $1 for update', [couponId])
      const closing = close(checkout.id, 'expired')
      await waitingFor(app.services, 1)
      // The page is free: nobody waits in a circle.
      const free = 'select from checkouts where id = $1 for update nowait'
      expect((await client.query(free, [checkout.id])).rowCount).toBe(1)
      await client.query('commit')
      expect(await closing).toBe(true)
    } finally {
      client.release(true)
    }
  })

  test('is heard of where a course is open, by who has an account', async () => {
    const { id: userId } = await makePerson(app.services)
    const heard = await eventsOf(app.services, userId)
    const about = (more: Terms) => page({ userId, ...more })
    await close((await about({ kind: 'plan', plan: 'annual' })).id, 'expired')
    expect(await close((await page({ userId: null, courseId: course.id })).id, 'expired')).toBe(
      true,
    )
    await close((await about({ courseId: course.id })).id, 'expired')
    expect((await heard.next()).value).toEqual({ type: 'checkout', courseId: course.id })
    await heard.return()
  })
})
