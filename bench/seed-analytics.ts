// Two creators with a course each, one of them with a hundred times the students, sales and days of learning.
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Size } from './seed-many.ts'

export interface Business {
  /** Numbers of the seed: who owns it, and what. */
  creator: number
  course: number
  /** As many sales and completed lessons; ten days of learning each. */
  students: number
}

/** Everything happens on these, so that both have as many days to add up. */
const days = 400
const lessons = 20

const idOf = (number: number | string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
const at = (number: string) => `now() - (${number}) % ${days} * interval '1 day'`

export const businessesOf = ({ people, courses }: Size, students: number) => ({
  small: { creator: people + 1, course: courses + 1, students: students / 100 },
  large: { creator: people + 2, course: courses + 2, students },
})

async function seedBusiness(client: Client, { people }: Size, business: Business): Promise<void> {
  const { creator, course, students } = business
  const student = `${people} + 10 + n`
  const everybody = `generate_series(1, ${students}) n`
  const statements = [
    `insert into users (id, email, email_verified, name, username, welcomed_at)
     values (${idOf(creator)}, 'seller-${creator}@bench.example', true, 'Seller', 'seller-${creator}', now())`,
    `insert into sessions (token, user_id, expires_at)
     values ('bench-session-${creator}', ${idOf(creator)}, now() + interval '30 days')`,
    `insert into plan_grants (user_id) values (${idOf(creator)})`,
    `insert into courses (id, slug, title, description, category, instructor_id, status, published_at, students_count, lessons_count)
     values (${idOf(course)}, 'sold-${course}', 'Sold', '{}', 'Tech', ${idOf(creator)}, 'published', now(), ${students}, ${lessons})`,
    `with chapter as (insert into chapters (course_id, title, order_index) values (${idOf(course)}, 'All', 1) returning id)
     insert into lessons (course_id, chapter_id, title, slug, content, order_index)
     select ${idOf(course)}, chapter.id, 'Step ' || n, 'step-' || n, '{"type":"doc"}', n
       from chapter, generate_series(1, ${lessons}) n`,
    `insert into users (id, email, name) select ${idOf(student)}, 'student-' || n || '@bench.example', 'Student ' || n
       from ${everybody} on conflict do nothing`,
    `insert into enrollments (user_id, course_id, enrolled_at) select ${idOf(student)}, ${idOf(course)}, ${at('n')} from ${everybody}`,
    `insert into lesson_completions (user_id, lesson_id, course_id, completed_at)
     select ${idOf(student)}, l.id, l.course_id, ${at('n')}
       from ${everybody} join lessons l on l.course_id = ${idOf(course)} and l.order_index = 1 + n % ${lessons}`,
    `insert into learner_days (user_id, course_id, day)
     select ${idOf(student)}, ${idOf(course)}, utc_day(${at('n + d')})
       from ${everybody}, generate_series(1, 10) d on conflict do nothing`,
    `insert into ledger_accounts (kind, user_id) values ('creator', ${idOf(creator)})`,
    `insert into payments (charge_id, kind, payer_id, creator_account_id, course_id, description, currency, gross, fee_percent,
                           platform_fee, provider_fee, paid_at, available_at)
     select 'ch_${course}_' || n, 'course', ${idOf(student)}, a.id, ${idOf(course)}, 'Sold', 'usd', 2900, 0, 0, 0, ${at('n')}, ${at('n')}
       from ${everybody}, ledger_accounts a where a.user_id = ${idOf(creator)}`,
    `insert into ledger_transactions (kind, source, payment_id, occurred_at, created_at)
     select 'payment', 'payment ' || charge_id, id, paid_at, paid_at from payments where course_id = ${idOf(course)}`,
    `insert into ledger_entries (transaction_id, account_id, what, amount, currency)
     select t.id, case when e.amount < 0 then p.creator_account_id
                       else (select id from ledger_accounts where kind = 'provider') end, 'gross', e.amount, 'usd'
       from payments p join ledger_transactions t on t.payment_id = p.id, (values (-2900), (2900)) e (amount)
      where p.course_id = ${idOf(course)}`,
  ]
  for (const statement of statements) await client.query(statement)
}

/** Answers when the measured Thunder has folded all that happened, as it does each minute. */
export async function seedAnalytics(
  client: Client,
  size: Size,
  businesses: Business[],
): Promise<void> {
  for (const business of businesses) await seedBusiness(client, size, business)
  const isFolded = async () => {
    const { rows } = await client.query('select from course_day_changes limit 1')
    return rows.length === 0
  }
  while (!(await isFolded())) await delay(500)
  await client.query('vacuum analyze')
}
