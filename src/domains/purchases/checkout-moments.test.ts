// What stands against a purchase, or happens to it, between the button and the payment page.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import { joinCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { payHere, switches } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { toldProvider } from '../../../test/told-provider.ts'
import { makePurchase, makeSoldCourse } from '../../../test/sold-course.ts'
import { watchStatements } from '../../../test/statements.ts'
import type { Viewer } from '../../server/viewer.ts'
import { planGrants } from '../billing/tables.ts'
import { courseAccess } from '../courses/access.ts'
import { courses } from '../courses/tables.ts'
import { courseInvitations } from '../invitations/tables.ts'
import { checkouts } from '../payments/tables.ts'
import { startCourseCheckout } from './course-checkout.ts'
import { coupons, purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const db = () => app.services.db
const withCookie = async <Person extends { id: string }>(person: Person) => ({
  ...person,
  cookie: await sessionCookieOf(app.services, person.id),
})
const someone = async () => withCookie(await makePerson(app.services))
type Buyer = Awaited<ReturnType<typeof someone>>

async function scene() {
  const there = await makeSoldCourse(app.services)
  return { ...there, buyer: await withCookie(there.buyer) }
}
const change = (course: { id: string }, facts: Partial<typeof courses.$inferInsert>) =>
  db().update(courses).set(facts).where(eq(courses.id, course.id))
const buy = ({ id }: { id: string }, { cookie }: Buyer, more: object = {}) =>
  app.request('/functions/v1/course-checkout', { body: { course_id: id, ...more }, cookie })
const stateOf = ({ slug }: { slug: string }, { cookie }: Buyer) =>
  app.request(`/rest/v1/courses/${slug}/checkout`, { cookie })
const pageOf = async ({ id }: { id: string }) =>
  (await db().select().from(checkouts).where(eq(checkouts.userId, id)))[0]!
const couponFor = async ({ id: courseId }: { id: string }, code: string, percentOff: number) =>
  (await db().insert(coupons).values({ courseId, code, percentOff }).returning())[0]!

/** Past what the handler looks at: the order as it is decided. */
async function order(
  course: { slug: string },
  person: { id: string },
  more: object = {},
  services = app.services,
) {
  const viewer = { ...person, role: 'user' } as Viewer
  const seen = (await courseAccess(db(), viewer, { slug: course.slug }))!
  const addresses = { successUrl: `${app.url}/a`, cancelUrl: `${app.url}/b` }
  return startCourseCheckout(services, { viewer, course: seen, ...addresses, ...more })
}

describe('a payment page', () => {
  test('leads back to the course, paid or not, unless another page was asked for', async () => {
    const { buyer, course } = await scene()
    expect((await buy(course, buyer)).status).toBe(200)
    expect(await pageOf(buyer)).toMatchObject({
      successUrl: `http://localhost:3000/course/${course.slug}?success=true`,
      cancelUrl: `http://localhost:3000/course/${course.slug}?canceled=true`,
    })
  })

  test('remembers the invitation by which somebody came, while that is open', async () => {
    const { buyer, course } = await scene()
    const code = 'y'.repeat(22)
    const [invitation] = await db()
      .insert(courseInvitations)
      .values({ courseId: course.id, code })
      .returning()
    expect((await buy(course, buyer, { invitation: code })).status).toBe(200)
    expect(await pageOf(buyer)).toMatchObject({ invitationId: invitation!.id, couponId: null })
    const unknown = await buy(course, await someone(), { invitation: 'z'.repeat(22) })
    expect([unknown.status, unknown.body.message]).toEqual([410, 'This invitation does not exist.'])
  })

  test('of a course of Pro is there for any number of students', async () => {
    const { buyer, creator, course } = await scene()
    await db().insert(planGrants).values({ userId: creator.id })
    await change(course, { studentsCount: 25 })
    expect((await buy(course, buyer)).status).toBe(200)
  })

  test('is asked about by who was sent there, also when the course is a draft by now', async () => {
    const { buyer, course } = await scene()
    await buy(course, buyer)
    await change(course, { status: 'draft' })
    expect((await stateOf(course, buyer)).body).toEqual({ status: 'open' })
    for (const which of [course, { slug: 'no-such-course' }]) {
      const { status, body } = await stateOf(which, await someone())
      expect([status, body.message]).toEqual([404, 'Course not found'])
    }
  })

  test('that is open is asked about once when the button is pressed again', async () => {
    const { buyer, course } = await scene()
    const first = await order(course, buyer)
    const { sessionId } = await pageOf(buyer)
    const session = await app.services.payments.stripe.checkout.sessions.retrieve(sessionId!)
    const { services, asked } = toldProvider(app.services, [{ ...session }])
    expect(await order(course, buyer, {}, services)).toEqual(first)
    expect(await order(course, buyer, {}, services)).toEqual(first)
    expect(asked).toEqual(Array(2).fill(`sessions.retrieve ${sessionId}`))
  })

  test('that was paid from a bank account, which takes days, is said to be under way meanwhile', async () => {
    const { buyer, course } = await scene()
    await order(course, buyer)
    const { id, sessionId } = await pageOf(buyer)
    const session = await app.services.payments.stripe.checkout.sessions.retrieve(sessionId!)
    const intent = { id: 'pi_under_way', object: 'payment_intent', status: 'processing' }
    const { services, stripe } = toldProvider(app.services, [
      { ...session, status: 'complete', payment_intent: intent.id },
      intent,
    ])
    stripe.checkout.sessions.expire = async () => {
      throw new Stripe.errors.StripeInvalidRequestError({
        type: 'invalid_request_error',
        message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
      })
    }
    const underWay = { refused: 'PAYMENT_UNDER_WAY' }
    expect(await order(course, buyer, {}, services)).toEqual(underWay)
    // Also when the page has hardly any time left, so that a new one would be made.
    await db().update(checkouts).set({ expiresAt: new Date() }).where(eq(checkouts.id, id))
    expect(await order(course, buyer, {}, services)).toEqual(underWay)
    expect(await pageOf(buyer)).toMatchObject({ status: 'open' })
  })

  test('is given up when four in a row cannot be had', async () => {
    const { buyer, course } = await scene()
    const { services, stripe } = toldProvider(app.services, [])
    Object.assign(stripe, { customers: app.services.payments.stripe.customers })
    let created = 0
    stripe.checkout.sessions.create = async () => {
      created += 1
      throw new Stripe.errors.StripeIdempotencyError({
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      })
    }
    await expect(order(course, buyer, {}, services)).rejects.toThrow('found no rest')
    expect(created).toBe(4)
    const pages = await db().select().from(checkouts).where(eq(checkouts.courseId, course.id))
    expect(pages.map(({ status }) => status)).toEqual(Array(4).fill('expired'))
  })

  describe('that is open when its course is made free', () => {
    const edit = async ({ creator, course }: Awaited<ReturnType<typeof scene>>, fields: object) => {
      const { cookie } = await withCookie(creator)
      const { status } = await app.request(`/rest/v1/courses/${course.id}`, {
        method: 'PATCH',
        body: fields,
        cookie,
      })
      expect(status).toBe(200)
      await settled(app)
    }
    const stateThere = async (buyer: Buyer) => {
      const { sessions } = app.services.payments.stripe.checkout
      return (await sessions.retrieve((await pageOf(buyer)).sessionId!)).status
    }

    test.each([
      ['once', { pricingType: 'free' }],
      ['every month', { priceAmount: 0 }],
    ] as const)('cannot be paid any more, %s', async (how, fields) => {
      const there = await scene()
      const { buyer, course } = there
      if (how === 'every month') await change(course, { pricingType: 'monthly' })
      const { body } = await buy(course, buyer)
      await edit(there, fields)
      expect([(await pageOf(buyer)).status, await stateThere(buyer)]).toEqual([
        'expired',
        'expired',
      ])
      await payHere(app, body.url)
      await settled(app)
      expect(await db().$count(purchases, eq(purchases.courseId, course.id))).toBe(0)
    })

    test('and was paid a moment before is a purchase', async () => {
      const there = await scene()
      const { buyer, course } = there
      const { body } = await buy(course, buyer)
      await switches(app, { dropPercent: 100 })
      await payHere(app, body.url)
      await edit(there, { pricingType: 'free' })
      await switches(app, { dropPercent: 0 })
      expect((await pageOf(buyer)).status).toBe('paid')
      expect(await db().$count(purchases, eq(purchases.userId, buyer.id))).toBe(1)
    })

    test('stays open when only the price is another one, or the way to pay', async () => {
      const there = await scene()
      const { buyer, course } = there
      await buy(course, buyer)
      await edit(there, { priceAmount: 4900 })
      await edit(there, { pricingType: 'monthly' })
      expect([(await pageOf(buyer)).status, await stateThere(buyer)]).toEqual(['open', 'open'])
    })
  })

  test('is not there for who starts payments without end', async () => {
    const { buyer, course } = await scene()
    const { checkoutsByAccount } = app.services.rateLimits
    await Promise.all(Array.from({ length: 60 }, () => checkoutsByAccount.count(buyer.id)))
    const { status, body } = await buy(course, buyer)
    expect([status, body.message]).toEqual([
      429,
      'You have started many payments. Please wait a few minutes and try again.',
    ])
  })
})

describe('whoever', () => {
  test('is in the course already hears that, whatever code was typed', async () => {
    const { buyer, course } = await scene()
    await joinCourse(app.services, buyer, course)
    expect((await buy(course, buyer, { coupon: 'NEVER-WAS' })).body.code).toBe('ALREADY_ENROLLED')
  })

  test('types a wrong code hears that, also where there is nothing to pay', async () => {
    const { buyer, course } = await scene()
    await change(course, { pricingType: 'free', priceAmount: 0 })
    expect((await buy(course, buyer, { coupon: 'NEVER-WAS' })).body.code).toBe('INVALID_COUPON')
    expect((await buy(course, buyer)).body.code).toBe('FREE_COURSE')
  })

  test('may see a draft cannot buy it', async () => {
    const { buyer, course } = await scene()
    await change(course, { status: 'draft' })
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [buyer.id])
    const { status, body } = await buy(course, buyer)
    expect([status, body.message]).toEqual([404, 'Course not found'])
  })

  test('bought it and comes back to a full course is counted as a student again', async () => {
    const there = await scene()
    const { buyer, course } = there
    await makePurchase(app.services, there)
    await change(course, { studentsCount: 25 })
    expect((await buy(course, buyer)).body.url).toContain(`/course/${course.slug}/dashboard`)
    const [after] = await db().select().from(courses).where(eq(courses.id, course.id))
    expect(after!.studentsCount).toBe(26)
  })
})

describe('in the moment in which', () => {
  test('the course is deleted, it is not sold', async () => {
    const { buyer, course } = await scene()
    const [answer] = await behindChange(
      app.services,
      ['delete from courses where id = $1', course.id],
      [() => buy(course, buyer)],
    )
    expect([answer!.status, answer!.body.message]).toEqual([404, 'Course not found'])
  })

  test('the coupon is switched off, nobody gets its price any more', async () => {
    const { buyer, course } = await scene()
    const { id } = await couponFor(course, 'HALF-PRICE', 50)
    const [answer] = await behindChange(
      app.services,
      ['update coupons set is_active = false where id = $1', id],
      [() => buy(course, buyer, { coupon: 'HALF-PRICE' })],
    )
    expect([answer!.status, answer!.body.code]).toEqual([422, 'INVALID_COUPON'])
  })

  test('the coupon is gone, nobody gets its price any more', async () => {
    const { buyer, course } = await scene()
    expect(await order(course, buyer, { coupon: 'NEVER-WAS' })).toEqual({
      refused: 'INVALID_COUPON',
    })
  })

  test('an account goes, nothing is given away to it any more', async () => {
    const { course } = await scene()
    await couponFor(course, 'A-PRESENT', 100)
    const gone = { id: randomUUID() }
    expect(await order(course, gone, { coupon: 'A-PRESENT' })).toEqual({ refused: 'NOT_FOUND' })
    expect(await db().$count(purchases, eq(purchases.courseId, course.id))).toBe(0)
  })

  test('an account is about to go, its checkout waits without the course', async () => {
    const { buyer, course } = await scene()
    const { pool } = app.services
    const leaving = await pool.connect()
    try {
      await leaving.query('begin')
      await leaving.query('select from users where id = $1 for update', [buyer.id])
      const answer = buy(course, buyer)
      await waitingFor(app.services, 1)
      // What goes with the account changes the course: they would wait for each other.
      await leaving.query('select from courses where id = $1 for no key update nowait', [course.id])
      await leaving.query('commit')
      expect((await answer).status).toBe(200)
    } finally {
      leaving.release(true)
    }
  })
})

test('a page that can neither be closed nor is paid is tried once more, and nothing is sold', async () => {
  const { buyer, course } = await scene()
  const other = await someone()
  await payHere(app, (await buy(course, other)).body.url)
  await settled(app)
  // As if the provider took it for paid, and never said so.
  const { id, sessionId } = await pageOf(other)
  await db().update(checkouts).set({ sessionId: null }).where(eq(checkouts.id, id))
  await buy(course, buyer)
  await db().update(checkouts).set({ sessionId }).where(eq(checkouts.userId, buyer.id))
  await change(course, { priceAmount: 3900 })
  const watched = watchStatements(app)
  const statements = await watched.during(async () => {
    expect((await buy(course, buyer)).body.code).toBe('PAYMENT_UNDER_WAY')
  })
  const decided = statements.filter(
    (text) => text.includes('"pricing_type"') && text.includes('for no key update'),
  )
  expect(decided).toHaveLength(2)
  expect(await pageOf(buyer)).toMatchObject({ status: 'open', amount: 2900 })
})
