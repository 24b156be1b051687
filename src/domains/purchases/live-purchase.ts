import { and, eq, ne } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
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
