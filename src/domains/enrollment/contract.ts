import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { uuid } from '../../fields.ts'
import { invitationCode } from '../invitations/invitation-code.ts'
import { exportedMembers, memberPage, memberRemoval, membersQuery } from './schema.ts'

const course = z.object({ courseId: uuid('The course') })

const joining = course.extend({
  /** The code of the invitation by which the person comes; it changes nothing of the terms. */
  invitation: invitationCode.optional(),
})

const creatorStays = {
  status: 403,
  message: 'As the course creator, you cannot remove yourself from this course.',
} as const

export const enrollment = {
  /** Joining twice is harmless: the second answer is the first. */
  enroll: row('signedIn', 'POST', '/rest/v1/enrollments', 'Join a free course', {
    scope: 'learning:write',
  })
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
      INVITATION_CLOSED: { status: 410 },
    })
    .input(joining)
    .output(z.object({ courseId: z.uuid(), slug: z.string() })),

  /** Leaving twice is harmless. What was completed is kept, and is there again after joining again. */
  leaveCourse: row('signedIn', 'DELETE', '/rest/v1/enrollments/{courseId}', 'Leave a course', {
    scope: 'learning:write',
  })
    .errors({ CREATOR_STAYS: creatorStays })
    .input(course)
    .output(z.object({ courseId: z.uuid(), slug: z.string() })),

  getMembers: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/members',
    'Members of a course, a page at a time',
    { scope: 'members:read' },
  )
    .input(membersQuery)
    .output(memberPage),

  /** Removing somebody twice is harmless. */
  removeMember: row(
    'instructor',
    'DELETE',
    '/rest/v1/courses/{courseId}/members/{userId}',
    'Remove a member from my course',
    { scope: 'members:write' },
  )
    .errors({ CREATOR_STAYS: creatorStays })
    .input(memberRemoval)
    .output(z.object({ userId: z.uuid(), removed: z.boolean() })),

  /** CSV (UTF-8, RFC 4180), made while it is sent. */
  exportMembers: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/members/export',
    'The members of my course and their progress, as a file',
    { scope: 'members:read', file: 'text/csv' },
  )
    .route({ outputStructure: 'detailed' })
    .errors({ PRO_ONLY: { status: 403, message: 'Exporting members is a Pro benefit.' } })
    .input(course)
    .output(exportedMembers),

  canEnrollInCourse: row(
    'signedIn',
    'POST',
    '/rest/v1/rpc/can_enroll_in_course',
    'May I join this course?',
    { scope: 'learning:read' },
  )
    .input(z.object({ course_id_param: uuid('The course') }))
    .output(z.boolean()),
}
