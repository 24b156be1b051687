// What a monthly purchase becomes by what the provider says of its subscription, by payments that come late, and by none.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { joinCourse } from '../../../test/factories.ts'
import {
  makePayment,
  makePurchase,
  makeSoldCourse,
  type PurchaseRow,
  type SoldCourse,
} from '../../../test/sold-course.ts'
import type { Transaction } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { liveEvents, notifications } from '../notifications/tables.ts'
import { endOverdue } from './end-overdue.ts'
import { endPurchase } from './end-purchase.ts'
import { followPayment } from './follow-payment.ts'
import { followSubscription } from './follow-subscription.ts'
import { holdPurchase } from './hold-purchase.ts'
import { stopRenewal, stopRenewalOf } from './stop-renewal.ts'
import { purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const within = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db().transaction(work)

const monthly = (there: SoldCourse, more: Partial<PurchaseRow> = {}) =>
  makePurchase(app.services, there, { subscriptionId: `sub_${randomUUID()}`, ...more })
async function month(more?: Partial<PurchaseRow>) {
  const there = await makeSoldCourse(app.services)
  return { ...there, purchase: await monthly(there, more) }
}

const now = async ({ id }: Pick<PurchaseRow, 'id'>) =>
  (await db().select().from(purchases).where(eq(purchases.id, id)))[0]!

/** What the jobs named so that wait are told about this subscription or charge. */
async function asked(task: string, about: string) {
  const { rows } = await app.services.pool.query<{ payload: unknown }>(
    `select payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1 and payload::text like '%' || $2 || '%'`,
    [task, about],
  )
  return rows.map(({ payload }) => payload)
}
const cancels = ({ subscriptionId }: PurchaseRow) => asked('cancelSubscription', subscriptionId!)

const subscriptionOf = (facts: {
  status: Stripe.Subscription.Status
  cancel_at_period_end?: boolean
  cancel_at?: number | null
  canceled_at?: number | null
  latest_invoice?: object
  ended_at?: number | null
  period?: [Date, Date]
}) => {
  const { period, ...said } = facts
  const seconds = (moment: Date) => moment.getTime() / 1000
  const item = period && {
    current_period_start: seconds(period[0]),
    current_period_end: seconds(period[1]),
  }
  return {
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    cancellation_details: null,
    items: { data: item ? [item] : [] },
    ...said,
  } as unknown as Stripe.Subscription
}
const follow = (
  { id: purchaseId }: PurchaseRow,
  facts: Parameters<typeof subscriptionOf>[0],
  nextAttemptAt: Date | null = null,
) =>
  within((transaction) =>
    followSubscription(transaction, {
      purchaseId,
      subscription: subscriptionOf(facts),
      nextAttemptAt,
    }),
  )

const heard = async ({ id }: { id: string }) => {
  const rows = await db()
    .select({ event: liveEvents.event })
    .from(liveEvents)
    .where(eq(liveEvents.topic, `person:${id}`))
  return rows.map(({ event }) => event).filter((event) => (event as Told).type === 'purchase')
}
type Told = { type: string }

const messages = async ({ id }: { id: string }) => {
  const rows = await db()
    .select({ message: notifications.message, href: notifications.href })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(notifications.createdAt, notifications.id)
  return rows
}

const march = [new Date('2026-03-01T00:00Z'), new Date('2026-04-01T00:00Z')] as [Date, Date]
const april = [march[1], new Date('2026-05-01T00:00Z')] as [Date, Date]

describe('a subscription', () => {
  test('that goes on brings its new period, and open pages hear of it once', async () => {
    const { buyer, course, purchase } = await month({
      currentPeriodStart: march[0],
      currentPeriodEnd: march[1],
    })
    for (let time = 0; time < 2; time += 1)
      await follow(purchase, { status: 'active', period: april })
    expect(await now(purchase)).toMatchObject({
      status: 'active',
      currentPeriodStart: april[0],
      currentPeriodEnd: april[1],
      cancelAtPeriodEnd: false,
      pastDueSince: null,
    })
    expect(await heard(buyer)).toEqual([{ type: 'purchase', courseId: course.id }])
  })

  test('that says nothing of its period keeps the one that we know', async () => {
    const known = { currentPeriodStart: march[0], currentPeriodEnd: march[1] }
    const { purchase } = await month(known)
    await follow(purchase, { status: 'active', cancel_at_period_end: true })
    expect(await now(purchase)).toMatchObject({ ...known, cancelAtPeriodEnd: true })
  })

  test.each([
    ['at the end of the period', { cancel_at_period_end: true }],
    ['at a moment', { cancel_at: 1_800_000_000 }],
  ])('that will end %s is canceled', async (_when, facts) => {
    const { purchase } = await month()
    await follow(purchase, { status: 'active', ...facts })
    expect(await now(purchase)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
    await follow(purchase, { status: 'active' })
    expect(await now(purchase)).toMatchObject({ cancelAtPeriodEnd: false })
  })

  test.each([
    ['at the end of the period', { cancel_at_period_end: true }],
    ['at a moment', { cancel_at: Date.UTC(2026, 3, 20) / 1000 }],
  ])('whose month is not paid and that will end %s ends at once, as told', async (_when, facts) => {
    const { buyer, purchase } = await month({ currentPeriodStart: march[0] })
    const canceled = { status: 'past_due', period: april, ...facts } as const
    for (let time = 0; time < 2; time += 1) await follow(purchase, canceled)
    expect(await now(purchase)).toMatchObject({
      status: 'ended',
      endedReason: 'canceled',
      endedAt: expect.any(Date),
      cancelAtPeriodEnd: false,
      pastDueSince: null,
      currentPeriodStart: april[0],
      currentPeriodEnd: april[1],
    })
    const { subscriptionId } = purchase
    expect(await cancels(purchase)).toEqual([{ subscriptionId, when: 'now' }])
    expect((await messages(buyer)).map(({ message }) => message)).toEqual([
      expect.stringContaining('The period that you paid for “Knots” is over'),
    ])
  })

  test('that will end some months later renews until then, and is said to', async () => {
    const { purchase } = await month({ currentPeriodStart: march[0], currentPeriodEnd: march[1] })
    const cancelAt = Date.UTC(2026, 5, 1) / 1000
    const draft = { status: 'draft', billing_reason: 'subscription_cycle', attempted: false }
    await follow(purchase, {
      status: 'active',
      period: april,
      cancel_at: cancelAt,
      latest_invoice: draft,
    })
    expect(await now(purchase)).toMatchObject({
      status: 'active',
      currentPeriodEnd: april[1],
      cancelAtPeriodEnd: false,
    })
    expect(await cancels(purchase)).toEqual([])
    const last = [april[1], new Date('2026-06-01T00:00Z')] as [Date, Date]
    await follow(purchase, {
      status: 'active',
      period: last,
      cancel_at: cancelAt,
      canceled_at: march[0].getTime() / 1000,
      latest_invoice: draft,
    })
    expect(await now(purchase)).toMatchObject({
      status: 'active',
      currentPeriodEnd: last[1],
      cancelAtPeriodEnd: true,
    })
    expect(await cancels(purchase)).toEqual([])
  })

  test('of which nothing was paid yet changes nothing', async () => {
    const { purchase } = await month()
    await follow(purchase, { status: 'incomplete', period: april, cancel_at_period_end: true })
    expect(await now(purchase)).toEqual(purchase)
  })

  test('of what has ended here changes nothing any more', async () => {
    const { purchase } = await month({ status: 'ended', endedReason: 'removed' })
    await follow(purchase, { status: 'active', period: april })
    expect(await now(purchase)).toEqual(purchase)
  })

  test('of a course that is gone is followed, and no page hears of the course', async () => {
    const { buyer, course, purchase } = await month()
    await db().delete(courses).where(eq(courses.id, course.id))
    await follow(purchase, { status: 'active', period: april })
    expect(await now(purchase)).toMatchObject({ courseId: null, currentPeriodEnd: april[1] })
    expect(await heard(buyer)).toEqual([])
  })

  test('whose payment fails is missing it since the period began, but not before now', async () => {
    const { buyer, purchase } = await month()
    const start = Date.now()
    const day = 24 * 60 * 60 * 1000
    const lastWeek = new Date(start - 7 * day)
    await follow(purchase, { status: 'past_due', period: [lastWeek, april[1]] })
    const { pastDueSince } = await now(purchase)
    expect(pastDueSince!.getTime()).toBeGreaterThanOrEqual(start)
    // It is the same payment that is missing when it fails again.
    await follow(purchase, { status: 'past_due', period: [lastWeek, april[1]] }, new Date())
    expect((await now(purchase)).pastDueSince).toEqual(pastDueSince)
    const early = await month()
    const ahead = new Date('2100-01-01T00:00Z')
    await follow(early.purchase, { status: 'past_due', period: [ahead, april[1]] }, march[0])
    expect((await now(early.purchase)).pastDueSince).toEqual(ahead)
    const words = (next: string, until: string) => ({
      message: `The monthly payment for “Knots” failed. ${next} Please check your card: your access stays until ${until} at the latest, and ends when the payment fails for good.`,
      href: '/billing#purchases',
    })
    expect(await messages(early.buyer)).toEqual([
      words('It is tried again on March 1, 2026.', 'January 22, 2100'),
    ])
    const { rows } = await app.services.pool.query(
      `select key from rate_limits where key like '%:' || $1 || ' ' || '%'`,
      [early.buyer.id],
    )
    // By the name of the person it goes with the account.
    const { id } = early.purchase
    expect(rows).toEqual([
      { key: `payment-failed:${early.buyer.id} ${id} ${march[0].toISOString()}` },
    ])
    expect((await messages(buyer))[0]!.message).toContain(
      'failed. It is not tried again by itself. Please',
    )
  })

  test('whose last try fails is told of, and of the next month again; of one missing month once', async () => {
    const { buyer, purchase } = await month()
    const missing = { status: 'past_due', period: april } as const
    await follow(purchase, missing)
    await follow(purchase, missing)
    expect(await messages(buyer)).toHaveLength(1)
    await follow(purchase, { status: 'active', period: april })
    await follow(purchase, {
      status: 'past_due',
      period: [april[1], new Date('2026-06-01T00:00Z')],
    })
    expect(await messages(buyer)).toHaveLength(2)
  })

  test('that ended there need not be canceled; one that was given up there must be', async () => {
    const facts = { ended_at: null, period: april }
    const over = await month({ cancelAtPeriodEnd: true })
    await follow(over.purchase, { ...facts, status: 'canceled' })
    expect(await cancels(over.purchase)).toEqual([])
    expect(await now(over.purchase)).toMatchObject({
      status: 'ended',
      endedAt: expect.any(Date),
      cancelAtPeriodEnd: false,
      currentPeriodStart: april[0],
      currentPeriodEnd: april[1],
    })
    const unpaid = await month({ status: 'past_due', pastDueSince: march[0] })
    await follow(unpaid.purchase, { ...facts, status: 'unpaid' })
    const { subscriptionId } = unpaid.purchase
    expect(await cancels(unpaid.purchase)).toEqual([{ subscriptionId, when: 'now' }])
    expect(await now(unpaid.purchase)).toMatchObject({
      status: 'ended',
      endedReason: 'payment_failed',
      pastDueSince: null,
    })
  })
})

describe('a payment', () => {
  /** Of a month that we hear of only now, for a purchase that was as it says and has ended. */
  async function late(
    before: Partial<PurchaseRow>,
    facts: { refundedInFull?: boolean; hasSubscription?: boolean } = {},
  ) {
    const { refundedInFull = false, hasSubscription = true } = facts
    const there = await makeSoldCourse(app.services)
    const ended = { status: 'ended', endedReason: 'canceled' } as const
    const purchase = hasSubscription
      ? await monthly(there, ended)
      : await makePurchase(app.services, there, ended)
    const { id: paymentId, chargeId } = await makePayment(app.services, purchase)
    const recorded = {
      paymentId,
      isNew: true,
      gross: 2900,
      newlyRefunded: 0,
      cameBack: 0,
      refundedInFull,
      dispute: null,
      disputeChanged: false,
      isChanged: true,
    }
    await within((transaction) =>
      followPayment(transaction, { purchase: { ...purchase, ...before }, recorded }),
    )
    return { chargeId, backs: await asked('refundCharge', chargeId) }
  }

  test('for what had ended is paid back, whichever period that was', async () => {
    const { chargeId, backs } = await late({})
    expect(backs).toEqual([{ chargeId, key: `refund ${chargeId}` }])
  })

  test('that we hear of together with the end is kept: it came before', async () => {
    expect((await late({ status: 'active' })).backs).toEqual([])
  })

  test('that is paid back in full already is not paid back again', async () => {
    expect((await late({}, { refundedInFull: true })).backs).toEqual([])
  })

  test('that was the only one is not taken for another month', async () => {
    expect((await late({}, { hasSubscription: false })).backs).toEqual([])
  })
})

describe('the end', () => {
  test('of what was paid once asks nothing of the provider', async () => {
    const there = await makeSoldCourse(app.services)
    const { id: purchaseId } = await makePurchase(app.services, there)
    const before = await asked('cancelSubscription', '')
    await within((transaction) => endPurchase(transaction, { purchaseId, reason: 'removed' }))
    expect(await asked('cancelSubscription', '')).toEqual(before)
    expect((await now({ id: purchaseId })).endedAt).toEqual(expect.any(Date))
  })

  test('comes 21 days after the payment that is missing, to the moment', async () => {
    const { purchase } = await month({ status: 'past_due', pastDueSince: march[0] })
    const end = Date.UTC(2026, 2, 22)
    await endOverdue(app.services, new Date(end - 1))
    expect(await now(purchase)).toMatchObject({ status: 'past_due' })
    await endOverdue(app.services, new Date(end))
    expect(await now(purchase)).toMatchObject({ status: 'ended', endedReason: 'payment_failed' })
  })

  test('does not come to who pays in that very moment', async () => {
    const { purchase } = await month({ status: 'past_due', pastDueSince: march[0] })
    await behindChange(
      app.services,
      [`update purchases set status = 'active', past_due_since = null where id = $1`, purchase.id],
      [() => endOverdue(app.services)],
    )
    expect(await now(purchase)).toMatchObject({ status: 'active', endedAt: null })
  })

  test('of a month that is missing comes at once when it is canceled, as told', async () => {
    const { buyer, course, purchase } = await month({ status: 'past_due', pastDueSince: march[0] })
    const which = { userId: buyer.id, courseId: course.id }
    await within((transaction) => stopRenewalOf(transaction, which))
    expect(await now(purchase)).toMatchObject({ status: 'ended', endedReason: 'canceled' })
    // What has ended, and what was paid once, is not ended a second time.
    const before = await now(purchase)
    const once = await makePurchase(app.services, await makeSoldCourse(app.services))
    for (const { id } of [purchase, once]) {
      await within(async (transaction) =>
        stopRenewal(transaction, await holdPurchase(transaction, id)),
      )
    }
    expect(await now(purchase)).toEqual(before)
    expect(await now(once)).toEqual(once)
  })

  test('of nothing: who leaves a free course has nothing to cancel', async () => {
    const { buyer, course } = await makeSoldCourse(app.services)
    await joinCourse(app.services, buyer, course)
    const which = { userId: buyer.id, courseId: course.id }
    await within((transaction) => stopRenewalOf(transaction, which))
    expect(await db().$count(enrollments, eq(enrollments.userId, buyer.id))).toBe(1)
  })
})

test('while a purchase is held, its people, its course and it itself stay as they are', async () => {
  const { buyer, creator, course, purchase } = await month()
  const { pool } = app.services
  const changeNow = (table: string, id: string, strength: string) =>
    pool.query(`select from ${table} where id = $1 for ${strength} nowait`, [id])
  await within(async (transaction) => {
    await holdPurchase(transaction, purchase.id)
    for (const { id } of [buyer, creator]) {
      await expect(changeNow('users', id, 'update')).rejects.toThrow('could not obtain lock')
      // Only their end waits: whatever else they do goes on.
      await changeNow('users', id, 'no key update')
    }
    for (const [table, id] of [
      ['courses', course.id],
      ['purchases', purchase.id],
    ] as const) {
      await expect(changeNow(table, id, 'no key update')).rejects.toThrow('could not obtain lock')
    }
  })
})

test('what nobody owns any more, or of a course that is gone, can still be held and canceled', async () => {
  const { purchase } = await month({ status: 'ended' })
  await db().update(purchases).set({ userId: null }).where(eq(purchases.id, purchase.id))
  await db().delete(courses).where(eq(courses.id, purchase.courseId!))
  const held = await within((transaction) => holdPurchase(transaction, purchase.id))
  expect(held).toMatchObject({ purchase: { userId: null }, course: null })
  const { buyer, course, purchase: running } = await month()
  await db().delete(courses).where(eq(courses.id, course.id))
  await within(async (transaction) =>
    stopRenewal(transaction, await holdPurchase(transaction, running.id)),
  )
  expect(await now(running)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
  expect(await heard(buyer)).toEqual([])
})
