// What follows from a payment page and from a charge, as the provider tells it of them: also of what is not ours, of what
// comes too late, and of what was known before.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson } from '../../../test/factories.ts'
import { type ToldObject, toldProvider } from '../../../test/told-provider.ts'
import { planGrants } from '../billing/tables.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { courses } from '../courses/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { fetchCharge } from './paid-charge.ts'
import { recordCourseCharges } from './record-course-charge.ts'
import { refuseCheckout } from './refuse-checkout.ts'
import { syncCharge } from './sync-charge.ts'
import { syncCheckout, syncHeldCheckout } from './sync-checkout.ts'
import { checkouts, paymentCustomers, paymentProvider, payments } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const newId = (prefix: string) => `${prefix}_${randomUUID()}`
type More = Record<string, unknown>
const ignored = (outcome: string) => ({ status: 'ignored', outcome })
const applied = (outcome: string) => ({ status: 'applied', outcome })
const unknown = ignored('About a customer whom we do not know')

/** A charge of $29 and what the provider has of it. */
function charged(customer: string | null, more: More = {}) {
  const [intentId, chargeId, settledId] = [newId('pi'), newId('ch'), newId('txn')]
  const objects: ToldObject[] = [
    {
      id: chargeId,
      object: 'charge',
      customer,
      payment_intent: intentId,
      metadata: {},
      paid: true,
      captured: true,
      status: 'succeeded',
      amount_captured: 2900,
      currency: 'usd',
      created: 1_790_000_000,
      receipt_url: null,
      refunded: false,
      disputed: false,
      balance_transaction: settledId,
      ...more,
    },
    { id: intentId, object: 'payment_intent', status: 'succeeded', latest_charge: chargeId },
    {
      id: settledId,
      object: 'balance_transaction',
      fee: 114,
      exchange_rate: null,
      available_on: 1_790_000_000,
    },
  ]
  return { chargeId, intentId, objects }
}

const refund = (charge: string, amount: number): ToldObject => ({
  id: newId('re'),
  object: 'refund',
  charge,
  amount,
  status: 'succeeded',
  created: 1_790_000_100,
})

/** The same as it is given on by who asked the provider. */
function paidBy(customer: string) {
  const { chargeId, objects } = charged(customer)
  const charge = { ...objects[0], balance_transaction: objects[2] } as never
  return { chargeId, one: { charge, refunds: [], disputes: [], invoice: null, isRenewal: false } }
}

async function somebody() {
  const person = await makePerson(app.services)
  const customer = newId('cus')
  await db().insert(paymentCustomers).values({ id: customer, userId: person.id })
  return { person, customer }
}

/** Somebody paid for a course on a page of ours. */
async function paid(
  { session = {}, charge = {}, ...more }: More & { session?: More; charge?: More } = {},
  title = 'Knots',
) {
  const { person, customer } = await somebody()
  const creator = await makePerson(app.services)
  const course = await makeCourse(app.services, creator, { title })
  const sessionId = newId('cs')
  const [checkout] = await db()
    .insert(checkouts)
    .values({
      userId: person.id,
      kind: 'course',
      courseId: course.id,
      pricingType: 'one_time',
      amount: 2900,
      currency: 'usd',
      successUrl: '/',
      cancelUrl: '/',
      sessionId,
      expiresAt: new Date(Date.now() + 600_000),
      ...more,
    })
    .returning()
  const metadata = { checkoutId: checkout!.id }
  const { objects, chargeId, intentId } = charged(customer, { metadata, ...charge })
  const told: ToldObject = {
    id: sessionId,
    object: 'checkout.session',
    customer,
    status: 'complete',
    payment_status: 'paid',
    payment_intent: intentId,
    subscription: null,
    metadata,
    ...session,
  }
  return {
    person,
    customer,
    creator,
    course,
    sessionId,
    chargeId,
    checkoutId: checkout!.id,
    session: told,
    objects: [told, ...objects],
  }
}

const ask = (sessionId: string, objects: ToldObject[]) =>
  syncCheckout(toldProvider(app.services, objects).services, sessionId)
const look = (chargeId: string, objects: ToldObject[]) =>
  syncCharge(toldProvider(app.services, objects).services, chargeId)

const paymentOf = async (chargeId: string) =>
  (await db().select().from(payments).where(eq(payments.chargeId, chargeId)))[0]
const checkoutStatus = async (id: string) =>
  (await db().select().from(checkouts).where(eq(checkouts.id, id)))[0]!.status
const jobsAbout = async (about: string) => {
  const { rows } = await app.services.pool.query<{ key: string; payload: unknown }>(
    `select j.key, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'payBack' and payload::text like '%' || $1 || '%' order by j.id`,
    [about],
  )
  return rows
}
const toldOf = async ({ id }: { id: string }) =>
  (
    await db()
      .select({
        kind: notifications.kind,
        message: notifications.message,
        href: notifications.href,
      })
      .from(notifications)
      .where(eq(notifications.userId, id))
  ).filter(({ kind }) => kind.startsWith('payment'))

describe('a payment page', () => {
  test('that is paid opens the course, once', async () => {
    const { person, course, sessionId, chargeId, checkoutId, objects } = await paid()
    expect(await ask(sessionId, objects)).toEqual(applied('Enrolled in “Knots”'))
    expect(await checkoutStatus(checkoutId)).toBe('paid')
    expect(await paymentOf(chargeId)).toMatchObject({
      kind: 'course',
      courseId: course.id,
      payerId: person.id,
      description: 'Knots',
      checkoutId,
    })
    expect(await ask(sessionId, objects)).toEqual(applied('It had been applied before'))
    expect(await toldOf(person)).toHaveLength(1)
  })

  test('that is open is asked about once, and nothing follows', async () => {
    const { sessionId, customer, objects, session } = await paid()
    const open = [{ ...session, status: 'open' }, ...objects.slice(1)]
    const { services, asked } = toldProvider(app.services, open)
    expect(await syncCheckout(services, sessionId)).toEqual(ignored('It is not paid yet'))
    expect(asked).toEqual([`sessions.retrieve ${sessionId}`])
    // Nor does anything for who asks because of something else.
    const held = await db().transaction((transaction) =>
      syncHeldCheckout(services, transaction, { customerId: customer, sessionId }),
    )
    expect(held).toEqual(ignored('It is not paid yet'))
  })

  test.each<[string, More]>([
    ['the money is on its way', { payment_status: 'unpaid' }],
    ['there is no payment', { payment_intent: null }],
  ])('is not paid while %s', async (_, session) => {
    const { sessionId, chargeId, objects } = await paid({ session })
    expect(await ask(sessionId, objects)).toEqual(ignored('It is not paid yet'))
    expect(await paymentOf(chargeId)).toBeUndefined()
  })

  test.each(['requires_payment_method', 'canceled'])(
    'whose bank did not pay in the end (%s) is over, and its person is told once',
    async (status) => {
      const session = { payment_status: 'unpaid' }
      const { person, sessionId, checkoutId, objects } = await paid({ session })
      const told = (said: string) =>
        objects.map((one) => (one.object === 'payment_intent' ? { ...one, status: said } : one))
      expect(await ask(sessionId, told('processing'))).toEqual(ignored('It is not paid yet'))
      expect(await checkoutStatus(checkoutId)).toBe('open')
      expect(await ask(sessionId, told(status))).toEqual(applied('The payment failed'))
      expect(await checkoutStatus(checkoutId)).toBe('expired')
      expect(await ask(sessionId, told(status))).toEqual(ignored('It had ended before'))
      expect(await toldOf(person)).toEqual([
        {
          kind: 'payment_failed',
          message:
            'Your bank did not make the payment for “Knots”. Nothing was paid, and you can pay again, also in another way.',
          href: '/billing',
        },
      ])
    },
  )

  test('whose first month a bank did not pay in the end is over, and no other try brings money', async () => {
    const subscriptionId = newId('sub')
    const session = {
      payment_status: 'unpaid',
      payment_intent: null,
      subscription: subscriptionId,
    }
    const { customer, sessionId, checkoutId, objects } = await paid({ session })
    const told = (status: string) => [
      ...objects,
      {
        id: subscriptionId,
        object: 'subscription',
        customer,
        status,
        metadata: { kind: 'course', checkoutId },
        items: { data: [] },
        latest_invoice: null,
        default_payment_method: null,
      },
    ]
    expect(await ask(sessionId, told('active'))).toEqual(ignored('It is not paid yet'))
    expect(await checkoutStatus(checkoutId)).toBe('open')
    expect(await ask(sessionId, told('past_due'))).toEqual(applied('The payment failed'))
    expect(await checkoutStatus(checkoutId)).toBe('expired')
    const { rows } = await app.services.pool.query(
      `select payload from graphile_worker._private_jobs where key = $1`,
      [`cancel ${subscriptionId} now`],
    )
    expect(rows).toEqual([{ payload: { subscriptionId, when: 'now' } }])
  })

  test.each<[string, More]>([
    ['says nothing of ours', { metadata: null }],
    ['names no page of ours', { metadata: {} }],
    ['has an id of somebody else’s', { metadata: { checkoutId: 'order 17' } }],
    ['has an id that we do not know', { metadata: { checkoutId: randomUUID() } }],
  ])('that %s is not of this site', async (_, session) => {
    const { sessionId, objects } = await paid({ session })
    expect(await ask(sessionId, objects)).toEqual(
      ignored('A payment page that is not of this site'),
    )
  })

  test('of a guest, or of a stranger, is about nobody whom we know', async () => {
    const guest = await paid({ session: { customer: null } })
    expect(await ask(guest.sessionId, guest.objects)).toEqual(unknown)
    const stranger = await paid({ session: { customer: newId('cus') } })
    expect(await ask(stranger.sessionId, stranger.objects)).toEqual(unknown)
    expect(await paymentOf(stranger.chargeId)).toBeUndefined()
  })

  test('that expired is closed once', async () => {
    const { sessionId, checkoutId, objects } = await paid({ session: { status: 'expired' } })
    expect(await ask(sessionId, objects)).toEqual(applied('The payment page expired'))
    expect(await checkoutStatus(checkoutId)).toBe('expired')
    expect(await ask(sessionId, objects)).toEqual(ignored('It had ended before'))
  })

  test('that was refused is being paid back, and nothing more follows', async () => {
    const { sessionId, chargeId, objects } = await paid({ status: 'refused' })
    expect(await ask(sessionId, objects)).toEqual(ignored('It is being paid back'))
    expect(await paymentOf(chargeId)).toBeUndefined()
  })

  test('for what is gone, or was bought already, is paid back', async () => {
    const gone = await paid()
    await db().delete(courses).where(eq(courses.id, gone.course.id))
    expect(await ask(gone.sessionId, gone.objects)).toEqual(
      applied('Paid back, because it is gone'),
    )
    expect(await paymentOf(gone.chargeId)).toMatchObject({
      kind: 'refused',
      description: 'a course',
      checkoutId: gone.checkoutId,
    })
    expect(await jobsAbout(gone.chargeId)).toMatchObject([
      { payload: { chargeIds: [gone.chargeId], subscriptionId: null } },
    ])
    expect(await checkoutStatus(gone.checkoutId)).toBe('refused')

    const first = await paid({}, 'Knots ⚡')
    await ask(first.sessionId, first.objects)
    const { person, customer, course } = first
    const second = await paid({ userId: person.id, courseId: course.id, session: { customer } })
    expect(await ask(second.sessionId, second.objects)).toEqual(
      applied('Paid back, because it is bought already'),
    )
    expect(await paymentOf(second.chargeId)).toMatchObject({
      kind: 'refused',
      description: '“Knots”',
    })
  })
})

test('of each sale we keep what the plan of the creator says at that moment; of one who is gone, as on Free', async () => {
  const { creator, customer, sessionId, chargeId, objects } = await paid()
  await ask(sessionId, objects)
  const { purchaseId } = (await paymentOf(chargeId))!
  const [purchase] = await db().select().from(purchases).where(eq(purchases.id, purchaseId!))
  const feeNow = async () => {
    const { chargeId: next, one } = paidBy(customer)
    await db().transaction((transaction) =>
      recordCourseCharges(transaction, purchase!, [one], null),
    )
    return (await paymentOf(next))!.feePercent
  }
  await db().insert(planGrants).values({ userId: creator.id })
  expect(await feeNow()).toBe(0)
  await db()
    .update(ledgerAccounts)
    .set({ userId: null })
    .where(eq(ledgerAccounts.userId, creator.id))
  expect(await feeNow()).toBe(5)
})

describe('a charge', () => {
  test('that no invoice asked for is of no later month', async () => {
    const { chargeId, objects } = charged(newId('cus'))
    const [charge, , settled] = objects
    const { stripe } = toldProvider(app.services, objects)
    expect(await fetchCharge(stripe, chargeId)).toEqual({
      charge: { ...charge, balance_transaction: settled },
      refunds: [],
      disputes: [],
      invoice: null,
      isRenewal: false,
    })
  })

  test('of a guest is about nobody whom we know, and one that failed is none', async () => {
    const guest = charged(null)
    expect(await look(guest.chargeId, guest.objects)).toEqual(unknown)
    const { customer } = await somebody()
    for (const more of [{ paid: false }, { status: 'pending' }]) {
      const { chargeId, objects } = charged(customer, more)
      expect(await look(chargeId, objects)).toEqual(ignored('It was not paid'))
    }
  })

  test('that nothing of ours asked for is none that we keep', async () => {
    const { customer } = await somebody()
    const cases: More[] = [
      {},
      { payment_intent: null },
      { metadata: { checkoutId: 'order 17' } },
      { metadata: { checkoutId: randomUUID() } },
    ]
    for (const more of cases) {
      const { chargeId, objects } = charged(customer, more)
      const told = toldProvider(app.services, objects)
      expect(await syncCharge(told.services, chargeId)).toEqual(ignored('No payment that we keep'))
      // Only what may have an invoice is asked for one.
      expect(told.asked.includes('invoicePayments.list')).toBe(Object.keys(more).length === 0)
    }
  })

  test('of which we hear first because of a refund is recorded with it; the page is asked once', async () => {
    const { chargeId, checkoutId, session, objects } = await paid()
    const part = refund(chargeId, 900)
    expect(await look(chargeId, [...objects, part])).toEqual(applied('Paid back in part'))
    expect(await paymentOf(chargeId)).toMatchObject({ kind: 'course', refunded: 900, checkoutId })
    const rest = refund(chargeId, 2000)
    const known = objects.filter((one) => one !== session)
    expect(await look(chargeId, [...known, part, rest])).toEqual(applied('Paid back in full'))
    expect(await paymentOf(chargeId)).toMatchObject({ refunded: 2900, checkoutId })
  })

  test('that is disputed is said to be, whatever was paid back', async () => {
    const { chargeId, objects } = await paid({ charge: { disputed: true } })
    const dispute: ToldObject = {
      id: newId('dp'),
      object: 'dispute',
      charge: chargeId,
      amount: 2900,
      status: 'needs_response',
      created: 1_790_000_100,
      balance_transactions: [{ fee: 1500 }],
    }
    expect(await look(chargeId, [...objects, dispute])).toEqual(
      applied('Nothing is paid back; dispute open'),
    )
    // Whose charge is not disputed, as far as is said, is not asked about.
    const calm = objects.map((one) => ({ ...one, disputed: false }))
    const told = toldProvider(app.services, calm)
    expect(await syncCharge(told.services, chargeId)).toEqual(
      applied('Nothing is paid back; dispute open'),
    )
    expect(told.asked).not.toContain('disputes.list')
  })

  test('that was refused is in the books with what went back of it', async () => {
    const { course, chargeId, sessionId, objects } = await paid()
    await db().delete(courses).where(eq(courses.id, course.id))
    await ask(sessionId, objects)
    expect(await look(chargeId, [...objects, refund(chargeId, 2900)])).toEqual(
      applied('Paid back in full'),
    )
    expect(await paymentOf(chargeId)).toMatchObject({ kind: 'refused', refunded: 2900 })
  })

  test.each([
    ['refused', 'a course'],
    ['course', '“Knots”'],
  ])(
    'whose refund does not arrive is told to who paid and to the operator, once (%s)',
    async (kind, what) => {
      const { person, course, chargeId, sessionId, objects } = await paid()
      if (kind === 'refused') await db().delete(courses).where(eq(courses.id, course.id))
      await ask(sessionId, objects)
      const back = refund(chargeId, 2900)
      await look(chargeId, [...objects, back])
      const before = (await toldOf(person)).length
      const failed = [...objects, { ...back, status: 'failed' }]
      const errors: unknown[][] = []
      const { services } = toldProvider(app.services, failed)
      const log = { error: (...said: unknown[]) => errors.push(said) } as never
      for (let times = 0; times < 2; times += 1) {
        expect(await syncCharge({ ...services, log }, chargeId)).toEqual(
          applied('Nothing is paid back'),
        )
      }
      expect((await toldOf(person)).slice(before)).toEqual([
        {
          kind: 'payment_not_refunded',
          message: `$29.00 that were paid back to you for ${what} did not arrive, and are with us again. Please write to us: we find another way to pay you. Test mode: no money moved.`,
          href: '/support?topic=payments',
        },
      ])
      expect(errors).toEqual([
        [{ charge: chargeId, amount: 2900 }, 'a refund did not arrive: it has to go another way'],
      ])
      expect(await paymentOf(chargeId)).toMatchObject({ kind, refunded: 0 })
    },
  )

  test('of Pro: by its invoice when we hear of it first, and by itself after that', async () => {
    const { person, customer } = await somebody()
    const { chargeId, intentId, objects } = charged(customer)
    const subscription: ToldObject = {
      id: newId('sub'),
      object: 'subscription',
      customer,
      status: 'active',
      metadata: { kind: 'plan', plan: 'annual' },
      items: { data: [] },
      cancel_at_period_end: false,
      cancel_at: null,
      start_date: 1_790_000_000,
      ended_at: null,
      default_payment_method: null,
      latest_invoice: null,
    }
    // So old that the provider does not list it with the newest ones.
    const invoice: ToldObject = {
      id: newId('in'),
      object: 'invoice',
      status: 'paid',
      amount_paid: 2900,
      created: 1_790_000_000,
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: subscription.id } },
    }
    const others: ToldObject[] = [
      subscription,
      { id: customer, object: 'customer', invoice_settings: { default_payment_method: null } },
      {
        id: newId('inpay'),
        object: 'invoice_payment',
        invoice: invoice.id,
        status: 'paid',
        payment: { payment_intent: intentId },
      },
    ]
    const told = [...objects, ...others]
    expect(await look(chargeId, [...told, invoice])).toEqual(applied('Nothing is paid back'))
    expect(await paymentOf(chargeId)).toMatchObject({
      kind: 'plan',
      subscriptionId: subscription.id,
      payerId: person.id,
      description: 'Thunder Pro Annual Plan',
      invoiceId: invoice.id,
    })
    const part = refund(chargeId, 900)
    expect(await look(chargeId, [...told, invoice, part])).toEqual(applied('Paid back in part'))
    expect(await paymentOf(chargeId)).toMatchObject({ kind: 'plan', refunded: 900 })
  })
})

describe('who is refused', () => {
  const refuse = (more: Partial<Parameters<typeof refuseCheckout>[1]>) =>
    db().transaction((transaction) =>
      refuseCheckout(transaction, {
        checkoutId: null,
        userId: null,
        what: '“Knots”',
        reason: 'gone',
        paid: [],
        subscriptionId: null,
        ...more,
      }),
    )

  test('is told once that the money comes back, and why', async () => {
    const { person, customer, checkoutId } = await paid()
    const { one, chargeId } = paidBy(customer)
    await refuse({ checkoutId, userId: person.id, paid: [one] })
    await refuse({ checkoutId, userId: person.id, paid: [one] })
    expect(await toldOf(person)).toEqual([
      {
        kind: 'payment_refunded',
        message:
          'You paid for “Knots”, but it is not there any more. You get all of it back; with a card that takes 5 to 10 days. Test mode: no money moved.',
        href: '/billing',
      },
    ])
    expect(await paymentOf(chargeId)).toMatchObject({ payerId: person.id, checkoutId })
    expect(await jobsAbout(chargeId)).toHaveLength(1)
  })

  test('with real money is told nothing of a test', async () => {
    const { person, customer, checkoutId } = await paid()
    const { one } = paidBy(customer)
    await db().update(paymentProvider).set({ mode: 'live' })
    await refuse({ checkoutId, userId: person.id, paid: [one] })
    await db().update(paymentProvider).set({ mode: 'sandbox' })
    expect((await toldOf(person))[0]!.message).toMatch(/ takes 5 to 10 days\.$/)
  })

  test('is told so when they had bought it already', async () => {
    const { person, customer, checkoutId } = await paid()
    const { one } = paidBy(customer)
    await refuse({ checkoutId, userId: person.id, paid: [one], reason: 'bought already' })
    expect((await toldOf(person))[0]!.message).toContain('but you have it already.')
  })

  test('is told nothing of this where no page of ours, no payment, or nobody is', async () => {
    const { person, customer, checkoutId } = await paid()
    const without = paidBy(customer)
    await refuse({ userId: person.id, paid: [without.one] })
    await refuse({ checkoutId, userId: person.id, subscriptionId: newId('sub') })
    expect(await checkoutStatus(checkoutId)).toBe('refused')
    const gone = paidBy(customer)
    const { checkoutId: other } = await paid()
    await refuse({ checkoutId: other, userId: randomUUID(), paid: [gone.one] })
    expect(await toldOf(person)).toEqual([])
    expect(await paymentOf(without.chargeId)).toMatchObject({
      payerId: person.id,
      checkoutId: null,
    })
    expect(await paymentOf(gone.chargeId)).toMatchObject({ payerId: null, checkoutId: other })
  })

  test('has each month back by a job of its own', async () => {
    const { customer } = await paid()
    const [first, second, third] = [paidBy(customer), paidBy(customer), paidBy(customer)]
    const subscriptionId = newId('sub')
    await refuse({ subscriptionId })
    await refuse({ subscriptionId, paid: [first.one, second.one] })
    await refuse({ subscriptionId, paid: [third.one] })
    expect(await jobsAbout(subscriptionId)).toEqual([
      { key: `pay back ${subscriptionId}`, payload: { chargeIds: [], subscriptionId } },
      {
        key: `pay back ${first.chargeId} ${second.chargeId}`,
        payload: { chargeIds: [first.chargeId, second.chargeId], subscriptionId },
      },
      {
        key: `pay back ${third.chargeId}`,
        payload: { chargeIds: [third.chargeId], subscriptionId },
      },
    ])
  })
})
