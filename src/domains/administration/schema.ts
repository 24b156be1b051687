import * as z from 'zod'
import {
  clearableLine,
  clearableText,
  minorUnits,
  slug,
  text,
  timestamp,
  uuid,
} from '../../fields.ts'
import { isBlank } from '../../is-blank.ts'
import { type Action, actions, limits, type SubjectKind, subjectKinds } from './rules.ts'

const reason = text('The reason', limits.reason, 'Please write a reason: the person reads it')
const person = z.object({ id: z.uuid(), name: z.string(), username: z.string().nullable() })

const search = clearableLine('The search', limits.search).default('')
const cursor = z.string().max(200, 'This is not a place in the list').optional()
const nextCursor = z.string().nullable()

// Suspensions -----------------------------------------------------------------------------------

const suspension = z.object({
  id: z.uuid(),
  reason: z.string(),
  createdAt: timestamp,
  /** It comes and goes with that of the creator's account; appeals are against that one. */
  isBecauseOfAccount: z.boolean(),
  appeal: z.string().nullable(),
  appealedAt: timestamp.nullable(),
  appealAnswer: z.string().nullable(),
  appealAnsweredAt: timestamp.nullable(),
  liftedAt: timestamp.nullable(),
})
/** As the person reads it whom it concerns: not by whom. */
export const ownSuspension = suspension
export type OwnSuspension = z.output<typeof ownSuspension>

const toldSuspension = suspension.extend({
  suspendedBy: z.string().nullable(),
  liftedBy: z.string().nullable(),
})

export const newAppeal = z.object({
  appeal: text('The appeal', limits.appeal, 'Please write why it should be lifted'),
})
export const bySlug = z.object({ slug })
export const newCourseAppeal = newAppeal.extend({ slug })

export const accountSuspension = z.object({ userId: uuid('The person'), reason })
export const courseSuspension = z.object({ courseId: uuid('The course'), reason })
const suspensionId = uuid('The suspension')
export const lifting = z.object({
  suspensionId,
  note: clearableText('The note', limits.answer).default(''),
})
export const appealAnswer = z
  .object({
    suspensionId,
    decision: z.enum(['grant', 'refuse'], 'Please choose what to do'),
    answer: clearableText('The answer', limits.answer).default(''),
  })
  .refine(({ decision, answer }) => decision === 'grant' || !isBlank(answer), {
    message: 'Please write why the appeal is refused: the person reads it',
    path: ['answer'],
  })

export const appealsQuery = z.object({ cursor })
export const appealPage = z.object({
  /** Who waited longest first. */
  appeals: z.array(
    suspension.extend({
      /** Null for the command line, and when the account was deleted. */
      suspendedBy: z.string().nullable(),
      account: person.nullable(),
      course: z.object({ id: z.uuid(), title: z.string(), creator: z.string() }).nullable(),
    }),
  ),
  nextCursor,
})
export type AppealPage = z.output<typeof appealPage>

// The log ---------------------------------------------------------------------------------------

const actionNames = Object.keys(actions) as [Action, ...Action[]]
const kindNames = Object.keys(subjectKinds) as [SubjectKind, ...SubjectKind[]]

/** What older versions wrote stays readable, also when the list does not know it any more. */
const act = z.object({
  id: z.uuid(),
  /** Null for the command line, and when the account was deleted. */
  actor: person.nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string().nullable(),
  subjectName: z.string(),
  reason: z.string(),
  createdAt: timestamp,
})
export type Act = z.output<typeof act>

export const actsQuery = z.object({
  action: z.enum(actionNames, 'There is no such act').optional(),
  subjectKind: z.enum(kindNames, 'There is no such kind of subject').optional(),
  /** An id, whole. */
  subjectId: clearableLine('The subject', limits.search).optional(),
  actorId: uuid('The person').optional(),
  cursor,
})
export type ActsQuery = z.output<typeof actsQuery>
export const actPage = z.object({ acts: z.array(act), nextCursor })
export type ActPage = z.output<typeof actPage>

// People ----------------------------------------------------------------------------------------

export const personFilters = ['all', 'suspended', 'admins', 'pro', 'verified'] as const
export const peopleQuery = z.object({
  search,
  filter: z.enum(personFilters, 'There is no such filter').default('all'),
  cursor,
})
export type PeopleQuery = z.output<typeof peopleQuery>

const listedPerson = person.extend({
  email: z.string(),
  avatarUrl: z.string().nullable(),
  role: z.enum(['user', 'admin']),
  verified: z.boolean(),
  plan: z.enum(['free', 'pro']),
  createdAt: timestamp,
  suspendedAt: timestamp.nullable(),
})
export const peoplePage = z.object({ people: z.array(listedPerson), nextCursor })
export type PeoplePage = z.output<typeof peoplePage>

export const byUser = z.object({ userId: uuid('The person') })
export const personDetails = listedPerson.extend({
  emailVerified: z.boolean(),
  /** The day on which a session was last used; null without one. */
  lastSeen: z.iso.date().nullable(),
  sessionsCount: z.number().int(),
  enrollmentsCount: z.number().int(),
  /** Newest first, some. */
  courses: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      status: z.enum(['draft', 'published']),
      isSuspended: z.boolean(),
    }),
  ),
  coursesCount: z.number().int(),
  suspensions: z.array(toldSuspension),
  acts: z.array(act),
})
export type PersonDetails = z.output<typeof personDetails>

export const accountVerification = byUser.extend({
  verified: z.boolean('Verified must be on or off'),
})
export const verified = z.object({ verified: z.boolean() })

// Courses ---------------------------------------------------------------------------------------

export const courseFilters = ['all', 'published', 'draft', 'suspended', 'verified'] as const
export const coursesQuery = z.object({
  search,
  filter: z.enum(courseFilters, 'There is no such filter').default('all'),
  cursor,
})
export type CoursesQuery = z.output<typeof coursesQuery>

const listedCourse = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  creator: person,
  status: z.enum(['draft', 'published']),
  verified: z.boolean(),
  studentsCount: z.number().int(),
  createdAt: timestamp,
  suspendedAt: timestamp.nullable(),
})
export const coursesPage = z.object({ courses: z.array(listedCourse), nextCursor })
export type CoursesPage = z.output<typeof coursesPage>

export const byCourse = z.object({ courseId: uuid('The course') })
export const courseDetails = listedCourse.extend({
  pricingType: z.enum(['free', 'one_time', 'monthly']),
  priceAmount: minorUnits,
  lessonsCount: z.number().int(),
  publishedAt: timestamp.nullable(),
  updatedAt: timestamp,
  openReports: z.number().int(),
  suspensions: z.array(toldSuspension),
  acts: z.array(act),
})
export type CourseDetails = z.output<typeof courseDetails>

export const courseVerification = byCourse.extend({
  verified: z.boolean('Verified must be on or off'),
})

// The overview ----------------------------------------------------------------------------------

export const overview = z.object({
  openReports: z.number().int(),
  appeals: z.number().int(),
  supportRequests: z.number().int(),
  failedPaymentEvents: z.number().int(),
  failingJobs: z.number().int(),
  suspendedAccounts: z.number().int(),
  suspendedCourses: z.number().int(),
  acts: z.array(act),
})
export type Overview = z.output<typeof overview>
