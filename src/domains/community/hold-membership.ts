import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'

interface Membership {
  userId: string
  courseId: string
  instructorId: string
  /** Further people whose accounts are kept: whoever is told of what follows. */
  others?: string[]
  /** In line with whoever schedules or announces in this course: before the enrollment, or a removal would wait for us. */
  inLine?: boolean
}

/**
 * Whether this person may take part in the community at this moment: the instructor, or a member. It stays
 * so until the transaction ends: nobody leaves, is removed or deletes the course meanwhile.
 */
export async function holdMembership(
  transaction: Transaction,
  { userId, courseId, instructorId, others = [], inLine = false }: Membership,
): Promise<boolean> {
  const people = await holdPeople(transaction, [...new Set([userId, instructorId, ...others])])
  if (!people.has(userId)) return false
  const strength = sql.raw(inLine ? 'no key update' : 'key share')
  // The course before the enrollment, like whoever deletes the course.
  const { rows } = await transaction.execute<{ owns: boolean }>(sql`
    select instructor_id = ${userId} as owns from courses where id = ${courseId} for ${strength}`)
  const course = rows[0]
  if (!course || course.owns) return course !== undefined
  const { rows: enrolled } = await transaction.execute(sql`
    select 1 from enrollments where course_id = ${courseId} and user_id = ${userId} for key share`)
  return enrolled.length > 0
}
