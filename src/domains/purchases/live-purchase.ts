import { and, eq, ne } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { mayBeUnpaid } from './rules.ts'
import { purchases } from './tables.ts'

export type Purchase = typeof purchases.$inferSelect

/** The purchase by which this person has the right to this course now; null when there is none. */
export async function livePurchase(
  executor: Executor,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<Purchase | null> {
  const [purchase] = await executor
    .select()
    .from(purchases)
    .where(
      and(
        eq(purchases.userId, userId),
        eq(purchases.courseId, courseId),
        ne(purchases.status, 'ended'),
      ),
    )
  return purchase ?? null
}

/** As its learner is told of it. */
export const shownPurchase = (purchase: Purchase, course: { instructorId: string }) => ({
  ...purchase,
  canRenew: canRenew(course),
  mayBeUnpaid: mayBeUnpaid({
    since: purchase.createdAt,
    periodStart: purchase.currentPeriodStart,
    periodEnd: purchase.currentPeriodEnd,
  }),
})

/** Whether further months of a course can be paid: there is nobody to pay once its creator has left. */
export const canRenew = ({ instructorId }: { instructorId: string }) =>
  instructorId !== departedUserId
