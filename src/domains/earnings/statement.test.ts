// What a statement says, line by line, of every kind of booking; and of months that are at an edge.
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { creatorAccount, ownAccounts } from '../ledger/accounts.ts'
import {
  disputeEntries,
  type Entry,
  failedPayoutEntries,
  failedRefundEntries,
  givenUpEntries,
  paymentEntries,
  payoutEntries,
  refundEntries,
  wonDisputeEntries,
} from '../ledger/rules.ts'
import { ledgerEntries, ledgerTransactions } from '../ledger/tables.ts'
import { payments } from '../payments/tables.ts'
import { payouts } from '../payouts/tables.ts'
import { statementOf } from './statement.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db

async function someCreator() {
  const { id, name } = await makePerson(app.services, { name: 'Cleo Creator' })
  const accountId = await db().transaction((transaction) => creatorAccount(transaction, id))
  return { id, name, accountId, cookie: await sessionCookieOf(app.services, id) }
}
type Creator = Awaited<ReturnType<typeof someCreator>>

interface Booking {
  kind: (typeof ledgerTransactions.$inferSelect)['kind']
  entries: Entry[]
  /** UTC: '2025-03-02 09:05'. */
  at: string
  /** When its entries were written, where that was later. */
  written?: string
  paymentId?: string
  payoutId?: string
}

const moment = (at: string) => new Date(`${at.replace(' ', 'T')}Z`)

/** In a month that is over: nothing else that happens in a test is older than the test. */
function book({ accountId }: Creator, { kind, entries, at, written = at, ...about }: Booking) {
  const idAt = (time: string) =>
    sql`uuidv7(${moment(time).toISOString()}::timestamptz - clock_timestamp())`
  return db().transaction(async (transaction) => {
    const own = await ownAccounts(transaction)
    const [booked] = await transaction
      .insert(ledgerTransactions)
      .values({
        id: idAt(at),
        kind,
        source: `${kind} ${randomUUID()}`,
        ...about,
        occurredAt: moment(at),
        createdAt: moment(at),
      })
      .returning({ id: ledgerTransactions.id })
    await transaction.insert(ledgerEntries).values(
      entries.map(({ account, what, amount }) => ({
        id: idAt(written),
        transactionId: booked!.id,
        accountId: account === 'creator' ? accountId : own.get(account)!,
        what,
        amount,
        currency: 'usd',
      })),
    )
  })
}

interface Sold {
  description: string
  gross: number
  feePercent: number
  platformFee: number
  providerFee: number
}

async function sell(creator: Creator, at: string, sold: Sold) {
  const [payment] = await db()
    .insert(payments)
    .values({
      chargeId: `ch_${randomUUID()}`,
      kind: 'course',
      creatorAccountId: creator.accountId,
      currency: 'usd',
      ...sold,
      paidAt: moment(at),
      availableAt: moment(at),
    })
    .returning({ id: payments.id })
  const { id: paymentId } = payment!
  await book(creator, { kind: 'payment', at, paymentId, entries: paymentEntries('course', sold) })
  return paymentId
}

async function payOut(
  creator: Creator,
  at: string,
  terms: { method: 'paypal' | 'bank_account'; destination: string; amount: number; fee: number },
) {
  const [payout] = await db()
    .insert(payouts)
    .values({ ledgerAccountId: creator.accountId, currency: 'usd', status: 'paid', ...terms })
    .returning({ id: payouts.id })
  const { id: payoutId } = payout!
  const through = terms.method === 'paypal' ? 'paypal' : 'provider'
  await book(creator, { kind: 'payout', at, payoutId, entries: payoutEntries(through, terms) })
  return payoutId
}

const knots = { description: 'Knots', feePercent: 5 }
const ropes = { description: 'Ropes' }

test('a statement has every kind of booking in words and sums, and agrees with itself', async () => {
  const creator = await someCreator()
  const cards = { gross: 10_000, platformFee: 500, providerFee: 320 }
  await sell(creator, '2025-02-28 23:59', { ...knots, ...cards })

  const knot = await sell(creator, '2025-03-02 09:05', {
    ...knots,
    gross: 2900,
    platformFee: 145,
    providerFee: 114,
  })
  const free = { feePercent: 0, gross: 5000, platformFee: 0, providerFee: 175 }
  const rope = await sell(creator, '2025-03-03 10:00', { ...ropes, ...free })
  const about = (paymentId: string) => ({ paymentId })
  const back = { amount: 1000, platformFee: 50 }
  await book(creator, {
    kind: 'refund',
    at: '2025-03-04 10:00',
    ...about(knot),
    entries: refundEntries('course', back),
  })
  await book(creator, {
    kind: 'refund_failed',
    at: '2025-03-05 10:00',
    ...about(knot),
    entries: failedRefundEntries('course', back),
  })
  await book(creator, {
    kind: 'refund',
    at: '2025-03-06 10:00',
    ...about(knot),
    entries: refundEntries('course', { amount: 400, platformFee: 20 }),
  })
  const taken = { amount: 5000, fee: 1500, platformFee: 0 }
  await book(creator, {
    kind: 'dispute',
    at: '2025-03-07 10:00',
    ...about(rope),
    entries: disputeEntries('course', taken),
  })
  await book(creator, {
    kind: 'dispute_won',
    at: '2025-03-08 10:00',
    ...about(rope),
    entries: wonDisputeEntries('course', taken),
  })
  const other = { feePercent: 5, gross: 2000, platformFee: 100, providerFee: 88 }
  const lost = await sell(creator, '2025-03-09 10:00', { ...ropes, ...other })
  await book(creator, {
    kind: 'dispute',
    at: '2025-03-10 10:00',
    ...about(lost),
    entries: disputeEntries('course', { amount: 2000, fee: 1500, platformFee: 100 }),
  })
  const paypal = { method: 'paypal', destination: 'cleo@example.com' } as const
  const failing = { ...paypal, amount: 3000, fee: 25 }
  const payoutId = await payOut(creator, '2025-03-11 10:00', failing)
  await book(creator, {
    kind: 'payout_failed',
    at: '2025-03-12 10:00',
    payoutId,
    entries: failedPayoutEntries('paypal', failing),
  })
  const bank = { method: 'bank_account', destination: 'A bank •••• 6789' } as const
  await payOut(creator, '2025-03-13 10:00', { ...bank, amount: 2000, fee: 0 })
  await payOut(creator, '2025-03-14 10:00', { ...paypal, amount: 1000, fee: 40 })
  // What began in this month belongs to it, also when it took until the next one.
  await book(creator, {
    kind: 'given_up',
    at: '2025-03-31 23:59',
    written: '2025-04-01 00:01',
    entries: givenUpEntries(300),
  })
  const line = (
    when: string,
    what: string,
    [gross, platformFee, cardFee, left]: [number, number, number, number],
  ) => ({ when, what, gross, platformFee, cardFee, left })
  expect(await statementOf(db(), creator.id, '2025-03')).toEqual({
    month: '2025-03',
    creator: 'Cleo Creator',
    opening: 9180,
    closing: 11_378,
    sums: {
      sales: 3,
      gross: 9900,
      platformFee: 125,
      cardFee: 377,
      refunded: 400,
      disputed: 2000,
      disputeFee: 1500,
      paidOut: 2960,
      payoutFee: 40,
      givenUp: 300,
    },
    isByDay: false,
    lines: [
      line('2025-03-02 09:05', 'Sale (our fee 5%): Knots', [2900, -145, -114, 0]),
      line('2025-03-03 10:00', 'Sale (our fee 0%): Ropes', [5000, 0, -175, 0]),
      line('2025-03-04 10:00', 'Refund: Knots', [-1000, 50, 0, 0]),
      line('2025-03-05 10:00', 'Refund that came back: Knots', [1000, -50, 0, 0]),
      line('2025-03-06 10:00', 'Refund: Knots', [-400, 20, 0, 0]),
      line('2025-03-07 10:00', 'Dispute: Ropes', [-5000, 0, -1500, 0]),
      line('2025-03-08 10:00', 'Dispute won: Ropes', [5000, 0, 1500, 0]),
      line('2025-03-09 10:00', 'Sale (our fee 5%): Ropes', [2000, -100, -88, 0]),
      line('2025-03-10 10:00', 'Dispute: Ropes', [-2000, 100, -1500, 0]),
      line(
        '2025-03-11 10:00',
        'Payout to cleo@example.com, of which PayPal keeps 0.25',
        [0, 0, 0, -3000],
      ),
      line('2025-03-12 10:00', 'Payout that came back from cleo@example.com', [0, 0, 0, 3000]),
      line('2025-03-13 10:00', 'Payout to A bank •••• 6789', [0, 0, 0, -2000]),
      line(
        '2025-03-14 10:00',
        'Payout to cleo@example.com, of which PayPal keeps 0.40',
        [0, 0, 0, -1000],
      ),
      line('2025-03-31 23:59', 'Given up', [0, 0, 0, -300]),
    ],
    courses: [
      {
        title: 'Ropes',
        sales: 2,
        feePercents: [0, 5],
        gross: 5000,
        platformFee: 0,
        cardFee: -1763,
        left: 0,
      },
      {
        title: 'Knots',
        sales: 1,
        feePercents: [5],
        gross: 2500,
        platformFee: -125,
        cardFee: -114,
        left: 0,
      },
    ],
  })
  expect(await statementOf(db(), creator.id, '2025-04')).toMatchObject({
    opening: 11_378,
    closing: 11_378,
    lines: [],
    courses: [],
  })

  // Earned in all, and nothing of it lately.
  const { body } = await app.request('/rest/v1/earnings', { cookie: creator.cookie })
  expect(body).toMatchObject({ total: 9180 + 5498, thisMonth: 0, paidOut: 3000, available: 11_378 })

  const file = await fetch(`${app.url}/rest/v1/statements/2025-03`, {
    headers: { cookie: creator.cookie },
  })
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="statement-2025-03.pdf"',
    'cache-control': 'private, no-store',
  })
  // The sandbox's.
  expect(await file.text()).toContain('Test mode: no money moved')
  const before = await app.request('/rest/v1/statements/2025-01', { cookie: creator.cookie })
  expect([before.status, before.body.message]).toEqual([
    404,
    'There is no statement of this month: you had not sold anything yet.',
  ])
})

/** Very many at once, each of $10. */
async function sellMany({ accountId }: Creator, day: string, count: number) {
  const client = await app.services.pool.connect()
  try {
    await client.query('begin')
    // One side of the books is enough here.
    await client.query('alter table ledger_entries disable trigger ledger_entries_balance')
    await client.query(
      `with sold as (
         insert into payments (charge_id, kind, creator_account_id, description, currency, gross,
                               fee_percent, platform_fee, provider_fee, paid_at, available_at, created_at)
         select 'ch_each_' || n, 'course', $1, 'Knots', 'usd', 1000, 0, 0, 59, at, at, at
           from generate_series(1, $3::int) n,
                lateral (select $2::timestamptz + n * interval '1 second' as at) t
         returning *),
       booked as (
         insert into ledger_transactions (id, kind, source, payment_id, occurred_at, created_at)
         select uuidv7(created_at - clock_timestamp()), 'payment', 'payment ' || charge_id, id,
                created_at, created_at from sold
         returning *)
       insert into ledger_entries (id, transaction_id, account_id, what, amount, currency)
       select uuidv7(b.created_at - clock_timestamp()), b.id, $1, e.what, e.amount, 'usd'
         from booked b, lateral (values ('gross', -1000), ('provider_fee', 59)) e (what, amount)`,
      [accountId, `${day}T00:00Z`, count],
    )
    await client.query('alter table ledger_entries enable trigger ledger_entries_balance')
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

test('a statement lists 3,000 bookings one by one, and more day by day', async () => {
  const creator = await someCreator()
  const sold = { ...knots, gross: 2000, platformFee: 100, providerFee: 88 }
  const first = await sell(creator, '2025-03-01 10:00', sold)
  await sell(creator, '2025-03-02 10:00', sold)
  const refund = (at: string) =>
    book(creator, {
      kind: 'refund',
      at,
      paymentId: first,
      entries: refundEntries('course', { amount: 200, platformFee: 10 }),
    })
  await refund('2025-03-02 11:00')
  await refund('2025-03-03 10:00')
  await refund('2025-03-03 11:00')
  const bank = { method: 'bank_account', destination: 'A bank' } as const
  await payOut(creator, '2025-03-04 10:00', { ...bank, amount: 500, fee: 0 })
  await sellMany(creator, '2025-03-05', 2992)
  await sell(creator, '2025-03-06 10:00', sold)
  await sell(creator, '2025-03-06 11:00', sold)
  const each = await statementOf(db(), creator.id, '2025-03')
  expect([each!.isByDay, each!.lines.length]).toEqual([false, 3000])

  await refund('2025-03-05 10:00')
  expect(await statementOf(db(), creator.id, '2025-03')).toMatchObject({
    isByDay: true,
    lines: [
      { when: '2025-03-01', what: '1 sale', gross: 2000, platformFee: -100, cardFee: -88, left: 0 },
      { when: '2025-03-02', what: '1 sale, 1 refund or dispute', gross: 1800, platformFee: -90 },
      { when: '2025-03-03', what: '2 refunds and disputes', gross: -400, platformFee: 20 },
      { when: '2025-03-04', what: 'Payouts', gross: 0, platformFee: 0, cardFee: 0, left: -500 },
      {
        when: '2025-03-05',
        what: '2,992 sales, 1 refund or dispute',
        gross: 2_992_000 - 200,
        cardFee: 0 - 2992 * 59,
      },
      { when: '2025-03-06', what: '2 sales', gross: 4000 },
    ],
  })
})
