import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courseApplications as applications } from './tables.ts'

/**
 * Takes an approval back, when a member is removed: to come again, the person has to apply again. The
 * caller holds the course.
 */
export async function revokeApplication(
  transaction: Transaction,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<void> {
  await transaction
    .update(applications)
    .set({ status: 'revoked' })
    .where(
      and(
        eq(applications.userId, userId),
        eq(applications.courseId, courseId),
        eq(applications.status, 'approved'),
      ),
    )
}
