import { and, eq, inArray } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Executor } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { receiptPath } from '../billing/receipt-path.ts'
import type { PurchasedCourse } from '../billing/schema.ts'
import { mayBeUnpaid } from './rules.ts'
import { purchases } from './tables.ts'

type Receipt = Omit<PurchasedCourse['receipts'][number], 'receiptUrl' | 'invoicePdf'> & {
  hasReceipt: boolean
  hasInvoice: boolean
}
type Row = Omit<
  PurchasedCourse,
  'currentPeriodEnd' | 'mayBeUnpaid' | 'boughtAt' | 'receipts' | 'hasMoreReceipts'
> & {
  currentPeriodStart: Date | null
  currentPeriodEnd: Date | null
  boughtAt: Date
  receipts: Receipt[]
}

/** Receipts that are listed with a course, the newest ones. */
const mostReceipts = 12

/** Monthly, and not over. */
const goesOn = `(p.subscription_id is not null and p.status <> 'ended')`

/**
 * The courses that this person bought, each with what was paid: first every monthly one that goes on, since only what
 * is listed can be canceled, then the others of the newest fifty.
 */
export async function purchasesOf(pool: Pool, userId: string) {
  const { rows } = await pool.query<Row>({
    name: 'purchases',
    text: `select p.id, p.course_id as "courseId", p.course_title as title,
                  p.pricing_type as "pricingType",
                  p.amount, p.currency, p.status, p.ended_reason as "endedReason",
                  p.current_period_start as "currentPeriodStart",
                  p.current_period_end as "currentPeriodEnd",
                  p.cancel_at_period_end as "cancelAtPeriodEnd", p.created_at as "boughtAt",
                  coalesce(c.instructor_id <> $2, false) as "canRenew",
                  coalesce(c.pricing_type = 'free' and c.status = 'published', false) as "isFree",
                  exists (select 1 from enrollments e
                           where e.user_id = $1 and e.course_id = p.course_id) as "isMember",
                  case when p.status <> 'ended' or c.status = 'published' then c.slug end as slug,
                  r.receipts
             from purchases p
             left join courses c on c.id = p.course_id
             cross join lateral (
               select coalesce(json_agg(json_build_object(
                        'id', y.id, 'amount', y.gross, 'refunded', y.refunded,
                        'currency', y.currency, 'paidAt', y.paid_at,
                        'hasReceipt', y.receipt_url is not null,
                        'hasInvoice', y.invoice_id is not null)
                        order by y.paid_at desc, y.id desc), '[]') as receipts
                 from (select * from payments
                        where purchase_id = p.id and payer_id = $1
                        order by paid_at desc, id desc limit ${mostReceipts + 1}) y) r
            where p.user_id = $1
              and (${goesOn} or p.id in (select id from purchases where user_id = $1
                                          order by created_at desc, id desc limit 50))
            order by ${goesOn} desc, p.created_at desc, p.id desc`,
    values: [userId, departedUserId],
  })
  return rows.map(({ currentPeriodStart: periodStart, ...row }) => ({
    ...row,
    mayBeUnpaid: mayBeUnpaid({
      since: row.boughtAt,
      periodStart,
      periodEnd: row.currentPeriodEnd,
      paidAt: row.receipts[0] ? new Date(row.receipts[0].paidAt) : null,
      isCanceled: row.cancelAtPeriodEnd,
    }),
    receipts: row.receipts.slice(0, mostReceipts).map(({ hasReceipt, hasInvoice, ...receipt }) => ({
      ...receipt,
      paidAt: new Date(receipt.paidAt),
      receiptUrl: hasReceipt ? receiptPath(receipt.id, 'receipt') : null,
      invoicePdf: hasInvoice ? receiptPath(receipt.id, 'invoice') : null,
    })),
    hasMoreReceipts: row.receipts.length > mostReceipts,
  }))
}

/** What each of these subscriptions of the person pays for, by its id at the provider. */
export async function titlesBySubscription(
  executor: Executor,
  userId: string,
  ids: string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await executor
    .select({ id: purchases.subscriptionId, title: purchases.courseTitle })
    .from(purchases)
    .where(and(eq(purchases.userId, userId), inArray(purchases.subscriptionId, ids)))
  return new Map(rows.map(({ id, title }) => [id!, title]))
}
