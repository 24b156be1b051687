import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { courseImports } from '../course-transfer/tables.ts'
import { lockCreator, mayCreateCourse } from '../courses/create-course.ts'
import { limits } from '../courses/rules.ts'
import { deleteUnusedCourseFiles } from './queries.ts'
import { UploadRefusal } from './upload-refusal.ts'

/**
 * Makes room for one course file of this person: it takes the place of earlier ones, so that nobody fills
 * the disk with them. The caller holds the lock of the person's uploads.
 * @throws {UploadRefusal} 403 over the course limit, 429 while another import is under way.
 */
export async function admitCourseFile(transaction: Transaction, ownerId: string): Promise<void> {
  await lockCreator(transaction, ownerId)
  if (!(await mayCreateCourse(transaction, ownerId))) {
    throw new UploadRefusal(
      403,
      `Free plan users can create up to ${limits.freePlanCourses} course. You have reached this limit.`,
    )
  }
  const underWay = await transaction
    .select({ id: courseImports.id })
    .from(courseImports)
    .where(
      and(eq(courseImports.userId, ownerId), inArray(courseImports.status, ['waiting', 'running'])),
    )
  if (underWay.length > 0) {
    throw new UploadRefusal(429, 'An import is under way. Please wait until it is finished.')
  }
  const mediaIds = await deleteUnusedCourseFiles(transaction, ownerId)
  if (mediaIds.length > 0) await enqueue(transaction, 'removeFiles', { mediaIds })
}
