import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { executePrepared } from '../../server/execute-prepared.ts'
import type { ActivityType } from './rules.ts'

interface Activity {
  /** Who did it. */
  userId: string
  courseId: string
  activityType: ActivityType
  lessonId?: string
}

/**
 * Notes what somebody did, as part of the transaction in which it happens. A lesson counts once for a
 * person, and a course has one first student: call it for `first_enrollment` after the student was counted.
 */
export async function recordActivity(executor: Executor, activity: Activity): Promise<void> {
  const { userId, courseId, activityType, lessonId = null } = activity
  if (activityType === 'first_enrollment') return recordFirstStudent(executor, activity)
  const note = sql`
    insert into user_activities (user_id, course_id, activity_type, lesson_id)
    values (${userId}, ${courseId}, ${activityType}, ${lessonId})
    on conflict (lesson_id, user_id) do nothing`
  await executePrepared(executor, note)
}

// Only who is the one student of a course can be its first, so nobody reads what thousands of others did.
async function recordFirstStudent(executor: Executor, { userId, courseId }: Activity) {
  await executor.execute(sql`
    insert into user_activities (user_id, course_id, activity_type)
    select ${userId}, c.id, 'first_enrollment' from courses c
     where c.id = ${courseId} and c.students_count = 1
       and not exists (select 1 from user_activities a
                        where a.course_id = c.id and a.activity_type = 'first_enrollment')`)
}
