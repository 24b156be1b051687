import { eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { courses } from '../courses/tables.ts'

/**
 * Locks what a change of a review touches, in the order of an account's deletion: people, then the course.
 * The other way round, somebody who leaves at this moment and this change would wait for each other.
 * `present` are those of the people who still have an account; null when the course is gone.
 */
export async function holdCourse(transaction: Transaction, courseId: string, people: string[]) {
  const present = await holdPeople(transaction, people)
  const [course] = await transaction
    .select({
      id: courses.id,
      slug: courses.slug,
      title: courses.title,
      instructorId: courses.instructorId,
      status: courses.status,
    })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
  return course ? { ...course, present } : null
}
