// Somebody cancels a monthly course, or keeps it after all, while other things happen.
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { advance, payHere, renewToDraft, switches } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { makeSoldCourse } from '../../../test/sold-course.ts'
import { addDepartedUser, departedUserId } from '../accounts/departed-user.ts'
import { action as cancelForm } from '../billing/ui/cancel-course-page.tsx'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { syncSubscription } from '../payments/sync-subscription.ts'
import { purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const db = () => app.services.db
type Who = { cookie: string }

async function buys(pricingType: 'one_time' | 'monthly', number?: string) {
  const { buyer: person, course } = await makeSoldCourse(app.services)
  await db().update(courses).set({ pricingType }).where(eq(courses.id, course.id))
  const buyer = { ...person, cookie: await sessionCookieOf(app.services, person.id) }
  const { body } = await app.request('/functions/v1/course-checkout', {
    body: { course_id: course.id },
    cookie: buyer.cookie,
  })
  await payHere(app, body.url, { number })
  await settled(app)
  const [purchase] = await db().select().from(purchases).where(eq(purchases.userId, buyer.id))
  return { buyer, course, purchase: purchase! }
}

const change = (what: 'cancel' | 'resume', { cookie }: Who, { id }: { id: string }) =>
  app.request(`/rest/v1/purchases/${id}/${what}`, { method: 'POST', cookie })
const leave = ({ cookie }: Who, { id }: { id: string }) =>
  app.request(`/rest/v1/enrollments/${id}`, { method: 'DELETE', cookie })
const studentsOf = async ({ id }: { id: string }) =>
  (await db().select().from(courses).where(eq(courses.id, id)))[0]!.studentsCount
const isMember = async ({ id }: { id: string }) =>
  (await db().$count(enrollments, eq(enrollments.userId, id))) === 1

afterEach(() => {
  vi.restoreAllMocks()
  return switches(app, { apiStatus: 0, dropPercent: 0 })
})

describe('whoever', () => {
  test('has canceled already is told so, also while the payment provider is down', async () => {
    const { buyer, purchase } = await buys('monthly')
    await switches(app, { apiStatus: 500 })
    expect((await change('cancel', buyer, purchase)).status).toBe(503)
    await switches(app, { apiStatus: 0 })
    expect((await change('cancel', buyer, purchase)).status).toBe(200)
    await switches(app, { apiStatus: 500 })
    expect(await change('cancel', buyer, purchase)).toMatchObject({
      status: 200,
      body: { cancelAtPeriodEnd: true },
    })
  })

  describe('does not pay the present month, of which no webhook has told,', () => {
    async function unpaid() {
      const bought = await buys('monthly', '4000000000000341')
      const { subscriptionId } = bought.purchase
      const there = () => app.services.payments.stripe.subscriptions.retrieve(subscriptionId!)
      await switches(app, { dropPercent: 100 })
      await advance(app, String((await there()).customer), 32 * 86_400)
      await switches(app, { dropPercent: 0 })
      expect((await there()).status).toBe('past_due')
      expect(await standing(bought.purchase)).toMatchObject({ status: 'active' })
      return { ...bought, statusThere: async () => (await there()).status }
    }
    const standing = async ({ id }: { id: string }) =>
      (await db().select().from(purchases).where(eq(purchases.id, id)))[0]

    test('and cancels has ended it, and is asked for nothing more', async () => {
      const { buyer, purchase, statusThere } = await unpaid()
      expect(await change('cancel', buyer, purchase)).toMatchObject({
        status: 200,
        body: { status: 'ended' },
      })
      await settled(app)
      expect([await isMember(buyer), await statusThere()]).toEqual([false, 'canceled'])
    })

    test('and is told of meanwhile, has ended it also while the payment provider is down', async () => {
      const { buyer, purchase, statusThere } = await unpaid()
      await syncSubscription(app.services, purchase.subscriptionId!)
      expect(await standing(purchase)).toMatchObject({ status: 'past_due' })
      await switches(app, { apiStatus: 500 })
      expect(await change('cancel', buyer, purchase)).toMatchObject({
        status: 200,
        body: { status: 'ended' },
      })
      await switches(app, { apiStatus: 0 })
      await app.services.pool.query(
        `select graphile_worker.reschedule_jobs(array_agg(id), now()) from graphile_worker.jobs
          where task_identifier = 'cancelSubscription' and locked_at is null`,
      )
      await settled(app)
      expect([await isMember(buyer), await statusThere()]).toEqual([false, 'canceled'])
    })

    test('and is told of meanwhile, and pays it a moment before canceling, keeps what was paid', async () => {
      const { buyer, purchase, statusThere } = await unpaid()
      await syncSubscription(app.services, purchase.subscriptionId!)
      expect(await standing(purchase)).toMatchObject({ status: 'past_due' })
      await switches(app, { dropPercent: 100 })
      const { stripe } = app.services.payments
      const there = await stripe.subscriptions.retrieve(purchase.subscriptionId!)
      const card = await stripe.paymentMethods.attach('pm_card_visa', {
        customer: String(there.customer),
      })
      await stripe.invoices.pay(String(there.latest_invoice), { payment_method: card.id })
      expect(await change('cancel', buyer, purchase)).toMatchObject({
        status: 200,
        body: { status: 'active', cancelAtPeriodEnd: true },
      })
      expect([await isMember(buyer), await statusThere()]).toEqual([true, 'active'])
    })

    test('and leaves is asked for nothing more', async () => {
      const { buyer, course, purchase, statusThere } = await unpaid()
      expect((await leave(buyer, course)).status).toBe(200)
      await settled(app)
      expect(await standing(purchase)).toMatchObject({ status: 'ended', endedReason: 'canceled' })
      expect(await statusThere()).toBe('canceled')
    })
  })

  describe('is in the first hour of a month, which is not charged yet,', () => {
    async function firstHour(isTold = true) {
      const bought = await buys('monthly')
      if (!isTold) await switches(app, { dropPercent: 100 })
      const there = await renewToDraft(app, bought.purchase.subscriptionId!)
      await settled(app)
      await switches(app, { dropPercent: 0 })
      expect(await there.statusThere()).toBe('active')
      const after = async () => {
        await settled(app)
        const [here] = await db()
          .select()
          .from(purchases)
          .where(eq(purchases.id, bought.purchase.id))
        return [here!.status, here!.endedReason, await isMember(bought.buyer)]
      }
      return { ...bought, ...there, after }
    }
    const over = ['ended', 'canceled', false]

    test.each([true, false])('and cancels is not asked for it; told of it: %s', async (isTold) => {
      const { buyer, purchase, after, statusThere, charged } = await firstHour(isTold)
      expect(await change('cancel', buyer, purchase)).toMatchObject({
        status: 200,
        body: { status: 'ended' },
      })
      expect([await after(), await statusThere()]).toEqual([over, 'canceled'])
      expect(await charged()).toEqual(['draft', 'paid'])
    })

    test('and leaves is not asked for it, also when no webhook tells of anything', async () => {
      const { buyer, course, after, statusThere, charged } = await firstHour(false)
      await switches(app, { dropPercent: 100 })
      expect((await leave(buyer, course)).status).toBe(200)
      await after()
      expect(await statusThere()).toBe('canceled')
      expect(await charged()).toEqual(['draft', 'paid'])
    })

    test('and has left, at a moment when only half of it could be done, is not asked for it', async () => {
      const { buyer, course, purchase, after, statusThere, charged } = await firstHour(false)
      await switches(app, { dropPercent: 100 })
      await app.services.payments.stripe.subscriptions.update(purchase.subscriptionId!, {
        cancel_at_period_end: true,
      })
      expect((await leave(buyer, course)).status).toBe(200)
      await after()
      expect(await statusThere()).toBe('canceled')
      expect(await charged()).toEqual(['draft', 'paid'])
    })

    test('and cancels in the portal of the payment provider is not asked for it', async () => {
      const { purchase, after, statusThere, charged } = await firstHour()
      await cancelInPortal(purchase)
      expect([await after(), await statusThere()]).toEqual([over, 'canceled'])
      expect(await charged()).toEqual(['draft', 'paid'])
    })

    test('and goes on pays it, and has all of it when it is canceled then', async () => {
      const { buyer, purchase, after, charged } = await firstHour()
      expect(await charged()).toEqual(['paid', 'paid'])
      expect(await change('cancel', buyer, purchase)).toMatchObject({
        status: 200,
        body: { status: 'active', cancelAtPeriodEnd: true },
      })
      expect(await after()).toEqual(['active', null, true])
    })
  })

  async function cancelInPortal({ subscriptionId }: { subscriptionId: string | null }) {
    const { stripe } = app.services.payments
    const there = await stripe.subscriptions.retrieve(subscriptionId!)
    const portal = await stripe.billingPortal.sessions.create({ customer: String(there.customer) })
    const { pathname } = new URL(portal.url)
    await fetch(`${app.url}${pathname}/subscriptions/${there.id}`, {
      method: 'POST',
      body: new URLSearchParams({ action: 'cancel' }),
      redirect: 'manual',
    })
    return there
  }

  test('canceled at the payment provider itself keeps the course after all', async () => {
    const { buyer, purchase } = await buys('monthly')
    const { stripe } = app.services.payments
    const there = await cancelInPortal(purchase)
    await settled(app)
    const before = await db().select().from(purchases).where(eq(purchases.id, purchase.id))
    expect(before).toMatchObject([{ status: 'active', cancelAtPeriodEnd: true }])
    expect(await change('resume', buyer, purchase)).toMatchObject({
      status: 200,
      body: { cancelAtPeriodEnd: false },
    })
    expect(await stripe.subscriptions.retrieve(there.id)).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
    })
  })

  test('left, and keeps the course after all, is a student again, also when it is full', async () => {
    const { buyer, course, purchase } = await buys('monthly')
    await leave(buyer, course)
    await settled(app)
    await db().update(courses).set({ studentsCount: 25 }).where(eq(courses.id, course.id))
    expect((await change('resume', buyer, purchase)).status).toBe(200)
    expect([await isMember(buyer), await studentsOf(course)]).toEqual([true, 26])
  })

  describe('left while the payment provider was down,', () => {
    async function left() {
      const bought = await buys('monthly')
      const subscriptionId = bought.purchase.subscriptionId!
      await switches(app, { apiStatus: 500 })
      await leave(bought.buyer, bought.course)
      const waiting = async () => {
        // What failed is tried again when the test says so, not by itself a moment later.
        const { rows } = await app.services.pool.query(
          `update graphile_worker._private_jobs set run_at = now() + interval '1 day'
            where key like '%' || $1 || '%' and attempts > 0 and locked_at is null
           returning id::text`,
          [subscriptionId],
        )
        return rows.map(({ id }) => id as string)
      }
      await expect.poll(waiting).toHaveLength(1)
      const [id] = await waiting()
      const triesAgain = () =>
        app.services.pool.query(
          'select graphile_worker.reschedule_jobs(array[$1::bigint], now())',
          [id],
        )
      const { stripe } = app.services.payments
      /** With us, and there. */
      const isCanceled = async () => {
        const [here] = await db()
          .select()
          .from(purchases)
          .where(eq(purchases.id, bought.purchase.id))
        const there = await stripe.subscriptions.retrieve(subscriptionId)
        return [here!.cancelAtPeriodEnd, there.cancel_at_period_end]
      }
      return { ...bought, stripe, triesAgain, isCanceled }
    }

    test('and keeps it, is not canceled later', async () => {
      const { buyer, purchase, triesAgain, isCanceled } = await left()
      await switches(app, { apiStatus: 0 })
      expect((await change('resume', buyer, purchase)).status).toBe(200)
      await triesAgain()
      await settled(app)
      expect([await isCanceled(), await isMember(buyer)]).toEqual([[false, false], true])
    })

    test('and would keep it while it is down still, is charged for no other month', async () => {
      const { buyer, purchase, triesAgain, isCanceled } = await left()
      expect((await change('resume', buyer, purchase)).status).toBe(503)
      await switches(app, { apiStatus: 0 })
      await triesAgain()
      await settled(app)
      expect([await isCanceled(), await isMember(buyer)]).toEqual([[true, true], false])
    })

    test('and would keep it, which comes to nothing halfway, is charged for no other month', async () => {
      const { buyer, purchase, stripe, triesAgain, isCanceled } = await left()
      await switches(app, { apiStatus: 0, dropPercent: 100 })
      const { update } = stripe.subscriptions
      vi.spyOn(stripe.subscriptions, 'update').mockImplementationOnce((async (id: string) => {
        await update.call(stripe.subscriptions, id, { cancel_at_period_end: false })
        await switches(app, { apiStatus: 500 })
        throw new Stripe.errors.StripeAPIError({ type: 'api_error', message: 'Away' })
      }) as never)
      expect((await change('resume', buyer, purchase)).status).toBe(503)
      await switches(app, { apiStatus: 0, dropPercent: 0 })
      await triesAgain()
      await settled(app)
      expect([await isCanceled(), await isMember(buyer)]).toEqual([[true, true], false])
    })

    test('and keeps it in the moment in which it is to be canceled, keeps it', async () => {
      const { buyer, purchase, stripe, triesAgain, isCanceled } = await left()
      await switches(app, { apiStatus: 0 })
      const { customer } = await stripe.subscriptions.retrieve(purchase.subscriptionId!)
      const [answer] = await behindChange(
        app.services,
        [
          `select pg_advisory_xact_lock(hashtextextended('payment customer ' || $1::text, 0))`,
          customer,
        ],
        [() => change('resume', buyer, purchase)],
        async () => {
          await triesAgain()
          await waitingFor(app.services, 2)
        },
      )
      expect(answer).toMatchObject({ status: 200, body: { cancelAtPeriodEnd: false } })
      await settled(app)
      expect(await isCanceled()).toEqual([false, false])
    })
  })

  test('keeps it, and leaves while the provider is asked, is charged for no other month', async () => {
    const { buyer, course, purchase } = await buys('monthly')
    expect((await change('cancel', buyer, purchase)).status).toBe(200)
    await settled(app)
    const { subscriptions } = app.services.payments.stripe
    const { update } = subscriptions
    vi.spyOn(subscriptions, 'update').mockImplementationOnce((async (
      ...all: Parameters<typeof update>
    ) => {
      const said = await update.apply(subscriptions, all)
      expect((await leave(buyer, course)).status).toBe(200)
      return said
    }) as never)
    expect(await change('resume', buyer, purchase)).toMatchObject({
      status: 200,
      body: { cancelAtPeriodEnd: true },
    })
    await settled(app)
    const there = await subscriptions.retrieve(purchase.subscriptionId!)
    expect([there.cancel_at_period_end, await isMember(buyer)]).toEqual([true, false])
  })

  test('keeps it in the moment in which the creator leaves, is canceled all the same', async () => {
    const { buyer, course, purchase } = await buys('monthly')
    await leave(buyer, course)
    await settled(app)
    await db().transaction(addDepartedUser)
    await switches(app, { dropPercent: 100 })
    const [answer] = await behindChange(
      app.services,
      [`update courses set instructor_id = $2 where id = $1`, course.id, departedUserId],
      [() => change('resume', buyer, purchase)],
    )
    expect(answer).toMatchObject({ status: 409, body: { code: 'NOT_MONTHLY' } })
    await settled(app)
    const there = await app.services.payments.stripe.subscriptions.retrieve(
      purchase.subscriptionId!,
    )
    expect([there.cancel_at_period_end, await isMember(buyer)]).toEqual([true, false])
  })

  test('keeps it in the moment in which it ends is not let in again', async () => {
    const { buyer, course, purchase } = await buys('monthly')
    await leave(buyer, course)
    await settled(app)
    await switches(app, { dropPercent: 100 })
    const [answer] = await behindChange(
      app.services,
      [
        `update purchases set status = 'ended', ended_reason = 'refunded' where id = $1`,
        purchase.id,
      ],
      [() => change('resume', buyer, purchase)],
    )
    expect(answer).toMatchObject({ status: 200, body: { status: 'ended' } })
    expect(await isMember(buyer)).toBe(false)
  })

  describe('asks for a change of what', () => {
    test.each(['cancel', 'resume'] as const)(
      'ended at the payment provider a moment ago is told so: %s',
      async (what) => {
        const { buyer, purchase } = await buys('monthly')
        await switches(app, { dropPercent: 100 })
        await app.services.payments.stripe.subscriptions.cancel(purchase.subscriptionId!)
        const answer = await change(what, buyer, purchase)
        expect([answer.status, answer.body]).toEqual([
          409,
          expect.objectContaining({
            code: 'NOT_MONTHLY',
            message: 'This is not a monthly course that is still running.',
          }),
        ])
        const [after] = await db().select().from(purchases).where(eq(purchases.id, purchase.id))
        expect(after).toMatchObject({ status: 'ended', endedReason: 'canceled' })
        expect(await isMember(buyer)).toBe(false)
      },
    )

    test.each([
      ['cancel', 200],
      ['resume', 409],
    ] as const)(
      'the payment provider does not know, as of other keys, has ended it, and can buy it again: %s',
      async (what, status) => {
        const { buyer, course, purchase } = await buys('monthly')
        await db()
          .update(purchases)
          .set({ subscriptionId: `sub_unknown_${what}` })
          .where(eq(purchases.id, purchase.id))
        expect((await change(what, buyer, purchase)).status).toBe(status)
        const [after] = await db().select().from(purchases).where(eq(purchases.id, purchase.id))
        expect(after).toMatchObject({ status: 'ended', endedReason: 'canceled' })
        expect(await isMember(buyer)).toBe(false)
        const again = await app.request('/functions/v1/course-checkout', {
          body: { course_id: course.id },
          cookie: buyer.cookie,
        })
        expect(again.status).toBe(200)
      },
    )

    test('the payment provider does not know is not said to be unpaid when it is canceled', async () => {
      const { buyer, purchase } = await buys('monthly')
      await db()
        .update(purchases)
        .set({ subscriptionId: 'sub_unknown_unpaid' })
        .where(eq(purchases.id, purchase.id))
      const { cookie } = buyer
      const calls = {
        billing: {
          getBilling: async () => (await app.request('/rest/v1/billing', { cookie })).body,
        },
        purchases: {
          cancelPurchase: async () => (await change('cancel', buyer, purchase)).body,
        },
      }
      const answer = await cancelForm({
        context: { get: () => calls },
        params: { purchaseId: purchase.id },
      } as never)
      expect(answer.data).toEqual({ done: 'The course is canceled, and your access has ended.' })
    })

    test.each(['cancel', 'resume'] as const)(
      'has ended is told so, also while the payment provider is down: %s',
      async (what) => {
        const { buyer, purchase } = await buys('monthly')
        await db()
          .update(purchases)
          .set({ status: 'ended', endedReason: 'canceled', endedAt: new Date() })
          .where(eq(purchases.id, purchase.id))
        await switches(app, { apiStatus: 500 })
        const answer = await change(what, buyer, purchase)
        expect([answer.status, answer.body.code]).toEqual([409, 'NOT_MONTHLY'])
      },
    )

    test('runs, and which the payment provider refuses, is told to try again', async () => {
      const { buyer, purchase } = await buys('monthly')
      vi.spyOn(app.services.payments.stripe.subscriptions, 'update').mockRejectedValueOnce(
        new Stripe.errors.StripeInvalidRequestError({
          type: 'invalid_request_error',
          message: 'Another change is under way.',
        }),
      )
      const answer = await change('cancel', buyer, purchase)
      expect([answer.status, answer.body.code]).toEqual([503, 'PAYMENT_SERVICE_FAILED'])
      const [after] = await db().select().from(purchases).where(eq(purchases.id, purchase.id))
      expect(after).toEqual(purchase)
    })
  })

  test('paid once has nothing to cancel, and leaves with nothing changed', async () => {
    const { buyer, course, purchase } = await buys('one_time')
    expect((await change('cancel', buyer, purchase)).body.code).toBe('NOT_MONTHLY')
    await leave(buyer, course)
    const [after] = await db().select().from(purchases).where(eq(purchases.id, purchase.id))
    expect(after).toEqual(purchase)
  })

  test('did not buy it changes nothing', async () => {
    const { purchase } = await buys('monthly')
    const { id } = await makePerson(app.services)
    const stranger = { cookie: await sessionCookieOf(app.services, id) }
    for (const what of ['cancel', 'resume'] as const) {
      const { status, body } = await change(what, stranger, purchase)
      expect([status, body.message]).toEqual([404, 'Purchase not found'])
    }
  })

  test('would keep a course that is gone is told that no month can be paid', async () => {
    const { buyer, course, purchase } = await buys('monthly')
    await db().delete(courses).where(eq(courses.id, course.id))
    expect((await change('resume', buyer, purchase)).body).toMatchObject({
      code: 'NOT_MONTHLY',
      message: 'The creator of this course has left, so no further months can be paid.',
    })
  })
})
