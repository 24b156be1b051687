import { implement, ORPCError } from '@orpc/server'
import { contract } from '../contract.ts'
import type { Meta } from '../contract-row.ts'
import { featureOff } from '../domains/administration/features.ts'
import { courseAccess, type CourseAccess, type CourseReference } from '../domains/courses/access.ts'
import type { Services } from './services.ts'
import { suspendedRefusal, type Viewer } from './viewer.ts'

/** What every call starts with. */
export interface CallContext {
  services: Services
  /** Null for strangers. */
  visitor: Viewer | null
  requestId: string
  /** Where the request comes from, as far as is known. */
  address: string
  /** Over HTTP: what is answered in place of the output, where that would be encoded piece by piece. */
  direct?: { answer?: Response }
}

/** The keys by which an input can name a course. */
const references = [
  'courseId',
  'slug',
  'lessonId',
  'mediaId',
  'commentId',
  'postId',
  'caseId',
] as const

/**
 * The course that an input is about; `null` when it names none. What the call does not know of is not looked
 * at: nobody is let in for one course and served with another one.
 */
function referenceIn(input: unknown, schema: unknown): CourseReference | null {
  if (typeof input !== 'object' || input === null) return null
  const known = (schema as { shape?: object } | undefined)?.shape ?? {}
  for (const key of references) {
    const value = (input as Record<string, unknown>)[key]
    if (Object.hasOwn(known, key) && typeof value === 'string') {
      return { [key]: value } as CourseReference
    }
  }
  return null
}

const nouns: Record<string, string> = {
  lessonId: 'Lesson',
  commentId: 'Comment',
  postId: 'Post',
  caseId: 'Case',
}

/** What is not found, when the reference leads nowhere. */
const nounOf = (reference: CourseReference | null) =>
  nouns[Object.keys(reference ?? {})[0] ?? ''] ?? 'Course'

/** While administrators have switched off what it needs, a call is refused before its input is looked at. */
function refuseSwitchedOff({ features }: Services, { stoppedBy }: Meta): void {
  const message = stoppedBy && features.off[stoppedBy]
  if (message) throw new ORPCError(featureOff, { status: 403, message })
}

const refuse = (code: 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND', message: string) =>
  new ORPCError(code, { message })

/** Decides, before the input is looked at, whether this visitor may make this call. */
async function admit(
  context: CallContext,
  { access, whileSuspended }: Meta,
  input: unknown,
  schema: unknown,
) {
  const { visitor, services } = context
  if (access === 'public') return null
  if (!visitor) throw refuse('UNAUTHORIZED', 'User must be authenticated')
  if (visitor.suspendedAt && !whileSuspended) {
    const { code, message } = suspendedRefusal
    throw new ORPCError(code, { status: 403, message })
  }
  if (access === 'signedIn') return null
  if (access === 'admin') {
    if (visitor.role !== 'admin') throw refuse('FORBIDDEN', 'Only administrators may do this.')
    return null
  }
  const reference = referenceIn(input, schema)
  const course = reference && (await courseAccess(services.db, visitor, reference))
  if (!course?.canSee) {
    throw refuse('NOT_FOUND', `${nounOf(reference)} not found`)
  }
  if (access === 'member' && !course.canLearn)
    throw refuse('FORBIDDEN', 'Join this course to see this.')
  if (access === 'moderator' && !course.canModerate) {
    throw refuse('FORBIDDEN', 'Only the instructor of this course may do this.')
  }
  if (access === 'instructor' && !course.canEdit) {
    throw refuse('FORBIDDEN', 'Only the instructor of this course may do this.')
  }
  return course
}

/**
 * The contract with its guard. To what everybody may call, a suspended person is a stranger. Handlers read `viewer` on rows that are not public and `course` on rows
 * for members and instructors: there the guard has made sure of them, so their types are not nullable.
 */
export const api = implement(contract)
  .$context<CallContext>()
  .use(async ({ context, next, procedure }, input) => {
    const { meta, inputSchema } = procedure['~orpc']
    const course = await admit(context, meta as Meta, input, inputSchema)
    refuseSwitchedOff(context.services, meta as Meta)
    const isStranger = context.visitor?.suspendedAt && !(meta as Meta).whileSuspended
    return next({
      context: {
        visitor: isStranger ? null : context.visitor,
        viewer: context.visitor as Viewer,
        course: course as CourseAccess,
      },
    })
  })
