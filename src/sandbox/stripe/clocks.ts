// Time: what is due happens at its moment, by the wall's clock or when somebody moves a customer's.
import type Stripe from 'stripe'
import type { Log } from '../../server/log.ts'
import { releaseCharge } from './balance-transactions.ts'
import { expireSession, type CheckoutSession } from './checkout-sessions.ts'
import { payoutDue } from './connect/payouts.ts'
import { dueAt } from './due-at.ts'
import { pageFields, readParams } from './params.ts'
import { wrong } from './refusal.ts'
import { invoiceDue, subscriptionDue } from './renewals.ts'
import { pageOf, type Route } from './route.ts'
import { wallSeconds, type Store, type Stored, type Unit } from './store.ts'

/** Steps on the way of one move: 20 years of a monthly subscription, or something that never ends. */
const mostSteps = 500

/** Due things that a look at the wall's clock sees to at once. */
const atOnce = 50

async function happen(unit: Unit, object: Stored) {
  if (object.object === 'subscription') {
    await subscriptionDue(unit, object as unknown as Stripe.Subscription)
  } else if (object.object === 'invoice') {
    await invoiceDue(unit, object as unknown as Stripe.Invoice)
  } else if (object.object === 'checkout.session') {
    await expireSession(unit, object as unknown as CheckoutSession)
  } else if (object.object === 'payout') {
    await payoutDue(unit, object as unknown as Stripe.Payout)
  } else if (object.object === 'balance_transaction') {
    await releaseCharge(unit, String(object._charge))
  }
}

/** Everything of these customers that is due until `to` happens, each at its moment. */
async function runUntil(unit: Unit, customers: string[], to: number) {
  for (let step = 0; ; step += 1) {
    if (step === mostSteps) throw wrong('This is too far to move the clock at once.', 'frozen_time')
    const due = await nextDue(unit, customers, to)
    if (!due) break
    unit.at = due.at
    await happen(unit, due.object)
    await unit.settle()
  }
  unit.at = undefined
}

async function nextDue(unit: Unit, customers: string[], to: number) {
  let next: { object: Stored; at: number } | null = null
  for (const customer of customers) {
    const found = [
      ...(await unit.find('subscription', { customer })),
      ...(await unit.find('invoice', { customer })),
      ...(await unit.find('balance_transaction', { _customer: customer, status: 'pending' })),
    ]
    for (const object of found) {
      const at = dueAt(object)
      if (at !== null && at <= to && (next === null || at < next.at)) next = { object, at }
    }
  }
  return next
}

/** Moves the customer's own time ahead; it goes on from there. */
export async function advanceCustomer(unit: Unit, id: string, seconds: number) {
  if (!Number.isInteger(seconds) || seconds < 0) {
    throw wrong('Time goes forward: seconds must be 0 or more.', 'seconds')
  }
  const customer = await unit.require<Stripe.Customer>(id)
  const to = (await unit.now(id)) + seconds
  await runUntil(unit, [id], to)
  if (typeof customer.test_clock === 'string') {
    const clock = await unit.require<Stripe.TestHelpers.TestClock>(customer.test_clock)
    clock.frozen_time = to
    unit.put(clock)
  } else {
    await unit.query(
      `insert into stripe_sandbox.clock_leads (customer, seconds) values ($1, $2)
       on conflict (customer) do update set seconds = clock_leads.seconds + excluded.seconds`,
      [id, seconds],
    )
  }
  return { id, object: 'customer', now: to }
}

/** What came due by the wall's clock since the last look; answers how much. */
export async function runDue(store: Store, log: Log): Promise<number> {
  const wall = wallSeconds()
  // Nothing is told of these, whose time was known: all at once.
  await store.work((unit) =>
    unit.query(
      `update stripe_sandbox.objects
       set due_at = null, data = jsonb_set(data, '{status}', '"available"')
       where object = 'balance_transaction' and due_at <= $1`,
      [wall],
    ),
  )
  const due = await store.query<{ id: string; at: string }>(
    `select o.id, o.due_at as at from stripe_sandbox.objects o
     left join stripe_sandbox.clock_leads l
       on l.customer = o.customer and o.object in ('subscription', 'invoice', 'balance_transaction')
     where o.due_at is not null and o.due_at <= $1::bigint + coalesce(l.seconds, 0)
       and o.object in ('subscription', 'invoice', 'checkout.session', 'payout', 'balance_transaction')
       and (o.object = 'checkout.session' or not exists (
         select 1 from stripe_sandbox.objects c
         where c.id = o.customer and c.data->>'test_clock' is not null))
     order by o.due_at limit $2`,
    [wall, atOnce],
  )
  for (const { id, at } of due) {
    await store
      .work(async (unit) => {
        const object = await unit.get(id)
        // Another node may have been quicker.
        if (!object || dueAt(object) !== Number(at)) return
        unit.at = Number(at)
        await happen(unit, object)
      })
      .catch((error: unknown) =>
        log.warn({ err: error, id }, 'the sandbox could not do what is due'),
      )
  }
  return due.length
}

export const clockRoutes: Route[] = [
  [
    'POST',
    '/v1/test_helpers/test_clocks',
    async ({ unit, params }) => {
      const given = readParams(params, { frozen_time: 'integer!', name: 'text' })
      const now = wallSeconds()
      const clock: Stripe.TestHelpers.TestClock = {
        id: unit.newId('clock_'),
        object: 'test_helpers.test_clock',
        created: now,
        deletes_after: now + 30 * 86_400,
        frozen_time: given.frozen_time,
        livemode: false,
        name: given.name ?? null,
        status: 'ready',
        status_details: {},
      }
      unit.put(clock)
      unit.emit('test_helpers.test_clock.created', clock)
      return clock
    },
  ],
  [
    'GET',
    '/v1/test_helpers/test_clocks',
    async (call) => {
      readParams(call.params, pageFields)
      return pageOf(call, '/v1/test_helpers/test_clocks', 'test_helpers.test_clock', {})
    },
  ],
  [
    'GET',
    '/v1/test_helpers/test_clocks/:id',
    async ({ unit, id }) => unit.require<Stripe.TestHelpers.TestClock>(id),
  ],
  [
    'POST',
    '/v1/test_helpers/test_clocks/:id/advance',
    async ({ unit, id, params }) => {
      const given = readParams(params, { frozen_time: 'integer!' })
      const clock = await unit.require<Stripe.TestHelpers.TestClock>(id)
      if (given.frozen_time <= clock.frozen_time) {
        throw wrong('frozen_time must be after the current frozen_time of the clock', 'frozen_time')
      }
      const customers = await unit.find('customer', { test_clock: id })
      await runUntil(
        unit,
        customers.map((customer) => customer.id),
        given.frozen_time,
      )
      clock.frozen_time = given.frozen_time
      unit.put(clock)
      unit.emit('test_helpers.test_clock.ready', clock)
      return clock
    },
  ],
  [
    'DELETE',
    '/v1/test_helpers/test_clocks/:id',
    async ({ unit, id }) => {
      const { object } = await unit.require<Stripe.TestHelpers.TestClock>(id)
      await unit.remove(id)
      return { id, object, deleted: true }
    },
  ],
]
