import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'

/** Counts one student less in every course of others that this person takes, locked in the order of their ids. */
export async function forgetStudent(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(sql`
    with taken as (
      select c.id from courses c
       where c.id in (select e.course_id from enrollments e where e.user_id = ${userId})
         and c.instructor_id <> ${userId}
       order by c.id for no key update)
    update courses set students_count = greatest(students_count - 1, 0)
      from taken where courses.id = taken.id`)
}
