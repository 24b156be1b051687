// What is against what must be, for many histories at once.
import { balanceOf } from '../../src/domains/ledger/balance-of.ts'
import { ledgerDifferences } from '../../src/domains/ledger/check-ledger.ts'
import type { Services } from '../../src/server/services.ts'
import type { ExpectedPurchase } from './history.ts'
import { tellHistory } from './history.ts'
import type { Played } from './play-history.ts'

interface Found {
  isEnrolled: boolean
  purchases: ExpectedPurchase[]
  /** Of subscriptions at the provider that have not ended. */
  running: number
  /** Charges at the provider, and what it gave back of them. */
  paidThere: number
  refundedThere: number
  receipts: number
}

const query = `
  select exists (select from enrollments where user_id = $1 and course_id = $2) as "isEnrolled",
         (select count(*)::int from notifications
           where user_id = $1 and kind = 'payment_received') as receipts,
         (select count(*)::int from stripe_sandbox.objects
           where object = 'subscription' and customer = $3
             and data->>'status' in ('active', 'past_due')) as running,
         (select coalesce(sum((data->>'amount')::int), 0)::int from stripe_sandbox.objects
           where object = 'charge' and customer = $3
             and data->>'status' = 'succeeded') as "paidThere",
         (select coalesce(sum((data->>'amount_refunded')::int), 0)::int from stripe_sandbox.objects
           where object = 'charge' and customer = $3) as "refundedThere",
         coalesce((
           select json_agg(json_build_object(
                    'amount', p.amount, 'status', p.status, 'endedReason', p.ended_reason,
                    'cancelAtPeriodEnd', p.cancel_at_period_end,
                    'hasSubscription', p.subscription_id is not null,
                    'charges', coalesce((
                      select json_agg(json_build_object(
                               'gross', c.gross, 'refunded', c.refunded,
                               'dispute', (select json_build_object('amount', d.amount, 'status', d.status)
                                             from payment_disputes d where d.payment_id = c.id))
                               order by c.paid_at, c.id)
                        from payments c where c.purchase_id = p.id), '[]'))
                    order by p.created_at)
             from purchases p where p.user_id = $1), '[]') as purchases`

/** One text for each history that did not end as it must. */
async function differenceOf(services: Services, played: Played): Promise<string | null> {
  const { history, buyer, course, customerId } = played
  const { isEnrolled, purchases } = history.expected
  const { rows } = await services.pool.query<Found>(query, [buyer.id, course.id, customerId])
  const charges = purchases.flatMap((purchase) => purchase.charges)
  const expected: Found = {
    isEnrolled,
    receipts: charges.length,
    running: purchases.filter(
      ({ status, hasSubscription }) => hasSubscription && status !== 'ended',
    ).length,
    paidThere: charges.reduce((sum, { gross }) => sum + gross, 0),
    refundedThere: charges.reduce((sum, { refunded }) => sum + refunded, 0),
    purchases,
  }
  const [is, must] = [rows[0], expected].map((state) => JSON.stringify(state, null, 1))
  return is === must ? null : `${tellHistory(history)}\nmust be ${must}\nis ${is}`
}

const wholeLedger = `
  select (select count(*)::int from (select from ledger_entries group by currency
            having sum(amount) <> 0) as unbalanced) as unbalanced,
         (select count(*)::int from payments) as payments,
         (select count(*)::int from coupons c where c.redemptions_count <>
            (select count(*) from coupon_redemptions r where r.coupon_id = c.id)) as coupons,
         (select count(*)::int from courses c where c.students_count <>
            (select count(*) from enrollments e
              where e.course_id = c.id and e.user_id <> c.instructor_id)) as courses,
         (select count(*)::int from payment_events where status in ('waiting', 'failed')) as events`

/** What is wrong, in words; nothing when all is as it must be. */
export async function differences(services: Services, all: Played[]): Promise<string[]> {
  const found: string[] = []
  const owed = new Map<string, number>()
  for (const played of all) {
    // One after the other: there is no hurry, and one connection is enough.
    const difference = await differenceOf(services, played)
    if (difference) found.push(difference)
    const { id } = played.creator
    owed.set(id, (owed.get(id) ?? 0) + played.history.expected.owed)
  }
  for (const [creator, sum] of owed) {
    const { rows } = await services.pool.query<{ id: string }>(
      'select id from ledger_accounts where user_id = $1',
      [creator],
    )
    const balance = rows[0] ? ((await balanceOf(services.db, rows[0].id)).usd ?? 0) : 0
    if (sum + balance !== 0)
      found.push(`creator ${creator} is owed ${sum}, in the ledger ${-balance}`)
  }
  const wrong = Object.entries(await ledgerDifferences(services.db)).filter(([, ids]) => ids.length)
  if (wrong.length > 0)
    found.push(`the ledger is wrong: ${JSON.stringify(Object.fromEntries(wrong))}`)
  const { rows } = await services.pool.query<Record<string, number>>(wholeLedger)
  const { payments, ...faults } = rows[0]!
  const expected = all.flatMap(({ history }) =>
    history.expected.purchases.flatMap((p) => p.charges),
  )
  if (payments! < expected.length) found.push(`${payments} payments instead of ${expected.length}`)
  for (const [what, count] of Object.entries(faults)) {
    if (count > 0) found.push(`${count} wrong: ${what}`)
  }
  return found
}
