// What was paid for is granted once, whatever happened to the course, its people and the coupon meanwhile.
import { randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import {
  makePayment,
  makePurchase,
  makeSoldCourse,
  type SoldCourse,
} from '../../../test/sold-course.ts'
import type { Transaction } from '../../server/db.ts'
import { addDepartedUser, departedUserId } from '../accounts/departed-user.ts'
import { courseApplications } from '../applications/tables.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { courseInvitations } from '../invitations/tables.ts'
import { checkouts, couponRedemptions } from '../payments/tables.ts'
import { type Grant, grantPurchase } from './grant-purchase.ts'
import { holdCoupon } from './hold-coupon.ts'
import { coupons, purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const within = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db().transaction(work)
const scene = () => makeSoldCourse(app.services)

const grantOf = ({ buyer, course }: SoldCourse, more: Partial<Grant> = {}): Grant => ({
  checkoutId: null,
  userId: buyer.id,
  courseId: course.id,
  pricingType: 'one_time',
  amount: 2900,
  currency: 'usd',
  couponId: null,
  invitationId: null,
  subscription: null,
  ...more,
})
const grant = (of: Grant) => within((transaction) => grantPurchase(transaction, of))
const gone = { refused: 'gone' }

const monthOf = (more: Partial<Grant['subscription'] & object> = {}) => ({
  id: `sub_${randomUUID()}`,
  periodStart: new Date('2026-03-01T00:00Z'),
  periodEnd: new Date('2026-04-01T00:00Z'),
  cancelAtPeriodEnd: false,
  ...more,
})

/** A payment page that this person was sent to. */
async function pageOf({ buyer, course }: SoldCourse, couponId?: string) {
  const [made] = await db()
    .insert(checkouts)
    .values({
      userId: buyer.id,
      kind: 'course',
      courseId: course.id,
      pricingType: 'one_time',
      amount: 2900,
      currency: 'usd',
      couponId,
      successUrl: '/',
      cancelUrl: '/',
      expiresAt: new Date(Date.now() + 60_000),
    })
    .returning({ id: checkouts.id })
  return made!.id
}

describe('what was paid for is not granted', () => {
  test('to an account that is gone by now, nor by a creator who has left', async () => {
    const there = await scene()
    expect(await grant(grantOf(there, { userId: randomUUID() }))).toEqual(gone)
    await within(addDepartedUser)
    const left = { instructorId: departedUserId }
    await db().update(courses).set(left).where(eq(courses.id, there.course.id))
    expect(await grant(grantOf(there))).toEqual(gone)
    expect(await db().$count(purchases, eq(purchases.courseId, there.course.id))).toBe(0)
  })

  test('when the course is deleted in this very moment', async () => {
    const there = await scene()
    const [answer] = await behindChange(
      app.services,
      ['delete from courses where id = $1', there.course.id],
      [() => grant(grantOf(there))],
    )
    expect(answer).toEqual(gone)
  })
})

describe('what was granted before is known', () => {
  test('by its subscription, also when the course and the account are gone', async () => {
    const there = await scene()
    const subscription = monthOf({ cancelAtPeriodEnd: true })
    const first = await grant(grantOf(there, { subscription, pricingType: 'monthly' }))
    expect(first).toMatchObject({ isNew: true })
    await db().delete(courses).where(eq(courses.id, there.course.id))
    const again = await grant(grantOf(there, { subscription, courseId: null, userId: null }))
    expect(again).toEqual({ ...first, isNew: false })
    const [row] = await db()
      .select()
      .from(purchases)
      .where(eq(purchases.subscriptionId, subscription.id))
    expect(row).toMatchObject({
      currentPeriodStart: subscription.periodStart,
      currentPeriodEnd: subscription.periodEnd,
      cancelAtPeriodEnd: true,
    })
  })

  test('by the payment page on which it was paid', async () => {
    const there = await scene()
    const checkoutId = await pageOf(there)
    const purchase = await makePurchase(app.services, there)
    await makePayment(app.services, purchase, { checkoutId })
    expect(await grant(grantOf(there, { checkoutId }))).toEqual({
      purchaseId: purchase.id,
      creatorAccountId: purchase.creatorAccountId,
      isNew: false,
    })
    expect(purchase.cancelAtPeriodEnd).toBe(false)
  })

  test('to the second of two messages that come at once', async () => {
    const there = await scene()
    const of = grantOf(there, { subscription: monthOf(), pricingType: 'monthly' })
    const answers = await behindChange(
      app.services,
      ['update courses set title = title where id = $1', there.course.id],
      [() => grant(of), () => grant(of)],
    )
    const [row] = await db().select().from(purchases).where(eq(purchases.courseId, there.course.id))
    const { id: purchaseId, creatorAccountId } = row!
    for (const isNew of [true, false]) {
      expect(answers).toContainEqual({ purchaseId, creatorAccountId, isNew })
    }
  })
})

describe('a use of a coupon', () => {
  async function withCoupon() {
    const there = await scene()
    const [coupon] = await db()
      .insert(coupons)
      .values({ courseId: there.course.id, code: 'HALF-PRICE', percentOff: 50 })
      .returning({ id: coupons.id })
    const couponId = coupon!.id
    const uses = async () => {
      const [row] = await db().select().from(coupons).where(eq(coupons.id, couponId))
      const all = await db()
        .select({
          checkoutId: couponRedemptions.checkoutId,
          purchaseId: couponRedemptions.purchaseId,
        })
        .from(couponRedemptions)
        .where(eq(couponRedemptions.couponId, couponId))
      return [row!.redemptionsCount, all]
    }
    return { ...there, couponId, uses }
  }

  test('that the payment page holds becomes the purchase’s, and is not counted again', async () => {
    const there = await withCoupon()
    const { couponId, buyer, uses } = there
    const checkoutId = await pageOf(there, couponId)
    await within((transaction) =>
      holdCoupon(transaction, { couponId, userId: buyer.id, checkoutId }),
    )
    const granted = await grant(grantOf(there, { couponId, checkoutId }))
    const { purchaseId } = granted as { purchaseId: string }
    expect(await uses()).toEqual([1, [{ checkoutId, purchaseId }]])
    // Known by it, too.
    expect(await grant(grantOf(there, { couponId, checkoutId }))).toEqual({
      ...granted,
      isNew: false,
    })
  })

  test('is left alone while somebody closes the page that holds it: both take the coupon first', async () => {
    const there = await withCoupon()
    const { couponId, buyer, uses } = there
    const checkoutId = await pageOf(there, couponId)
    await within((transaction) =>
      holdCoupon(transaction, { couponId, userId: buyer.id, checkoutId }),
    )
    const [granted] = await behindChange(
      app.services,
      ['select from coupons where id = $1 for no key update', couponId],
      [() => grant(grantOf(there, { couponId, checkoutId }))],
    )
    const { purchaseId } = granted as { purchaseId: string }
    expect(await uses()).toEqual([1, [{ checkoutId, purchaseId }]])
  })

  test('that was given up before the page was paid after all is taken again', async () => {
    const there = await withCoupon()
    const { couponId } = there
    const checkoutId = await pageOf(there, couponId)
    const granted = await grant(grantOf(there, { couponId, checkoutId }))
    const { purchaseId } = granted as { purchaseId: string }
    expect(await there.uses()).toEqual([1, [{ checkoutId, purchaseId }]])
  })
})

/** To the course; its buyer has applied by it. */
async function invitationOf({ buyer, course }: SoldCourse) {
  const [invitation] = await db()
    .insert(courseInvitations)
    .values({ courseId: course.id, code: randomBytes(11).toString('hex') })
    .returning({ id: courseInvitations.id })
  const invitationId = invitation!.id
  const asked = { courseId: course.id, userId: buyer.id, status: 'approved', invitationId } as const
  await db().insert(courseApplications).values(asked)
  const kept = async () => {
    const [application] = await db()
      .select({ invitationId: courseApplications.invitationId })
      .from(courseApplications)
      .where(eq(courseApplications.userId, buyer.id))
    return application!.invitationId
  }
  return { invitationId, kept }
}

test('whoever came by an invitation and paid is counted as one who came by it', async () => {
  const there = await scene()
  const { invitationId, kept } = await invitationOf(there)
  await grant(grantOf(there, { invitationId }))
  expect(await kept()).toBeNull()
  const [after] = await db()
    .select()
    .from(courseInvitations)
    .where(eq(courseInvitations.id, invitationId))
  expect(after!.usesCount).toBe(1)
  const [joined] = await db()
    .select({ invitationId: enrollments.invitationId })
    .from(enrollments)
    .where(eq(enrollments.userId, there.buyer.id))
  expect(joined).toEqual({ invitationId })
})

test('whoever paid without an invitation may still come by the one of the application', async () => {
  const there = await scene()
  const { invitationId, kept } = await invitationOf(there)
  await grant(grantOf(there))
  expect(await kept()).toBe(invitationId)
})
