import * as z from 'zod'
import { row } from '../../contract-row.ts'
import {
  announced,
  announcementPage,
  announcementsQuery,
  audienceQuery,
  audienceSize,
  newAnnouncement,
} from './announcement-schema.ts'
import { featureList, featureSwitch } from './feature-schema.ts'
import {
  byJob,
  byJobKind,
  failingJobs,
  failingJobsQuery,
  givingUp,
  jobQueue,
  triedAgain,
} from './job-schema.ts'
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

const starterCourseErrors = {
  STARTER_COURSE: {
    status: 409,
    message: 'This is the starter course, which everybody who signs up joins.',
  },
} as const

const jobErrors = {
  UNDER_WAY: {
    status: 409,
    message: 'This job is under way. Look again when it has ended.',
  },
  NOT_FAILING: { status: 409, message: 'This job is not failing: it waits for its turn.' },
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
      ...starterCourseErrors,
    })
    .input(courseSuspension)
    .output(done),

  verifyCourse: row(
    'admin',
    'PUT',
    '/rest/v1/admin/courses/{courseId}/verified',
    'Give or take the verified mark of a course',
  )
    .errors(starterCourseErrors)
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
      OWN_DECISION: {
        status: 409,
        message:
          'You suspended this yourself, so another administrator has to look at it. You can only grant the appeal.',
      },
    })
    .input(appealAnswer)
    .output(done),

  getActs: row('admin', 'GET', '/rest/v1/admin/acts', 'What administrators did')
    .input(actsQuery)
    .output(actPage),

  getAnnouncements: row('admin', 'GET', '/rest/v1/admin/announcements', 'What was announced')
    .input(announcementsQuery)
    .output(announcementPage),

  countAudience: row(
    'admin',
    'GET',
    '/rest/v1/admin/announcements/audience',
    'How many people an announcement would reach',
  )
    .input(audienceQuery)
    .output(audienceSize),

  /** People are told in the background. The id is new: sent twice, it is one announcement. */
  announce: row('admin', 'POST', '/rest/v1/admin/announcements', 'Tell everybody, or some')
    .errors({
      ANNOUNCED_ALREADY: {
        status: 409,
        message: 'This form has announced something else already. Send it again to announce this.',
      },
    })
    .input(newAnnouncement)
    .output(announced),

  /** Parts of the product that can be switched off in an emergency. */
  getFeatures: row(
    'admin',
    'GET',
    '/rest/v1/admin/features',
    'What can be switched off, and what is',
  ).output(featureList),

  switchFeature: row(
    'admin',
    'PUT',
    '/rest/v1/admin/features/{name}',
    'Switch a part of the product off, or on again',
  )
    .errors({
      OFF_ALREADY: { status: 409, message: 'This is switched off already.' },
      ON_ALREADY: { status: 409, message: 'This is switched on already.' },
    })
    .input(featureSwitch)
    .output(done),

  getJobQueue: row(
    'admin',
    'GET',
    '/rest/v1/admin/jobs',
    'How many background jobs wait, run and fail, by kind',
  ).output(jobQueue),

  /** Never what a job carries, and of its error only what says nothing about anybody. */
  getFailingJobs: row(
    'admin',
    'GET',
    '/rest/v1/admin/jobs/failing',
    'Background jobs that failed, newest first',
  )
    .input(failingJobsQuery)
    .output(failingJobs),

  retryJob: row(
    'admin',
    'POST',
    '/rest/v1/admin/jobs/{jobId}/retry',
    'Try a failing job again at once',
  )
    .errors(jobErrors)
    .input(byJob)
    .output(done),

  /** It stays in the list, from where it can still be tried. */
  giveUpJob: row(
    'admin',
    'POST',
    '/rest/v1/admin/jobs/{jobId}/give-up',
    'Stop trying a failing job',
  )
    .errors({
      ...jobErrors,
      GIVEN_UP_ALREADY: { status: 409, message: 'This job was given up already.' },
    })
    .input(givingUp)
    .output(done),

  /** Not those that were given up. */
  retryJobsOfKind: row(
    'admin',
    'POST',
    '/rest/v1/admin/jobs/retry',
    'Try all failing jobs of one kind again at once',
  )
    .input(byJobKind)
    .output(triedAgain),

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
