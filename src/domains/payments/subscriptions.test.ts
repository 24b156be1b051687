// What follows from a subscription, as the provider tells it: for who pays for Pro or for a month of a course, in the books,
// and at the provider.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson } from '../../../test/factories.ts'
import { type ToldObject, toldProvider } from '../../../test/told-provider.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { courses } from '../courses/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { syncCheckout } from './sync-checkout.ts'
import { syncPlan } from './sync-plan.ts'
import { syncSubscription } from './sync-subscription.ts'
import { checkouts, paymentCustomers, payments } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const newId = (prefix: string) => `${prefix}_${randomUUID()}`
const seconds = (iso: string) => Date.parse(iso) / 1000

type More = Record<string, unknown>

const subscriptionOf = (customer: string, more: More = {}): ToldObject => ({
  id: newId('sub'),
  object: 'subscription',
  customer,
  status: 'active',
  metadata: { kind: 'plan', plan: 'monthly' },
  items: {
    data: [
      {
        price: { recurring: { interval: 'month' } },
        current_period_start: seconds('2026-03-01T00:00:00Z'),
        current_period_end: seconds('2026-04-01T00:00:00Z'),
      },
    ],
  },
  cancel_at_period_end: false,
  cancel_at: null,
  cancellation_details: null,
  start_date: seconds('2026-03-01T00:00:00Z'),
  ended_at: null,
  default_payment_method: null,
  latest_invoice: null,
  ...more,
})

/** An invoice of it that was paid by one charge of $20, and what else the provider has of that. */
function paidInvoice(subscription: ToldObject, { charge = {}, ...invoice }: More = {}) {
  const [intentId, chargeId, invoiceId] = [newId('pi'), newId('ch'), newId('in')]
  const created = Number(invoice.created ?? seconds('2026-03-01T00:00:00Z'))
  const { customer } = subscription
  const objects: ToldObject[] = [
    {
      id: invoiceId,
      object: 'invoice',
      customer,
      subscription: subscription.id,
      status: 'paid',
      amount_paid: 2000,
      created,
      billing_reason: 'subscription_create',
      invoice_pdf: '/pdf',
      ...invoice,
    },
    {
      id: newId('inpay'),
      object: 'invoice_payment',
      invoice: invoiceId,
      status: 'paid',
      payment: { type: 'payment_intent', payment_intent: intentId },
    },
    { id: intentId, object: 'payment_intent', status: 'succeeded', latest_charge: chargeId },
    {
      id: chargeId,
      object: 'charge',
      customer,
      paid: true,
      captured: true,
      status: 'succeeded',
      amount_captured: 2000,
      currency: 'usd',
      created,
      receipt_url: null,
      refunded: false,
      disputed: false,
      balance_transaction: newId('txn'),
      ...(charge as More),
    },
  ]
  const [, , , made] = objects
  objects.push({
    id: String(made!.balance_transaction),
    object: 'balance_transaction',
    fee: 88,
    exchange_rate: null,
    available_on: created + 86_400,
  })
  return { objects, invoiceId, chargeId }
}

async function customerOfSomebody() {
  const person = await makePerson(app.services)
  const customer = newId('cus')
  await db().insert(paymentCustomers).values({ id: customer, userId: person.id })
  const object = {
    id: customer,
    object: 'customer',
    invoice_settings: { default_payment_method: null as string | null },
  }
  return { person, customer, object }
}

async function checkoutFor(userId: string, more: Partial<typeof checkouts.$inferInsert> = {}) {
  const [made] = await db()
    .insert(checkouts)
    .values({
      userId,
      kind: 'plan',
      plan: 'monthly',
      amount: 2000,
      currency: 'usd',
      successUrl: '/',
      cancelUrl: '/',
      expiresAt: new Date(Date.now() + 600_000),
      ...more,
    })
    .returning()
  return made!
}

const sync = (id: string, objects: ToldObject[], known?: { customerId: string }) =>
  syncSubscription(toldProvider(app.services, objects).services, id, known)

const planOf = async (id: string) =>
  (await db().select().from(planSubscriptions).where(eq(planSubscriptions.id, id)))[0]
const paymentOf = async (chargeId: string) =>
  (await db().select().from(payments).where(eq(payments.chargeId, chargeId)))[0]
const checkoutStatus = async (id: string) =>
  (await db().select().from(checkouts).where(eq(checkouts.id, id)))[0]!.status
const jobsNamed = async (task: string, about: string) => {
  const { rows } = await app.services.pool.query<{ payload: unknown }>(
    `select payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1 and payload::text like '%' || $2 || '%'`,
    [task, about],
  )
  return rows.map(({ payload }) => payload)
}

describe('Pro', () => {
  test('is paid on a page of ours: kept, recorded, and the page is done', async () => {
    const { person, customer, object } = await customerOfSomebody()
    const checkout = await checkoutFor(person.id)
    const subscription = subscriptionOf(customer, {
      metadata: { kind: 'plan', plan: 'monthly', checkoutId: checkout.id },
    })
    const first = paidInvoice(subscription)
    const later = paidInvoice(subscription, {
      created: seconds('2026-04-01T00:00:00Z'),
      billing_reason: 'subscription_cycle',
      invoice_pdf: undefined,
    })
    const objects = [object, subscription, ...later.objects, ...first.objects]
    expect(await sync(subscription.id, objects)).toEqual({
      status: 'applied',
      outcome: 'Pro is active',
    })
    expect(await planOf(subscription.id)).toMatchObject({ status: 'active', userId: person.id })
    expect(await checkoutStatus(checkout.id)).toBe('paid')
    expect(await paymentOf(first.chargeId)).toMatchObject({
      kind: 'plan',
      subscriptionId: subscription.id,
      payerId: person.id,
      description: 'Thunder Pro Monthly Plan',
      checkoutId: checkout.id,
      invoiceId: first.invoiceId,
      invoicePdf: '/pdf',
    })
    // A later month was not paid on the page.
    expect(await paymentOf(later.chargeId)).toMatchObject({ checkoutId: null, invoicePdf: null })
  })

  test('is nothing yet, or nothing any more, when it is not live and no money is left of it', async () => {
    const { customer, object } = await customerOfSomebody()
    const unpaid = subscriptionOf(customer, { status: 'incomplete' })
    expect(await sync(unpaid.id, [object, unpaid])).toEqual({
      status: 'ignored',
      outcome: 'It is not paid yet',
    })
    const over = subscriptionOf(customer, { status: 'canceled', ended_at: 1_790_000_000 })
    const back = paidInvoice(over, { charge: { refunded: true } })
    expect(await sync(over.id, [over, ...back.objects])).toEqual({
      status: 'ignored',
      outcome: 'It was paid back',
    })
    expect([await planOf(unpaid.id), await planOf(over.id)]).toEqual([undefined, undefined])
  })

  test('that was paid back before we hear of it closes its page', async () => {
    const { person, customer, object } = await customerOfSomebody()
    const checkout = await checkoutFor(person.id)
    const over = subscriptionOf(customer, {
      status: 'canceled',
      ended_at: 1_790_000_000,
      metadata: { kind: 'plan', checkoutId: checkout.id },
    })
    const back = paidInvoice(over, { charge: { refunded: true } })
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await sync(over.id, [object, over, ...back.objects])).toMatchObject({
        status: 'ignored',
      })
      expect(await checkoutStatus(checkout.id)).toBe('refused')
    }
    expect(await planOf(over.id)).toBeUndefined()
  })

  test('that a bank has not paid yet is not open, though the provider calls it active; when it fails, it is over', async () => {
    const { person, customer, object } = await customerOfSomebody()
    const checkout = await checkoutFor(person.id)
    const session = {
      id: newId('cs'),
      object: 'checkout.session',
      customer,
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: null,
      metadata: { checkoutId: checkout.id },
    }
    const pending = subscriptionOf(customer, {
      metadata: { kind: 'plan', checkoutId: checkout.id },
      latest_invoice: newId('in'),
    })
    const asked = (status: string) => {
      const invoice = { id: pending.latest_invoice as string, object: 'invoice', status: 'open' }
      const page = { ...session, subscription: pending.id }
      const told = toldProvider(app.services, [object, page, { ...pending, status }, invoice])
      return syncCheckout(told.services, session.id)
    }
    expect(await asked('active')).toEqual({ status: 'ignored', outcome: 'It is not paid yet' })
    expect(await planOf(pending.id)).toBeUndefined()
    expect(await checkoutStatus(checkout.id)).toBe('open')
    expect(await asked('past_due')).toEqual({ status: 'applied', outcome: 'The payment failed' })
    expect(await planOf(pending.id)).toBeUndefined()
    expect(await checkoutStatus(checkout.id)).toBe('expired')
    expect(await jobsNamed('cancelSubscription', pending.id)).toEqual([
      { subscriptionId: pending.id, when: 'now' },
    ])
    const told = await db()
      .select({ title: notifications.title })
      .from(notifications)
      .where(eq(notifications.userId, person.id))
    expect(told).toEqual([{ title: 'Your Payment Failed' }])
  })

  test('that is over before we hear of it, and was paid, is in the books all the same', async () => {
    const { customer, object } = await customerOfSomebody()
    const live = subscriptionOf(customer)
    await sync(live.id, [object, live])
    const over = subscriptionOf(customer, { status: 'canceled', ended_at: 1_790_000_000 })
    const back = paidInvoice(over, { charge: { refunded: true } })
    const kept = paidInvoice(over)
    const objects = [live, over, ...back.objects, ...kept.objects]
    expect(await sync(over.id, objects)).toMatchObject({ outcome: 'Pro is canceled' })
    expect(await planOf(over.id)).toMatchObject({ status: 'canceled' })
    expect(await paymentOf(kept.chargeId)).toMatchObject({ kind: 'plan' })
    expect(await jobsNamed('payBack', over.id)).toEqual([])
  })

  test.each(['active', 'trialing'])(
    '%s of an account that is gone is paid back',
    async (status) => {
      const customer = newId('cus')
      await db().insert(paymentCustomers).values({ id: customer, userId: null })
      const subscription = subscriptionOf(customer, { status, ended_at: 1_790_000_000 })
      const { objects, chargeId } = paidInvoice(subscription)
      expect(await sync(subscription.id, [subscription, ...objects])).toMatchObject({
        status: 'applied',
      })
      expect(await planOf(subscription.id)).toBeUndefined()
      expect(await paymentOf(chargeId)).toMatchObject({
        kind: 'refused',
        payerId: null,
        description: 'Thunder Pro',
        checkoutId: null,
      })
      expect(await jobsNamed('payBack', subscription.id)).toEqual([
        { chargeIds: [chargeId], subscriptionId: subscription.id },
      ])
    },
  )

  test('that was refused stays so: what is charged since goes back, and nothing is done twice', async () => {
    const { person, customer, object } = await customerOfSomebody()
    const checkout = await checkoutFor(person.id, { status: 'refused' })
    const metadata = { kind: 'plan', checkoutId: checkout.id }
    const subscription = subscriptionOf(customer, { metadata })
    expect(await sync(subscription.id, [object, subscription])).toEqual({
      status: 'ignored',
      outcome: 'It is being paid back',
    })
    expect(await jobsNamed('payBack', subscription.id)).toEqual([])
    const { objects, chargeId } = paidInvoice(subscription)
    await sync(subscription.id, [object, subscription, ...objects])
    expect(await jobsNamed('payBack', subscription.id)).toHaveLength(1)
    expect(await paymentOf(chargeId)).toMatchObject({ kind: 'refused', checkoutId: checkout.id })
    expect(await planOf(subscription.id)).toBeUndefined()
  })

  describe('of two at once', () => {
    /** Newest first, as the provider lists them. */
    async function two(newer: More, older: More) {
      const { customer, object } = await customerOfSomebody()
      const both = [subscriptionOf(customer, newer), subscriptionOf(customer, older)] as const
      return { both, objects: [object, ...both] }
    }

    test('the older one stays, though it is not known yet', async () => {
      const { both, objects } = await two({}, { status: 'trialing' })
      const [newer, older] = both
      await sync(newer.id, objects)
      expect(await planOf(newer.id)).toBeUndefined()
      expect(await jobsNamed('payBack', newer.id)).toHaveLength(1)
      expect(await sync(older.id, objects)).toMatchObject({ outcome: 'Pro is trialing' })
    })

    test('the known one stays, though it is the newer one', async () => {
      const { both, objects } = await two({}, {})
      const [newer, older] = both
      await sync(
        newer.id,
        objects.filter((one) => one !== older),
      )
      await sync(older.id, objects)
      expect([(await planOf(newer.id))?.status, await planOf(older.id)]).toEqual([
        'active',
        undefined,
      ])
      expect(await jobsNamed('payBack', older.id)).toHaveLength(1)
    })

    test('one whose payment is missing gives way; one that is over, or a course, is in nobody’s way', async () => {
      const { customer, object } = await customerOfSomebody()
      const pastDue = subscriptionOf(customer, { status: 'past_due' })
      const over = subscriptionOf(customer, { status: 'canceled' })
      const course = subscriptionOf(customer, { metadata: { kind: 'course' } })
      const others = subscriptionOf(newId('cus'))
      const next = subscriptionOf(customer)
      const objects = [object, next, pastDue, over, course, others]
      expect(await sync(next.id, objects)).toMatchObject({ outcome: 'Pro is active' })
      expect(await jobsNamed('cancelSubscription', pastDue.id)).toEqual([
        { subscriptionId: pastDue.id, when: 'now' },
      ])
      for (const { id } of [over, course, others]) {
        expect(await jobsNamed('cancelSubscription', id)).toEqual([])
      }
    })
  })

  describe('shows the card', () => {
    const card = (id: string, last4: string) => ({
      id,
      object: 'payment_method',
      card: { brand: 'visa', last4 },
    })
    const shown = async (id: string) => {
      const { cardBrand, cardLast4 } = (await planOf(id))!
      return [cardBrand, cardLast4]
    }

    test('of the subscription before that of the customer, and none that is no card', async () => {
      const { customer, object } = await customerOfSomebody()
      object.invoice_settings.default_payment_method = 'pm_general'
      const own = subscriptionOf(customer, { default_payment_method: 'pm_own' })
      const methods = [card('pm_own', '4242'), card('pm_general', '4444')]
      await sync(own.id, [object, own, ...methods])
      expect(await shown(own.id)).toEqual(['visa', '4242'])
      await sync(own.id, [object, { ...own, default_payment_method: null }, ...methods])
      expect(await shown(own.id)).toEqual(['visa', '4444'])
      await sync(own.id, [object, own, { id: 'pm_own', object: 'payment_method' }, methods[1]!])
      expect(await shown(own.id)).toEqual([null, null])
      object.invoice_settings.default_payment_method = null
      await sync(own.id, [object, { ...own, default_payment_method: null }])
      expect(await shown(own.id)).toEqual([null, null])
    })

    test.each([
      [
        {
          type: 'us_bank_account',
          us_bank_account: { bank_name: 'STRIPE TEST BANK', last4: '6789' },
        },
        'STRIPE TEST BANK',
        '6789',
      ],
      [
        { type: 'us_bank_account', us_bank_account: { bank_name: null, last4: '6789' } },
        'us_bank_account',
        '6789',
      ],
      [{ type: 'paypal', paypal: { payer_email: 'somebody@example.com' } }, 'paypal', null],
      [{ type: 'link', link: { email: 'somebody@example.com' } }, 'link', null],
    ])('or what is none: %j', async (method, brand, last4) => {
      const { customer, object } = await customerOfSomebody()
      const own = subscriptionOf(customer, { default_payment_method: 'pm_own' })
      await sync(own.id, [object, own, { id: 'pm_own', object: 'payment_method', ...method }])
      expect(await shown(own.id)).toEqual([brand, last4])
    })

    test('of nobody once the customer is gone', async () => {
      const { customer, object } = await customerOfSomebody()
      const subscription = subscriptionOf(customer)
      await sync(subscription.id, [object, subscription])
      const deleted = { id: customer, object: 'customer', deleted: true }
      await sync(subscription.id, [deleted, { ...subscription, status: 'past_due' }])
      expect((await planOf(subscription.id))!.status).toBe('past_due')
      // Nor is the provider asked for one that it does not know any more.
      const over = { ...subscription, status: 'canceled', ended_at: 1_790_000_000 }
      expect(await sync(over.id, [over])).toMatchObject({ outcome: 'Pro is canceled' })
    })
  })

  test('of an account that is being deleted at this moment is left as it is', async () => {
    const { customer, object } = await customerOfSomebody()
    const subscription = subscriptionOf(customer)
    await sync(subscription.id, [object, subscription])
    const told = toldProvider(app.services, [object])
    await db().transaction((transaction) =>
      syncPlan(transaction, told.stripe, {
        subscription: { ...subscription, status: 'past_due' } as never,
        charges: [],
        checkout: null,
        userId: randomUUID(),
      }),
    )
    expect((await planOf(subscription.id))!.status).toBe('active')
  })

  test('ends when the bank takes a payment of it back for good, and not before', async () => {
    const { customer, object } = await customerOfSomebody()
    const subscription = subscriptionOf(customer)
    const disputed = (status: string) => {
      const { objects, chargeId } = paidInvoice(subscription, { charge: { disputed: true } })
      const dispute = {
        id: newId('dp'),
        object: 'dispute',
        charge: chargeId,
        amount: 2000,
        status,
        created: 1_790_000_000,
        balance_transactions: [{ fee: 1500 }],
      }
      return [object, subscription, ...objects, dispute]
    }
    await sync(subscription.id, disputed('needs_response'))
    await sync(subscription.id, disputed('won'))
    expect(await jobsNamed('cancelSubscription', subscription.id)).toEqual([])
    await sync(subscription.id, disputed('lost'))
    expect(await jobsNamed('cancelSubscription', subscription.id)).toEqual([
      { subscriptionId: subscription.id, when: 'now' },
    ])
  })
})

describe('a monthly course', () => {
  async function scene(more: Partial<typeof checkouts.$inferInsert> = {}, title = 'Knots') {
    const { person, customer, object } = await customerOfSomebody()
    const creator = await makePerson(app.services)
    const course = await makeCourse(app.services, creator, { title })
    const checkout = await checkoutFor(person.id, {
      kind: 'course',
      plan: null,
      courseId: course.id,
      pricingType: 'monthly',
      ...more,
    })
    const metadata = { kind: 'course', checkoutId: checkout.id }
    const subscription = subscriptionOf(customer, { metadata })
    return { person, course, checkout, customer, object, subscription }
  }
  const purchaseOf = async (id: string) =>
    (await db().select().from(purchases).where(eq(purchases.subscriptionId, id)))[0]

  test('is open to who paid the first month, until the end of the period', async () => {
    const { person, course, checkout, object, subscription } = await scene()
    const { objects, chargeId } = paidInvoice(subscription)
    const told = [object, subscription, ...objects]
    expect(await sync(subscription.id, told)).toEqual({
      status: 'applied',
      outcome: '“Knots” is paid until 2026-04-01',
    })
    const purchase = (await purchaseOf(subscription.id))!
    expect(purchase).toMatchObject({
      userId: person.id,
      courseId: course.id,
      pricingType: 'monthly',
      amount: 2000,
      currency: 'usd',
      status: 'active',
      currentPeriodStart: new Date('2026-03-01T00:00:00Z'),
      currentPeriodEnd: new Date('2026-04-01T00:00:00Z'),
      cancelAtPeriodEnd: false,
    })
    expect(await checkoutStatus(checkout.id)).toBe('paid')
    expect(await paymentOf(chargeId)).toMatchObject({
      purchaseId: purchase.id,
      checkoutId: checkout.id,
    })
  })

  test.each<[string, More, string]>([
    ['on trial', { status: 'trialing' }, '“Knots” is paid until 2026-04-01'],
    ['canceled', { cancel_at_period_end: true }, 'Canceled: “Knots” stays open until 2026-04-01'],
    [
      'canceled at a moment',
      { cancel_at: seconds('2026-03-20T00:00:00Z') },
      'Canceled: “Knots” stays open until 2026-04-01',
    ],
    [
      'to end some months later',
      { cancel_at: seconds('2026-07-01T00:00:00Z'), cancel_at_period_end: false },
      '“Knots” is paid until 2026-04-01',
    ],
    ['without a period', { items: { data: [] } }, '“Knots” is paid'],
    ['not paid any more', { status: 'past_due' }, 'The payment of “Knots” is missing'],
    ['over', { status: 'canceled', ended_at: 1_790_000_000 }, '“Knots” is over'],
  ])('%s when we first hear of it, is said to be so', async (_, more, outcome) => {
    const { object, subscription } = await scene()
    const { objects } = paidInvoice(subscription)
    const told = { ...subscription, ...more }
    expect(await sync(told.id, [object, told, ...objects])).toEqual({ status: 'applied', outcome })
    expect(await purchaseOf(told.id)).toMatchObject({
      cancelAtPeriodEnd: outcome.startsWith('Canceled'),
      currentPeriodEnd: 'items' in more ? null : new Date('2026-04-01T00:00:00Z'),
    })
  })

  test('is nothing before it is paid, nor without a page of ours, nor when it is no course', async () => {
    const { customer, object, subscription } = await scene()
    const ignored = (outcome: string) => ({ status: 'ignored', outcome })
    expect(await sync(subscription.id, [object, subscription])).toEqual(
      ignored('It is not paid yet'),
    )
    const without = subscriptionOf(customer, { metadata: { kind: 'course' } })
    expect(await sync(without.id, [without, ...paidInvoice(without).objects])).toEqual(
      ignored('A subscription without a payment page of ours'),
    )
    const foreign = subscriptionOf(customer, { metadata: {} })
    expect(await sync(foreign.id, [foreign, ...paidInvoice(foreign).objects])).toEqual(
      ignored('A subscription that is not of this site'),
    )
    const strangers = subscriptionOf(newId('cus'))
    expect(await sync(strangers.id, [strangers])).toEqual(
      ignored('About a customer whom we do not know'),
    )
  })

  test('that was refused goes back whenever it is charged, and once', async () => {
    const { checkout, object, subscription } = await scene({ status: 'refused' })
    expect(await sync(subscription.id, [object, subscription])).toEqual({
      status: 'ignored',
      outcome: 'It is being paid back',
    })
    const { objects, chargeId } = paidInvoice(subscription)
    const told = [object, subscription, ...objects]
    expect(await sync(subscription.id, told)).toMatchObject({ status: 'applied' })
    expect(await purchaseOf(subscription.id)).toBeUndefined()
    expect(await paymentOf(chargeId)).toMatchObject({
      kind: 'refused',
      checkoutId: checkout.id,
      description: '“Knots”',
    })
    expect(await jobsNamed('payBack', chargeId)).toEqual([
      { chargeIds: [chargeId], subscriptionId: subscription.id },
    ])
  })

  test('that is not there any more is paid back, and has no name', async () => {
    const { course, object, subscription } = await scene()
    await db().delete(courses).where(eq(courses.id, course.id))
    const { objects, chargeId } = paidInvoice(subscription)
    await sync(subscription.id, [object, subscription, ...objects])
    expect(await paymentOf(chargeId)).toMatchObject({ kind: 'refused', description: 'a course' })
  })

  test('goes on without the page that it was bought on; what is asked for is asked for once', async () => {
    const { customer, object, subscription } = await scene()
    await sync(subscription.id, [object, subscription, ...paidInvoice(subscription).objects])
    const moved = { ...subscription, metadata: { kind: 'course' } }
    const next = paidInvoice(moved, { billing_reason: 'subscription_cycle' })
    const told = toldProvider(app.services, [object, moved, ...next.objects])
    await syncSubscription(told.services, moved.id, { customerId: customer })
    expect(await paymentOf(next.chargeId)).toMatchObject({ kind: 'course', checkoutId: null })
    expect(told.asked.filter((call) => call.startsWith('subscriptions.'))).toHaveLength(1)
  })

  test.each<[string, More | null, RegExp]>([
    [
      'says when it is tried again',
      { next_payment_attempt: seconds('2026-04-05T00:00:00Z') },
      /tried again on April 5, 2026/,
    ],
    [
      'says that it is not tried again',
      { next_payment_attempt: null },
      /not tried again by itself/,
    ],
    ['says so also without an invoice', null, /not tried again by itself/],
  ])('whose payment fails: the notice %s', async (_, invoice, message) => {
    const { person, object, subscription } = await scene()
    await sync(subscription.id, [object, subscription, ...paidInvoice(subscription).objects])
    const failed = { id: newId('in'), object: 'invoice', ...invoice }
    const latest_invoice = invoice ? failed.id : null
    const pastDue = { ...subscription, status: 'past_due', latest_invoice }
    await sync(pastDue.id, [object, pastDue, failed])
    const told = await db()
      .select({ kind: notifications.kind, message: notifications.message })
      .from(notifications)
      .where(eq(notifications.userId, person.id))
    const notices = told.filter(({ kind }) => kind === 'payment_failed')
    expect(notices).toEqual([{ kind: 'payment_failed', message: expect.stringMatching(message) }])
  })
})

describe('charges of a subscription', () => {
  test('are those of paid invoices only, each by its own payment, oldest first', async () => {
    const { customer, object } = await customerOfSomebody()
    const subscription = subscriptionOf(customer)
    const good = paidInvoice(subscription, { created: seconds('2026-04-01T00:00:00Z') })
    const older = paidInvoice(subscription)
    const none = [
      paidInvoice(subscription, { status: 'open' }),
      paidInvoice(subscription, { amount_paid: 0 }),
      paidInvoice(subscription, { charge: { paid: false } }),
      paidInvoice(subscription, { charge: { status: 'pending' } }),
    ]
    // One try of the first invoice that failed, one of another kind, and one whose charge is not there yet.
    const [tried, open] = [paidInvoice(subscription), newId('pi')]
    const unclear = newId('pi')
    const otherTries: ToldObject[] = [
      { status: 'canceled', payment: { payment_intent: tried.objects[2]!.id } },
      { status: 'paid', payment: { payment_intent: null } },
      { status: 'paid', payment: { payment_intent: open } },
      { status: 'paid', payment: { payment_intent: unclear } },
    ].map((more) => ({
      id: newId('inpay'),
      object: 'invoice_payment',
      invoice: good.invoiceId,
      ...more,
    }))
    const intents: ToldObject[] = [
      { id: open, object: 'payment_intent', status: 'processing', latest_charge: tried.chargeId },
      { id: unclear, object: 'payment_intent', status: 'succeeded', latest_charge: null },
    ]
    const objects = [
      object,
      subscription,
      ...good.objects,
      ...otherTries,
      ...intents,
      ...tried.objects.slice(2),
      ...older.objects,
      ...none.flatMap((one) => one.objects),
    ]
    expect(await sync(subscription.id, objects)).toMatchObject({ outcome: 'Pro is active' })
    const rows = await db()
      .select({ chargeId: payments.chargeId })
      .from(payments)
      .where(eq(payments.subscriptionId, subscription.id))
      .orderBy(payments.id)
    expect(rows.map(({ chargeId }) => chargeId)).toEqual([older.chargeId, good.chargeId])
    // What is recorded is not asked for again.
    const told = toldProvider(app.services, objects)
    await syncSubscription(told.services, subscription.id)
    expect(told.asked).not.toContain(`charges.retrieve ${good.chargeId}`)
  })

  test('that are not settled are asked for again later', async () => {
    const { customer, object } = await customerOfSomebody()
    const subscription = subscriptionOf(customer)
    for (const balance_transaction of [null, 'txn_nobody_knows']) {
      const { objects } = paidInvoice(subscription, { charge: { balance_transaction } })
      const told = [object, subscription, ...objects.slice(0, 4)]
      await expect(sync(subscription.id, told)).rejects.toThrow(/has not said yet/)
    }
    expect(await planOf(subscription.id)).toBeUndefined()
  })
})
