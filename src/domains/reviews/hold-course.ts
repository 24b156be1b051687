import { eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'

/**
 * Locks what a change of a review touches, in the order of an account's deletion: people, then the course.
 * The other way round, somebody who leaves at this moment and this change would wait for each other.
 * `present` are those of the people who still have an account; null when the course is gone.
 */
export async function holdCourse(transaction: Transaction, courseId: string, people: string[]) {
  const found = await transaction
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, people))
    .orderBy(users.id)
    .for('key share')
  const [course] = await transaction
    .select({ id: courses.id, title: courses.title, instructorId: courses.instructorId })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
  return course ? { ...course, present: new Set(found.map(({ id }) => id)) } : null
}
