import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { type Notice, tellPeople } from './tell-people.ts'

/** Tells every member of a course but its instructor, as part of the transaction. */
export async function notifyMembers(
  executor: Executor,
  { courseId, instructorId, ...notice }: Notice & { courseId: string; instructorId: string },
): Promise<void> {
  // Members who are leaving at this moment have their row locked; to wait for each other would never end.
  const members = sql`
    select u.id as user_id from enrollments e join users u on u.id = e.user_id
     where e.course_id = ${courseId} and e.user_id <> ${instructorId}
       for key share of u skip locked`
  await tellPeople(executor, members, notice)
}
