import type { Executor } from '../../server/db.ts'
import { studentLimit } from '../enrollment/enroll-student.ts'
import { heldSeats } from './queries.ts'

interface Seat {
  userId: string
  courseId: string
  instructorId: string
  /** Of the course, now. */
  studentsCount: number
}

/** Whether the course has room for this person, beside its students and the others who are paying just now. */
export async function hasSeat(
  executor: Executor,
  { userId, courseId, instructorId, studentsCount }: Seat,
): Promise<boolean> {
  const limit = await studentLimit(executor, { courseId, instructorId })
  if (limit === null) return true
  return studentsCount + (await heldSeats(executor, { userId, courseId })) < limit
}
