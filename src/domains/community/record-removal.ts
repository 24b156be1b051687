import type { Transaction } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'
import { recordAct } from '../administration/record-act.ts'
import type { CourseAccess } from '../courses/access.ts'

interface Removal {
  viewer: Viewer
  course: CourseAccess
  action: 'delete_post' | 'delete_comment'
  /** Null where the account is gone. */
  authorId: string | null
}

/** Writes into the log what an administrator has deleted as one: neither as its author nor as the instructor. */
export async function recordRemoval(
  transaction: Transaction,
  { viewer, course, action, authorId }: Removal,
): Promise<void> {
  const isOwn = viewer.id === authorId || viewer.id === course.instructorId
  if (viewer.role !== 'admin' || isOwn) return
  await recordAct(transaction, {
    actorId: viewer.id,
    action,
    subject: { kind: 'course', id: course.courseId, name: course.slug },
  })
}
