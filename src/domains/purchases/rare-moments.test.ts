// What only happens when the world changed between a payment and its news, each made by hand: accounts, courses and uses
// of coupons that are gone by then, ends that the provider names, creators who leave.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import {
  makePayment,
  makePurchase,
  makeSoldCourse,
  type PurchaseRow,
  type SoldCourse,
} from '../../../test/sold-course.ts'
import { watchStatements } from '../../../test/statements.ts'
import { toldDatabase } from '../../../test/told-database.ts'
import type { Transaction } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'
import { enrollments } from '../enrollment/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { couponRedemptions } from '../payments/tables.ts'
import { webhookEndpoints, webhookMessages } from '../webhooks/tables.ts'
import { courseAccess } from '../courses/access.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { courses } from '../courses/tables.ts'
import { startCourseCheckout } from './course-checkout.ts'
import { endPurchase } from './end-purchase.ts'
import { findCoupon } from './find-coupon.ts'
import { followPayment } from './follow-payment.ts'
import { followSubscription } from './follow-subscription.ts'
import { type Grant, grantPurchase } from './grant-purchase.ts'
import { redeemCoupon } from './hold-coupon.ts'
import { purchasesOf, titlesBySubscription } from './list-purchases.ts'
import { buyersOf, endGivenAway, stopSelling } from './sold-courses.ts'
import { coupons, purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app.stop())

const db = () => app.services.db
const within = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db().transaction(work)

const scene = () => makeSoldCourse(app.services)
const bought = (there: SoldCourse, more?: Partial<PurchaseRow>) =>
  makePurchase(app.services, there, more)

const now = async ({ id }: Pick<PurchaseRow, 'id'>) =>
  (await db().select().from(purchases).where(eq(purchases.id, id)))[0]!

const jobsNamed = async (task: string, about: string) => {
  const { rows } = await app.services.pool.query<{ payload: unknown }>(
    `select payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1 and payload::text like '%' || $2 || '%'`,
    [task, about],
  )
  return rows.map(({ payload }) => payload)
}

describe('what was paid for is granted', () => {
  const grantOf = ({ buyer, course }: SoldCourse, more: Partial<Grant> = {}): Grant => ({
    checkoutId: null,
    userId: buyer.id,
    courseId: course.id,
    pricingType: 'one_time',
    amount: 0,
    currency: 'usd',
    couponId: null,
    invitationId: null,
    subscription: null,
    ...more,
  })
  const grant = (of: Grant) => within((transaction) => grantPurchase(transaction, of))

  test('unless the account or the course is gone', async () => {
    const there = await scene()
    const gone = { refused: 'gone' }
    expect(await grant(grantOf(there, { userId: null }))).toEqual(gone)
    expect(await grant(grantOf(there, { courseId: null }))).toEqual(gone)
    expect(await grant(grantOf(there, { courseId: randomUUID() }))).toEqual(gone)
    expect(await db().$count(purchases, eq(purchases.courseId, there.course.id))).toBe(0)
  })

  test('once, and never to the creator', async () => {
    const there = await scene()
    expect(await grant(grantOf(there))).toMatchObject({ isNew: true })
    const twice = { refused: 'bought already' }
    expect(await grant(grantOf(there))).toEqual(twice)
    expect(await grant(grantOf(there, { userId: there.creator.id }))).toEqual(twice)
    expect(await db().$count(enrollments, eq(enrollments.userId, there.buyer.id))).toBe(1)
  })

  test('with the use of a coupon that was given up meanwhile, while there are uses left', async () => {
    const there = await scene()
    const [coupon] = await db()
      .insert(coupons)
      .values({ courseId: there.course.id, code: 'ONLYONE', percentOff: 50, maxRedemptions: 1 })
      .returning()
    const used = async () =>
      (await db().select().from(coupons).where(eq(coupons.id, coupon!.id)))[0]!.redemptionsCount
    const redeem = async (buyer: { id: string }) => {
      const { id: purchaseId } = await bought({ ...there, buyer: { ...there.buyer, ...buyer } })
      const use = { couponId: coupon!.id, userId: buyer.id, checkoutId: null, purchaseId }
      await within((transaction) => redeemCoupon(transaction, use))
      return db().$count(couponRedemptions, eq(couponRedemptions.purchaseId, purchaseId))
    }
    expect([await redeem(there.buyer), await used()]).toEqual([1, 1])
    // Its price holds, but nobody's use is taken.
    expect([await redeem(await makePerson(app.services)), await used()]).toEqual([0, 1])
  })
})

test('a code that PostgreSQL cannot compare is none', async () => {
  const { course } = await scene()
  const code = 'ROPES-FIVE'
  await db().insert(coupons).values({ courseId: course.id, code, percentOff: 50 })
  const find = (typed: string) =>
    findCoupon(db(), { courseId: course.id, userId: randomUUID(), code: typed })
  expect(await find(code)).not.toBeNull()
  expect(await find(`\0${code}`)).toBeNull()
  expect(await find(`${code}\0`)).toBeNull()
})

test('a course is not sold for somebody who does not teach it any more', async () => {
  const { buyer, creator, course } = await scene()
  const viewer = { id: buyer.id, email: buyer.email, name: buyer.name, role: 'user' } as Viewer
  const seen = (await courseAccess(db(), viewer, { slug: course.slug }))!
  expect(seen.instructorId).toBe(creator.id)
  const addresses = { successUrl: `${app.url}/a`, cancelUrl: `${app.url}/b` }
  const order = { viewer, course: { ...seen, instructorId: randomUUID() }, ...addresses }
  expect(await startCourseCheckout(app.services, order)).toEqual({ refused: 'NOT_FOUND' })
})

test('what became of a payment for a course that never was', async () => {
  const cookie = await sessionCookieOf(app.services, (await makePerson(app.services)).id)
  const { status, body } = await app.request('/rest/v1/courses/no-such-course/checkout', { cookie })
  expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
})

describe('the provider ends a subscription', () => {
  const subscriptionOf = (reason: string | null, status: Stripe.Subscription.Status) =>
    ({
      status,
      cancel_at_period_end: false,
      cancel_at: null,
      ended_at: 1_700_000_000,
      cancellation_details: reason && { reason },
      items: { data: [] },
    }) as unknown as Stripe.Subscription

  test.each([
    ['whoever canceled', 'active', 'cancellation_requested', 'canceled'],
    ['nobody says why', 'active', null, 'canceled'],
    ['a payment that failed', 'active', 'payment_failed', 'payment_failed'],
    ['a payment that is missing', 'past_due', 'cancellation_requested', 'payment_failed'],
  ] as const)('because of %s', async (_why, status, reason, endedReason) => {
    const there = await scene()
    const purchase = await bought(there, { status, subscriptionId: `sub_${randomUUID()}` })
    const subscription = subscriptionOf(reason, 'canceled')
    const followed = { purchaseId: purchase.id, subscription, nextAttemptAt: null }
    await within((transaction) => followSubscription(transaction, followed))
    expect(await now(purchase)).toMatchObject({
      status: 'ended',
      endedReason,
      endedAt: new Date(1_700_000_000_000),
    })
  })

  test('of two purchases that fail at the same try, each is told', async () => {
    const there = await scene()
    const others = await scene()
    for (const { course, creator } of [there, others]) {
      const subscriptionId = `sub_${randomUUID()}`
      const purchase = await bought({ ...there, course, creator }, { subscriptionId })
      const subscription = subscriptionOf(null, 'past_due')
      const followed = { purchaseId: purchase.id, subscription, nextAttemptAt: null }
      for (let time = 0; time < 2; time += 1) {
        await within((transaction) => followSubscription(transaction, followed))
      }
    }
    const rows = await db()
      .select({ title: notifications.title })
      .from(notifications)
      .where(eq(notifications.userId, there.buyer.id))
    expect(rows.map(({ title }) => title)).toEqual(['Your Payment Failed', 'Your Payment Failed'])
  })
})

describe('a purchase ends', () => {
  test('and the creator’s server hears of a subscription, not of what was paid once', async () => {
    const there = await scene()
    await db()
      .insert(webhookEndpoints)
      .values({
        userId: there.creator.id,
        url: 'https://example.com/hook',
        sealedSecret: 'never opened here',
        events: ['subscription.ended'],
      })
    const monthly = await bought(there, { subscriptionId: `sub_${randomUUID()}` })
    const once = await bought({ ...there, buyer: await makePerson(app.services) })
    for (const { id: purchaseId } of [monthly, once]) {
      await within((transaction) => endPurchase(transaction, { purchaseId, reason: 'removed' }))
    }
    const kept = await db().select().from(webhookMessages)
    expect(kept).toMatchObject([
      {
        type: 'subscription.ended',
        data: { subscription: { id: monthly.id, reason: 'removed' } },
      },
    ])
  })

  test('and a month that was charged after it is paid back; what came before is not', async () => {
    const there = await scene()
    const periodStart = new Date('2026-03-01T00:00Z')
    const purchase = await bought(there, {
      status: 'ended',
      endedReason: 'canceled',
      subscriptionId: `sub_${randomUUID()}`,
      currentPeriodStart: periodStart,
    })
    const pay = async (paidAt: Date, isNew = true) => {
      const { id: paymentId, chargeId } = await makePayment(app.services, purchase, { paidAt })
      const recorded = {
        paymentId,
        isNew,
        gross: 2900,
        newlyRefunded: 0,
        cameBack: 0,
        refundedInFull: false,
        dispute: null,
        disputeChanged: false,
        isChanged: isNew,
      }
      await within((transaction) => followPayment(transaction, { purchase, recorded }))
      const key = `refund ${chargeId}`
      return { asked: await jobsNamed('refundCharge', chargeId), expected: [{ chargeId, key }] }
    }
    const after = await pay(new Date('2026-03-01T00:00Z'))
    expect(after.asked).toEqual(after.expected)
    expect((await pay(new Date('2026-02-28T23:59Z'))).asked).toEqual([])
    expect((await pay(new Date('2026-03-02T00:00Z'), false)).asked).toEqual([])
  })
})

describe('courses that go', () => {
  test('take with them what was given away, and count who paid', async () => {
    const there = await scene()
    const given = await bought(there, { amount: 0 })
    expect(await within((on) => buyersOf(on, [there.course.id]))).toEqual(new Map())
    const paid = await bought({ ...there, buyer: await makePerson(app.services) })
    expect(await within((on) => buyersOf(on, [there.course.id]))).toEqual(
      new Map([[there.course.id, 1]]),
    )
    await within((on) => endPurchase(on, { purchaseId: paid.id, reason: 'refunded' }))
    await within((on) => endGivenAway(on, [there.course.id]))
    expect(await now(given)).toMatchObject({
      status: 'ended',
      endedReason: 'course_deleted',
      endedAt: expect.any(Date),
    })
    expect(await now(paid)).toMatchObject({ endedReason: 'refunded' })
  })

  test('stay with who paid: a month that is missing ends now, others with their period', async () => {
    const there = await scene()
    const somebody = async () => ({ ...there, buyer: await makePerson(app.services) })
    const missing = await bought(there, {
      status: 'past_due',
      subscriptionId: `sub_${randomUUID()}`,
    })
    const running = await bought(await somebody(), { subscriptionId: `sub_${randomUUID()}` })
    const over = await bought(await somebody(), {
      subscriptionId: `sub_${randomUUID()}`,
      cancelAtPeriodEnd: true,
    })
    await within((on) => stopSelling(on, [there.course.id]))
    const asked = async ({ subscriptionId }: PurchaseRow) =>
      jobsNamed('cancelSubscription', subscriptionId!)
    expect(await asked(missing)).toMatchObject([
      { subscriptionId: missing.subscriptionId, when: 'now' },
    ])
    expect(await asked(running)).toMatchObject([
      { subscriptionId: running.subscriptionId, when: 'period end' },
    ])
    expect(await asked(over)).toEqual([])
    expect(await now(running)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
    expect(await now(missing)).toMatchObject({ status: 'past_due', cancelAtPeriodEnd: false })
  })

  test('and it takes no longer with many who pay monthly; other work passes what is asked for them', async () => {
    const [few, many] = [await scene(), await scene()]
    const sell = async (there: SoldCourse, status: 'active' | 'past_due') => {
      const buyer = await makePerson(app.services)
      const subscriptionId = `sub_${randomUUID()}`
      return bought({ ...there, buyer }, { status, subscriptionId })
    }
    for (const status of ['active', 'past_due'] as const) {
      await sell(few, status)
      for (let each = 0; each < 5; each += 1) await sell(many, status)
    }
    const statements = watchStatements(app)
    const left = ({ course }: SoldCourse) =>
      statements.during(() => within((on) => stopSelling(on, [course.id])))
    expect((await left(many)).length).toBe((await left(few)).length)
    const { rows } = await app.services.pool.query(
      `select p.status, count(*)::int as asked, min(j.priority) as priority,
              count(*) filter (where j.key = 'cancel ' || p.subscription_id ||
                case p.status when 'active' then ' period end' else ' now' end)::int as "byTheirKeys",
              (select count(*)::int from notifications n join purchases b on b.user_id = n.user_id
                where b.course_id = $1 and b.status = p.status and n.kind = 'no_further_payments') as told
         from purchases p join graphile_worker._private_jobs j
           on j.payload ->> 'subscriptionId' = p.subscription_id
        where p.course_id = $1 group by p.status order by p.status`,
      [many.course.id],
    )
    expect(rows).toEqual([
      { status: 'active', asked: 5, priority: 10, byTheirKeys: 5, told: 5 },
      { status: 'past_due', asked: 5, priority: 10, byTheirKeys: 5, told: 5 },
    ])
  })
})

test('what somebody bought, newest first, with receipts, and what a subscription is for', async () => {
  const there = await scene()
  const subscriptionId = `sub_${randomUUID()}`
  const purchase = await bought(there, { subscriptionId })
  const paidAt = new Date('2026-03-01T00:00Z')
  await makePayment(app.services, purchase, { paidAt })
  expect(await purchasesOf(app.services.pool, there.buyer.id)).toMatchObject([
    { id: purchase.id, title: 'Knots', isMember: false, receipts: [{ amount: 2900, paidAt }] },
  ])
  const titles = (ids: string[]) => titlesBySubscription(db(), there.buyer.id, ids)
  expect(await titles([])).toEqual(new Map())
  expect(await titles([subscriptionId, 'sub_of_others'])).toEqual(
    new Map([[subscriptionId, 'Knots']]),
  )
  expect(await titlesBySubscription(db(), there.creator.id, [subscriptionId])).toEqual(new Map())
})

test('what is paid monthly still comes first, however much was bought since', async () => {
  const there = await scene()
  const on = (day: number) => new Date(Date.UTC(2026, 0, day))
  const somethingElse = { courseId: null, courseTitle: 'Bends' }
  const monthly = (day: number, more?: Partial<PurchaseRow>) =>
    bought(there, {
      ...somethingElse,
      pricingType: 'monthly',
      subscriptionId: `sub_${randomUUID()}`,
      createdAt: on(day),
      ...more,
    })
  await monthly(1, { status: 'ended', endedReason: 'canceled' })
  const canceled = await monthly(2, { cancelAtPeriodEnd: true })
  const unpaid = await monthly(3, { status: 'past_due' })
  const others: string[] = []
  for (let day = 4; day < 54; day += 1) {
    const { id } = await bought(there, { ...somethingElse, createdAt: on(day) })
    others.unshift(id)
  }
  const seen = async () =>
    (await purchasesOf(app.services.pool, there.buyer.id)).map(({ id }) => id)
  expect(await seen()).toEqual([unpaid.id, canceled.id, ...others])
  const newest = await monthly(60)
  expect(await seen()).toEqual([newest.id, unpaid.id, canceled.id, ...others.slice(0, 49)])
})

test('receipts are one’s own, the newest twelve; what has ended leads nowhere but to a public course', async () => {
  const there = await scene()
  const ended = { status: 'ended', endedReason: 'refunded' } as const
  const older = await bought(there, { ...ended, createdAt: new Date('2026-01-01T00:00Z') })
  const newer = await bought(there)
  await joinCourse(app.services, there.buyer, there.course)
  for (let day = 1; day <= 13; day += 1) {
    await makePayment(app.services, newer, { paidAt: new Date(Date.UTC(2026, 1, day)) })
  }
  await makePayment(app.services, newer, { payerId: there.creator.id })
  const seen = () => purchasesOf(app.services.pool, there.buyer.id)
  const [first, second] = await seen()
  expect([first!.id, second!.id]).toEqual([newer.id, older.id])
  expect([first!.isMember, first!.slug, second!.slug]).toEqual([
    true,
    there.course.slug,
    there.course.slug,
  ])
  expect(first!.receipts.map(({ paidAt }) => paidAt.getUTCDate())).toEqual([
    13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
  ])
  expect([first!.hasMoreReceipts, second!.hasMoreReceipts]).toEqual([true, false])
  await db().update(courses).set({ status: 'draft' }).where(eq(courses.id, there.course.id))
  expect((await seen()).map(({ slug }) => slug)).toEqual([there.course.slug, null])
  const asking = toldDatabase(() => [])
  await purchasesOf(asking.pool, there.buyer.id)
  expect(asking.asked).toMatchObject([
    { name: 'purchases', values: [there.buyer.id, departedUserId] },
  ])
})
