import { implement, ORPCError } from '@orpc/server'
import { contract } from '../contract.ts'
import type { Meta } from '../contract-row.ts'
import { courseAccess, type CourseAccess, type CourseReference } from '../domains/courses/access.ts'
import type { Services } from './services.ts'
import type { Viewer } from './viewer.ts'

/** What every call starts with. */
export interface CallContext {
  services: Services
  /** Null for strangers. */
  visitor: Viewer | null
  requestId: string
  /** Over HTTP: what is answered in place of the output, where that would be encoded piece by piece. */
  direct?: { answer?: Response }
}

/** The course that an input is about; `null` when it names none. */
function referenceIn(input: unknown): CourseReference | null {
  if (typeof input !== 'object' || input === null) return null
  const { courseId, slug, lessonId, mediaId } = input as Record<string, unknown>
  if (typeof courseId === 'string') return { courseId }
  if (typeof slug === 'string') return { slug }
  if (typeof lessonId === 'string') return { lessonId }
  if (typeof mediaId === 'string') return { mediaId }
  return null
}

const refuse = (code: 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND', message: string) =>
  new ORPCError(code, { message })

/** Decides, before the input is looked at, whether this visitor may make this call. */
async function admit(context: CallContext, access: Meta['access'], input: unknown) {
  const { visitor, services } = context
  if (access === 'public') return null
  if (!visitor) throw refuse('UNAUTHORIZED', 'User must be authenticated')
  if (access === 'signedIn') return null
  if (access === 'admin') {
    if (visitor.role !== 'admin') throw refuse('FORBIDDEN', 'Only administrators may do this.')
    return null
  }
  const reference = referenceIn(input)
  const course = reference && (await courseAccess(services.db, visitor, reference))
  if (!course?.canSee) {
    const lesson = reference !== null && 'lessonId' in reference
    throw refuse('NOT_FOUND', lesson ? 'Lesson not found' : 'Course not found')
  }
  if (access === 'member' && !course.canLearn)
    throw refuse('FORBIDDEN', 'Join this course to see this.')
  if (access === 'instructor' && !course.canEdit) {
    throw refuse('FORBIDDEN', 'Only the instructor of this course may do this.')
  }
  return course
}

/**
 * The contract with its guard. Handlers read `viewer` on rows that are not public and `course` on rows
 * for members and instructors: there the guard has made sure of them, so their types are not nullable.
 */
export const api = implement(contract)
  .$context<CallContext>()
  .use(async ({ context, next, procedure }, input) => {
    const { access } = procedure['~orpc'].meta as Meta
    const course = await admit(context, access, input)
    return next({ context: { viewer: context.visitor as Viewer, course: course as CourseAccess } })
  })
