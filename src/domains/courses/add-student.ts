import { and, eq, lt, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courses } from './tables.ts'

/** Counts one more student, unless the course has `cap` already; the row's lock makes it exact. */
export async function addStudent(transaction: Transaction, courseId: string, cap: number | null) {
  const updated = await transaction
    .update(courses)
    .set({ studentsCount: sql`${courses.studentsCount} + 1` })
    .where(and(eq(courses.id, courseId), cap === null ? undefined : lt(courses.studentsCount, cap)))
    .returning({ id: courses.id })
  return updated.length === 1
}
