// What a creator is shown, beside the raw rows of the ledger: it agrees to the cent.
import { randomUUID } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { platformFeeOf } from '../billing/rules.ts'
import { courses } from '../courses/tables.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import { failedPayoutEntries, payoutEntries } from '../ledger/rules.ts'
import { recordCharge } from '../payments/record-charge.ts'
import { payments } from '../payments/tables.ts'
import { coverSales } from '../payouts/covers.ts'
import { payouts } from '../payouts/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { balanceNow } from './balance-now.ts'
import { monthOf } from './months.ts'
import { saleStates } from './rules.ts'
import type { Sale } from './schema.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const db = () => app.services.db
const hour = 3600

/** The same story each time. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    // Of such numbers the last bits are not by chance.
    return Math.floor((state / 0x80000000) * below)
  }
}

async function creatorWith(titles: string[]) {
  const person = await makePerson(app.services, { name: 'Pat Zöe “Knots” O’Hara' })
  const accountId = await db().transaction((transaction) => creatorAccount(transaction, person.id))
  const taught = []
  for (const title of titles) {
    const { id } = await makeCourse(app.services, person, { title })
    taught.push({ id, title })
  }
  const buyer = await makePerson(app.services, { name: '=Buyer()' })
  return {
    ...person,
    accountId,
    taught,
    buyer,
    cookie: await sessionCookieOf(app.services, person.id),
  }
}
type Creator = Awaited<ReturnType<typeof creatorWith>>

let made = 0
const now = () => Math.floor(Date.now() / 1000)

interface Terms {
  course?: number
  gross?: number
  feePercent?: number
  /** Seconds from now. */
  paid?: number
  available?: number
  /** An earlier sale, whose next month this one is. */
  renews?: { purchaseId: string }
  pricingType?: 'one_time' | 'monthly'
}

/** A sale as the provider tells of it; `record` tells again, with what became of it. */
async function sell(creator: Creator, terms: Terms = {}) {
  const { course = 0, gross = 2900, feePercent = 5, paid = 0, available = 48 * hour } = terms
  const { id: courseId, title } = creator.taught[course]!
  const charge = {
    id: `ch_earn_${(made += 1)}`,
    paid: true,
    captured: true,
    amount_captured: gross,
    currency: 'usd',
    created: now() + paid,
    receipt_url: null,
    balance_transaction: {
      id: `txn_${made}`,
      fee: Math.round(gross * 0.029) + 30,
      exchange_rate: null,
      available_on: now() + available,
    },
  } as unknown as Stripe.Charge
  const [purchase] = terms.renews
    ? [{ id: terms.renews.purchaseId }]
    : await db()
        .insert(purchases)
        .values({
          courseId,
          courseTitle: title,
          creatorAccountId: creator.accountId,
          pricingType: terms.pricingType ?? 'one_time',
          amount: gross,
          currency: 'usd',
        })
        .returning({ id: purchases.id })
  const record = (refunds: Stripe.Refund[] = [], disputes: Stripe.Dispute[] = []) =>
    db().transaction((transaction) =>
      recordCharge(transaction, {
        charge,
        refunds,
        disputes,
        about: {
          kind: 'course',
          feePercent,
          purchaseId: purchase!.id,
          courseId,
          creatorAccountId: creator.accountId,
        },
        payerId: creator.buyer.id,
        description: title,
        checkoutId: null,
        invoice: null,
      }),
    )
  const { paymentId } = await record()
  return { id: paymentId, chargeId: charge.id, purchaseId: purchase!.id, gross, record }
}

const refund = (amount: number, status = 'succeeded', id = `re_earn_${(made += 1)}`) =>
  ({ id, amount, status, created: now() }) as Stripe.Refund

const dispute = (amount: number, status: string, id = `dp_earn_${(made += 1)}`) =>
  ({
    id,
    amount,
    status,
    created: now(),
    balance_transactions: [{ fee: 1500, amount: -amount }],
  }) as unknown as Stripe.Dispute

/** A payout as it is asked for, without the way to a bank. */
const payOut = (
  creator: Creator,
  amount: number,
  fate: 'requested' | 'in_transit' | 'paid' | 'failed',
) =>
  db().transaction(async (transaction) => {
    const { available } = await balanceNow(transaction, creator.accountId)
    const [row] = await transaction
      .insert(payouts)
      .values({
        ledgerAccountId: creator.accountId,
        method: 'paypal',
        destination: 'pat@example.com',
        amount,
        fee: 4,
        currency: 'usd',
        status: fate,
      })
      .returning()
    const { id } = row!
    const fact = {
      payoutId: id,
      occurredAt: new Date(),
      currency: 'usd',
      creatorAccountId: creator.accountId,
    }
    const entries = payoutEntries('paypal', { amount, fee: 4 })
    await postTransaction(transaction, { kind: 'payout', source: `payout ${id}`, ...fact, entries })
    if (fate !== 'failed') {
      await coverSales(transaction, { id, ledgerAccountId: creator.accountId }, available - amount)
      return
    }
    await postTransaction(transaction, {
      kind: 'payout_failed',
      source: `payout failed ${id}`,
      ...fact,
      entries: failedPayoutEntries('paypal', { amount, fee: 4 }),
    })
  })

/** Sums of the raw entries of an account: what we owe is positive. */
async function rawSums({ accountId }: Creator, condition = sql`true`) {
  const { rows } = await db().execute<{ what: string; sum: string }>(sql`
    select e.what, 0 - sum(e.amount) as sum from ledger_entries e
      join ledger_transactions t on t.id = e.transaction_id
     where e.account_id = ${accountId} and ${condition} group by 1`)
  const by = new Map(rows.map(({ what, sum }) => [what, Number(sum)]))
  const all = (...names: string[]) => names.reduce((sum, name) => sum + (by.get(name) ?? 0), 0)
  const moved = all('payout', 'payout_fee', 'given_up')
  const balance = all(...by.keys())
  return { all, balance, earned: balance - moved }
}

/** Of past months: nothing that is booked is changed but by a test. */
async function bookAt({ accountId }: Creator, chargeId: string, at: string) {
  const client = await app.services.pool.connect()
  try {
    await client.query('begin')
    const guarded = ['ledger_transactions', 'ledger_entries']
    for (const table of guarded) await client.query(`alter table ${table} disable trigger user`)
    const source = `payment ${chargeId}`
    await client.query('update ledger_transactions set created_at = $2 where source = $1', [
      source,
      at,
    ])
    await client.query(
      `update ledger_entries set id = uuidv7($2::timestamptz - clock_timestamp())
        where transaction_id = (select id from ledger_transactions where source = $1)`,
      [source, at],
    )
    await client.query('delete from earning_days where account_id = $1', [accountId])
    await client.query(
      `insert into earning_days (account_id, day, currency, course_id, sales, gross, platform_fee, provider_fee)
       select account_id, day, currency, course_id, count(*) filter (where what = 'gross'),
              coalesce(-sum(amount) filter (where what = 'gross'), 0),
              coalesce(sum(amount) filter (where what = 'platform_fee'), 0),
              coalesce(sum(amount) filter (where what = 'provider_fee'), 0)
         from creator_entry_days where account_id = $1 group by 1, 2, 3, 4`,
      [accountId],
    )
    for (const table of guarded) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

const get = (creator: { cookie: string }, path: string) =>
  app.request(`/rest/v1${path}`, { cookie: creator.cookie })

async function allSales(creator: Creator, query = ''): Promise<Sale[]> {
  const sales: Sale[] = []
  let cursor = ''
  do {
    const { status, body } = await get(creator, `/sales?${query}${cursor}`)
    expect(status).toBe(200)
    sales.push(...body.sales)
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  return sales
}

const fetched = (creator: { cookie: string }, path: string) =>
  fetch(`${app.url}/rest/v1${path}`, { headers: { cookie: creator.cookie } })

/** What a PDF says, piece by piece as it was drawn. */
async function piecesOf(response: Response): Promise<string[]> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const pieces: string[] = []
  let from = 0
  for (;;) {
    const start = bytes.indexOf('stream\n', from)
    if (start < 0) return pieces
    const end = bytes.indexOf('\nendstream', start)
    from = end + 10
    const header = bytes.subarray(Math.max(0, start - 200), start).toString('latin1')
    if (!header.includes('/FlateDecode')) continue
    const content = inflateSync(bytes.subarray(start + 7, end)).toString('latin1')
    for (const [, array] of content.matchAll(/\[([^\]]*)\] TJ/g)) {
      const hex = [...array!.matchAll(/<([0-9a-f]*)>/g)].map(([, part]) => part).join('')
      pieces.push(new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
    }
  }
}

const money = (amount: number) =>
  (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** The balance that stands behind each of these words. */
const after = (pieces: string[], words: string) =>
  pieces.flatMap((piece, index) => (piece === words ? [pieces[index + 1]!] : []))

describe('earnings', () => {
  test('of who never sold anything are zeros', async () => {
    const person = await makePerson(app.services)
    const nobody = { cookie: await sessionCookieOf(app.services, person.id) }
    expect((await get(nobody, '/earnings')).body).toEqual({
      currency: 'usd',
      total: 0,
      thisMonth: 0,
      pending: 0,
      nextAvailableAt: null,
      available: 0,
      onItsWay: 0,
      paidOut: 0,
      leastPayout: 100,
      feePercent: 5,
      statements: [],
    })
    expect((await get(nobody, '/sales')).body).toEqual({ sales: [], nextCursor: null })
    expect((await get(nobody, '/statements/2026-01')).status).toBe(404)
  })

  test('agree with the raw ledger, whatever happened to the sales', async () => {
    const creator = await creatorWith(['Knots', 'Ropes (and, more)'])
    const roll = dice(20_261_122)
    for (let number = 0; number < 34; number++) {
      const gross = 100 + roll(20_000)
      const terms = {
        course: roll(2),
        gross,
        feePercent: roll(3) === 0 ? 0 : 5,
        paid: 0 - roll(30 * 24 * hour),
        available: roll(2) === 0 ? -roll(1000) * 60 : 60 * (1 + roll(4000)),
      }
      const sale = await sell(creator, terms)
      const part = 1 + roll(gross)
      const [first, taken] = [refund(part), dispute(gross, 'needs_response')]
      const stories: (() => Promise<unknown>)[] = [
        () => sale.record([first]),
        () => sale.record([refund(gross)]),
        () => sale.record([first]).then(() => sale.record([refund(part, 'failed', first.id)])),
        () => sale.record([], [taken]),
        () =>
          sale.record([], [taken]).then(() => sale.record([], [dispute(gross, 'won', taken.id)])),
        () =>
          sale.record([], [taken]).then(() => sale.record([], [dispute(gross, 'lost', taken.id)])),
      ]
      await stories[roll(12)]?.()
    }
    // Whatever the dice said, there is something to pay out.
    await sell(creator, { gross: 90_000, available: -60 })
    await payOut(creator, 5000, 'failed')
    await payOut(creator, 40_000, 'paid')
    await payOut(creator, 20_000, 'in_transit')

    const raw = await rawSums(creator)
    const { body: earned } = await get(creator, '/earnings')
    const sales = await allSales(creator)
    expect(sales).toHaveLength(35)
    const sum = (of: (sale: Sale) => number) => sales.reduce((all, sale) => all + of(sale), 0)
    expect(earned.total).toBe(raw.earned)
    expect(earned.thisMonth).toBe(raw.earned)
    expect([earned.onItsWay, earned.paidOut]).toEqual([20_000, 40_000])
    expect(earned.pending + earned.available).toBe(raw.balance)
    expect(earned.total).toBe(earned.pending + earned.available + earned.onItsWay + earned.paidOut)
    expect(earned.statements).toEqual([{ month: monthOf(new Date()), isOver: false }])
    const unreleased = sales.filter((sale) => Date.parse(sale.availableAt) > Date.now())
    expect(earned.pending).toBe(unreleased.reduce((all, { net }) => all + Math.max(0, net), 0))
    const next = unreleased.filter(({ net }) => net > 0).map((sale) => sale.availableAt)
    expect(earned.nextAvailableAt).toBe(next.toSorted()[0])

    expect(sum((sale) => sale.net)).toBe(raw.earned)
    expect(sum((sale) => sale.gross)).toBe(raw.all('gross'))
    expect(sum((sale) => 0 - sale.platformFee)).toBe(raw.all('platform_fee'))
    expect(sum((sale) => 0 - sale.providerFee)).toBe(raw.all('provider_fee'))
    expect(sum((sale) => 0 - sale.refunded)).toBe(raw.all('refund'))
    expect(sum((sale) => 0 - sale.disputed)).toBe(raw.all('dispute'))
    expect(sum((sale) => 0 - sale.disputeFee)).toBe(raw.all('dispute_fee'))

    // Each of them is in the list of one state, and in that of no other.
    const byState = []
    for (const state of saleStates) {
      const those = await allSales(creator, `state=${state}`)
      expect(new Set(those.map((sale) => sale.state)).size).toBeLessThanOrEqual(1)
      expect(those.every((sale) => sale.state === state)).toBe(true)
      byState.push(...those)
    }
    expect(byState.map(({ id }) => id).toSorted()).toEqual(sales.map(({ id }) => id).toSorted())
    expect(new Set(sales.map(({ state }) => state)).size).toBe(saleStates.length)

    const file = await fetched(creator, '/sales/export')
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = (await file.text())
      .replaceAll('"Ropes (and, more)"', 'Ropes')
      .trim()
      .split('\r\n')
    const cells = lines.slice(1).map((line) => line.split(','))
    expect(cells.map(([id]) => id)).toEqual(sales.map(({ id }) => id))
    const cents = (column: number) =>
      cells.reduce((all, row) => all + Math.round(Number(row[column]) * 100), 0)
    expect(cents(8)).toBe(raw.all('gross'))
    expect(cents(15)).toBe(raw.earned)
    expect(cells.every((row) => row[4] === "'=Buyer()" && row.length === 18)).toBe(true)

    const ofOne = await allSales(creator, `courseId=${creator.taught[1]!.id}`)
    expect(ofOne.length).toBe(sales.filter((s) => s.courseTitle !== 'Knots').length)
    const fileOfOne = await fetched(creator, `/sales/export?courseId=${creator.taught[1]!.id}`)
    expect((await fileOfOne.text()).trim().split('\r\n')).toHaveLength(ofOne.length + 1)
  })

  test('pending turns to available, and paid out; a refund after that leaves less than nothing', async () => {
    const creator = await creatorWith(['Knots'])
    const sale = await sell(creator)
    const net = 2900 - platformFeeOf(2900, 5) - 114
    const shown = async () => {
      const [{ body: earned }, { body: one }] = [
        await get(creator, '/earnings'),
        await get(creator, `/sales/${sale.id}`),
      ]
      return [one.state, earned.pending, earned.available, earned.paidOut]
    }
    expect(await shown()).toEqual(['pending', net, 0, 0])
    const past = new Date(Date.now() - 1000)
    await db().update(payments).set({ availableAt: past }).where(eq(payments.id, sale.id))
    expect(await shown()).toEqual(['available', 0, net, 0])
    await payOut(creator, net, 'paid')
    expect(await shown()).toEqual(['paid_out', 0, 0, net])
    // One that came back reached no sale, and takes none from those before it.
    await payOut(creator, 100, 'failed')
    expect(await shown()).toEqual(['paid_out', 0, 0, net])
    await sale.record([refund(2900)])
    expect(await shown()).toEqual(['refunded', 0, net - 2900 + 145 - net, net])
    await sell(creator)
    // What is pending is not there before it is released; then it makes up for the loss.
    expect(await shown()).toEqual(['refunded', net, -114 - net, net])
  })

  test('a payout is on its way as soon as it is asked for', async () => {
    const creator = await creatorWith(['Knots'])
    await sell(creator, { gross: 10_000, available: -60 })
    await payOut(creator, 2000, 'requested')
    const { body } = await get(creator, '/earnings')
    expect([body.onItsWay, body.paidOut, body.available]).toEqual([
      2000,
      0,
      10_000 - 500 - 320 - 2000,
    ])
  })

  test('a sale outlives its course and its buyer, and says what it was', async () => {
    const creator = await creatorWith(['Knots'])
    const first = await sell(creator, { pricingType: 'monthly', paid: -40 * 24 * hour })
    const second = await sell(creator, { renews: first, pricingType: 'monthly' })
    const before = (await allSales(creator)).map((sale) => [sale.id, sale.isRenewal])
    expect(before).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    await db().delete(courses).where(eq(courses.id, creator.taught[0]!.id))
    await db().update(payments).set({ payerId: null }).where(eq(payments.id, first.id))
    expect((await get(creator, `/sales/${first.id}`)).body).toMatchObject({
      courseId: null,
      courseTitle: 'Knots',
      pricingType: 'monthly',
      buyer: null,
      refundable: 2900,
      refund: null,
    })
    const kinds = (await (await fetched(creator, '/sales/export')).text()).trim().split('\r\n')
    expect(kinds.map((line) => line.split(',')[6])).toEqual(['Kind', 'renewal', 'first month'])
  })

  test('nobody else sees them', async () => {
    const creator = await creatorWith(['Knots'])
    const sale = await sell(creator)
    const other = await creatorWith(['Others'])
    await sell(other)
    expect((await get(other, `/sales/${sale.id}`)).status).toBe(404)
    const ofTheirs = await get(other, `/sales?courseId=${creator.taught[0]!.id}`)
    expect(ofTheirs.body).toEqual({ sales: [], nextCursor: null })
    expect((await get(creator, `/sales/${randomUUID()}`)).status).toBe(404)
    expect((await get(creator, '/sales?cursor=1_x')).status).toBe(422)
  })

  test('cost few statements', async () => {
    const creator = await creatorWith(['Knots'])
    await sell(creator)
    const watch = watchStatements(app)
    const own = (texts: string[], table: RegExp) => texts.filter((text) => table.test(text)).length
    const earnings = await watch.during(() => get(creator, '/earnings'))
    expect(own(earnings, /earning_days|plan_subscriptions|payouts|payments/)).toBeLessThanOrEqual(3)
    const sales = await watch.during(() => get(creator, '/sales'))
    expect(own(sales, /payments/)).toBe(1)
  })
})

describe('a statement', () => {
  test('has each booking of its month, by UTC, and adds up', async () => {
    const creator = await creatorWith(['Knots', 'Ropes'])
    const booked: [string, number][] = [
      ['2024-02-29T23:59:59.999Z', 1000],
      ['2024-12-31T23:59:59.999Z', 2000],
      ['2025-01-01T00:00:00Z', 3000],
      ['2025-01-31T23:59:59.999Z', 4011],
      ['2025-02-01T00:00:00Z', 5000],
    ]
    for (const [index, [at, gross]] of booked.entries()) {
      const sale = await sell(creator, {
        gross,
        course: index % 2,
        feePercent: index === 3 ? 0 : 5,
      })
      await bookAt(creator, sale.chargeId, at)
    }
    const months = (await get(creator, '/earnings')).body.statements
    expect(months).toEqual(
      ['2025-02', '2025-01', '2024-12', '2024-02'].map((month) => ({ month, isOver: true })),
    )
    expect((await get(creator, '/statements/2024-01')).status).toBe(404)
    expect((await get(creator, '/statements/2024-13')).status).toBe(422)
    const early = await get(creator, `/statements/${monthOf(new Date())}`)
    expect([early.status, early.body.code]).toEqual([409, 'NOT_OVER'])

    for (const month of ['2024-02', '2024-03', '2024-12', '2025-01', '2025-02']) {
      const start = `${month}-01T00:00:00Z`
      const next = sql`${start}::timestamptz at time zone 'UTC' + interval '1 month'`
      const end = sql`(${next}) at time zone 'UTC'`
      const raw = await rawSums(
        creator,
        sql`t.created_at >= ${start}::timestamptz and t.created_at < ${end}`,
      )
      const opening = (await rawSums(creator, sql`t.created_at < ${start}::timestamptz`)).balance
      const closing = (await rawSums(creator, sql`t.created_at < ${end}`)).balance
      const response = await fetched(creator, `/statements/${month}`)
      expect(response.headers.get('content-type')).toBe('application/pdf')
      const pieces = await piecesOf(response)
      expect(after(pieces, 'Opening balance')).toEqual([money(opening), money(opening)])
      expect(after(pieces, 'Closing balance')).toEqual([money(closing), money(closing)])
      expect(opening + raw.balance).toBe(closing)
      expect(after(pieces, 'Fee of Thunder')).toEqual([money(raw.all('platform_fee'))])
      expect(after(pieces, 'Card fees')).toEqual([money(raw.all('provider_fee'))])
      const count = booked.filter(([at]) => at.startsWith(month)).length
      const words = `Gross of ${count} ${count === 1 ? 'sale' : 'sales'}`
      expect(after(pieces, words)).toEqual([money(raw.all('gross'))])
      expect(pieces.filter((piece) => piece.startsWith('Sale (our fee'))).toHaveLength(count)
      expect(pieces).toContain('Page 1 of 1')
    }
    const january = await piecesOf(await fetched(creator, '/statements/2025-01'))
    expect(january).toContain('Statement of January 2025 (UTC)')
    expect(january).toContain('Pat Zöe “Knots” O’Hara')
    const at = january.indexOf('2025-01-31 23:59')
    expect(january.slice(at, at + 6)).toEqual([
      '2025-01-31 23:59',
      'Sale (our fee 0%): Ropes',
      '40.11',
      '-1.46',
      '38.65',
      january[at + 5],
    ])
  })

  test('of a month with very many bookings has its days', async () => {
    const creator = await creatorWith(['Knots'])
    const client = await app.services.pool.connect()
    try {
      await client.query('begin')
      // One side of the books is enough here.
      await client.query('alter table ledger_entries disable trigger ledger_entries_balance')
      await client.query(
        `with sold as (
           insert into payments (charge_id, kind, creator_account_id, description, currency, gross,
                                 fee_percent, platform_fee, provider_fee, paid_at, available_at, created_at)
           select 'ch_many_' || n, 'course', $1, 'Knots', 'usd', 1000 + n, 0, 0, 59, at, at, at
             from generate_series(1, 3001) n,
                  lateral (select '2025-02-01T00:00Z'::timestamptz + n * interval '13 minutes' as at) t
           returning *),
         booked as (
           insert into ledger_transactions (id, kind, source, payment_id, occurred_at, created_at)
           select uuidv7(created_at - clock_timestamp()), 'payment', 'payment ' || charge_id, id,
                  created_at, created_at from sold
           returning *)
         insert into ledger_entries (id, transaction_id, account_id, what, amount, currency)
         select uuidv7(b.created_at - clock_timestamp()), b.id, $1, e.what, e.amount, 'usd'
           from booked b join sold s on s.id = b.payment_id,
                lateral (values ('gross', -s.gross), ('provider_fee', s.provider_fee)) e (what, amount)`,
        [creator.accountId],
      )
      await client.query('alter table ledger_entries enable trigger ledger_entries_balance')
      await client.query('commit')
    } finally {
      client.release(true)
    }
    const pieces = await piecesOf(await fetched(creator, '/statements/2025-02'))
    const { balance } = await rawSums(creator)
    expect(after(pieces, 'Closing balance')).toEqual([money(balance), money(balance)])
    expect(after(pieces, 'Gross of 3,001 sales')).toEqual([money(balance + 3001 * 59)])
    expect(pieces.filter((piece) => /^2025-02-\d\d$/.test(piece))).toHaveLength(28)
    expect(pieces).toContain('These were very many: each sale is in the CSV file of your sales.')
  })

  test('is refused rather than wrong', async () => {
    const creator = await creatorWith(['Knots'])
    const sale = await sell(creator)
    await bookAt(creator, sale.chargeId, '2025-03-05T00:00:00Z')
    expect((await fetched(creator, '/statements/2025-03')).status).toBe(200)
    await app.services.pool.query(
      'update earning_days set gross = gross + 1 where account_id = $1',
      [creator.accountId],
    )
    expect((await fetched(creator, '/statements/2025-03')).status).toBe(500)
  })
})
