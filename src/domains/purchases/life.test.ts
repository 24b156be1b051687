// The life of money: every row of docs/money.md, through the sandbox, with webhooks and jobs.
import { readFile } from 'node:fs/promises'
import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { mailTo } from '../../../test/mailbox.ts'
import {
  advance,
  closeDispute,
  disputeAtProvider,
  failRefundAtBank,
  payHere,
  refundAtProvider,
} from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { planOf } from '../billing/plan.ts'
import { planGrants } from '../billing/tables.ts'
import { removeAbandonedCourses } from '../courses/leave-courses.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { balanceOf } from '../ledger/balance-of.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { checkouts, paymentCustomers, payments } from '../payments/tables.ts'
import { webhookEndpoints, webhookMessages } from '../webhooks/tables.ts'
import { endOverdue } from './end-overdue.ts'
import { purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  if (!app) return
  // Whatever happened: it adds up.
  await checkLedger(app.services)
  const { rows } = await app.services.pool.query(
    'select currency, sum(amount)::int as sum from ledger_entries group by 1',
  )
  expect(rows).toEqual([{ currency: 'usd', sum: 0 }])
  await app.stop()
})

const day = 24 * 60 * 60
const aMonth = 32 * day

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>
type Course = Awaited<ReturnType<typeof sold>>['course']

/** A course for $29, once or each month, and who sells it. */
async function sold(pricingType: 'one_time' | 'monthly' = 'one_time') {
  const creator = await someone()
  const made = await makeCourse(app.services, creator)
  const price = { pricingType, priceAmount: 2900 }
  await app.services.db.update(courses).set(price).where(eq(courses.id, made.id))
  const [row] = await app.services.db.select().from(courses).where(eq(courses.id, made.id))
  return { creator, course: { ...made, title: row!.title } }
}

const checkout = (buyer: Someone, course: Course, coupon?: string) =>
  app.request('/functions/v1/course-checkout', {
    body: { course_id: course.id, coupon },
    cookie: buyer.cookie,
  })

/** Opens the payment page and pays there; waits until we know. */
async function buy(buyer: Someone, course: Course, number?: string) {
  const { body } = await checkout(buyer, course)
  await payHere(app, body.url, number ? { number } : {})
  await settled(app)
  return (await purchaseOf(buyer, course))!
}

async function boughtBy(pricingType: 'one_time' | 'monthly' = 'one_time', number?: string) {
  const { creator, course } = await sold(pricingType)
  const buyer = await someone()
  const purchase = await buy(buyer, course, number)
  return { creator, course, buyer, purchase }
}

async function purchaseOf(buyer: { id: string }, course: { id: string }) {
  const { db } = app.services
  const own = and(eq(purchases.userId, buyer.id), eq(purchases.courseId, course.id))
  return (await db.select().from(purchases).where(own))[0]
}

async function isMember(person: { id: string }, course: { id: string }) {
  const own = and(eq(enrollments.userId, person.id), eq(enrollments.courseId, course.id))
  return (await app.services.db.$count(enrollments, own)) === 1
}

/** Titles, oldest first, without the welcome to a course and the news of a member. */
async function told({ id }: { id: string }) {
  const rows = await app.services.db
    .select({ title: notifications.title, message: notifications.message })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(notifications.createdAt, notifications.id)
  return rows.filter(({ title }) => !['Welcome to the Course', 'New Member'].includes(title))
}
const titles = async (person: { id: string }) => (await told(person)).map(({ title }) => title)

/** What we owe the creator, in cents. */
async function owed({ id }: { id: string }): Promise<number> {
  const [account] = await app.services.db
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, id))
  return account ? 0 - ((await balanceOf(app.services.db, account.id)).usd ?? 0) : 0
}

/** Of $29: our 5 % are 145, the card costs 2.9 % and 30 cents. */
const [gross, ours, card] = [2900, 145, 114]
const earned = gross - ours - card

const later = async (buyer: { id: string }, seconds: number) => {
  const [customer] = await app.services.db
    .select({ id: paymentCustomers.id })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, buyer.id))
  await advance(app, customer!.id, seconds)
  await settled(app)
}

async function chargesOf(purchase: { id: string }) {
  const rows = await app.services.db
    .select({ chargeId: payments.chargeId })
    .from(payments)
    .where(eq(payments.purchaseId, purchase.id))
    .orderBy(payments.paidAt)
  return rows.map(({ chargeId }) => chargeId)
}

async function refund(chargeId: string, amount?: number) {
  await refundAtProvider(app, chargeId, amount)
  await settled(app)
}

async function dispute(purchase: { id: string }) {
  const [chargeId] = await chargesOf(purchase)
  const { id } = await disputeAtProvider(app, chargeId!)
  await settled(app)
  return async (won: boolean) => {
    await closeDispute(app, id, won)
    await settled(app)
  }
}

const statusAtProvider = async ({ subscriptionId }: { subscriptionId: string | null }) =>
  (await app.services.payments.stripe.subscriptions.retrieve(subscriptionId!)).status

const change = (what: 'cancel' | 'resume', buyer: Someone, purchase: { id: string }) =>
  app.request(`/rest/v1/purchases/${purchase.id}/${what}`, { method: 'POST', cookie: buyer.cookie })

const leave = (buyer: Someone, course: Course) =>
  app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie: buyer.cookie })

const enroll = (buyer: Someone, course: Course) =>
  app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie: buyer.cookie })

const deleteAccount = (person: Someone, membersCourses?: 'keep' | 'delete') =>
  app.request('/rest/v1/me/deletion', {
    body: {
      confirmation: 'DELETE',
      password: person.password,
      membersCourses,
      giveUpEarnings: true,
    },
    cookie: person.cookie,
  })

const unpublish = (creator: Someone, course: Course) =>
  app.request(`/rest/v1/courses/${course.id}/unpublish`, { method: 'POST', cookie: creator.cookie })

const deleteCourse = (creator: Someone, course: Course) =>
  app.request(`/rest/v1/courses/${course.id}/deletion`, {
    body: { title: course.title },
    cookie: creator.cookie,
  })

/** 4000 0000 0000 0341: the first month is paid, the others are not. */
const failsLater = '4000000000000341'

async function pastDue() {
  const story = await boughtBy('monthly', failsLater)
  await later(story.buyer, aMonth)
  return { ...story, purchase: (await purchaseOf(story.buyer, story.course))! }
}

const stories: Record<string, () => Promise<void>> = {
  async 'buys a course'() {
    const { creator, course, buyer, purchase } = await boughtBy()
    expect(purchase).toMatchObject({ status: 'active', amount: gross, subscriptionId: null })
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned)
    expect(await told(buyer)).toEqual([
      {
        title: 'Payment Received',
        message: `Thank you! You paid $29.00 for “${course.title}”. Test mode: no money moved.`,
      },
    ])
    expect(await told(creator)).toEqual([
      {
        title: 'You Made a Sale',
        message: `Somebody bought “${course.title}” for $29.00. After our fee of $1.45 (5%) and the card fee of $1.14, $26.41 are yours. Test mode: no money moved.`,
      },
    ])
  },

  async 'buys with a coupon for everything'() {
    const { creator, course } = await sold('monthly')
    const buyer = await someone()
    await app.request(`/rest/v1/courses/${course.id}/coupons`, {
      body: { code: 'EVERYTHING', percentOff: 100 },
      cookie: creator.cookie,
    })
    expect((await checkout(buyer, course, 'EVERYTHING')).body.url).not.toContain('/sandbox/')
    expect(await purchaseOf(buyer, course)).toMatchObject({ amount: 0, subscriptionId: null })
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(0)
    expect(await titles(buyer)).toEqual([])
    // Of what was given away nobody keeps the course from being deleted; nor was anybody removed from it.
    expect((await deleteCourse(creator, course)).status).toBe(200)
    const { body } = await app.request('/rest/v1/billing', { cookie: buyer.cookie })
    expect(body.purchases).toMatchObject([
      { courseId: null, status: 'ended', endedReason: 'course_deleted' },
    ])
  },

  async 'pays the next month'() {
    const { creator, course, buyer, purchase } = await boughtBy('monthly')
    // Pro by now: of this month nothing is ours.
    await app.services.db.insert(planGrants).values({ userId: creator.id })
    await later(buyer, aMonth)
    const after = (await purchaseOf(buyer, course))!
    expect(after.status).toBe('active')
    expect(after.currentPeriodStart).toEqual(purchase.currentPeriodEnd)
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned + gross - card)
    expect(await titles(buyer)).toEqual(['Payment Received', 'Payment Received'])
    expect((await told(creator)).at(-1)!.message).toBe(
      `Another month of “${course.title}” was paid for $29.00. After the card fee of $1.14, $27.86 are yours. Test mode: no money moved.`,
    )
  },

  async 'the next month fails'() {
    const { creator, course, buyer, purchase } = await pastDue()
    expect(purchase).toMatchObject({ status: 'past_due', pastDueSince: expect.any(Date) })
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned)
    const [, failure] = await told(buyer)
    expect(failure!.title).toBe('Your Payment Failed')
    expect(failure!.message).toMatch(
      /failed\. It is tried again on \w+ \d+, \d{4}\. .* access stays until \w+ \d+, \d{4} at the/,
    )
    // The next try fails, too: told once more, and not again for the same try.
    await later(buyer, 3 * day)
    expect(await titles(buyer)).toEqual([
      'Payment Received',
      'Your Payment Failed',
      'Your Payment Failed',
    ])
  },

  async 'the failed month is paid'() {
    const { creator, course, buyer, purchase } = await pastDue()
    await payMissing(purchase.subscriptionId!)
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'active', pastDueSince: null })
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(2 * earned)
    expect((await titles(buyer)).at(-1)).toBe('Payment Received')
  },

  async 'another card is given'() {
    const { creator, course, buyer } = await pastDue()
    const other = await sold('monthly')
    const good = await buy(buyer, other.course)
    await giveCard(buyer, '5555555555554444')
    // It pays at the next try.
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'past_due' })
    await later(buyer, 3 * day)
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'active', pastDueSince: null })
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(2 * earned)
    expect((await titles(buyer)).at(-1)).toBe('Payment Received')
    expect(await cardOf(good)).toBe('4444')
    // What is bought afterwards with one more card is paid with that, whatever else changes about the customer.
    await later(buyer, day)
    const last = await buy(buyer, (await sold('monthly')).course)
    const { stripe } = app.services.payments
    const { customer } = await stripe.subscriptions.retrieve(last.subscriptionId!)
    await stripe.customers.update(String(customer), { name: 'Pat' })
    await settled(app)
    expect([await cardOf(last), await cardOf(good)]).toEqual(['4242', '4444'])
  },

  async 'the month fails for good'() {
    const { creator, course, buyer } = await pastDue()
    await later(buyer, 30 * day)
    const ended = (await purchaseOf(buyer, course))!
    expect(ended).toMatchObject({ status: 'ended', endedReason: 'payment_failed' })
    expect(await statusAtProvider(ended)).toBe('canceled')
    expect(await isMember(buyer, course)).toBe(false)
    expect(await owed(creator)).toBe(earned)
    expect((await told(buyer)).at(-1)).toMatchObject({
      title: 'Your Access Has Ended',
      message: expect.stringContaining('is still missing, so your access has ended'),
    })
  },

  async 'the payment is missing for 21 days'() {
    const { course, buyer, purchase } = await pastDue()
    const after = (days: number) => new Date(purchase.pastDueSince!.getTime() + days * day * 1000)
    await endOverdue(app.services, after(17))
    expect(await titles(buyer)).toHaveLength(2)
    await endOverdue(app.services, after(18.5))
    await endOverdue(app.services, after(19.5))
    expect(await isMember(buyer, course)).toBe(true)
    await endOverdue(app.services, after(21))
    await endOverdue(app.services, after(22))
    await settled(app)
    const ended = (await purchaseOf(buyer, course))!
    expect(ended).toMatchObject({ status: 'ended', endedReason: 'payment_failed' })
    expect(await statusAtProvider(ended)).toBe('canceled')
    expect(await isMember(buyer, course)).toBe(false)
    expect((await titles(buyer)).slice(2)).toEqual([
      'Your Access Is About to End',
      'Your Access Has Ended',
    ])
  },

  async 'cancels a monthly course'() {
    const { creator, course, buyer, purchase } = await boughtBy('monthly')
    const stranger = await someone()
    expect((await change('cancel', stranger, purchase)).status).toBe(404)
    // Canceling twice is harmless.
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await change('cancel', buyer, purchase)).toMatchObject({
        status: 200,
        body: { status: 'active', cancelAtPeriodEnd: true },
      })
    }
    await settled(app)
    expect(await isMember(buyer, course)).toBe(true)
    expect(await titles(buyer)).toEqual(['Payment Received'])
    await later(buyer, aMonth)
    expect(await purchaseOf(buyer, course)).toMatchObject({ endedReason: 'canceled' })
    expect(await isMember(buyer, course)).toBe(false)
    expect(await owed(creator)).toBe(earned)
    expect(await titles(buyer)).toEqual(['Payment Received', 'Your Access Has Ended'])
    expect((await change('resume', buyer, purchase)).body.code).toBe('NOT_MONTHLY')
    // Of a month that is not paid nothing is left.
    const unpaid = await pastDue()
    expect((await change('cancel', unpaid.buyer, unpaid.purchase)).body.status).toBe('ended')
    await settled(app)
    expect(await statusAtProvider(unpaid.purchase)).toBe('canceled')
  },

  async 'resumes a monthly course'() {
    const { course, buyer, purchase } = await boughtBy('monthly')
    await leave(buyer, course)
    await settled(app)
    expect(await change('resume', buyer, purchase)).toMatchObject({
      status: 200,
      body: { status: 'active', cancelAtPeriodEnd: false },
    })
    expect(await isMember(buyer, course)).toBe(true)
    await later(buyer, aMonth)
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'active' })
    const once = await boughtBy()
    expect((await change('resume', once.buyer, once.purchase)).body.code).toBe('NOT_MONTHLY')
  },

  async 'leaves a course'() {
    const { creator, course, buyer, purchase } = await boughtBy('monthly')
    expect((await leave(buyer, course)).status).toBe(200)
    await settled(app)
    expect(await isMember(buyer, course)).toBe(false)
    expect(await purchaseOf(buyer, course)).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
    })
    const there = await app.services.payments.stripe.subscriptions.retrieve(
      purchase.subscriptionId!,
    )
    expect(there.cancel_at_period_end).toBe(true)
    expect(await owed(creator)).toBe(earned)
    expect(await titles(buyer)).toEqual(['Payment Received'])
  },

  async 'comes back to a course'() {
    const { creator, course, buyer } = await boughtBy()
    await leave(buyer, course)
    // Full by now, a draft, and dearer: it was paid.
    await app.services.db
      .update(courses)
      .set({ studentsCount: 25, priceAmount: 9900, applicationRequired: true })
      .where(eq(courses.id, course.id))
    await unpublish(creator, course)
    const stranger = await someone()
    expect((await enroll(stranger, course)).status).toBe(404)
    expect((await enroll(buyer, course)).status).toBe(200)
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned)
  },

  async 'is removed from a course'() {
    const { creator, course, buyer, purchase } = await boughtBy('monthly')
    await app.request(`/rest/v1/courses/${course.id}/members/${buyer.id}`, {
      method: 'DELETE',
      body: {},
      cookie: creator.cookie,
    })
    await settled(app)
    expect(await purchaseOf(buyer, course)).toMatchObject({ endedReason: 'removed' })
    expect(await statusAtProvider(purchase)).toBe('canceled')
    expect(await isMember(buyer, course)).toBe(false)
    expect((await enroll(buyer, course)).body.code).toBe('PAYMENT_REQUIRED')
    expect(await owed(creator)).toBe(earned)
    expect((await told(buyer)).slice(1)).toEqual([
      {
        title: 'Removed from Course',
        message: `You have been removed from the course “${course.title}”. Nothing more is charged for it.`,
      },
    ])
  },

  async 'a part is paid back'() {
    const { creator, course, buyer, purchase } = await boughtBy()
    const [chargeId] = await chargesOf(purchase)
    await refund(chargeId!, 1450)
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'active' })
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned - 1450 + Math.round(ours / 2))
    expect((await told(buyer)).at(-1)!.message).toContain('$14.50 of $29.00 that you paid')
    expect((await titles(creator)).at(-1)).toBe('A Sale Was Refunded')
  },

  async 'all is paid back'() {
    const once = await boughtBy()
    const [chargeId] = await chargesOf(once.purchase)
    await refund(chargeId!)
    expect(await purchaseOf(once.buyer, once.course)).toMatchObject({ endedReason: 'refunded' })
    expect(await isMember(once.buyer, once.course)).toBe(false)
    expect(await owed(once.creator)).toBe(-card)
    expect(await titles(once.buyer)).toEqual([
      'Payment Received',
      'Payment Refunded',
      'Your Access Has Ended',
    ])
    expect(await titles(once.creator)).toEqual(['You Made a Sale', 'A Sale Was Refunded'])
    // An older month ends nothing, the newest all.
    const { course, buyer, purchase } = await boughtBy('monthly')
    await later(buyer, aMonth)
    const [first, second] = await chargesOf(purchase)
    await refund(first!)
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'active' })
    await refund(second!)
    expect(await purchaseOf(buyer, course)).toMatchObject({ endedReason: 'refunded' })
    expect(await statusAtProvider(purchase)).toBe('canceled')
  },

  async 'a refund comes back'() {
    const { creator, course, buyer, purchase } = await boughtBy()
    const [chargeId] = await chargesOf(purchase)
    const { id: refundId } = await refundAtProvider(app, chargeId!)
    await settled(app)
    expect(await owed(creator)).toBe(earned - gross + ours)
    await failRefundAtBank(app, refundId)
    await settled(app)
    expect(await purchaseOf(buyer, course)).toMatchObject({
      status: 'ended',
      endedReason: 'refunded',
    })
    expect(await isMember(buyer, course)).toBe(false)
    expect(await owed(creator)).toBe(earned)
    // Once, though the provider tells it by several events.
    expect((await titles(buyer)).slice(1)).toEqual([
      'Payment Refunded',
      'Your Access Has Ended',
      'Your Refund Did Not Arrive',
    ])
    expect((await titles(creator)).slice(1)).toEqual([
      'A Sale Was Refunded',
      'A Refund Did Not Arrive',
    ])
    // It is the creator's to pay back again, and the course can be bought again.
    await refund(chargeId!)
    expect(await owed(creator)).toBe(earned - gross + ours)
    await buy(buyer, course)
    expect(await isMember(buyer, course)).toBe(true)
  },

  async 'a dispute is opened'() {
    const { creator, course, buyer, purchase } = await boughtBy()
    await dispute(purchase)
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned - gross - 1500 + ours)
    expect(await titles(creator)).toEqual(['You Made a Sale', 'A Payment Is Disputed'])
    expect(await titles(buyer)).toEqual(['Payment Received'])
  },

  async 'a dispute is won'() {
    const { creator, course, buyer, purchase } = await boughtBy()
    await (
      await dispute(purchase)
    )(true)
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned - 1500)
    expect((await titles(creator)).slice(1)).toEqual(['A Payment Is Disputed', 'A Dispute Was Won'])
  },

  async 'a dispute is lost'() {
    const { creator, course, buyer, purchase } = await boughtBy('monthly')
    await (
      await dispute(purchase)
    )(false)
    expect(await purchaseOf(buyer, course)).toMatchObject({ endedReason: 'dispute_lost' })
    expect(await statusAtProvider(purchase)).toBe('canceled')
    expect(await isMember(buyer, course)).toBe(false)
    expect(await owed(creator)).toBe(earned - gross - 1500 + ours)
    expect((await titles(creator)).at(-1)).toBe('A Dispute Was Lost')
    expect((await titles(buyer)).at(-1)).toBe('Your Access Has Ended')
  },

  async 'pays twice'() {
    const { creator, course } = await sold('monthly')
    const buyer = await someone()
    // The first page is given up by us, but paid in the very moment before.
    const first = await checkout(buyer, course)
    await app.services.db.update(checkouts).set({ status: 'expired' })
    const second = await checkout(buyer, course)
    await payHere(app, first.body.url)
    await payHere(app, second.body.url)
    await settled(app)
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(earned)
    const { stripe } = app.services.payments
    const [customer] = await app.services.db
      .select({ id: paymentCustomers.id })
      .from(paymentCustomers)
      .where(eq(paymentCustomers.userId, buyer.id))
    const charges = await stripe.charges.list({ customer: customer!.id })
    expect(charges.data.map(({ refunded }) => refunded).toSorted()).toEqual([false, true])
    const all = await stripe.subscriptions.list({ customer: customer!.id, status: 'all' })
    expect(all.data.map(({ status }) => status).toSorted()).toEqual(['active', 'canceled'])
    expect((await titles(buyer)).toSorted()).toEqual([
      'Payment Received',
      'Your payment is on its way back',
    ])
  },

  async 'pays for what is gone'() {
    const { creator, course } = await sold()
    const buyer = await someone()
    const { body } = await checkout(buyer, course)
    expect((await deleteCourse(creator, course)).status).toBe(200)
    await payHere(app, body.url)
    await settled(app)
    expect(await chargesAt(buyer)).toEqual([true])
    expect(await titles(buyer)).toEqual(['Your payment is on its way back'])
    expect(await owed(creator)).toBe(0)
  },

  async 'the learner deletes the account'() {
    const { creator, course, buyer, purchase } = await boughtBy('monthly')
    await app.services.db.insert(webhookEndpoints).values({
      userId: creator.id,
      url: 'https://hooks.example.com/',
      sealedSecret: 'never opened here',
      events: ['subscription.ended'],
    })
    expect((await deleteAccount(buyer)).status).toBe(200)
    // The creator's server, too, but not who it was.
    const [event] = await app.services.db.select().from(webhookMessages)
    expect(event).toMatchObject({ type: 'subscription.ended', aboutId: null })
    expect(event!.data).toEqual({
      course: { id: course.id, slug: course.slug, title: expect.any(String) },
      subscription: { id: purchase.id, reason: 'account_deleted' },
    })
    await settled(app)
    expect(await statusAtProvider(purchase)).toBe('canceled')
    const [row] = await app.services.db
      .select()
      .from(purchases)
      .where(eq(purchases.id, purchase.id))
    expect(row).toMatchObject({ userId: null, status: 'ended', endedReason: 'account_deleted' })
    expect(await isMember(buyer, course)).toBe(false)
    expect(await owed(creator)).toBe(earned)
    const [payment] = await app.services.db
      .select()
      .from(payments)
      .where(eq(payments.purchaseId, purchase.id))
    expect(payment).toMatchObject({ payerId: null, gross })
  },

  async 'the creator raises the price'() {
    const { creator, course, buyer } = await boughtBy('monthly')
    await app.services.db
      .update(courses)
      .set({ priceAmount: 9900 })
      .where(eq(courses.id, course.id))
    await later(buyer, aMonth)
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'active', amount: gross })
    expect(await owed(creator)).toBe(2 * earned)
    expect((await buy(await someone(), course)).amount).toBe(9900)
  },

  async 'the creator makes a monthly course free'() {
    const { creator, course, buyer, purchase } = await boughtBy('monthly')
    const priced = (pricingType: string) =>
      app.request(`/rest/v1/courses/${course.id}`, {
        method: 'PATCH',
        body: { pricingType },
        cookie: creator.cookie,
      })
    expect((await priced('free')).status).toBe(200)
    await later(buyer, aMonth)
    expect(await purchaseOf(buyer, course)).toMatchObject({ status: 'active', amount: gross })
    expect(await owed(creator)).toBe(2 * earned)
    // Both are told where they look at it.
    const payers = async () =>
      (await app.request(`/rest/v1/courses/${course.id}/form`, { cookie: creator.cookie })).body
        .monthlyPayers
    expect(await payers()).toBe(1)
    const { body } = await app.request('/rest/v1/billing', { cookie: buyer.cookie })
    expect(body.purchases).toMatchObject([{ isFree: true, cancelAtPeriodEnd: false }])
    expect((await change('cancel', buyer, purchase)).status).toBe(200)
    expect(await payers()).toBe(0)
    expect((await enroll(await someone(), course)).status).toBe(200)
  },

  async 'the creator unpublishes the course'() {
    const { creator, course, buyer } = await boughtBy('monthly')
    await unpublish(creator, course)
    await later(buyer, aMonth)
    expect(await isMember(buyer, course)).toBe(true)
    expect(await owed(creator)).toBe(2 * earned)
    expect((await checkout(await someone(), course)).status).toBe(404)
  },

  async 'the creator deletes the course'() {
    const { creator, course, buyer } = await boughtBy()
    expect(await deleteCourse(creator, course)).toMatchObject({
      status: 409,
      body: {
        message:
          '1 person has paid for this course, so it cannot be deleted. Unpublish it instead: nobody new can buy it, and those who paid keep it.',
      },
    })
    expect(await isMember(buyer, course)).toBe(true)
  },

  async 'the creator deletes the account and keeps the courses'() {
    const monthly = await boughtBy('monthly')
    const { creator, course, buyer } = monthly
    expect((await deleteAccount(creator, 'keep')).status).toBe(200)
    await settled(app)
    expect(await purchaseOf(buyer, course)).toMatchObject({ cancelAtPeriodEnd: true })
    expect(await titles(buyer)).toEqual(['Payment Received', 'No Further Payments'])
    await mailTo(app, buyer.email, /^No Further Payments$/)
    // Nor is it offered, on the billing page and on the course's own.
    const { body: billing } = await app.request('/rest/v1/billing', { cookie: buyer.cookie })
    expect(billing.purchases).toMatchObject([{ cancelAtPeriodEnd: true, canRenew: false }])
    const dashboard = `/rest/v1/courses/${course.slug}/dashboard`
    expect((await app.request(dashboard, { cookie: buyer.cookie })).body.purchase).toMatchObject({
      cancelAtPeriodEnd: true,
      canRenew: false,
    })
    expect((await change('resume', buyer, monthly.purchase)).body).toMatchObject({
      code: 'NOT_MONTHLY',
      message: 'The creator of this course has left, so no further months can be paid.',
    })
    expect(await isMember(buyer, course)).toBe(true)
    await later(buyer, aMonth)
    expect(await isMember(buyer, course)).toBe(false)
    // Who had canceled before is not told of a course that stays open.
    const leaving = await boughtBy('monthly')
    await change('cancel', leaving.buyer, leaving.purchase)
    expect((await deleteAccount(leaving.creator, 'keep')).status).toBe(200)
    expect((await told(leaving.buyer)).at(-1)).toEqual({
      title: 'A creator has left',
      message: `The creator of “${leaving.course.title}” has left. Your access stays until the end of the period that you paid for; the course does not change any more.`,
    })
    // Whose month is not paid is asked for nothing more.
    const owing = await pastDue()
    expect((await deleteAccount(owing.creator, 'keep')).status).toBe(200)
    await settled(app)
    expect((await titles(owing.buyer)).slice(-2)).toEqual([
      'No Further Payments',
      'Your Access Has Ended',
    ])
    expect(await titles(owing.buyer)).not.toContain('A creator has left')
    expect(await isMember(owing.buyer, owing.course)).toBe(false)
    // Who paid once keeps it.
    const keeps = await boughtBy()
    expect((await deleteAccount(keeps.creator, 'keep')).status).toBe(200)
    expect((await told(keeps.buyer)).at(-1)).toEqual({
      title: 'A creator has left',
      message: `The creator of “${keeps.course.title}” has left. The course stays open to you, with all that you did in it; it does not change any more.`,
    })
    // Who paid once, and is not there at the moment, may come back.
    const once = await boughtBy()
    await leave(once.buyer, once.course)
    expect((await deleteAccount(once.creator)).status).toBe(200)
    await removeAbandonedCourses(app.services)
    expect((await enroll(once.buyer, once.course)).status).toBe(200)
  },

  async 'the creator deletes the account with the courses'() {
    const { creator, course, buyer } = await boughtBy()
    expect(await deleteAccount(creator, 'delete')).toMatchObject({
      status: 409,
      body: {
        message: `1 person has paid for “${course.title}”, so it cannot be deleted with your account. Please choose to keep your courses for their members.`,
      },
    })
    expect(await isMember(buyer, course)).toBe(true)
  },

  async 'Pro starts'() {
    const creator = await subscriber()
    expect(await planOf(app.services.db, creator.id)).toBe('pro')
    expect(await titles(creator)).toEqual(
      expect.arrayContaining(['Welcome to Thunder Pro', 'Payment Received']),
    )
  },

  async 'Pro ends'() {
    const creator = await subscriber()
    const own = [
      await makeCourse(app.services, creator),
      await makeCourse(app.services, creator),
    ] as const
    for (let count = 0; count < 26; count += 1) {
      await joinCourse(app.services, await makePerson(app.services), own[0])
    }
    await app.request('/rest/v1/billing/subscription/cancel', {
      method: 'POST',
      cookie: creator.cookie,
    })
    await later(creator, aMonth)
    expect(await planOf(app.services.db, creator.id)).toBe('free')
    expect((await titles(creator)).at(-1)).toBe('Pro has ended')
    // What is there stays; new ones meet the limits.
    const [course] = await app.services.db.select().from(courses).where(eq(courses.id, own[0].id))
    expect(course).toMatchObject({ status: 'published', studentsCount: 26 })
    const late = await someone()
    expect(await joinCourse(app.services, late, own[0])).toBe('full')
    expect(await joinCourse(app.services, late, own[1])).toBe('enrolled')
    const { body } = await app.request('/rest/v1/rpc/can_create_course', {
      method: 'POST',
      cookie: creator.cookie,
    })
    expect(body).toBe(false)
  },
}

async function subscriber() {
  const person = await someone()
  const { body } = await app.request('/functions/v1/stripe-checkout', {
    body: {
      price_id: 'pro_monthly',
      mode: 'subscription',
      success_url: 'http://localhost:3000/billing?success=true',
      cancel_url: 'http://localhost:3000/billing?canceled=true',
    },
    cookie: person.cookie,
  })
  await payHere(app, body.url)
  await settled(app)
  return person
}

/** The person gives another card, and it is tried at once. */
async function payMissing(subscriptionId: string) {
  const { stripe } = app.services.payments
  const { customer, latest_invoice } = await stripe.subscriptions.retrieve(subscriptionId)
  const other = await stripe.paymentMethods.attach('pm_card_visa', { customer: String(customer) })
  await stripe.invoices.pay(String(latest_invoice), { payment_method: other.id })
  await settled(app)
}

/** On the provider's page, to which "Update card" leads. */
async function giveCard(person: Someone, number: string) {
  const { body } = await app.request('/functions/v1/stripe-portal', {
    body: { return_url: '/billing', flow: 'payment_method_update' },
    cookie: person.cookie,
  })
  expect((await payHere(app, `${body.url}/card`, { number })).status).toBe(303)
  await settled(app)
}

/** Which card pays for a month of it. */
async function cardOf({ subscriptionId }: { subscriptionId: string | null }) {
  const { default_payment_method: own } = await app.services.payments.stripe.subscriptions.retrieve(
    subscriptionId!,
    { expand: ['default_payment_method'] },
  )
  return (own as Stripe.PaymentMethod).card!.last4
}

/** Whether each charge of this person was paid back. */
async function chargesAt(person: { id: string }) {
  const [customer] = await app.services.db
    .select({ id: paymentCustomers.id })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, person.id))
  const { data } = await app.services.payments.stripe.charges.list({ customer: customer!.id })
  return data.map(({ refunded }) => refunded)
}

describe('the life of money:', () => {
  test.each(Object.keys(stories))('%s', async (event) => {
    await stories[event]!()
  })
})

test('docs/money.md tells the same', async () => {
  const text = await readFile(new URL('../../../docs/money.md', import.meta.url), 'utf8')
  // Those of payouts are in payouts.test.ts.
  const [life] = text.split('## Payouts')
  const rows = life!.split('\n').filter((line) => /^\| (?!event )\w/.test(line))
  expect(rows.map((line) => line.split('|')[1]!.trim())).toEqual(Object.keys(stories))
})

describe('at the same moment:', () => {
  test('two webhooks of one payment, and the page one returns to', async () => {
    const { creator, course } = await sold()
    const buyer = await someone()
    const { body } = await checkout(buyer, course)
    await payHere(app, body.url)
    const ask = () =>
      app.request(`/rest/v1/courses/${course.slug}/checkout`, { cookie: buyer.cookie })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ body: { status } }) => status)).toContain('paid')
    await settled(app)
    expect((await ask()).body).toEqual({ status: 'paid' })
    expect(await owed(creator)).toBe(earned)
    expect(await titles(buyer)).toEqual(['Payment Received'])
    expect(await titles(creator)).toEqual(['You Made a Sale'])
  })

  test('one pays for the last seat, and others join: paid means enrolled', async () => {
    const { course } = await sold()
    const buyer = await someone()
    const { body } = await checkout(buyer, course)
    await app.services.db
      .update(courses)
      .set({ studentsCount: 25 })
      .where(eq(courses.id, course.id))
    await payHere(app, body.url)
    await settled(app)
    expect(await isMember(buyer, course)).toBe(true)
    const [after] = await app.services.db.select().from(courses).where(eq(courses.id, course.id))
    expect(after!.studentsCount).toBe(26)
  })

  test('one pays, and leaves, deletes the account, or the creator deletes the course', async () => {
    const race = async (
      other: (story: { creator: Someone; course: Course; buyer: Someone }) => Promise<unknown>,
    ) => {
      const { creator, course } = await sold()
      const buyer = await someone()
      const { body } = await checkout(buyer, course)
      await Promise.all([payHere(app, body.url), other({ creator, course, buyer })])
      await settled(app)
      return { creator, course, buyer }
    }
    const left = await race(({ buyer, course }) => leave(buyer, course))
    expect(await purchaseOf(left.buyer, left.course)).toMatchObject({ status: 'active' })
    await race(({ buyer }) => deleteAccount(buyer))
    const gone = await race(({ creator, course }) => deleteCourse(creator, course))
    // Either it was bought before, and stays; or it is gone, and the money is back.
    const isThere = (await app.services.db.$count(courses, eq(courses.id, gone.course.id))) === 1
    expect(await isMember(gone.buyer, gone.course)).toBe(isThere)
    expect(await chargesAt(gone.buyer)).toEqual([!isThere])
  })
})
