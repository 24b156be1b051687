import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { quotedTitle } from '../courses/rules.ts'
import { tellPeople } from '../notifications/tell-people.ts'

/**
 * Tells those who wait for an answer that none will come: the course goes, or whoever could decide. Before the
 * applications go. Who has joined meanwhile is told of the course as a member.
 */
export async function tellWaiting(
  transaction: Transaction,
  { courseId, title }: { courseId: string; title: string },
): Promise<void> {
  // Who is leaving at this moment has the own row locked; to wait for each other would never end.
  const applicants = sql`
    select u.id as user_id from course_applications a join users u on u.id = a.user_id
     where a.course_id = ${courseId} and a.status = 'pending'
       and not exists (select 1 from enrollments e
                        where e.course_id = a.course_id and e.user_id = a.user_id)
       for key share of u skip locked`
  await tellPeople(transaction, applicants, {
    kind: 'course_deleted',
    title: 'Your application has ended',
    message: `${quotedTitle(title)} is no longer there, so your application has ended.`,
  })
}
