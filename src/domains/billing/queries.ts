import { desc, eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Executor } from '../../server/db.ts'
import { mayBeUnpaid } from '../purchases/rules.ts'
import { isPro } from './plan.ts'
import { catalogue, type PlanName } from './rules.ts'
import type { SubscriptionRecord } from './schema.ts'
import { planSubscriptions } from './tables.ts'

/** One that counts goes before one that waits for its payment, and that before one that is over. */
const order = `case when status in ('active', 'trialing') then 0
                    when status = 'past_due' then 1 else 2 end`

/** The subscription to Pro that says how this person stands; null for who never had one. */
export async function latestSubscription(executor: Executor, userId: string) {
  const [row] = await executor
    .select()
    .from(planSubscriptions)
    .where(eq(planSubscriptions.userId, userId))
    .orderBy(sql.raw(order), desc(planSubscriptions.startedAt))
    .limit(1)
  return row ?? null
}

type Row = {
  isPro: boolean
  isGranted: boolean
  customerId: string | null
  id: string | null
  status: string | null
  plan: PlanName | null
  startedAt: number | null
  periodStart: number | null
  periodEnd: number | null
  paidAt: number | null
  cancelAtPeriodEnd: boolean | null
  cardBrand: string | null
  cardLast4: string | null
  checkoutId: string | null
  checkout: 'open' | 'paid' | 'expired' | 'refused' | null
  purchasesCount: number
}

/** The plan of this person and what pays for it, in one statement. */
export async function billingOf(pool: Pool, userId: string) {
  const { rows } = await pool.query<Row>({
    name: 'billing',
    text: `select ${isPro('p.id')} as "isPro",
                  exists (select 1 from plan_grants g
                           where g.user_id = p.id and (g.until is null or g.until > now()))
                    and coalesce(s.status not in ('active', 'trialing'), true) as "isGranted",
                  c.id as "customerId", s.id, s.status, s.plan,
                  floor(extract(epoch from s.started_at))::int as "startedAt",
                  floor(extract(epoch from s.current_period_start))::int as "periodStart",
                  floor(extract(epoch from s.current_period_end))::int as "periodEnd",
                  (select floor(extract(epoch from max(paid_at)))::int
                     from payments where subscription_id = s.id) as "paidAt",
                  s.cancel_at_period_end as "cancelAtPeriodEnd",
                  s.card_brand as "cardBrand", s.card_last4 as "cardLast4",
                  k.id as "checkoutId", k.status as checkout,
                  (select count(*)::int from purchases where user_id = p.id) as "purchasesCount"
             from (select $1::uuid as id) p
             left join payment_customers c on c.user_id = p.id
             left join lateral (select id, status from checkouts
                                 where user_id = p.id and kind = 'plan' and session_id is not null
                                 order by created_at desc, id desc limit 1) k on true
             left join lateral (select * from plan_subscriptions where user_id = p.id
                                 order by ${order}, started_at desc limit 1) s on true`,
    values: [userId],
  })
  const row = rows[0]!
  return {
    plan: row.isPro ? ('pro' as const) : ('free' as const),
    isGranted: row.isGranted,
    subscription: recordOf(row),
    mayBeUnpaid: isBeginning(row),
    checkoutId: row.checkoutId,
    checkout: row.checkout ?? ('none' as const),
    purchasesCount: row.purchasesCount,
  }
}

const dateOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000))

const isBeginning = ({ startedAt, periodStart, periodEnd, paidAt, cancelAtPeriodEnd }: Row) =>
  mayBeUnpaid({
    since: dateOf(startedAt),
    periodStart: dateOf(periodStart),
    periodEnd: dateOf(periodEnd),
    paidAt: dateOf(paidAt),
    isCanceled: cancelAtPeriodEnd ?? false,
  })

function recordOf(row: Row): SubscriptionRecord {
  return {
    customer_id: row.customerId,
    subscription_id: row.id,
    subscription_status: row.status ?? 'inactive',
    price_id: row.plan && catalogue[row.plan].priceId,
    current_period_start: row.periodStart,
    current_period_end: row.periodEnd,
    cancel_at_period_end: row.cancelAtPeriodEnd ?? false,
    payment_method_brand: row.cardBrand,
    payment_method_last4: row.cardLast4,
  }
}
