import { and, eq, isNotNull } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courseApplications as applications } from './tables.ts'

/**
 * Whoever came by an invitation has been counted: not again by the same application when they leave and come
 * back. The caller holds the course.
 */
export async function forgetInvitation(
  transaction: Transaction,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<void> {
  await transaction
    .update(applications)
    .set({ invitationId: null })
    .where(
      and(
        eq(applications.userId, userId),
        eq(applications.courseId, courseId),
        isNotNull(applications.invitationId),
      ),
    )
}
