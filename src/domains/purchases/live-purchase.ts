import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { payments } from '../payments/tables.ts'
import { mayBeUnpaid } from './rules.ts'
import { purchases } from './tables.ts'

export type Purchase = typeof purchases.$inferSelect

type Own = { userId: string; courseId: string }

const isLive = ({ userId, courseId }: Own) =>
  and(eq(purchases.userId, userId), eq(purchases.courseId, courseId), ne(purchases.status, 'ended'))

/** The purchase by which this person has the right to this course now; null when there is none. */
export async function livePurchase(executor: Executor, own: Own): Promise<Purchase | null> {
  const [purchase] = await executor.select().from(purchases).where(isLive(own))
  return purchase ?? null
}

/** The same, as its learner is told of it. */
export async function shownPurchase(
  executor: Executor,
  own: Own,
  course: { instructorId: string },
) {
  const [found] = await executor
    .select({
      ...getTableColumns(purchases),
      paidAt: sql<Date | null>`(
        select max(paid_at) from payments where purchase_id = purchases.id)`.mapWith(
        payments.paidAt,
      ),
    })
    .from(purchases)
    .where(isLive(own))
  if (!found) return null
  const { paidAt, ...purchase } = found
  return {
    ...purchase,
    canRenew: canRenew(course),
    mayBeUnpaid: mayBeUnpaid({
      since: purchase.createdAt,
      periodStart: purchase.currentPeriodStart,
      periodEnd: purchase.currentPeriodEnd,
      paidAt,
      isCanceled: purchase.cancelAtPeriodEnd,
    }),
  }
}

/** Whether further months of a course can be paid: there is nobody to pay once its creator has left. */
export const canRenew = ({ instructorId }: { instructorId: string }) =>
  instructorId !== departedUserId
