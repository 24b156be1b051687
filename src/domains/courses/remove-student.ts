import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courses } from './tables.ts'

/** Counts one student less. */
export async function removeStudent(transaction: Transaction, courseId: string): Promise<void> {
  await transaction
    .update(courses)
    .set({ studentsCount: sql`greatest(${courses.studentsCount} - 1, 0)` })
    .where(eq(courses.id, courseId))
}
