// Who is told what about money, where it leads, and what open pages and servers hear of it.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import {
  makePayment,
  makePurchase,
  makeSoldCourse,
  type PurchaseRow,
  type SoldCourse,
} from '../../../test/sold-course.ts'
import type { Transaction } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import { liveEvents, notifications } from '../notifications/tables.ts'
import type { RecordedCharge } from '../payments/record-charge.ts'
import { paymentProvider } from '../payments/tables.ts'
import { webhookPayloads } from '../webhooks/events.ts'
import { webhookEndpoints, webhookMessages } from '../webhooks/tables.ts'
import { endOverdue } from './end-overdue.ts'
import { endPurchase } from './end-purchase.ts'
import { grantPurchase } from './grant-purchase.ts'
import { stopSelling } from './sold-courses.ts'
import { stopRenewalOf } from './stop-renewal.ts'
import { purchases } from './tables.ts'
import { tellOfPayment, tellOfRefused } from './tell-of-payment.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const within = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db().transaction(work)
const scene = () => makeSoldCourse(app.services)
const bought = (there: SoldCourse, more?: Partial<PurchaseRow>) =>
  makePurchase(app.services, there, more)

const told = ({ id }: { id: string }) =>
  db()
    .select({
      title: notifications.title,
      message: notifications.message,
      href: notifications.href,
    })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(notifications.createdAt, notifications.id)

/** What open pages of this person heard about money. */
async function heard({ id }: { id: string }) {
  const rows = await db()
    .select({ event: liveEvents.event })
    .from(liveEvents)
    .where(eq(liveEvents.topic, `person:${id}`))
    .orderBy(liveEvents.id)
  return rows
    .map(({ event }) => event as { type: string })
    .filter(({ type }) => ['purchase', 'earnings'].includes(type))
}

/** What was noted so that it happens once. */
async function notedOf({ id }: { id: string }) {
  const { rows } = await app.services.pool.query<{ key: string }>(
    `select key from rate_limits where key like '%:' || $1 || ' ' || '%'`,
    [id],
  )
  return rows.map(({ key }) => key)
}

/** Nothing of it is new, but what is said. */
const recordedOf = (paymentId: string, more: Partial<RecordedCharge>): RecordedCharge => ({
  paymentId,
  isNew: false,
  gross: 2900,
  newlyRefunded: 0,
  cameBack: 0,
  refundedInFull: false,
  dispute: null,
  disputeChanged: false,
  isChanged: true,
  ...more,
})
const tell = (recorded: RecordedCharge) =>
  within((transaction) => tellOfPayment(transaction, recorded))

describe('of a payment', () => {
  test('for a course, who paid is led to the receipts, and the creator to the course', async () => {
    const there = await scene()
    const { id } = await makePayment(app.services, await bought(there))
    await tell(recordedOf(id, { isNew: true }))
    expect(await told(there.buyer)).toEqual([
      {
        title: 'Payment Received',
        message: 'Thank you! You paid $29.00 for “Knots”. Test mode: no money moved.',
        href: '/billing#purchases',
      },
    ])
    expect(await told(there.creator)).toMatchObject([
      { title: 'You Made a Sale', href: `/course/${there.course.slug}/dashboard` },
    ])
    expect(await heard(there.creator)).toEqual([{ type: 'earnings' }])
  })

  test('with live keys is said as what it is, and in test mode that no money moved', async () => {
    const mode = (name: 'sandbox' | 'test' | 'live') =>
      db().update(paymentProvider).set({ mode: name })
    const messages = async (name: 'test' | 'live') => {
      await mode(name)
      const there = await scene()
      const { id } = await makePayment(app.services, await bought(there))
      await tell(recordedOf(id, { isNew: true }))
      await tell(recordedOf(id, { newlyRefunded: 2900, refundedInFull: true }))
      await tell(recordedOf(id, { cameBack: 2900 }))
      for (const dispute of ['open', 'won', 'lost'] as const) {
        await tell(recordedOf(id, { disputeChanged: true, dispute }))
      }
      const all = [...(await told(there.buyer)), ...(await told(there.creator))]
      return all.map(({ message }) => message)
    }
    const live = await messages('live')
    const testing = await messages('test')
    await mode('sandbox')
    expect(live).toEqual([
      expect.stringMatching(/^Thank you! You paid .*“Knots”\.$/),
      expect.stringMatching(/ until your card shows it\.$/),
      expect.stringMatching(/ we find another way to pay you\.$/),
      expect.stringMatching(/^Somebody bought|^Another month.* are yours\.$/),
      expect.stringMatching(/ the card fee is not\.$/),
      expect.stringMatching(/ What the refund ended stays ended\.$/),
      expect.stringMatching(/ are taken from your balance\.$/),
      expect.stringMatching(/ of the fee what was given back\.$/),
      expect.stringMatching(/ the access that it paid for has ended\.$/),
    ])
    expect(testing).toEqual(live.map((message) => `${message} Test mode: no money moved.`))
  })

  test('of which nothing is new nobody hears a second time', async () => {
    const there = await scene()
    const { id } = await makePayment(app.services, await bought(there))
    await tell(recordedOf(id, { isChanged: false }))
    expect([await told(there.buyer), await told(there.creator)]).toEqual([[], []])
    expect(await heard(there.creator)).toEqual([])
  })

  test('for a plan only who paid is told, by its name, and led to the plan', async () => {
    const payer = await makePerson(app.services)
    const { id } = await makePayment(app.services, null, {
      kind: 'plan',
      description: 'Thunder Pro',
      payerId: payer.id,
    })
    await tell(recordedOf(id, { isNew: true }))
    await tell(recordedOf(id, { newlyRefunded: 2900, refundedInFull: true }))
    await tell(recordedOf(id, { disputeChanged: true, dispute: 'open' }))
    await tell(recordedOf(id, { cameBack: 2900 }))
    expect(await told(payer)).toMatchObject([
      {
        title: 'Payment Received',
        message: 'Thank you! You paid $29.00 for Thunder Pro. Test mode: no money moved.',
        href: '/billing',
      },
      {
        title: 'Payment Refunded',
        message:
          '$29.00 that you paid for Thunder Pro were paid back. It can take some days until your card shows it. Test mode: no money moved.',
        href: '/billing',
      },
      {
        title: 'Your Refund Did Not Arrive',
        message: expect.stringContaining('$29.00 that were paid back to you for Thunder Pro did'),
      },
    ])
    const nobody = await db().$count(liveEvents, eq(liveEvents.topic, 'person:null'))
    expect(nobody).toBe(0)
  })

  test('that is paid back both are told how much of what, and what becomes of the fees', async () => {
    const there = await scene()
    const purchase = await bought(there)
    const { id } = await makePayment(app.services, purchase)
    const free = await makePayment(app.services, purchase, { feePercent: 0, platformFee: 0 })
    await tell(recordedOf(id, { newlyRefunded: 1000, dispute: 'won' }))
    await tell(recordedOf(free.id, { newlyRefunded: 2900, refundedInFull: true }))
    const forBuyer = {
      title: 'Payment Refunded',
      href: '/billing#purchases',
    }
    const card =
      'were paid back. It can take some days until your card shows it. Test mode: no money moved.'
    expect(await told(there.buyer)).toEqual([
      { ...forBuyer, message: `$10.00 of $29.00 that you paid for “Knots” ${card}` },
      { ...forBuyer, message: `$29.00 that you paid for “Knots” ${card}` },
    ])
    const forCreator = {
      title: 'A Sale Was Refunded',
      href: `/course/${there.course.slug}/dashboard`,
    }
    expect(await told(there.creator)).toEqual([
      {
        ...forCreator,
        message:
          '$10.00 of $29.00 that somebody paid for “Knots” were paid back. Our fee is given back in proportion, the card fee is not. Test mode: no money moved.',
      },
      {
        ...forCreator,
        message:
          '$29.00 that somebody paid for “Knots” were paid back. The card fee is not given back. Test mode: no money moved.',
      },
    ])
  })

  test('of which a refund does not arrive both are told, and what they can do', async () => {
    const there = await scene()
    const purchase = await bought(there)
    const { id } = await makePayment(app.services, purchase)
    const free = await makePayment(app.services, purchase, { feePercent: 0, platformFee: 0 })
    await tell(recordedOf(id, { cameBack: 1000 }))
    await tell(recordedOf(free.id, { cameBack: 2900 }))
    const back =
      'that were paid back to you for “Knots” did not arrive, and are with us again. Please write to us: we find another way to pay you. Test mode: no money moved.'
    const forBuyer = { title: 'Your Refund Did Not Arrive', href: '/support?topic=payments' }
    expect(await told(there.buyer)).toEqual([
      { ...forBuyer, message: `$10.00 ${back}` },
      { ...forBuyer, message: `$29.00 ${back}` },
    ])
    const forCreator = { title: 'A Refund Did Not Arrive', href: '/payments' }
    const notTaken = 'that were paid back for “Knots” did not arrive, and are in your balance again'
    const again =
      'You can try once more to pay the sale back. What the refund ended stays ended. Test mode: no money moved.'
    expect(await told(there.creator)).toEqual([
      { ...forCreator, message: `$10.00 ${notTaken}, less our fee in proportion. ${again}` },
      { ...forCreator, message: `$29.00 ${notTaken}. ${again}` },
    ])
    expect(await heard(there.creator)).toEqual([{ type: 'earnings' }, { type: 'earnings' }])
  })

  test('that was refused who paid hears nothing of, unless its refund does not arrive', async () => {
    const there = await scene()
    const { id } = await makePayment(app.services, await bought(there), { kind: 'refused' })
    const tellAgain = (cameBack: number) =>
      within((transaction) => tellOfRefused(transaction, recordedOf(id, { cameBack })))
    await tellAgain(0)
    expect(await told(there.buyer)).toEqual([])
    await tellAgain(2900)
    expect(await told(there.buyer)).toMatchObject([
      { title: 'Your Refund Did Not Arrive', message: expect.stringMatching(/^\$29\.00 that/) },
    ])
  })

  test('that is disputed the creator is led to the course', async () => {
    const there = await scene()
    const { id } = await makePayment(app.services, await bought(there))
    await tell(recordedOf(id, { disputeChanged: true, dispute: 'open' }))
    expect(await told(there.creator)).toMatchObject([
      { title: 'A Payment Is Disputed', href: `/course/${there.course.slug}/dashboard` },
    ])
    expect(await told(there.buyer)).toEqual([])
  })

  test('for a course that is gone the creator is told, and led nowhere', async () => {
    const there = await scene()
    const { id } = await makePayment(app.services, await bought(there), { payerId: null })
    await db().delete(courses).where(eq(courses.id, there.course.id))
    await tell(recordedOf(id, { isNew: true }))
    await tell(recordedOf(id, { newlyRefunded: 2900, refundedInFull: true }))
    await tell(recordedOf(id, { disputeChanged: true, dispute: 'lost' }))
    expect(await told(there.creator)).toMatchObject([
      { title: 'You Made a Sale', href: null },
      { title: 'A Sale Was Refunded', href: null },
      { title: 'A Dispute Was Lost', href: null },
    ])
    expect(await told(there.buyer)).toEqual([])
  })

  test('the creator’s server hears the sale, what was paid back of it, and what the bank said', async () => {
    const there = await scene()
    await db()
      .insert(webhookEndpoints)
      .values({
        userId: there.creator.id,
        url: 'https://example.com/sales',
        sealedSecret: 'never opened here',
        events: ['sale.completed', 'sale.refunded', 'sale.refund_failed', 'sale.disputed'],
      })
    const { id } = await makePayment(app.services, await bought(there))
    await tell(recordedOf(id, { isNew: true }))
    await tell(recordedOf(id, { newlyRefunded: 1000 }))
    await tell(recordedOf(id, { cameBack: 600 }))
    await tell(recordedOf(id, { disputeChanged: true, dispute: 'open' }))
    await tell(recordedOf(id, { disputeChanged: true, dispute: 'won' }))
    const sale = { id, amount: 2900, currency: 'usd' }
    const kept = await db()
      .select({ type: webhookMessages.type, data: webhookMessages.data })
      .from(webhookMessages)
      .where(eq(webhookMessages.aboutId, there.buyer.id))
      .orderBy(webhookMessages.createdAt)
    expect(kept).toMatchObject([
      { type: 'sale.completed', data: { sale } },
      { type: 'sale.refunded', data: { sale, refund: { amount: 1000, inFull: false } } },
      { type: 'sale.refund_failed', data: { sale, refund: { amount: 600 } } },
      { type: 'sale.disputed', data: { sale, dispute: { status: 'open' } } },
      { type: 'sale.disputed', data: { sale, dispute: { status: 'won' } } },
    ])
    expect(kept[0]!.data).not.toHaveProperty('refund')
    for (const { type, data } of kept) webhookPayloads[type].strict().parse(data)
  })
})

describe('of access', () => {
  test('that was given, open pages of the person hear', async () => {
    const { buyer, course } = await scene()
    await within((transaction) =>
      grantPurchase(transaction, {
        checkoutId: null,
        userId: buyer.id,
        courseId: course.id,
        pricingType: 'one_time',
        amount: 0,
        currency: 'usd',
        couponId: null,
        invitationId: null,
        subscription: null,
      }),
    )
    expect(await heard(buyer)).toEqual([{ type: 'purchase', courseId: course.id }])
  })

  test('that has ended, the person is told once, and led to the course', async () => {
    const there = await scene()
    const { id: purchaseId } = await bought(there)
    const end = (reason: 'refunded' | 'removed') =>
      within((transaction) => endPurchase(transaction, { purchaseId, reason }))
    await end('refunded')
    await end('removed')
    expect(await told(there.buyer)).toEqual([
      {
        title: 'Your Access Has Ended',
        message:
          'Your payment for “Knots” was paid back, so your access has ended. What you completed is kept, in case you come back.',
        href: `/course/${there.course.slug}`,
      },
    ])
    expect(await heard(there.buyer)).toEqual([{ type: 'purchase', courseId: there.course.id }])
  })

  test('that ends with a removal, which has its own notice, or that is nobody’s any more, nobody is told', async () => {
    const there = await scene()
    const removed = await bought(there)
    const left = await bought(await scene(), { userId: null })
    const end = (purchaseId: string, reason: 'removed' | 'canceled') =>
      within((transaction) => endPurchase(transaction, { purchaseId, reason }))
    await end(removed.id, 'removed')
    await end(left.id, 'canceled')
    expect(await told(there.buyer)).toEqual([])
    const rows = await db().select().from(purchases).where(eq(purchases.id, left.id))
    expect(rows).toMatchObject([{ status: 'ended', endedReason: 'canceled' }])
  })

  test('to a course that is a draft by then, the person is led to the receipts, and not asked back', async () => {
    const there = await scene()
    const { id: purchaseId } = await bought(there, { subscriptionId: `sub_${randomUUID()}` })
    await db()
      .update(courses)
      .set({ status: 'draft', publishedAt: null })
      .where(eq(courses.id, there.course.id))
    await within((transaction) => endPurchase(transaction, { purchaseId, reason: 'canceled' }))
    expect(await told(there.buyer)).toEqual([
      {
        title: 'Your Access Has Ended',
        message: 'The period that you paid for “Knots” is over, and your access with it.',
        href: '/billing#purchases',
      },
    ])
  })

  test('to a course that is gone, the person is led to the receipts', async () => {
    const there = await scene()
    const { id: purchaseId } = await bought(there, { subscriptionId: `sub_${randomUUID()}` })
    await db().delete(courses).where(eq(courses.id, there.course.id))
    await within((transaction) => endPurchase(transaction, { purchaseId, reason: 'canceled' }))
    expect(await told(there.buyer)).toMatchObject([
      { title: 'Your Access Has Ended', href: '/billing#purchases' },
    ])
    expect(await heard(there.buyer)).toEqual([])
  })

  test('that nobody pays for any more, open pages hear; the creator who left is why', async () => {
    const there = await scene()
    const leaves = await bought(there, { subscriptionId: `sub_${randomUUID()}` })
    await within((transaction) =>
      stopRenewalOf(transaction, { userId: there.buyer.id, courseId: there.course.id }),
    )
    expect(await heard(there.buyer)).toEqual([{ type: 'purchase', courseId: there.course.id }])
    const other = { ...there, buyer: await makePerson(app.services) }
    await bought(other, { subscriptionId: `sub_${randomUUID()}` })
    await within((transaction) => stopSelling(transaction, [there.course.id]))
    expect(await told(other.buyer)).toEqual([
      {
        title: 'No Further Payments',
        message:
          'The creator of “Knots” has left. Nothing more is charged for it; your access stays until the end of the period that you paid for.',
        href: '/billing#purchases',
      },
    ])
    const owing = { ...there, buyer: await makePerson(app.services) }
    await bought(owing, { status: 'past_due', subscriptionId: `sub_${randomUUID()}` })
    await within((transaction) => stopSelling(transaction, [there.course.id]))
    expect(await told(owing.buyer)).toEqual([
      {
        title: 'No Further Payments',
        message:
          'The creator of “Knots” has left. Nothing more is charged for it, nor the month that is not paid yet; your access ends now.',
        href: '/billing#purchases',
      },
    ])
    // Who had said so before needs no such notice.
    expect(leaves.cancelAtPeriodEnd).toBe(false)
    expect(await told(there.buyer)).toEqual([])
  })

  test('to several courses of a creator who leaves, each is told of what was bought, by its title then', async () => {
    const [knots, sails] = [await scene(), await scene()]
    const buyMonthly = (there: SoldCourse, more?: Partial<PurchaseRow>) =>
      bought(there, { subscriptionId: `sub_${randomUUID()}`, ...more })
    const early = { ...knots, buyer: await makePerson(app.services) }
    await buyMonthly(knots)
    await buyMonthly(early, { courseTitle: 'Ropes' })
    await buyMonthly(sails, { courseTitle: 'Sails' })
    await buyMonthly({ ...sails, buyer: knots.buyer }, { courseTitle: 'Sails' })
    const { subscriptionId } = await buyMonthly(knots, { userId: null })
    await within((transaction) => stopSelling(transaction, [knots.course.id, sails.course.id]))
    const titlesTold = async (person: { id: string }) =>
      (await told(person)).map(({ message }) => /“(.+)”/.exec(message)?.[1]).toSorted()
    expect(await titlesTold(knots.buyer)).toEqual(['Knots', 'Sails'])
    expect(await titlesTold(early.buyer)).toEqual(['Ropes'])
    expect(await titlesTold(sails.buyer)).toEqual(['Sails'])
    // Whom it belonged to is gone; no month is paid for it either.
    const { rowCount } = await app.services.pool.query(
      `select from graphile_worker.jobs where key = $1`,
      [`cancel ${subscriptionId} period end`],
    )
    expect(rowCount).toBe(1)
  })

  test('that is about to end, each whose payment is missing is warned once', async () => {
    const there = await scene()
    const since = new Date('2026-03-01T08:30:00Z')
    const missing = { status: 'past_due', pastDueSince: since } as const
    const others = { ...there, buyer: await makePerson(app.services) }
    const { id } = await bought(there, { ...missing, subscriptionId: `sub_${randomUUID()}` })
    await bought(others, { ...missing, subscriptionId: `sub_${randomUUID()}` })
    const warning = {
      title: 'Your Access Is About to End',
      message:
        'The monthly payment for “Knots” is still missing. Your access ends on March 22, 2026, unless it is paid before: please check your card.',
      href: '/billing#purchases',
    }
    for (let day = 0; day < 2; day += 1) {
      await endOverdue(app.services, new Date('2026-03-20T00:00:00Z'))
      expect(await told(there.buyer)).toEqual([warning])
      expect(await told(others.buyer)).toEqual([warning])
    }
    // By the name of the person it goes with the account.
    expect(await notedOf(there.buyer)).toEqual([
      `last-warning:${there.buyer.id} ${id} ${since.toISOString()}`,
    ])
  })
})
