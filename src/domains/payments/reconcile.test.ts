// What no webhook told us is found out all the same.
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { advance, payHere, switches } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { applyPaymentEvent } from './apply-event.ts'
import { customerOf } from './customer-of.ts'
import { deleteCustomer, payBack, refundCharge } from './provider-jobs.ts'
import { prunePaymentEvents } from './prune-events.ts'
import { reconcilePayments } from './reconcile.ts'

let app: TestApp
let other: TestApp
let creator: { id: string }

beforeAll(async () => {
  app = await startTestApp()
  const DATABASE_URL = app.databaseUrl
  other = await startTestApp({ DATABASE_URL, AUTH_SECRET: app.services.secret })
  creator = await makePerson(app.services)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await switches(app, { dropPercent: 0, apiStatus: 0 })
})
afterAll(async () => {
  await other.stop()
  await app.stop()
})

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function openCheckout(pricingType: 'one_time' | 'monthly') {
  const course = await makeCourse(app.services, creator)
  await query(
    'update courses set pricing_type = $2, price_amount = 2900 where id = $1',
    course.id,
    pricingType,
  )
  const buyer = await makePerson(app.services)
  const answer = await app.request('/functions/v1/course-checkout', {
    cookie: await sessionCookieOf(app.services, buyer.id),
    body: { course_id: course.id },
  })
  expect(answer).toMatchObject({ status: 200 })
  return { buyer, course, url: answer.body.url as string }
}

async function paid(pricingType: 'one_time' | 'monthly') {
  const { url, ...made } = await openCheckout(pricingType)
  expect(await payHere(app, url)).toMatchObject({ status: 303 })
  return made
}

const standing = async ({ id }: { id: string }) =>
  (
    await query(
      `select p.status, (select count(*)::int from payments m where m.purchase_id = p.id) as payments,
              (select count(*)::int from enrollments e where e.user_id = $1) as members
         from purchases p where p.user_id = $1`,
      id,
    )
  )[0]

const provider = async () => (await query('select * from payment_provider'))[0]

/** As its node would do it a minute later; nothing counts as being on its way. */
const reconcile = (node = app) => reconcilePayments({ onItsWay: 0 }, node.services)

test('every webhook is lost: what was paid is open all the same, by whichever process', async () => {
  await switches(app, { dropPercent: 100 })
  const before = await provider()
  const once = await paid('one_time')
  const monthly = await paid('monthly')
  await Promise.all([reconcile(), reconcile(other), reconcile()])
  await settled(app)
  expect(await standing(once.buyer)).toEqual({ status: 'active', payments: 1, members: 1 })
  expect(await standing(monthly.buyer)).toEqual({ status: 'active', payments: 1, members: 1 })
  await advance(app, await customerOf(app.services, monthly.buyer), 32 * 24 * 3600)
  await reconcile()
  await settled(app)
  expect(await standing(monthly.buyer)).toEqual({ status: 'active', payments: 2, members: 1 })
  const after = await provider()
  expect(after.repaired).toBeGreaterThan(before.repaired)
  expect(after.compared_until.getTime()).toBeGreaterThan(before.compared_until?.getTime() ?? 0)
  expect(
    await query(`select distinct source, deliveries from payment_events where status = 'applied'`),
  ).toEqual([{ source: 'reconciler', deliveries: 0 }])
  // What is known is not found again.
  await reconcile()
  expect((await provider()).repaired).toBe(after.repaired)
})

test('a payment page is asked about also without any event', async () => {
  await switches(app, { dropPercent: 100 })
  const { buyer } = await paid('one_time')
  await query(`delete from stripe_sandbox.objects where object = 'event'`)
  await query(
    `update checkouts set created_at = now() - interval '2 minutes' where user_id = $1`,
    buyer.id,
  )
  await reconcile()
  expect(await standing(buyer)).toEqual({ status: 'active', payments: 1, members: 1 })
})

test('a payment page that the provider never made gives its seat back when its time is over', async () => {
  const { buyer } = await openCheckout('one_time')
  await query(
    `update checkouts set session_id = null, url = null, expires_at = now() - interval '2 minutes'
      where user_id = $1`,
    buyer.id,
  )
  await reconcile()
  expect(await query('select status from checkouts where user_id = $1', buyer.id)).toEqual([
    { status: 'expired' },
  ])
})

test('the provider is down: what came waits, and is applied when it is back', async () => {
  await switches(app, { dropPercent: 100 })
  const { buyer } = await paid('one_time')
  await query('delete from payment_events')
  await query('update payment_provider set compared_until = null')
  await switches(app, { apiStatus: 500 })
  await reconcile()
  expect((await provider()).is_reachable).toBe(false)
  // A webhook is heard all the same, but what it means cannot be asked.
  const [{ id }] = await query(
    `insert into payment_events (id, type, object_id, occurred_at, source)
     select 'evt_down', 'checkout.session.completed', session_id, now(), 'webhook'
       from checkouts where user_id = $1 returning id`,
    buyer.id,
  )
  await expect(applyPaymentEvent({ eventId: id }, app.services)).rejects.toThrow()
  const waiting = `select status, attempts, outcome from payment_events where id = 'evt_down'`
  expect(await query(waiting)).toEqual([
    { status: 'waiting', attempts: 1, outcome: expect.stringMatching(/./) },
  ])
  expect(await standing(buyer)).toBeUndefined()
  await switches(app, { apiStatus: 0 })
  await reconcile()
  await settled(app)
  expect((await provider()).is_reachable).toBe(true)
  expect(await query(waiting)).toMatchObject([{ status: 'applied', attempts: 2 }])
  expect(await standing(buyer)).toEqual({ status: 'active', payments: 1, members: 1 })
})

test('what fails again and again is given up, and said so', async () => {
  await query(
    `insert into payment_events (id, type, object_id, occurred_at, source, attempts)
     values ('evt_hopeless', 'checkout.session.completed', 'cs_1', now(), 'webhook', 11)`,
  )
  await switches(app, { apiStatus: 500 })
  const apply = () => applyPaymentEvent({ eventId: 'evt_hopeless' }, app.services)
  const event = `select status, attempts from payment_events where id = 'evt_hopeless'`
  await expect(apply()).rejects.toThrow()
  expect(await query(event)).toEqual([{ status: 'failed', attempts: 12 }])
  await switches(app, { apiStatus: 0 })
  // As somebody does who has its job tried again.
  await apply()
  expect(await query(event)).toEqual([{ status: 'ignored', attempts: 13 }])
})

test('what is undone at the provider is undone once, however often the job runs', async () => {
  const { buyer } = await paid('monthly')
  await settled(app)
  const [{ charge_id: chargeId }] = await query(
    'select charge_id from payments where payer_id = $1',
    buyer.id,
  )
  const refund = () => refundCharge({ chargeId, key: 'once' }, app.services)
  await refund()
  await refund()
  const { stripe } = app.services.payments
  expect((await stripe.refunds.list({ charge: chargeId })).data).toHaveLength(1)
  const customerId = await customerOf(app.services, buyer)
  await deleteCustomer({ customerId }, app.services)
  await deleteCustomer({ customerId }, app.services)
  await settled(app)
  expect(await stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
  expect(await customerOf(app.services, buyer)).not.toBe(customerId)
})

test('what is undone while we have too little at the provider is asked for again each hour, as if it were new', async () => {
  const { buyer } = await paid('monthly')
  await settled(app)
  const [{ charge_id: chargeId, subscription_id: subscriptionId }] = await query(
    `select m.charge_id, p.subscription_id from payments m join purchases p on p.id = m.purchase_id
      where m.payer_id = $1`,
    buyer.id,
  )
  const { stripe } = app.services.payments
  const poor = new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    code: 'balance_insufficient',
    message: 'Insufficient funds.',
  })
  const create = vi.spyOn(stripe.refunds, 'create').mockRejectedValueOnce(poor)
  const error = vi.spyOn(app.services.log, 'error')
  await payBack({ chargeIds: [chargeId], subscriptionId }, app.services)
  expect(error.mock.calls).toEqual([
    [{ err: poor, charge: chargeId }, 'our balance is too low for a refund'],
  ])
  // The rest is not held up.
  expect((await stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled')
  const [job, ...more] = await query(
    `select j.payload, j.run_at - j.created_at > interval '59 minutes' as later
       from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'refundCharge' and j.key = $1`,
    `refund ${chargeId}`,
  )
  expect([job.later, more]).toEqual([true, []])
  await refundCharge(job.payload, app.services)
  const keys = create.mock.calls.map(([, options]) => options?.idempotencyKey)
  expect(keys).toEqual([`refund ${chargeId}`, job.payload.key])
  expect(keys[1]).toMatch(/^refund ch_\w+ \d{13}$/)
  expect((await stripe.charges.retrieve(chargeId)).refunded).toBe(true)
  await query('delete from graphile_worker._private_jobs where key = $1', `refund ${chargeId}`)
})

test('events are forgotten after 90 days, but for those that somebody has to look at', async () => {
  await settled(app)
  await query('delete from payment_events')
  await query(
    `insert into payment_events (id, type, object_id, occurred_at, source, status, received_at)
     select 'evt_' || status || days, 'x', 'y', now(), 'webhook', status,
            now() - days * interval '1 day'
       from unnest(array['applied', 'ignored', 'failed']) as status, unnest(array[89, 91]) as days`,
  )
  await prunePaymentEvents(app.services)
  expect(await query('select id from payment_events order by id')).toEqual([
    { id: 'evt_applied89' },
    { id: 'evt_failed89' },
    { id: 'evt_failed91' },
    { id: 'evt_ignored89' },
  ])
})
