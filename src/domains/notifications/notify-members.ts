import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import type { NotificationType } from './notify.ts'

/** Leaves a notice for every member of a course but its instructor, as part of the transaction. */
export async function notifyMembers(
  executor: Executor,
  notice: {
    courseId: string
    instructorId: string
    title: string
    message: string
    type: NotificationType
  },
): Promise<void> {
  // Members who are leaving at this moment have their row locked; to wait for each other would never end.
  await executor.execute(sql`
    insert into notifications (user_id, title, message, type)
    select u.id, ${notice.title}, ${notice.message}, ${notice.type}
      from enrollments e join users u on u.id = e.user_id
     where e.course_id = ${notice.courseId} and e.user_id <> ${notice.instructorId}
       for key share of u skip locked`)
}
