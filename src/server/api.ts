import { implement, ORPCError } from '@orpc/server'
import { contract } from '../contract.ts'
import type { Access, Meta } from '../contract-row.ts'
import { featureOff } from '../domains/administration/features.ts'
import type { CourseAccess, CourseReference } from '../domains/courses/access.ts'
import { onceByKey } from './idempotency.ts'
import type { Services } from './services.ts'
import { asPart } from './under-way.ts'
import { isProven, suspendedRefusal, type Viewer } from './viewer.ts'
import type { Visit } from './visit.ts'

/** What every call starts with. */
export interface CallContext {
  services: Services
  visit: Visit
  requestId: string
  /** Where the request comes from, as far as is known. */
  address: string
  /** Over HTTP: the key by which the caller wants this done once. */
  idempotencyKey?: string | null
  /** Over HTTP: what is answered in place of what the library would make of the output. */
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
  const known = (schema as { shape?: object } | undefined)?.shape ?? {}
  const given = (input ?? {}) as Record<string, unknown>
  for (const key of references) {
    const value = given[key]
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
function nounOf(reference: CourseReference | null): string {
  const [key] = Object.keys(reference ?? {})
  return (key && nouns[key]) ?? 'Course'
}

/** Of what administrators have switched off; `message` says so to people. */
export const refusalOfSwitch = (message: string) =>
  new ORPCError(featureOff, { status: 403, message })

/** While administrators have switched off what it needs, a call is refused before its input is looked at. */
function refuseSwitchedOff({ features }: Services, { stoppedBy }: Meta): void {
  const message = stoppedBy && features.off[stoppedBy]
  if (message) throw refusalOfSwitch(message)
}

const refuse = (code: 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND', message: string) =>
  new ORPCError(code, { message })

/** The rows that concern a course which the input names. */
const ofCourse = new Set<Access>(['member', 'moderator', 'instructor'])

/** A token is for the calls that name a scope, and of these for the ones that its owner chose. */
function refuseUnscoped(visitor: Viewer | null, { scope }: Meta): void {
  if (!visitor?.scopes || (scope && visitor.scopes.includes(scope))) return
  const message = scope
    ? `This access token may not do this: it does not have the scope “${scope}”.`
    : 'This cannot be done with a personal access token.'
  throw new ORPCError('OUT_OF_SCOPE', { status: 403, message, data: { scope: scope ?? null } })
}

/** What concerns the safety of an account takes the session of somebody who proved lately to be its owner. */
function refuseUnproven(visitor: Viewer): void {
  if (visitor.byToken) throw refuse('FORBIDDEN', 'This takes a log-in, not a token.')
  if (isProven(visitor)) return
  throw new ORPCError('PROOF_NEEDED', {
    status: 403,
    message: 'Please confirm that it is you, then try again.',
  })
}

/** Decides, before the input is looked at, whether this visitor may make this call. */
async function admit({ visit }: CallContext, meta: Meta, input: unknown, schema: unknown) {
  const { access, whileSuspended, proven } = meta
  const reference = ofCourse.has(access) ? referenceIn(input, schema) : null
  const { visitor, course } = await visit.visitorAt(reference)
  refuseUnscoped(visitor, meta)
  if (access === 'public') return { visitor, course }
  if (!visitor) throw refuse('UNAUTHORIZED', 'User must be authenticated')
  if (visitor.suspendedAt && !whileSuspended) {
    const { code, message } = suspendedRefusal
    throw new ORPCError(code, { status: 403, message })
  }
  if (proven) refuseUnproven(visitor)
  if (access === 'signedIn') return { visitor, course }
  if (access === 'admin') {
    if (visitor.role !== 'admin') throw refuse('FORBIDDEN', 'Only administrators may do this.')
    return { visitor, course }
  }
  if (!course?.canSee) {
    throw refuse('NOT_FOUND', `${nounOf(reference)} not found`)
  }
  if (access === 'member' && !course.canLearn) {
    // The course is one that they may see: its page is where one joins.
    const data = { courseSlug: course.slug }
    throw new ORPCError('FORBIDDEN', { message: 'Join this course to see this.', data })
  }
  if (access === 'moderator' && !course.canModerate) {
    throw refuse('FORBIDDEN', 'Only the instructor of this course may do this.')
  }
  if (access === 'instructor' && !course.canEdit) {
    throw refuse('FORBIDDEN', 'Only the instructor of this course may do this.')
  }
  return { visitor, course }
}

/** The calls that take an Idempotency-Key: what programs make, and what says so. The others send no more than once, or show secrets. */
export const isDoneOnce = ({ scope, once }: Meta, method?: string) =>
  (once === true || scope !== undefined) && method === 'POST'

/**
 * The contract with its guard. To what everybody may call, a suspended person is a stranger. Handlers read `viewer` on rows that are not public and `course` on rows
 * for members and instructors: there the guard has made sure of them, so their types are not nullable.
 */
export const api = implement(contract)
  .$context<CallContext>()
  .use(async ({ context, next, procedure, path }, input, output) => {
    const { meta, inputSchema, route } = procedure['~orpc']
    const { visitor, course } = await admit(context, meta as Meta, input, inputSchema)
    refuseSwitchedOff(context.services, meta as Meta)
    const isStranger = visitor?.suspendedAt && !(meta as Meta).whileSuspended
    const { publicReads } = context.services
    const fromReplica = visitor === null && (meta as Meta).fromReplica
    const goOn = (services: Services) =>
      next({
        context: {
          services,
          visitor: isStranger ? null : visitor,
          viewer: visitor as Viewer,
          course: course as CourseAccess,
        },
      })
    const answer = async () => {
      if (fromReplica) return publicReads.through(() => goOn(publicReads.services))
      const { idempotencyKey: key, visit, services } = context
      const isKeyless = key === null || key === undefined
      if (isKeyless || !visitor || !isDoneOnce(meta as Meta, route.method)) return goOn(services)
      const request = { userId: visitor.id, key, call: `${route.method} ${route.path}`, input }
      const done = await onceByKey(services, request, async (noting) => (await goOn(noting)).output)
      if (done.isReplay) visit.headers['idempotency-replayed'] = 'true'
      return output(done.output) as Awaited<ReturnType<typeof goOn>>
    }
    const call = path.join('.')
    return asPart(call, { 'rpc.method': call }, answer)
  })
