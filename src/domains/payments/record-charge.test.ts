// What our rows and the ledger say of a charge, from what the provider says of it, its refunds and its disputes.
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson } from '../../../test/factories.ts'
import { takenBack } from '../earnings/net-of-sale.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { purchases } from '../purchases/tables.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { type ChargeToRecord, recordCharge } from './record-charge.ts'
import { checkouts, paymentDisputes, paymentRefunds, payments } from './tables.ts'

let app: TestApp
/** A course for $29 that somebody bought. */
let course: { payerId: string; about: ChargeToRecord['about'] }

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  const [creator, payer] = [await makePerson(app.services), await makePerson(app.services)]
  const { id: courseId } = await makeCourse(app.services, creator)
  course = await app.services.db.transaction(async (transaction) => {
    const creatorAccountId = await creatorAccount(transaction, creator.id)
    const [purchase] = await transaction
      .insert(purchases)
      .values({
        userId: payer.id,
        courseId,
        courseTitle: 'Knots',
        creatorAccountId,
        pricingType: 'one_time',
        amount: 2900,
        currency: 'usd',
      })
      .returning()
    const facts = { purchaseId: purchase!.id, courseId, creatorAccountId }
    return { payerId: payer.id, about: { kind: 'course', ...facts, feePercent: 5 } }
  })
})
afterAll(() => app?.stop())

const seconds = (iso: string) => Date.parse(iso) / 1000
const paidAt = '2026-03-01T10:00:00Z'
const availableAt = '2026-03-08T00:00:00Z'

type Told = Record<string, unknown>

/** A charge of $29, as the provider tells it. */
const charge = (id: string, more: Told = {}) =>
  ({
    id,
    paid: true,
    captured: true,
    amount: 5000,
    amount_captured: 2900,
    currency: 'usd',
    created: seconds(paidAt),
    receipt_url: 'https://pay.example/receipt',
    balance_transaction: { fee: 114, exchange_rate: null, available_on: seconds(availableAt) },
    ...more,
  }) as unknown as Stripe.Charge

const settled = (more: Told) => ({
  balance_transaction: {
    fee: 114,
    exchange_rate: null,
    available_on: seconds(availableAt),
    ...more,
  },
})

const refund = (id: string, amount: number, status = 'succeeded', day = 2) =>
  ({ id, amount, status, created: seconds(`2026-03-0${day}T00:00:00Z`) }) as Stripe.Refund

const dispute = (id: string, amount: number, status = 'needs_response', fees = [1500]) =>
  ({
    id,
    amount,
    status,
    created: seconds('2026-03-05T00:00:00Z'),
    balance_transactions: fees.map((fee) => ({ fee })),
  }) as unknown as Stripe.Dispute

const record = (chargeId: string, more: Partial<ChargeToRecord> = {}) =>
  app.services.db.transaction((transaction) =>
    recordCharge(transaction, {
      charge: charge(chargeId),
      refunds: [],
      disputes: [],
      description: 'Knots',
      checkoutId: null,
      invoice: null,
      ...course,
      ...more,
    }),
  )

const newId = (prefix: string) => `${prefix}_${randomUUID()}`
const db = () => app.services.db

const kept = async (chargeId: string) =>
  (await db().select().from(payments).where(eq(payments.chargeId, chargeId)))[0]
const refundsOf = async (paymentId: string) =>
  db()
    .select({
      id: paymentRefunds.id,
      amount: paymentRefunds.amount,
      platformFee: paymentRefunds.platformFee,
      status: paymentRefunds.status,
    })
    .from(paymentRefunds)
    .where(eq(paymentRefunds.paymentId, paymentId))
    .orderBy(paymentRefunds.id)
const disputesOf = async (paymentId: string) =>
  db()
    .select({
      id: paymentDisputes.id,
      amount: paymentDisputes.amount,
      fee: paymentDisputes.fee,
      platformFee: paymentDisputes.platformFee,
      status: paymentDisputes.status,
    })
    .from(paymentDisputes)
    .where(eq(paymentDisputes.paymentId, paymentId))
    .orderBy(paymentDisputes.id)

/** What each movement did to each account, oldest first. */
async function movements(paymentId: string) {
  const { rows } = await app.services.pool.query<Told>(
    `select t.kind, t.source, t.occurred_at as at,
            (select json_object_agg(s.kind, s.sum)
               from (select a.kind, sum(e.amount)::int as sum from ledger_entries e
                       join ledger_accounts a on a.id = e.account_id
                      where e.transaction_id = t.id group by 1) s) as sums
       from ledger_transactions t where t.payment_id = $1 order by t.id`,
    [paymentId],
  )
  return rows
}
const kinds = async (paymentId: string) => (await movements(paymentId)).map(({ kind }) => kind)

/** Changes when the row is written, be it with what it had. */
const written = async (chargeId: string) =>
  (await db().execute(sql`select xmin::text from payments where charge_id = ${chargeId}`)).rows

describe('a payment', () => {
  test('for a course: what was taken, less our fee and the provider’s, is the creator’s', async () => {
    const id = newId('ch')
    const invoice = { id: newId('in'), pdf: 'https://pay.example/pdf' }
    const recorded = await record(id, { invoice })
    const { kind: _, ...facts } = course.about as Extract<
      ChargeToRecord['about'],
      { kind: 'course' }
    >
    const payment = (await kept(id))!
    expect(payment).toMatchObject({
      kind: 'course',
      ...facts,
      payerId: course.payerId,
      checkoutId: null,
      subscriptionId: null,
      description: 'Knots',
      currency: 'usd',
      gross: 2900,
      platformFee: 145,
      providerFee: 114,
      refunded: 0,
      dispute: null,
      invoiceId: invoice.id,
      invoicePdf: invoice.pdf,
      receiptUrl: 'https://pay.example/receipt',
      paidAt: new Date(paidAt),
      availableAt: new Date(availableAt),
    })
    expect(recorded).toEqual({
      paymentId: payment.id,
      isNew: true,
      gross: 2900,
      newlyRefunded: 0,
      cameBack: 0,
      refundedInFull: false,
      dispute: null,
      disputeChanged: false,
      isChanged: true,
    })
    expect(await movements(payment.id)).toEqual([
      {
        kind: 'payment',
        source: `payment ${id}`,
        at: new Date(paidAt),
        sums: { provider: 2786, creator: -2641, platform_fees: -145 },
      },
    ])
  })

  test('for Pro is ours, and one for nothing waits to go back', async () => {
    const subscriptionId = newId('sub')
    await db().insert(planSubscriptions).values({
      id: subscriptionId,
      customerId: 'cus_1',
      plan: 'monthly',
      status: 'active',
      startedAt: new Date(),
    })
    const [plan, refused] = [newId('ch'), newId('ch')]
    await record(plan, { about: { kind: 'plan', subscriptionId } })
    await record(refused, { about: { kind: 'refused' }, payerId: null })
    const [ofPlan, ofNothing] = [(await kept(plan))!, (await kept(refused))!]
    const none = { purchaseId: null, courseId: null, creatorAccountId: null }
    const free = { feePercent: 0, platformFee: 0, gross: 2900 }
    expect(ofPlan).toMatchObject({ kind: 'plan', subscriptionId, ...none, ...free })
    expect(ofNothing).toMatchObject({ kind: 'refused', subscriptionId: null, ...none, ...free })
    expect((await movements(ofPlan.id))[0]!.sums).toEqual({
      provider: 2786,
      plan_revenue: -2900,
      provider_costs: 114,
    })
    expect((await movements(ofNothing.id))[0]!.sums).toEqual({
      provider: 2786,
      refused_payments: -2900,
      provider_costs: 114,
    })
  })

  test('in another currency than ours: the provider’s fee is in the payment’s own', async () => {
    const id = newId('ch')
    const euros = settled({ fee: 120, exchange_rate: 0.9 })
    await record(id, { charge: charge(id, { currency: 'eur', ...euros }) })
    expect(await kept(id)).toMatchObject({ currency: 'eur', providerFee: 133 })
  })

  test.each<[string, Told, RegExp]>([
    ['was not paid', { paid: false }, /was not paid/],
    ['was put by, and not taken', { captured: false }, /was not paid/],
    ['is not settled', { balance_transaction: null }, /has not settled/],
    ['is settled nobody knows how', { balance_transaction: 'txn_1' }, /has not settled/],
  ])('that %s is none', async (_, more, message) => {
    const id = newId('ch')
    await expect(record(id, { charge: charge(id, more) })).rejects.toThrow(message)
    expect(await kept(id)).toBeUndefined()
  })

  test('that is told again is not written again', async () => {
    const id = newId('ch')
    const { paymentId } = await record(id)
    const before = await written(id)
    expect(await record(id)).toEqual({
      paymentId,
      isNew: false,
      gross: 2900,
      newlyRefunded: 0,
      cameBack: 0,
      refundedInFull: false,
      dispute: null,
      disputeChanged: false,
      isChanged: false,
    })
    expect(await written(id)).toEqual(before)
    expect(await kinds(paymentId)).toEqual(['payment'])
  })

  async function pages() {
    const made = await db()
      .insert(checkouts)
      .values(
        [1, 2].map(() => ({
          kind: 'course' as const,
          amount: 2900,
          currency: 'usd',
          successUrl: '/',
          cancelUrl: '/',
          status: 'paid' as const,
          expiresAt: new Date(),
        })),
      )
      .returning({ id: checkouts.id })
    return made.map(({ id }) => id) as [string, string]
  }

  test('learns later where it was paid and what asked for it, once', async () => {
    const [id, [page, otherPage]] = [newId('ch'), await pages()]
    const [first, other] = [newId('in'), newId('in')]
    await record(id)
    const after = async (more: Partial<ChargeToRecord>) => {
      const { isChanged } = await record(id, more)
      const { checkoutId, invoiceId, invoicePdf } = (await kept(id))!
      return { checkoutId, invoiceId, invoicePdf, isChanged }
    }
    const known = { checkoutId: null, invoiceId: null, invoicePdf: null, isChanged: false }
    expect(await after({ checkoutId: page })).toEqual({ ...known, checkoutId: page })
    const asked = { ...known, checkoutId: page, invoiceId: first }
    expect(await after({ invoice: { id: first, pdf: null } })).toEqual(asked)
    const whole = { ...asked, invoicePdf: '/one' }
    expect(await after({ invoice: { id: first, pdf: '/one' } })).toEqual(whole)
    expect(await after({})).toEqual(whole)
    const others = { checkoutId: otherPage, invoice: { id: other, pdf: '/other' } }
    expect(await after(others)).toEqual(whole)
  })

  test('can be paid out sooner than was said, and never later', async () => {
    const id = newId('ch')
    await record(id)
    const [sooner, later] = ['2026-03-04T00:00:00Z', '2026-03-20T00:00:00Z']
    const told = (iso: string) =>
      record(id, { charge: charge(id, settled({ available_on: seconds(iso) })) })
    expect(await told(later)).toMatchObject({ isChanged: false })
    expect((await kept(id))!.availableAt).toEqual(new Date(availableAt))
    expect(await told(sooner)).toMatchObject({ isNew: false, isChanged: true })
    expect((await kept(id))!.availableAt).toEqual(new Date(sooner))
  })
})

describe('a refund', () => {
  test('takes its share of our fee along, in the order in which it was made', async () => {
    const [id, one, other] = [newId('ch'), newId('re'), newId('re')]
    // Half a cent of ours is in the older one, one and a half in the newer: two together.
    const refunds = [refund(other, 30, 'succeeded', 3), refund(one, 10, 'succeeded', 2)]
    const recorded = await record(id, { refunds })
    expect(recorded).toMatchObject({ newlyRefunded: 40, refundedInFull: false, isChanged: true })
    expect((await kept(id))!.refunded).toBe(40)
    expect(await refundsOf(recorded.paymentId)).toEqual(
      [
        { id: one, amount: 10, platformFee: 1, status: 'succeeded' },
        { id: other, amount: 30, platformFee: 1, status: 'succeeded' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect((await movements(recorded.paymentId)).slice(1)).toEqual([
      {
        kind: 'refund',
        source: `refund ${one}`,
        at: new Date('2026-03-02T00:00:00Z'),
        sums: { provider: -10, creator: 9, platform_fees: 1 },
      },
      {
        kind: 'refund',
        source: `refund ${other}`,
        at: new Date('2026-03-03T00:00:00Z'),
        sums: { provider: -30, creator: 29, platform_fees: 1 },
      },
    ])
    const before = await written(id)
    expect(await record(id, { refunds })).toMatchObject({ newlyRefunded: 0, isChanged: false })
    expect(await written(id)).toEqual(before)
  })

  test('of which an older view comes late stays as far as it was', async () => {
    const [id, one] = [newId('ch'), newId('re')]
    const { paymentId } = await record(id, { refunds: [refund(one, 2900, 'pending')] })
    for (const [told, status] of [
      ['requires_action', 'pending'],
      ['succeeded', 'succeeded'],
      ['pending', 'succeeded'],
    ] as const) {
      const again = await record(id, { refunds: [refund(one, 2900, told)] })
      expect(again).toMatchObject({ newlyRefunded: 0, refundedInFull: true, isChanged: false })
      expect(await refundsOf(paymentId)).toEqual([
        { id: one, amount: 2900, platformFee: 145, status },
      ])
    }
    expect(await kinds(paymentId)).toEqual(['payment', 'refund'])
  })

  test.each(['failed', 'canceled'])(
    'that is %s after all gives everything back',
    async (status) => {
      const [id, one] = [newId('ch'), newId('re')]
      const { paymentId } = await record(id, { refunds: [refund(one, 2900)] })
      // A second time nothing happens.
      const refunds = [refund(one, 2900, status)]
      const answers = [await record(id, { refunds }), await record(id, { refunds })]
      expect(answers).toMatchObject([
        { newlyRefunded: 0, cameBack: 2900, refundedInFull: false, isChanged: true },
        { newlyRefunded: 0, cameBack: 0, refundedInFull: false, isChanged: false },
      ])
      expect((await kept(id))!.refunded).toBe(0)
      expect(await refundsOf(paymentId)).toEqual([
        { id: one, amount: 2900, platformFee: 0, status: 'failed' },
      ])
      expect((await movements(paymentId)).slice(1)).toMatchObject([
        { kind: 'refund', sums: { provider: -2900, creator: 2755, platform_fees: 145 } },
        {
          kind: 'refund_failed',
          source: `refund failed ${one}`,
          at: new Date('2026-03-02T00:00:00Z'),
          sums: { provider: 2900, creator: -2755, platform_fees: -145 },
        },
      ])
      // What failed has taken nothing of our fee: the next one takes its own share.
      const next = newId('re')
      await record(id, { refunds: [...refunds, refund(next, 1450)] })
      expect(await refundsOf(paymentId)).toContainEqual(
        expect.objectContaining({ id: next, platformFee: 73 }),
      )
    },
  )

  test('that is heard of only when it has failed moved nothing', async () => {
    const [id, one] = [newId('ch'), newId('re')]
    const recorded = await record(id, { refunds: [refund(one, 2900, 'failed')] })
    expect(recorded).toMatchObject({ newlyRefunded: 0, cameBack: 0, refundedInFull: false })
    expect(await refundsOf(recorded.paymentId)).toEqual([
      { id: one, amount: 2900, platformFee: 0, status: 'failed' },
    ])
    expect(await kinds(recorded.paymentId)).toEqual(['payment'])
  })

  test('that is heard of only when it has failed, of a payment that we knew, is told all the same', async () => {
    const [id, one] = [newId('ch'), newId('re')]
    const { paymentId } = await record(id)
    const refunds = [refund(one, 900, 'failed')]
    const answers = [await record(id, { refunds }), await record(id, { refunds })]
    expect(answers).toMatchObject([
      { newlyRefunded: 0, cameBack: 900, isChanged: true },
      { newlyRefunded: 0, cameBack: 0, isChanged: false },
    ])
    expect(await kinds(paymentId)).toEqual(['payment'])
  })
})

describe('a dispute', () => {
  test('takes the payment and a fee, once; lost it changes no more, and won on appeal all comes back', async () => {
    const [id, one] = [newId('ch'), newId('dp')]
    // What the provider gave back is no fee.
    const told = (status: string) =>
      record(id, { disputes: [dispute(one, 2900, status, [1500, 100, -1600])] })
    const answers = []
    for (const status of [
      'under_review',
      'needs_response',
      'lost',
      'under_review',
      'won',
      'lost',
    ]) {
      const { dispute: is, disputeChanged, isChanged } = await told(status)
      answers.push([is, disputeChanged, isChanged])
      expect((await kept(id))!.dispute).toBe(is)
    }
    expect(answers).toEqual([
      ['open', true, true],
      ['open', false, false],
      ['lost', true, true],
      ['lost', false, false],
      ['won', true, true],
      ['won', false, false],
    ])
    const { id: paymentId } = (await kept(id))!
    expect(await disputesOf(paymentId)).toEqual([
      { id: one, amount: 2900, fee: 1600, platformFee: 0, status: 'won' },
    ])
    expect((await movements(paymentId)).slice(1)).toEqual([
      {
        kind: 'dispute',
        source: `dispute ${one}`,
        at: new Date('2026-03-05T00:00:00Z'),
        sums: { provider: -4500, creator: 4355, platform_fees: 145 },
      },
      {
        kind: 'dispute_won',
        source: `dispute won ${one}`,
        at: new Date('2026-03-05T00:00:00Z'),
        sums: { provider: 4500, creator: -4355, platform_fees: -145 },
      },
    ])
    // It is nobody's loss any more: a refund takes our whole fee along.
    const back = newId('re')
    await record(id, { refunds: [refund(back, 2900)] })
    expect(await refundsOf(paymentId)).toMatchObject([{ platformFee: 145 }])
    expect((await kept(id))!.dispute).toBe('won')
  })

  test('of what was paid back in part takes only what is left of our fee', async () => {
    const [id, one] = [newId('ch'), newId('dp')]
    const refunds = [refund(newId('re'), 1450)]
    const { paymentId } = await record(id, { refunds })
    expect(await refundsOf(paymentId)).toMatchObject([{ platformFee: 73 }])
    await record(id, { refunds, disputes: [dispute(one, 1450)] })
    expect(await disputesOf(paymentId)).toMatchObject([{ platformFee: 72, status: 'open' }])
    // And what the dispute took the next refund does not take again.
    const last = newId('re')
    await record(id, { refunds: [...refunds, refund(last, 1450)] })
    expect(await refundsOf(paymentId)).toContainEqual(
      expect.objectContaining({ id: last, platformFee: 0 }),
    )
  })

  test('that is won costs what the provider keeps of its fee', async () => {
    const [id, one] = [newId('ch'), newId('dp')]
    await record(id, { disputes: [dispute(one, 2900)] })
    const { paymentId } = await record(id, { disputes: [dispute(one, 2900, 'won', [1500, 0])] })
    expect((await movements(paymentId)).slice(1)).toMatchObject([
      { kind: 'dispute', sums: { provider: -4400, creator: 4255, platform_fees: 145 } },
      { kind: 'dispute_won', sums: { provider: 2900, creator: -2755, platform_fees: -145 } },
    ])
    const { rows } = await app.services.db.execute<{ fee: string }>(
      sql`select b.dispute_fee as fee from payments p ${takenBack} where p.charge_id = ${id}`,
    )
    expect(rows).toEqual([{ fee: '1500' }])
  })

  test('that is heard of only when it was won came and went', async () => {
    const [id, one] = [newId('ch'), newId('dp')]
    const { paymentId, dispute: is } = await record(id, { disputes: [dispute(one, 2900, 'won')] })
    expect(is).toBe('won')
    expect(await disputesOf(paymentId)).toMatchObject([{ platformFee: 0, status: 'won' }])
    expect(await kinds(paymentId)).toEqual(['payment', 'dispute', 'dispute_won'])
  })

  test.each<[string, Stripe.Dispute]>([
    ['is a question of the bank', dispute('dp_1', 2900, 'warning_needs_response')],
    ['was a question of the bank', dispute('dp_1', 2900, 'warning_closed')],
    ['the provider settled beforehand', dispute('dp_1', 2900, 'prevented')],
    ['has taken no money yet', dispute('dp_1', 2900, 'needs_response', [])],
    ['was won before it took any money', dispute('dp_1', 2900, 'won', [])],
  ])('that %s is none, and keeps nobody from the next one', async (_, none) => {
    const [id, real] = [newId('ch'), newId('dp')]
    const before = await record(id, { disputes: [none] })
    expect(before).toMatchObject({ dispute: null, disputeChanged: false })
    expect(await kinds(before.paymentId)).toEqual(['payment'])
    await record(id, { disputes: [none, dispute(real, 2900)] })
    expect(await disputesOf(before.paymentId)).toMatchObject([{ id: real }])
  })

  test.each<[string[], string]>([
    [['won', 'lost', 'needs_response'], 'lost'],
    [['won', 'needs_response'], 'open'],
    [['won', 'won'], 'won'],
  ])('among others: %j come to: %s', async (statuses, expected) => {
    const id = newId('ch')
    const disputes = statuses.map((status) => dispute(newId('dp'), 500, status))
    expect(await record(id, { disputes })).toMatchObject({ dispute: expected })
    // Also when the provider tells of none of them.
    expect(await record(id)).toMatchObject({ dispute: expected, disputeChanged: false })
  })
})
