import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { type Notice, tellPeople } from './tell-people.ts'

/**
 * Tells every member of a course but its instructor, as part of the transaction; or those `among` them for whom a condition
 * about their enrollment `e` is true.
 */
export async function notifyMembers(
  executor: Executor,
  {
    courseId,
    instructorId,
    among,
    ...notice
  }: Notice & { courseId: string; instructorId: string; among?: SQL },
): Promise<void> {
  // Members who are leaving at this moment have their row locked; to wait for each other would never end.
  const members = sql`
    select u.id as user_id from enrollments e join users u on u.id = e.user_id
     where e.course_id = ${courseId} and e.user_id <> ${instructorId}
       and ${among ?? sql`true`}
       for key share of u skip locked`
  await tellPeople(executor, members, notice)
}
