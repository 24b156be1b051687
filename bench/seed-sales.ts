// Fills the ledgers of some creators: one with 100,000 sales, one with 1,000, and others.
import type { Client } from 'pg'
import { idNumbered } from './seed-many.ts'

export interface Seller {
  /** The number of the person. */
  person: number
  sales: number
}

/** Sales of the last 60 days: everybody has as many, so that only what lies behind them differs. */
const recentSales = 200
const recentDays = 60
const oldDays = 730

export const largeSeller: Seller = { person: 9001, sales: 100_000 }
export const smallSeller: Seller = { person: 9002, sales: 1000 }
const others = Array.from({ length: 20 }, (_, n): Seller => ({ person: 9003 + n, sales: 2000 }))

/** `count` sales evenly over the days, the oldest `from` days ago. */
async function addSales(
  client: Client,
  { person }: Seller,
  { count, from, days }: { count: number; from: number; days: number },
): Promise<void> {
  await client.query(
    `with account as (select id from ledger_accounts where user_id = $1),
     sold as (
       insert into payments (charge_id, kind, payer_id, creator_account_id, description, currency, gross,
                             fee_percent, platform_fee, provider_fee, paid_at, available_at, created_at)
       select 'ch_bench_' || $2::int || '_' || $4::int || '_' || n, 'course', null, account.id,
              'A course ' || n % 3, 'usd', 2900, 5, 145, 114, at, at + interval '2 days', at
         from account, generate_series(1, $3::int) n,
              lateral (select now() - ($4::float8 - n * $5::float8 / $3::int) * interval '1 day' as at) t
       returning id, charge_id, creator_account_id, created_at),
     booked as (
       insert into ledger_transactions (id, kind, source, payment_id, occurred_at, created_at)
       select uuidv7(created_at - clock_timestamp()), 'payment', 'payment ' || charge_id, id,
              created_at, created_at from sold
       returning id, payment_id, created_at)
     insert into ledger_entries (id, transaction_id, account_id, what, amount, currency)
     select uuidv7(b.created_at - clock_timestamp()), b.id, s.creator_account_id, e.what, e.amount, 'usd'
       from booked b join sold s on s.id = b.payment_id,
            (values ('gross', -2900), ('platform_fee', 145), ('provider_fee', 114)) e (what, amount)`,
    [idNumbered(person), person, count, from, days],
  )
}

export async function seedSales(client: Client): Promise<void> {
  const sellers = [largeSeller, smallSeller, ...others]
  // The other half of each booking, and the triggers that look at it, are not what is measured.
  await client.query('alter table ledger_entries disable trigger user')
  for (const seller of sellers) {
    await client.query(
      `insert into ledger_accounts (kind, user_id) values ('creator', $1) on conflict do nothing`,
      [idNumbered(seller.person)],
    )
    const old = { count: seller.sales - recentSales, from: oldDays, days: oldDays - recentDays }
    await addSales(client, seller, old)
    await addSales(client, seller, { count: recentSales, from: recentDays, days: recentDays })
  }
  await client.query(
    `insert into earning_days (account_id, day, currency, course_id, sales, gross, platform_fee, provider_fee)
     select v.account_id, v.day, v.currency, v.course_id, count(*) filter (where what = 'gross'),
            -sum(amount) filter (where what = 'gross'), sum(amount) filter (where what = 'platform_fee'),
            sum(amount) filter (where what = 'provider_fee')
       from creator_entry_days v join ledger_accounts a on a.id = v.account_id
      where a.user_id = any($1) group by 1, 2, 3, 4`,
    [sellers.map(({ person }) => idNumbered(person))],
  )
  await client.query('alter table ledger_entries enable trigger user')
  await client.query('vacuum analyze payments, ledger_transactions, ledger_entries, earning_days')
}
