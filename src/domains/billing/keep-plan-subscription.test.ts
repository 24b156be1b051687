// What a person has of Pro, from what the provider says of the subscription, and what the person is told of it.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { makePerson } from '../../../test/factories.ts'
import { toldDatabase } from '../../../test/told-database.ts'
import { notifications } from '../notifications/tables.ts'
import { keepPlanSubscription } from './keep-plan-subscription.ts'
import { billingOf } from './queries.ts'
import { planGrants, planSubscriptions } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const seconds = (iso: string) => Date.parse(iso) / 1000
const monthly = { recurring: { interval: 'month' } }
const annual = { recurring: { interval: 'year' } }
const period = {
  current_period_start: seconds('2026-03-01T00:00:00Z'),
  current_period_end: seconds('2026-04-01T00:00:00Z'),
}

type Told = Record<string, unknown>
const told = (id: string, more: Told = {}) =>
  ({
    id,
    customer: 'cus_1',
    status: 'active',
    metadata: { kind: 'plan', plan: 'monthly' },
    items: { data: [{ price: monthly, ...period }] },
    cancel_at_period_end: false,
    cancel_at: null,
    start_date: seconds('2026-01-01T00:00:00Z'),
    ended_at: null,
    ...more,
  }) as unknown as Stripe.Subscription

const visa = { brand: 'visa', last4: '4242' }
const newId = () => `sub_${randomUUID()}`

/** The provider tells this of a subscription of the person. */
const keep = ({ id: userId }: { id: string }, subscription: Stripe.Subscription, card = visa) =>
  app.services.db.transaction((transaction) =>
    keepPlanSubscription(transaction, { userId, subscription, card }),
  )

async function kept(id: string) {
  const { db } = app.services
  return (await db.select().from(planSubscriptions).where(eq(planSubscriptions.id, id)))[0]!
}

const noticesOf = ({ id }: { id: string }) =>
  app.services.db
    .select({ kind: notifications.kind, title: notifications.title, href: notifications.href })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(notifications.createdAt, notifications.id)

test('a subscription is kept as the provider tells it, with the card that pays', async () => {
  const [person, id] = [await makePerson(app.services), newId()]
  await keep(person, told(id))
  expect(await kept(id)).toMatchObject({
    userId: person.id,
    customerId: 'cus_1',
    plan: 'monthly',
    status: 'active',
    currentPeriodStart: new Date('2026-03-01T00:00:00Z'),
    currentPeriodEnd: new Date('2026-04-01T00:00:00Z'),
    cancelAtPeriodEnd: false,
    cardBrand: 'visa',
    cardLast4: '4242',
    startedAt: new Date('2026-01-01T00:00:00Z'),
    endedAt: null,
  })
  const ended = { status: 'canceled', ended_at: seconds('2026-03-05T00:00:00Z') }
  await app.services.db.transaction((transaction) =>
    keepPlanSubscription(transaction, {
      userId: person.id,
      subscription: told(id, { ...ended, customer: { id: 'cus_2' }, items: { data: [] } }),
      card: null,
    }),
  )
  expect(await kept(id)).toMatchObject({
    customerId: 'cus_2',
    status: 'canceled',
    currentPeriodStart: null,
    currentPeriodEnd: null,
    cardBrand: null,
    cardLast4: null,
    endedAt: new Date('2026-03-05T00:00:00Z'),
  })
})

test.each<[string, Told, 'monthly' | 'annual']>([
  [
    'the price of a year, though a month was bought',
    { items: { data: [{ price: annual }] } },
    'annual',
  ],
  [
    'the price of a month, though a year was bought',
    { items: { data: [{ price: monthly }] }, metadata: { plan: 'annual' } },
    'monthly',
  ],
  [
    'what was bought, where the price comes once',
    { items: { data: [{ price: { recurring: null } }] }, metadata: { plan: 'annual' } },
    'annual',
  ],
  [
    'what was bought, without a price',
    { items: { data: [] }, metadata: { plan: 'annual' } },
    'annual',
  ],
  ['a month, when nothing is said', { items: { data: [] }, metadata: {} }, 'monthly'],
])('the plan goes by %s', async (_, more, plan) => {
  const [person, id] = [await makePerson(app.services), newId()]
  await keep(person, told(id, more))
  expect((await kept(id)).plan).toBe(plan)
})

test.each<[Told, boolean]>([
  [{ cancel_at_period_end: true }, true],
  [{ cancel_at: period.current_period_end }, true],
  [{ cancel_at: period.current_period_end + 1 }, false],
  [{}, false],
])('with %j it is true that no further period is paid: %j', async (more, cancelAtPeriodEnd) => {
  const [person, id] = [await makePerson(app.services), newId()]
  await keep(person, told(id, more))
  expect(await kept(id)).toMatchObject({ cancelAtPeriodEnd })
})

describe('the person is told', () => {
  const welcome = {
    kind: 'plan_started',
    title: expect.stringMatching(/^Welcome/),
    href: '/billing',
  }
  const failed = { kind: 'payment_failed', title: 'The payment for Pro failed', href: '/billing' }
  const back = { kind: 'plan_started', title: 'Pro is back', href: '/billing' }
  const over = { kind: 'plan_ended', title: 'Pro has ended', href: '/billing' }

  test.each<[string[], object[]]>([
    [['active', 'active'], [welcome]],
    [
      ['trialing', 'active', 'canceled'],
      [welcome, over],
    ],
    [
      ['active', 'past_due', 'past_due', 'active'],
      [welcome, failed, back],
    ],
    [
      ['active', 'past_due', 'unpaid', 'canceled'],
      [welcome, failed, over],
    ],
    [['incomplete', 'active'], [welcome]],
    [['incomplete', 'incomplete_expired'], []],
    // Nobody has heard of it before it was over.
    [['canceled'], []],
    [['incomplete', 'canceled'], []],
    [['active', 'incomplete'], [welcome]],
  ])('once, of each change, when it is %j', async (statuses, notices) => {
    const [person, id] = [await makePerson(app.services), newId()]
    for (const status of statuses) await keep(person, told(id, { status }))
    expect(await noticesOf(person)).toEqual(notices)
  })

  test('of no end while another one is live, and of the beginning of each', async () => {
    const [person, one, other] = [await makePerson(app.services), newId(), newId()]
    await keep(person, told(one))
    await keep(person, told(other))
    await keep(person, told(one, { status: 'canceled' }))
    expect(await noticesOf(person)).toEqual([welcome, welcome])
    await keep(person, told(other, { status: 'canceled' }))
    expect(await noticesOf(person)).toEqual([welcome, welcome, over])
  })

  test('of the own subscription only, when Pro was given: it is kept', async () => {
    const [person, id] = [await makePerson(app.services), newId()]
    await keep(person, told(id))
    await app.services.db.insert(planGrants).values({ userId: person.id })
    await keep(person, told(id, { status: 'past_due' }))
    await keep(person, told(id, { status: 'canceled' }))
    const messages = await app.services.db
      .select({ title: notifications.title, message: notifications.message })
      .from(notifications)
      .where(eq(notifications.userId, person.id))
      .orderBy(notifications.createdAt, notifications.id)
    expect(messages.slice(1)).toEqual([
      {
        title: 'The payment for Pro failed',
        message:
          'You keep Pro for as long as it was given to you. Your own subscription is still to be paid: we try again in the next days; you can also change your card or cancel it now.',
      },
      {
        title: 'Your subscription has ended',
        message: 'You keep Pro for as long as it was given to you.',
      },
    ])
  })

  test('that they are on the Free plan, when what was given is over', async () => {
    const [person, id] = [await makePerson(app.services), newId()]
    await keep(person, told(id))
    const until = new Date(Date.now() - 1000)
    await app.services.db.insert(planGrants).values({ userId: person.id, until })
    await keep(person, told(id, { status: 'canceled' }))
    expect(await noticesOf(person)).toEqual([welcome, over])
  })

  test('on open pages, of each change and of no repeat', async () => {
    const [person, id] = [await makePerson(app.services), newId()]
    const heard = await eventsOf(app.services, person.id)
    const next = async () => (await heard.next()).value
    await keep(person, told(id, { status: 'incomplete' }))
    expect(await next()).toMatchObject({ type: 'plan' })
    await keep(person, told(id, { status: 'incomplete' }))
    await keep(person, told(id, { status: 'incomplete_expired' }))
    await keep(person, told(id))
    // Of the repeat there is nothing before the notice.
    const types = [await next(), await next(), await next()].map((event) => event?.type)
    expect(types).toEqual(['plan', 'plan', 'notification'])
    await heard.return()
  })
})

describe('who has several subscriptions stands by', () => {
  test.each([
    ['the live one, though a newer one ended', ['active', 'canceled'], 0],
    ['the one on trial, though the payment of a newer one is missing', ['trialing', 'past_due'], 0],
    ['the one whose payment is missing, though a newer one ended', ['past_due', 'canceled'], 0],
    ['the newest of those that ended', ['canceled', 'canceled'], 1],
  ])('%s', async (_, statuses, expected) => {
    const person = await makePerson(app.services)
    const ids = statuses.map(newId)
    for (const [place, status] of statuses.entries()) {
      await keep(person, told(ids[place]!, { status, start_date: 1_700_000_000 + place }))
    }
    const { subscription } = await billingOf(app.services.pool, person.id)
    expect(subscription.subscription_id).toBe(ids[expected])
  })
})

test('the page’s statement is prepared under its name', async () => {
  const { asked, pool } = toldDatabase(() => [{ isPro: true, isGranted: true }])
  expect(await billingOf(pool, 'x')).toMatchObject({ plan: 'pro', isGranted: true })
  expect(asked).toMatchObject([{ name: 'billing' }])
})
