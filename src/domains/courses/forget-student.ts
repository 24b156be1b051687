import { and, inArray, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courses } from './tables.ts'

/** Counts one student less in every course of others that this person takes. */
export async function forgetStudent(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .update(courses)
    .set({ studentsCount: sql`greatest(${courses.studentsCount} - 1, 0)` })
    .where(
      and(
        inArray(courses.id, sql`(select course_id from enrollments where user_id = ${userId})`),
        ne(courses.instructorId, userId),
      ),
    )
}
