import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import type { ledgerTransactions } from '../ledger/tables.ts'
import { currency, movedOfDay } from './balance-now.ts'
import { boundsOf } from './months.ts'

/** More are not listed one by one: the file of the sales has each. */
const listedBookings = 3000

/** Minor units; what reduces the balance is negative. `left` is what was paid out, or given up. */
export interface Sums {
  gross: number
  platformFee: number
  cardFee: number
  left: number
}

type Kind = (typeof ledgerTransactions.$inferSelect)['kind']

/** One booking, or, of a month with very many, all of a day. */
interface Line extends Sums {
  /** UTC: '2026-11-30 14:05', or '2026-11-30'. */
  when: string
  what: string
}

export interface Statement {
  month: string
  creator: string
  opening: number
  closing: number
  /** Each as it is named: what reduces the balance is positive here. */
  sums: {
    sales: number
    gross: number
    platformFee: number
    cardFee: number
    refunded: number
    disputed: number
    disputeFee: number
    paidOut: number
    payoutFee: number
    givenUp: number
  }
  isByDay: boolean
  lines: Line[]
  courses: (Sums & { title: string; sales: number; feePercents: number[] })[]
}

const earned = ({ gross, platformFee, cardFee }: Sums) => gross + platformFee + cardFee
/** What a booking did to the balance. */
export const netOf = (sums: Sums) => earned(sums) + sums.left

/** The lowest id (uuid v7, which begins with the time) that can have been made at this moment. */
function firstIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

const hour = 3_600_000

/** What was booked in the month for the account, one row for each transaction of the ledger. */
function bookingsOf(accountId: string, month: string) {
  const { start, end } = boundsOf(month)
  // The ids lead to the month's part of the index; entries are made a moment after their transaction began.
  const from = firstIdAt(new Date(start.getTime() - hour))
  const until = firstIdAt(new Date(end.getTime() + 24 * hour))
  const sum = (...what: string[]) => sql`
    coalesce(-sum(e.amount) filter (where e.what in (${sql.join(
      what.map((one) => sql`${one}`),
      sql`, `,
    )})), 0)`
  return sql`
    select t.id, t.kind, t.created_at, p.description, p.fee_percent, o.destination,
           ${sum('gross', 'refund', 'dispute')} as gross, ${sum('platform_fee')} as platform_fee,
           ${sum('provider_fee', 'dispute_fee')} as card_fee,
           ${sum('payout', 'payout_fee', 'given_up')} as left_it,
           ${sum('payout_fee')} as payout_fee
      from ledger_entries e
      join ledger_transactions t on t.id = e.transaction_id
      left join payments p on p.id = t.payment_id
      left join payouts o on o.id = t.payout_id
     where e.account_id = ${accountId} and e.id >= ${from}::uuid and e.id < ${until}::uuid
       and e.currency = ${currency}
       and t.created_at >= ${start.toISOString()}::timestamptz
       and t.created_at < ${end.toISOString()}::timestamptz
     group by t.id, p.id, o.id`
}

interface Booking extends Record<string, unknown> {
  kind: Kind
  when: string
  description: string | null
  feePercent: number | null
  destination: string | null
  gross: string
  platformFee: string
  cardFee: string
  left: string
  payoutFee: string
}

const numbers = (row: { gross: string; platformFee: string; cardFee: string; left: string }) => ({
  gross: Number(row.gross),
  platformFee: Number(row.platformFee),
  cardFee: Number(row.cardFee),
  left: Number(row.left),
})

const words: Record<Kind, (booking: Booking) => string> = {
  payment: ({ description, feePercent }) => `Sale (our fee ${feePercent}%): ${description}`,
  refund: ({ description }) => `Refund: ${description}`,
  refund_failed: ({ description }) => `Refund that came back: ${description}`,
  dispute: ({ description }) => `Dispute: ${description}`,
  dispute_won: ({ description }) => `Dispute won: ${description}`,
  payout: ({ destination, payoutFee }) => {
    const fee = 0 - Number(payoutFee)
    if (fee < 0) return `Fee that PayPal did not keep: payout to ${destination}`
    const kept = fee === 0 ? '' : `, of which PayPal keeps ${(fee / 100).toFixed(2)}`
    return `Payout to ${destination}${kept}`
  },
  payout_failed: ({ destination }) => `Payout that came back from ${destination}`,
  given_up: () => 'Given up',
}

/** The totals of some rows of earning_days. */
async function accountOf(executor: Executor, userId: string, month: string) {
  const { start, end } = boundsOf(month)
  // Days to PostgreSQL, by UTC.
  const [from, until] = [start.toISOString(), end.toISOString()]
  const inMonth = (column: string) =>
    sql`coalesce(sum(d.${sql.raw(column)}) filter (where d.day >= ${from}), 0) as ${sql.raw(`"${column}"`)}`
  const columns = [
    'sales',
    'gross',
    'platform_fee',
    'provider_fee',
    'refunded',
    'disputed',
    'dispute_fee',
    'paid_out',
    'payout_fee',
    'given_up',
  ]
  const { rows } = await executor.execute<Record<string, string>>(sql`
    select a.id, u.name, to_char(min(d.day), 'YYYY-MM') as first,
           coalesce(sum(${movedOfDay}) filter (where d.day < ${from}), 0) as opening,
           coalesce(sum(${movedOfDay}), 0) as closing,
           ${sql.join(columns.map(inMonth), sql`, `)}
      from ledger_accounts a
      join users u on u.id = a.user_id
      join earning_days d on d.account_id = a.id and d.currency = ${currency}
     where a.user_id = ${userId} and d.day < ${until}
     group by a.id, u.name`)
  return rows[0] ?? null
}

/**
 * All that was booked in a month that is over; null before the first booking.
 * @throws when it does not add up, which is a fault of ours that nobody is sent
 */
export async function statementOf(
  executor: Executor,
  userId: string,
  month: string,
): Promise<Statement | null> {
  const account = await accountOf(executor, userId, month)
  if (!account) return null
  const bookings = bookingsOf(account.id!, month)
  const { rows: byCourse } = await executor.execute<
    Booking & { title: string; sales: number; feePercents: number[] }
  >(sql`
    select description as title, count(*) filter (where kind = 'payment')::int as sales,
           array_agg(distinct fee_percent) as "feePercents", sum(gross) as gross,
           sum(platform_fee) as "platformFee", sum(card_fee) as "cardFee", sum(left_it) as left
      from (${bookings}) b where description is not null
     group by description order by sum(gross) desc, description`)
  const listed = await listOf(executor, bookings)
  const sum = (column: string) => Number(account[column])
  const statement: Statement = {
    month,
    creator: account.name!,
    opening: sum('opening'),
    closing: sum('closing'),
    sums: {
      sales: sum('sales'),
      gross: sum('gross'),
      platformFee: sum('platform_fee'),
      cardFee: sum('provider_fee'),
      refunded: sum('refunded'),
      disputed: sum('disputed'),
      disputeFee: sum('dispute_fee'),
      paidOut: sum('paid_out'),
      payoutFee: sum('payout_fee'),
      givenUp: sum('given_up'),
    },
    ...listed,
    courses: byCourse.map(({ title, sales, feePercents, ...row }) => ({
      title,
      sales,
      feePercents,
      ...numbers(row),
    })),
  }
  requireAgreement(statement)
  return statement
}

async function listOf(executor: Executor, bookings: ReturnType<typeof bookingsOf>) {
  const { rows } = await executor.execute<Booking>(sql`
    select kind, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as "when",
           description, fee_percent as "feePercent", destination, gross,
           platform_fee as "platformFee", card_fee as "cardFee", left_it as left,
           payout_fee as "payoutFee"
      from (${bookings}) b order by created_at, id limit ${listedBookings + 1}`)
  if (rows.length <= listedBookings) {
    const lines = rows.map((row) => ({
      when: row.when,
      what: words[row.kind](row),
      ...numbers(row),
    }))
    return { isByDay: false, lines }
  }
  const { rows: days } = await executor.execute<
    Booking & { count: number; sales: number; isMoved: boolean }
  >(sql`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as "when",
           description is null as "isMoved", count(*)::int as count,
           count(*) filter (where kind = 'payment')::int as sales, sum(gross) as gross,
           sum(platform_fee) as "platformFee", sum(card_fee) as "cardFee", sum(left_it) as left
      from (${bookings}) b group by 1, 2 order by 1, 2`)
  const lines = days.map((row) => ({
    when: row.when,
    what: row.isMoved ? 'Payouts' : wordsOfDay(row.sales, row.count - row.sales),
    ...numbers(row),
  }))
  return { isByDay: true, lines }
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

function wordsOfDay(sales: number, others: number): string {
  const rest = counted(others, 'refund or dispute', 'refunds and disputes')
  if (sales === 0) return rest
  return others === 0
    ? counted(sales, 'sale', 'sales')
    : `${counted(sales, 'sale', 'sales')}, ${rest}`
}

/** The lines, the courses and the sums were asked for apart: they must say the same, to the cent. */
function requireAgreement({ opening, closing, lines, courses, sums, month }: Statement): void {
  const add = (rows: Sums[], of: (row: Sums) => number) =>
    rows.reduce((all, row) => all + of(row), 0)
  const { gross, refunded, disputed, platformFee, cardFee, disputeFee } = sums
  const expected = {
    closing,
    gross: gross - refunded - disputed,
    platformFee: 0 - platformFee,
    cardFee: 0 - cardFee - disputeFee,
    courses: gross - refunded - disputed - platformFee - cardFee - disputeFee,
  }
  const found = {
    closing: opening + add(lines, netOf),
    gross: add(lines, (row) => row.gross),
    platformFee: add(lines, (row) => row.platformFee),
    cardFee: add(lines, (row) => row.cardFee),
    courses: add(courses, earned),
  }
  for (const name of Object.keys(expected) as (keyof typeof expected)[]) {
    if (found[name] === expected[name]) continue
    throw new Error(
      `the statement of ${month} does not add up: ${name} is ${found[name]}, not ${expected[name]}`,
    )
  }
}
