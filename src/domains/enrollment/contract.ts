import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { uuid } from '../../fields.ts'

const course = z.object({ courseId: uuid('The course') })

export const enrollment = {
  /** Joining twice is harmless: the second answer is the first. */
  enroll: row('signedIn', 'POST', '/rest/v1/enrollments', 'Join a free course')
    .errors({
      COURSE_FULL: {
        status: 403,
        message:
          'This course has reached its maximum enrollment limit (25 students for free instructors)',
      },
      APPLICATION_REQUIRED: {
        status: 403,
        message: 'This course can be joined only with an application that its instructor approved.',
      },
      PAYMENT_REQUIRED: {
        status: 402,
        message: 'This course has to be bought before you can join it.',
      },
    })
    .input(course)
    .output(z.object({ courseId: z.uuid(), slug: z.string() })),

  /** Leaving twice is harmless. What was completed is kept, and is there again after joining again. */
  leaveCourse: row('signedIn', 'DELETE', '/rest/v1/enrollments/{courseId}', 'Leave a course')
    .errors({
      CREATOR_STAYS: {
        status: 403,
        message: 'As the course creator, you cannot remove yourself from this course.',
      },
    })
    .input(course)
    .output(z.object({ courseId: z.uuid(), slug: z.string() })),

  canEnrollInCourse: row(
    'signedIn',
    'POST',
    '/rest/v1/rpc/can_enroll_in_course',
    'May I join this course?',
  )
    .input(z.object({ course_id_param: uuid('The course') }))
    .output(z.boolean()),
}
