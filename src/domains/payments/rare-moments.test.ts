// What only happens when somebody signs what is no event, when the provider does not know what it told of, and when it was
// changed, replaced or away.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import {
  missingAtProvider,
  providerFailed,
  type ToldObject,
  toldProvider,
} from '../../../test/told-provider.ts'
import { createApp } from '../../server/app.ts'
import { GivenUp } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { administrativeActs } from '../administration/tables.ts'
import { planOf } from '../billing/plan.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { cancelAtProvider, keepAtProvider } from '../purchases/end-purchase.ts'
import { applyPaymentEvent } from './apply-event.ts'
import { createConnectionCheck } from './check-connection.ts'
import { tellCustomer } from './customer-facts.ts'
import { customerOf } from './customer-of.ts'
import { withCustomer } from './hold-customer.ts'
import { enqueueEvent, keepEvent, noteRepeat } from './keep-event.ts'
import { cancelSubscription, deleteCustomer, payBack, refundCharge } from './provider-jobs.ts'
import { createWebhookDoor } from './receive-webhook.ts'
import { paymentCustomers, paymentEvents, paymentProvider } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const db = () => app.services.db
const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`

/** The app with a provider that does this. */
const provided = (stripe: object, more: Partial<Services['payments']> = {}): Services => ({
  ...app.services,
  payments: { ...app.services.payments, stripe: stripe as Stripe, ...more },
})

const eventRow = async (id: string) =>
  (await db().select().from(paymentEvents).where(eq(paymentEvents.id, id)))[0]
const jobKeys = async (about: string) => {
  const { rows } = await app.services.pool.query<{ key: string }>(
    `select key from graphile_worker._private_jobs where payload::text like '%' || $1 || '%'`,
    [about],
  )
  return rows.map(({ key }) => key)
}

describe('the door for events', () => {
  const body = (event: unknown) => JSON.stringify(event)
  const good = () => ({
    id: newId('evt'),
    type: 'product.created',
    created: 1_790_000_000,
    data: { object: { id: 'prod_1', object: 'product' } },
  })

  function signed(payload: string, secret = app.services.payments.webhookSecrets[0]!) {
    const { stripe } = app.services.payments
    return stripe.webhooks.generateTestHeaderString({ payload, secret })
  }
  const send = (services: Services, payload: string, headers: Record<string, string>) =>
    createWebhookDoor(services)(
      new Request(`${app.url}/webhooks/stripe`, { method: 'POST', body: payload, headers }),
    )

  test('says what it makes of each, also to who watches the process', async () => {
    const add = vi.spyOn(app.services.measures.webhooks, 'add')
    const warn = vi.spyOn(app.services.log, 'warn')
    const payload = body(good())
    const wrong = signed(payload, 'whsec_other')
    const answers = [
      await send(app.services, payload, { 'stripe-signature': signed(payload) }),
      await send(app.services, payload, {}),
      await send(app.services, payload, { 'stripe-signature': wrong }),
      await send(provided(app.services.payments.stripe, { webhookSecrets: [] }), payload, {}),
    ]
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    expect(bodies).toEqual([
      { received: true },
      { code: 'SIGNATURE_MISSING', status: 400, message: expect.any(String) },
      { code: 'SIGNATURE_WRONG', status: 400, message: 'The signature of this event is wrong.' },
      { code: 'NOT_FOUND', status: 404, message: expect.any(String) },
    ])
    expect(add.mock.calls).toEqual([200, 400, 400, 404].map((status) => [{ status }]))
    expect(warn.mock.calls).toEqual([
      [{ problem: 'The signature of this event is wrong.' }, expect.any(String)],
    ])
  })

  test('says that an event is too long', async () => {
    const payload = body({ ...good(), more: 'x'.repeat(1024 * 1024) })
    const answer = await createApp(app.services).request('/webhooks/stripe', {
      method: 'POST',
      body: payload,
      headers: { 'stripe-signature': signed(payload), 'content-length': String(payload.length) },
    })
    expect(await answer.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 })
  })

  test.each<[string, (event: ReturnType<typeof good>) => unknown]>([
    ['an id that begins with something else', (event) => ({ ...event, id: `x${event.id}` })],
    ['an id that ends with something else', (event) => ({ ...event, id: `${event.id}-` })],
    ['an id of nothing', (event) => ({ ...event, id: 'evt_' })],
    ['an id without end', (event) => ({ ...event, id: `evt_${'a'.repeat(81)}` })],
    ['an id in a list', (event) => ({ ...event, id: [event.id] })],
    ['no kind', (event) => ({ ...event, type: undefined })],
    ['no time', (event) => ({ ...event, created: '1790000000' })],
    ['no data', (event) => ({ ...event, data: undefined })],
    ['data about nothing', (event) => ({ ...event, data: { object: null } })],
    ['data about words', (event) => ({ ...event, data: { object: 'prod_1' } })],
  ])('turns away what has %s, though it is signed', async (_, change) => {
    const event = good()
    const payload = body(change(event))
    const answer = await send(app.services, payload, { 'stripe-signature': signed(payload) })
    expect([answer.status, (await answer.json()).message]).toEqual([400, 'This is no event.'])
    expect(await eventRow(event.id)).toBeUndefined()
  })

  test('takes an id of 80 letters', async () => {
    const payload = body({ ...good(), id: `evt_${'a'.repeat(80)}` })
    const answer = await send(app.services, payload, { 'stripe-signature': signed(payload) })
    expect(answer.status).toBe(200)
  })

  test('keeps no fault of ours quiet', async () => {
    const fault = new RangeError('ours')
    const constructEvent = () => {
      throw fault
    }
    const services = provided({ webhooks: { constructEvent } })
    await expect(send(services, '{}', { 'stripe-signature': 'x' })).rejects.toBe(fault)
  })
})

describe('an event is noted', () => {
  const eventOf = (object: object, type = 'customer.updated') =>
    ({
      id: newId('evt'),
      type,
      created: 1_790_000_000,
      data: { object },
    }) as unknown as Stripe.Event
  const keep = (event: Stripe.Event, source: 'webhook' | 'reconciler' = 'webhook') =>
    db().transaction((transaction) => keepEvent(transaction, event, source))

  test('with whom it is about', async () => {
    for (const [object, customerId] of [
      [{ id: 'cus_1', object: 'customer', customer: 'cus_other' }, 'cus_1'],
      [{ id: 'ch_1', object: 'charge', customer: 'cus_2' }, 'cus_2'],
      [{ id: 'ch_1', object: 'charge', customer: { id: 'cus_3' } }, 'cus_3'],
      [{ id: 'ch_1', object: 'charge', customer: null }, null],
    ] as const) {
      const event = eventOf(object)
      await keep(event)
      expect(await eventRow(event.id)).toMatchObject({
        objectId: object.id,
        customerId,
        status: 'waiting',
        outcome: '',
        occurredAt: new Date(1_790_000_000_000),
      })
      expect(await jobKeys(event.id)).toEqual([`payment event ${event.id}`])
    }
  })

  test.each([
    ['is about nothing that has an id', {}, 'customer.updated', ''],
    ['is of no kind that concerns us', { id: 'prod_1', object: 'product' }, 'x', 'prod_1'],
  ])('and nothing follows when it %s', async (_, object, type, objectId) => {
    const event = eventOf(object, type)
    expect(await keep(event)).toBe(true)
    expect(await eventRow(event.id)).toMatchObject({
      objectId,
      customerId: null,
      status: 'ignored',
      outcome: 'Nothing of ours depends on this kind of event',
    })
    expect(await jobKeys(event.id)).toEqual([])
  })

  test('once, however we come to know of it; how often it came is counted', async () => {
    const event = eventOf({ id: 'cus_1', object: 'customer' })
    expect(await noteRepeat(db(), event.id)).toBe(false)
    expect(await keep(event, 'reconciler')).toBe(true)
    expect(await eventRow(event.id)).toMatchObject({ source: 'reconciler', deliveries: 0 })
    expect(await keep(event)).toBe(false)
    expect(await keep(event, 'reconciler')).toBe(false)
    expect(await noteRepeat(db(), event.id)).toBe(true)
    expect(await eventRow(event.id)).toMatchObject({ source: 'reconciler', deliveries: 2 })
    await enqueueEvent(db(), event.id)
    expect(await jobKeys(event.id)).toHaveLength(1)
  })
})

describe('an event is applied', () => {
  async function told(
    objectId: string,
    objects: ToldObject[] | Error | string = [],
    more: Partial<typeof paymentEvents.$inferInsert> = {},
  ) {
    const id = newId('evt')
    await db()
      .insert(paymentEvents)
      .values({
        id,
        type: 'some.kind',
        objectId,
        occurredAt: new Date(),
        source: 'webhook',
        ...more,
      })
    const isFault = !Array.isArray(objects)
    const provider = toldProvider(app.services, isFault ? [] : objects)
    if (isFault) {
      const retrieve = () => Promise.reject(objects)
      Object.assign(provider.stripe.charges, { retrieve })
    }
    const failure = await applyPaymentEvent({ eventId: id }, provider.services).catch(
      (error: unknown) => error,
    )
    return { row: (await eventRow(id))!, failure, asked: provider.asked }
  }
  const outcome = async (...given: Parameters<typeof told>) => {
    const { row } = await told(...given)
    return `${row.status}: ${row.outcome}`
  }
  const noCharge = 'ignored: It belongs to no charge'
  const stranger = 'ignored: About a customer whom we do not know'

  test.each<[string, ToldObject[], string]>([
    ['re_1', [{ id: 're_1', object: 'refund', charge: null }], noCharge],
    ['dp_1', [{ id: 'dp_1', object: 'dispute', charge: null }], noCharge],
    [
      're_2',
      [
        { id: 're_2', object: 'refund', charge: 'ch_1' },
        { id: 'ch_1', object: 'charge', customer: null },
      ],
      stranger,
    ],
    [
      'dp_2',
      [
        { id: 'dp_2', object: 'dispute', charge: { id: 'ch_1' } },
        { id: 'ch_1', object: 'charge', customer: null },
      ],
      stranger,
    ],
    ['ch_1', [{ id: 'ch_1', object: 'charge', customer: null }], stranger],
    ['cs_1', [{ id: 'cs_1', object: 'checkout.session', customer: null }], stranger],
    [
      'in_1',
      [{ id: 'in_1', object: 'invoice', parent: null }],
      'ignored: An invoice that belongs to no subscription',
    ],
    [
      'in_2',
      [{ id: 'in_2', object: 'invoice', parent: { subscription_details: null } }],
      'ignored: An invoice that belongs to no subscription',
    ],
    ['cus_1', [], 'ignored: Nothing is paid with it'],
    ['acct_1', [], 'ignored: An account that we do not know'],
    ['po_1', [], 'ignored: A payout that we did not ask for'],
    ['prod_1', [], 'ignored: Nothing of ours depends on it'],
    ['ch_gone', [], 'ignored: The provider does not know it any more'],
  ])('about %s', async (objectId, objects, expected) => {
    expect(await outcome(objectId, objects)).toBe(expected)
  })

  test('for whom it says, who need not be asked for', async () => {
    const subscription = { id: 'sub_1', object: 'subscription', customer: 'cus_other' }
    const invoice = {
      id: 'in_3',
      object: 'invoice',
      parent: { subscription_details: { subscription: 'sub_1' } },
    }
    for (const objectId of ['sub_1', 'in_3']) {
      const { row, asked } = await told(objectId, [subscription, invoice], { customerId: 'cus_1' })
      expect(`${row.status}: ${row.outcome}`).toBe(stranger)
      expect(asked).not.toContain('subscriptions.retrieve sub_1')
    }
  })

  test('once, and never when there is none', async () => {
    const { row, failure, asked } = await told('ch_1', [], { status: 'applied', outcome: 'Done' })
    expect([row.status, row.outcome, row.attempts, failure]).toEqual([
      'applied',
      'Done',
      0,
      undefined,
    ])
    expect(asked).toEqual([])
    await applyPaymentEvent({ eventId: 'evt_none' }, app.services)
  })

  test('again when the provider fails, in words that are not too long', async () => {
    const long = new Error('x'.repeat(600))
    const { row, failure } = await told('ch_1', long, { attempts: 10 })
    expect(failure).toBe(long)
    expect(row).toMatchObject({ status: 'waiting', attempts: 11, appliedAt: null })
    expect(row.outcome).toBe('x'.repeat(500))
    const last = await told('ch_1', 'away', { attempts: 11 })
    expect(last.row).toMatchObject({ status: 'failed', attempts: 12, outcome: 'away' })
  })

  /** When the customer's own card was given, on the provider's page. */
  const given = 1_790_000_000

  async function payer(status: string) {
    const { id: userId } = await makePerson(app.services)
    const [customer, subscription] = [newId('cus'), newId('sub')]
    await db().insert(paymentCustomers).values({ id: customer, userId })
    await db().insert(planSubscriptions).values({
      id: subscription,
      userId,
      customerId: customer,
      plan: 'monthly',
      status,
      startedAt: new Date(),
    })
    const objects: ToldObject[] = [
      {
        id: subscription,
        object: 'subscription',
        customer,
        status,
        metadata: { kind: 'plan' },
        items: { data: [] },
        cancel_at_period_end: false,
        cancel_at: null,
        start_date: 1_790_000_000,
        ended_at: null,
        default_payment_method: null,
        latest_invoice: null,
      },
      { id: customer, object: 'customer', invoice_settings: { default_payment_method: 'pm_1' } },
      {
        id: 'pm_1',
        object: 'payment_method',
        created: given,
        card: { brand: 'visa', last4: '4444' },
      },
    ]
    const card = async () =>
      (
        await db().select().from(planSubscriptions).where(eq(planSubscriptions.id, subscription))
      )[0]!.cardLast4
    return { userId, customer, subscription, objects, card }
  }

  test.each([
    ['active', 'applied: The card was looked up', '4444'],
    ['trialing', 'applied: The card was looked up', '4444'],
    ['past_due', 'applied: The card was looked up', '4444'],
    ['canceled', 'ignored: Nothing is paid with it', null],
  ])('of a customer with a plan that is %s: %s', async (status, expected, last4) => {
    const { customer, objects, card } = await payer(status)
    const { row, asked } = await told(customer, objects, { type: 'customer.updated' })
    expect(`${row.status}: ${row.outcome}`).toBe(expected)
    expect(await card()).toBe(last4)
    const times = asked.filter((call) => call.startsWith('subscriptions.retrieve')).length
    expect(times).toBe(last4 ? 1 : 0)
  })

  test.each([
    ['before it', -1, '4444'],
    ['in the same second', 0, '4444'],
    ['after it, with what was bought since,', 1, '4242'],
  ])(
    'of a customer who has a new card: a subscription whose own was given %s pays with the later one',
    async (_, after, last4) => {
      const { customer, subscription, objects, card } = await payer('active')
      const own = {
        id: 'pm_own',
        object: 'payment_method',
        created: given + after,
        card: { brand: 'visa', last4: '4242' },
      }
      const [ours, ...rest] = objects
      ours!.default_payment_method = own.id
      // Bought at another site of the same merchant: none of ours.
      const foreign = { ...ours!, id: newId('sub'), metadata: {} }
      const all = [ours!, foreign, ...rest, own]
      const updates = async () => {
        const { row, asked } = await told(customer, all, { type: 'customer.updated' })
        expect(row.outcome).toBe('The card was looked up')
        return asked.filter((call) => call.startsWith('subscriptions.update'))
      }
      expect(await updates()).toEqual(
        last4 === '4444' ? [`subscriptions.update ${subscription}`] : [],
      )
      expect(await card()).toBe(last4)
      expect(await updates()).toEqual([])
    },
  )

  test('of a customer who has no card of their own: each subscription keeps its own', async () => {
    const { customer, objects, card } = await payer('active')
    const [ours, owner, method] = objects
    ours!.default_payment_method = method!.id
    for (const one of [
      { ...owner!, invoice_settings: { default_payment_method: null } },
      { ...owner!, deleted: true },
    ]) {
      const { asked } = await told(customer, [ours!, one, method!], { type: 'customer.updated' })
      expect(asked.filter((call) => call.startsWith('subscriptions.update'))).toEqual([])
      expect(await card()).toBe('4444')
    }
  })

  test('of a customer who was deleted there: who pays again is a new one', async () => {
    const { customer } = await payer('active')
    const type = 'customer.deleted'
    expect(await outcome(customer, [], { type })).toBe('applied: The customer is gone')
    const kept = await db().select().from(paymentCustomers).where(eq(paymentCustomers.id, customer))
    expect(kept).toMatchObject([{ userId: null }])
    expect(await outcome('cus_nobody', [], { type })).toBe(stranger)
  })

  test('of a customer who was deleted there before we hear that Pro ended: it ends all the same', async () => {
    const { userId, customer, objects } = await payer('active')
    await told(customer, [], { type: 'customer.deleted' })
    expect(await planOf(db(), userId)).toBe('pro')
    const [subscription] = objects
    const over = { ...subscription!, status: 'canceled', ended_at: 1_790_000_100 }
    const expected = 'applied: Pro is canceled'
    expect(await outcome(over.id, [over], { customerId: customer })).toBe(expected)
    expect(await planOf(db(), userId)).toBe('free')
    const kept = await db()
      .select()
      .from(planSubscriptions)
      .where(eq(planSubscriptions.id, over.id))
    expect(kept).toMatchObject([
      { userId, status: 'canceled', endedAt: new Date(1_790_000_100_000) },
    ])
  })
})

describe('a customer', () => {
  /** A provider that knows these, and makes one more each time. */
  function provider(objects: ToldObject[] = []) {
    const told = toldProvider(app.services, objects)
    const create = vi.fn(async (_facts: object, _options: object) => ({ id: newId('cus') }))
    Object.assign(told.stripe.customers, { create })
    return { ...told, create }
  }
  const rowsOf = (userId: string) =>
    db().select().from(paymentCustomers).where(eq(paymentCustomers.userId, userId))

  test('is made with name and address, by a key that holds both', async () => {
    const person = await makePerson(app.services)
    const { services, create } = provider()
    const id = await customerOf(services, person)
    expect(await rowsOf(person.id)).toMatchObject([{ id }])
    // Once more, as after an answer that was lost; then with another address.
    for (const email of [person.email, 'other@example.com']) {
      await db().delete(paymentCustomers).where(eq(paymentCustomers.userId, person.id))
      await customerOf(services, { ...person, email })
    }
    const { id: userId, name, email } = person
    expect(create.mock.calls[0]![0]).toEqual({ name, email, metadata: { userId } })
    const keys = create.mock.calls.map(
      ([, options]) => (options as { idempotencyKey: string }).idempotencyKey,
    )
    expect(keys[0]).toMatch(new RegExp(`^customer ${userId} [0-9a-f]{16}$`))
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false])
  })

  test('stays the same while the provider knows it, and is another one when it does not', async () => {
    const person = await makePerson(app.services)
    const { services, create } = provider()
    const first = await customerOf(services, person)
    const known = provider([{ id: first, object: 'customer' }])
    expect(await customerOf(known.services, person)).toBe(first)
    expect(known.create).not.toHaveBeenCalled()
    const deleted = provider([{ id: first, object: 'customer', deleted: true }])
    const second = await customerOf(deleted.services, person)
    expect(second).not.toBe(first)
    expect(await rowsOf(person.id)).toMatchObject([{ id: second }])
    expect(await customerOf(services, person)).not.toBe(second)
    expect(create).toHaveBeenCalledTimes(2)
  })

  test('is made by another key when the first one leads to somebody who was deleted', async () => {
    const [person, gone] = [await makePerson(app.services), newId('cus')]
    await db().insert(paymentCustomers).values({ id: gone, userId: null })
    const { services, create } = provider()
    create.mockResolvedValueOnce({ id: gone })
    const id = await customerOf(services, person)
    expect(id).not.toBe(gone)
    const [first, second] = create.mock.calls.map(
      ([, options]) => (options as { idempotencyKey: string }).idempotencyKey,
    )
    expect(second).toBe(`${first} after ${gone}`)
  })

  test('who was forgotten in this moment is made anew', async () => {
    const person = await makePerson(app.services)
    const { services, stripe, create } = provider()
    const first = await customerOf(services, person)
    const retrieve = async () => {
      await db()
        .update(paymentCustomers)
        .set({ userId: null })
        .where(eq(paymentCustomers.id, first))
      throw missingAtProvider(first)
    }
    Object.assign(stripe.customers, { retrieve })
    const second = await customerOf(services, person)
    expect(second).not.toBe(first)
    expect(await rowsOf(person.id)).toMatchObject([{ id: second }])
    expect(create).toHaveBeenCalledTimes(2)
  })

  test('waits for nobody else’s', async () => {
    const [one, other] = [await makePerson(app.services), await makePerson(app.services)]
    const { services, create } = provider()
    create.mockImplementationOnce(async () => {
      await customerOf(provider().services, other)
      return { id: newId('cus') }
    })
    expect(await customerOf(services, one)).toMatch(/^cus_/)
    expect(await rowsOf(other.id)).toHaveLength(1)
    const held = withCustomer(db(), 'cus_one', () =>
      withCustomer(db(), 'cus_other', async () => 'both'),
    )
    expect(await held).toBe('both')
  })

  test('pays also with an address that the provider does not take, and not while it fails', async () => {
    const person = await makePerson(app.services)
    const { services, create } = provider()
    const id = await customerOf(services, person)
    const known = provider([{ id, object: 'customer', name: 'Somebody', email: person.email }])
    const update = vi.fn(async () => {
      throw missingAtProvider(id)
    })
    Object.assign(known.stripe.customers, { update })
    expect(await customerOf(known.services, person)).toBe(id)
    expect(update).toHaveBeenCalledWith(id, { name: person.name, email: person.email })
    const refused = new Stripe.errors.StripeInvalidRequestError({
      type: 'invalid_request_error',
      code: 'email_invalid',
      message: 'Invalid email address',
    })
    update.mockRejectedValueOnce(refused)
    expect(await customerOf(known.services, person)).toBe(id)
    const failed = providerFailed()
    update.mockRejectedValueOnce(failed)
    await expect(customerOf(known.services, person)).rejects.toBe(failed)
    const told = provider([{ id, object: 'customer', name: person.name, email: person.email }])
    await customerOf(told.services, person)
    expect(told.asked).toEqual([`customers.retrieve ${id}`])
    expect(create).toHaveBeenCalledTimes(1)
  })

  test('is made, and told of a new name, without an address that the provider does not take', async () => {
    const person = await makePerson(app.services)
    const refused = new Stripe.errors.StripeInvalidRequestError({
      type: 'invalid_request_error',
      code: 'email_invalid',
      param: 'email',
      message: 'Invalid email address',
    })
    const { services, stripe, create } = provider()
    create.mockRejectedValueOnce(refused)
    const id = await customerOf(services, person)
    expect(await rowsOf(person.id)).toMatchObject([{ id }])
    const { name } = person
    expect(create.mock.calls[1]![0]).toEqual({ name, metadata: { userId: person.id } })
    const [first, second] = create.mock.calls.map(([, options]) => options)
    expect(second).not.toEqual(first)

    const update = vi.fn(async (_id: string, _facts: object) => ({}))
    Object.assign(stripe.customers, { update })
    update.mockRejectedValueOnce(refused)
    await tellCustomer({ userId: person.id }, services)
    expect(update.mock.calls).toEqual([
      [id, { name, email: person.email }],
      [id, { name, email: undefined }],
    ])
    // What else is refused would be refused each time: nobody tries that for days.
    const other = new Stripe.errors.StripeInvalidRequestError({
      type: 'invalid_request_error',
      param: 'name',
      message: 'Invalid name',
    })
    update.mockRejectedValueOnce(other)
    await expect(tellCustomer({ userId: person.id }, services)).rejects.toBeInstanceOf(GivenUp)
    const failed = providerFailed()
    update.mockRejectedValueOnce(failed)
    await expect(tellCustomer({ userId: person.id }, services)).rejects.toBe(failed)
  })

  test('is not replaced because the provider is away', async () => {
    const person = await makePerson(app.services)
    const { services, stripe, create } = provider()
    const id = await customerOf(services, person)
    const failed = providerFailed()
    Object.assign(stripe.customers, { retrieve: () => Promise.reject(failed) })
    await expect(customerOf(services, person)).rejects.toBe(failed)
    expect(await rowsOf(person.id)).toMatchObject([{ id }])
    expect(create).toHaveBeenCalledTimes(1)
  })
})

describe('what must happen at the provider', () => {
  /** A provider with this subscription and this charge; what is done to them is noted. */
  function provider(subscription: object | Error, charge: object | Error = {}) {
    const done: unknown[] = []
    const give = async (answer: object | Error) => {
      if (answer instanceof Error) throw answer
      return answer
    }
    const note =
      (what: string) =>
      async (...all: unknown[]) => {
        done.push([what, ...all])
        return {}
      }
    const stripe = {
      subscriptions: {
        retrieve: () => give(subscription),
        cancel: note('cancel'),
        async update(...all: unknown[]) {
          done.push(['update', ...all])
          return subscription
        },
      },
      invoices: { update: note('stop') },
      charges: { retrieve: () => give(charge) },
      refunds: { create: note('refund') },
      customers: { del: note('delete') },
    }
    return { services: provided(stripe), stripe, done }
  }
  const active = {
    id: 'sub_1',
    customer: 'cus_1',
    status: 'active',
    cancel_at_period_end: false,
    latest_invoice: { id: 'in_1', status: 'paid', billing_reason: 'subscription_cycle' },
  }
  const draft = { ...active.latest_invoice, status: 'draft' }
  const endsWithPeriod = [
    'update',
    'sub_1',
    { cancel_at_period_end: true, expand: ['latest_invoice'] },
  ]
  const stopped = ['stop', 'in_1', { auto_advance: false }]
  const gone = missingAtProvider('it')

  test.each<[object | Error, 'now' | 'period end', unknown[]]>([
    [active, 'now', [['cancel', 'sub_1']]],
    [active, 'period end', [endsWithPeriod]],
    [{ ...active, latest_invoice: draft }, 'now', [stopped, ['cancel', 'sub_1']]],
    [{ ...active, cancel_at_period_end: true }, 'period end', []],
    [{ ...active, cancel_at_period_end: true }, 'now', [['cancel', 'sub_1']]],
    [{ ...active, status: 'canceled' }, 'now', []],
    [{ ...active, status: 'canceled' }, 'period end', []],
    [{ ...active, status: 'incomplete_expired' }, 'now', []],
    [gone, 'now', []],
  ])('to a subscription: %o ends %s', async (subscription, when, expected) => {
    const { services, done } = provider(subscription)
    await db().transaction((transaction) => cancelAtProvider(transaction, 'sub_1', when))
    await cancelSubscription({ subscriptionId: 'sub_1', when }, services)
    expect(done).toEqual(expected)
  })

  test('to a subscription that was kept while its end was under way: nothing', async () => {
    const { services, done } = provider(active)
    await db().transaction((transaction) => keepAtProvider(transaction, 'sub_1'))
    await cancelSubscription({ subscriptionId: 'sub_1', when: 'period end' }, services)
    expect(done).toEqual([])
  })

  test.each<[object | Error, boolean]>([
    [{ refunded: false, disputed: false }, true],
    [{ refunded: true, disputed: false }, false],
    [{ refunded: false, disputed: true }, false],
    [gone, false],
  ])('to a charge: %o is paid back: %j', async (charge, isPaidBack) => {
    const { services, done } = provider(active, charge)
    await refundCharge({ chargeId: 'ch_1', key: 'once' }, services)
    const refund = ['refund', { charge: 'ch_1' }, { idempotencyKey: 'once' }]
    expect(done).toEqual(isPaidBack ? [refund] : [])
  })

  test('to what was bought: each charge goes back, and then its subscription ends', async () => {
    const { services, done } = provider(active, { refunded: false, disputed: false })
    await payBack({ chargeIds: ['ch_1', 'ch_2'], subscriptionId: 'sub_1' }, services)
    expect(done).toEqual([
      ['refund', { charge: 'ch_1' }, { idempotencyKey: 'refund ch_1' }],
      ['refund', { charge: 'ch_2' }, { idempotencyKey: 'refund ch_2' }],
      ['cancel', 'sub_1'],
    ])
    done.length = 0
    await payBack({ chargeIds: [], subscriptionId: null }, services)
    expect(done).toEqual([])
  })

  test('to a customer is deleting it; what is away is tried again, and what is gone is not', async () => {
    const { services, stripe, done } = provider(active)
    await deleteCustomer({ customerId: 'cus_1' }, services)
    expect(done).toEqual([['delete', 'cus_1']])
    stripe.customers.del = () => Promise.reject(gone)
    await deleteCustomer({ customerId: 'cus_1' }, services)
    for (const failed of [
      providerFailed(),
      new Stripe.errors.StripeInvalidRequestError({
        type: 'invalid_request_error',
        code: 'other',
        message: 'No',
      }),
    ]) {
      stripe.customers.del = () => Promise.reject(failed)
      await expect(deleteCustomer({ customerId: 'cus_1' }, services)).rejects.toBe(failed)
    }
  })
})

describe('whether the provider can be reached', () => {
  const kept = async () => (await db().select().from(paymentProvider))[0]!

  test('is asked once in 15 seconds, and told to nobody’s cache', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const list = vi.fn(async (_params: object) => ({ data: [] }))
    const check = createConnectionCheck(provided({ customers: { list } }))
    await db()
      .update(paymentProvider)
      .set({ isReachable: false, checkedAt: new Date(0) })
    const [answer] = await Promise.all([check(), check()])
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'no-store'])
    expect(await kept()).toMatchObject({ id: 1, isReachable: true })
    expect((await kept()).checkedAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
    vi.advanceTimersByTime(15_000)
    await check()
    expect(list.mock.calls).toEqual([[{ limit: 1 }]])
    vi.advanceTimersByTime(1)
    await check()
    expect(list).toHaveBeenCalledTimes(2)
  })

  test('is said when it cannot, and in the log why', async () => {
    const warn = vi.spyOn(app.services.log, 'warn')
    const failed = providerFailed()
    const check = createConnectionCheck(
      provided({ customers: { list: () => Promise.reject(failed) } }),
    )
    expect((await check()).status).toBe(503)
    expect((await kept()).isReachable).toBe(false)
    expect(warn.mock.calls).toEqual([[{ err: failed }, expect.any(String)]])
  })

  test('is not guessed from a fault of ours, and is asked again at once after it', async () => {
    const fault = new RangeError('ours')
    const list = vi.fn(async () => ({ data: [] })).mockRejectedValueOnce(fault)
    const check = createConnectionCheck(provided({ customers: { list } }))
    await expect(check()).rejects.toBe(fault)
    expect((await check()).status).toBe(204)
  })

  test('is answered also when it cannot be noted, and the log says so', async () => {
    const warn = vi.spyOn(app.services.log, 'warn')
    const away = new Error('no connection')
    vi.spyOn(app.services.db, 'insert').mockImplementation(() => {
      throw away
    })
    const list = async () => ({ data: [] })
    expect((await createConnectionCheck(provided({ customers: { list } }))()).status).toBe(204)
    expect(warn.mock.calls).toEqual([[{ err: away }, expect.any(String)]])
  })
})

describe('administrators', () => {
  async function administrator() {
    const { id } = await makePerson(app.services)
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [id])
    return { id, cookie: await sessionCookieOf(app.services, id) }
  }

  test('find what is about a customer, what failed, and all; a page that is full may be the last', async () => {
    const { cookie } = await administrator()
    const list = (query = '') => app.request(`/rest/v1/payment-events${query}`, { cookie })
    await db().delete(paymentEvents)
    const made = Array.from({ length: 51 }, () => newId('evt'))
    await db()
      .insert(paymentEvents)
      .values(
        made.map((id, place) => ({
          id,
          type: 'some.kind',
          objectId: 'ch_1',
          customerId: place === 7 ? 'cus_wanted' : null,
          status: place === 0 ? ('waiting' as const) : ('failed' as const),
          occurredAt: new Date(),
          source: 'webhook' as const,
          receivedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, place)),
        })),
      )
    const newest = made.slice(1).toReversed()
    const idsOf = ({ body }: { body: { events: { id: string }[] } }) =>
      body.events.map(({ id }) => id)
    const all = await list()
    expect(idsOf(all)).toEqual(newest)
    expect(idsOf(await list(`?cursor=${all.body.nextCursor}`))).toEqual(made.slice(0, 1))
    const failed = await list('?status=failed')
    expect([idsOf(failed), failed.body.nextCursor]).toEqual([newest, null])
    expect(idsOf(await list('?status=failed&search=cus_wanted'))).toEqual([made[7]])
  })

  test('see that there is neither a sandbox nor a secret', async () => {
    const { cookie } = await administrator()
    const services = provided(app.services.payments.stripe, {
      webhookSecrets: [],
      sandbox: undefined,
    })
    const answer = await createApp(services).request('/rest/v1/payment-events', {
      headers: { cookie },
    })
    expect((await answer.json()).provider).toMatchObject({
      hasWebhookSecret: false,
      sandboxUrl: null,
    })
  })

  test('have an event applied again, whatever became of it, and it is noted who did', async () => {
    const { id: actorId, cookie } = await administrator()
    const id = newId('evt')
    await db().insert(paymentEvents).values({
      id,
      type: 'charge.refunded',
      objectId: 'ch_1',
      occurredAt: new Date(),
      source: 'webhook',
      status: 'failed',
      outcome: 'Away',
      attempts: 12,
      appliedAt: new Date(),
    })
    const replay = (eventId: string) =>
      app.request(`/rest/v1/payment-events/${eventId}/replay`, { method: 'POST', cookie })
    expect((await replay(id)).body).toMatchObject({
      id,
      status: 'waiting',
      outcome: '',
      attempts: 0,
      appliedAt: null,
    })
    expect(await jobKeys(id)).toEqual([`payment event ${id}`])
    expect(await replay('evt_none')).toMatchObject({
      status: 404,
      body: { message: 'There is no such event.' },
    })
    const acts = await db()
      .select()
      .from(administrativeActs)
      .where(eq(administrativeActs.actorId, actorId))
    expect(acts).toMatchObject([
      {
        action: 'replay_event',
        subjectKind: 'payment_event',
        subjectId: id,
        subjectName: 'charge.refunded',
      },
    ])
  })
})

test('who has no email address is a customer without one: the stand-in holds the address of a wallet', async () => {
  const { stripe } = app.services.payments
  const emailAtProvider = async (person: { id: string; name: string; email: string }) => {
    const customer = await stripe.customers.retrieve(await customerOf(app.services, person))
    return customer.deleted ? 'deleted' : customer.email
  }
  const [wim, ann] = [await makePerson(app.services), await makePerson(app.services)]
  const email = '0x1234@siwe.placeholder.invalid'
  expect(await emailAtProvider({ ...wim, email })).toBe(null)
  expect(await emailAtProvider(ann)).toBe(ann.email)
})
