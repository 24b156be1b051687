import * as z from 'zod'
import { row } from '../../contract-row.ts'
import {
  accountSuspension,
  accountVerification,
  actPage,
  actsQuery,
  appealAnswer,
  appealPage,
  appealsQuery,
  byCourse,
  bySlug,
  byUser,
  courseDetails,
  coursesPage,
  coursesQuery,
  courseSuspension,
  courseVerification,
  lifting,
  newAppeal,
  newCourseAppeal,
  overview,
  ownSuspension,
  peoplePage,
  peopleQuery,
  personDetails,
  verified,
} from './schema.ts'

const done = z.object({ done: z.literal(true) })

const liftErrors = {
  LIFTED_ALREADY: { status: 409, message: 'This suspension was lifted already.' },
  WITH_ACCOUNT: {
    status: 409,
    message:
      'This course is suspended because the account of its creator is. It comes back when that is lifted.',
  },
} as const

const appealErrors = {
  NOT_SUSPENDED: { status: 409, message: 'There is nothing to appeal against any more.' },
  APPEALED_ALREADY: {
    status: 409,
    message: 'You have appealed already. There is one appeal against each suspension.',
  },
} as const

export const administration = {
  getOverview: row(
    'admin',
    'GET',
    '/rest/v1/admin/overview',
    'What waits for administrators',
  ).output(overview),

  getPeople: row('admin', 'GET', '/rest/v1/admin/people', 'Find people')
    .input(peopleQuery)
    .output(peoplePage),

  /** Nothing that is private to the person: no notes, no drafts. */
  getPerson: row('admin', 'GET', '/rest/v1/admin/people/{userId}', 'The facts about an account')
    .input(byUser)
    .output(personDetails),

  suspendAccount: row(
    'admin',
    'POST',
    '/rest/v1/admin/people/{userId}/suspension',
    'Suspend an account and its published courses',
  )
    .errors({
      ONESELF: { status: 409, message: 'You cannot suspend yourself.' },
      SUSPENDED_ALREADY: { status: 409, message: 'This account is suspended already.' },
    })
    .input(accountSuspension)
    .output(done),

  verifyAccount: row(
    'admin',
    'PUT',
    '/rest/v1/admin/people/{userId}/verified',
    'Give or take the verified mark of a person',
  )
    .input(accountVerification)
    .output(verified),

  endAllSessions: row(
    'admin',
    'POST',
    '/rest/v1/admin/people/{userId}/end-sessions',
    'Sign somebody out everywhere',
  )
    .input(byUser)
    .output(z.object({ ended: z.number().int() })),

  getCourses: row('admin', 'GET', '/rest/v1/admin/courses', 'Find courses, drafts too')
    .input(coursesQuery)
    .output(coursesPage),

  getCourse: row('admin', 'GET', '/rest/v1/admin/courses/{courseId}', 'The facts about a course')
    .input(byCourse)
    .output(courseDetails),

  /** Its members keep it; nobody new finds, joins or buys it. */
  suspendCourse: row(
    'admin',
    'POST',
    '/rest/v1/admin/courses/{courseId}/suspension',
    'Suspend a course',
  )
    .errors({
      SUSPENDED_ALREADY: { status: 409, message: 'This course is suspended already.' },
      STARTER_COURSE: {
        status: 409,
        message: 'This is the starter course, which everybody who signs up joins.',
      },
    })
    .input(courseSuspension)
    .output(done),

  verifyCourse: row(
    'admin',
    'PUT',
    '/rest/v1/admin/courses/{courseId}/verified',
    'Give or take the verified mark of a course',
  )
    .input(courseVerification)
    .output(verified),

  liftSuspension: row(
    'admin',
    'POST',
    '/rest/v1/admin/suspensions/{suspensionId}/lift',
    'Lift the suspension of an account or a course',
  )
    .errors(liftErrors)
    .input(lifting)
    .output(done),

  getAppeals: row('admin', 'GET', '/rest/v1/admin/appeals', 'Appeals that wait for an answer')
    .input(appealsQuery)
    .output(appealPage),

  answerAppeal: row(
    'admin',
    'POST',
    '/rest/v1/admin/suspensions/{suspensionId}/answer',
    'Grant an appeal, or refuse it',
  )
    .errors({
      ...liftErrors,
      NO_APPEAL: { status: 409, message: 'Somebody has answered this appeal already.' },
    })
    .input(appealAnswer)
    .output(done),

  getActs: row('admin', 'GET', '/rest/v1/admin/acts', 'What administrators did')
    .input(actsQuery)
    .output(actPage),

  getMySuspension: row('signedIn', 'GET', '/rest/v1/me/suspension', 'Why I am suspended, or null', {
    whileSuspended: true,
  }).output(ownSuspension.nullable()),

  appealMySuspension: row(
    'signedIn',
    'POST',
    '/rest/v1/me/suspension/appeal',
    'Appeal against my suspension, once',
    { whileSuspended: true },
  )
    .errors(appealErrors)
    .input(newAppeal)
    .output(done),

  getCourseSuspension: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{slug}/suspension',
    'Why my course is suspended, or null',
  )
    .input(bySlug)
    .output(ownSuspension.nullable()),

  appealCourseSuspension: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{slug}/suspension/appeal',
    'Appeal against the suspension of my course, once',
  )
    .errors(appealErrors)
    .input(newCourseAppeal)
    .output(done),
}
