// The guard by itself: what it decides about one call, whoever found the visitor. test/attacks/access-matrix.test.ts asks it
// about every call of the contract.
import { call, ORPCError } from '@orpc/server'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Meta } from '../contract-row.ts'
import type { CourseAccess, CourseReference } from '../domains/courses/access.ts'
import { api, type CallContext, isDoneOnce } from './api.ts'
import { underWay, type Work } from './under-way.ts'
import type { Viewer } from './viewer.ts'

const everyReference = z.object({
  courseId: z.string().optional(),
  slug: z.string().optional(),
  lessonId: z.string().optional(),
  mediaId: z.string().optional(),
  commentId: z.string().optional(),
  postId: z.string().optional(),
  caseId: z.string().optional(),
})

const someone = {
  id: 'ann',
  role: 'user',
  byToken: false,
  scopes: null,
  provenAt: new Date(),
  suspendedAt: null,
} as unknown as Viewer
const by = (changes: Partial<Viewer>) => ({ ...someone, ...changes })

const published = { canSee: true, canLearn: false, canEdit: false, canModerate: false }
const course = (changes: Partial<CourseAccess>) => ({ ...published, ...changes }) as CourseAccess

interface Asked {
  visitor?: Viewer | null
  course?: CourseAccess | null
  input?: unknown
  /** Null for a call without input. */
  schema?: z.ZodType | null
  off?: Record<string, string>
}

/** What came of a call with this meta: what its handler was given, or how it was refused, and what was asked about. */
async function made(
  meta: Meta,
  {
    visitor = someone,
    course: access = null,
    input = {},
    schema = everyReference,
    off = {},
  }: Asked = {},
) {
  const primary = { features: { off } } as unknown as CallContext['services']
  const replica = { ...primary }
  let throughReplica = 0
  const services = Object.assign(primary, {
    publicReads: {
      services: replica,
      through: (work: () => unknown) => {
        throughReplica += 1
        return work()
      },
    },
  })
  const references: (CourseReference | null)[] = []
  const visit = {
    visitorAt: async (reference: CourseReference | null) => {
      references.push(reference)
      return { visitor, course: access }
    },
    headers: {},
  } as unknown as CallContext['visit']
  const procedure = api.site.listFeaturedCourses.handler(
    (({ context }: { context: object }) => context) as never,
  )
  const guarded = Object.assign(
    Object.create(Object.getPrototypeOf(procedure)) as typeof procedure,
    {
      '~orpc': {
        ...procedure['~orpc'],
        meta,
        inputSchema: schema ?? undefined,
        outputSchema: undefined,
      },
    },
  )
  const context = { services, visit, requestId: 'x', address: 'unknown' }
  try {
    const given = (await call(guarded, input as never, {
      context,
      path: ['site', 'listFeaturedCourses'],
    })) as unknown as {
      visitor: Viewer | null
      viewer: Viewer | null
      course: CourseAccess | null
      services: unknown
    }
    const readFrom = given.services === replica ? 'replica' : 'primary'
    return { given, references, readFrom, throughReplica, refusal: null }
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error
    const { code, status, message, data } = error
    return { given: null, references, refusal: { code, status, message, data } }
  }
}

const refusalOf = async (...asked: Parameters<typeof made>) => {
  const { refusal } = await made(...asked)
  return refusal && `${refusal.status} ${refusal.code}: ${refusal.message}`
}

describe('the course that a call is about', () => {
  test.each(['courseId', 'slug', 'lessonId', 'mediaId', 'commentId', 'postId', 'caseId'])(
    'is named by %s',
    async (key) => {
      for (const access of ['member', 'moderator', 'instructor'] as const) {
        const { references } = await made({ access }, { input: { [key]: 'x' } })
        expect(references).toEqual([{ [key]: 'x' }])
      }
    },
  )

  test('is asked for only where it decides', async () => {
    for (const access of ['public', 'signedIn', 'admin'] as const) {
      const { references } = await made({ access }, { input: { courseId: 'x' } })
      expect(references).toEqual([null])
    }
  })

  test.each([null, 'courseId', 7])('is none in the input %j', async (input) => {
    expect((await made({ access: 'member' }, { input })).references).toEqual([null])
  })

  test('is none where it is no text', async () => {
    const input = { courseId: 7, slug: 'x' }
    expect((await made({ access: 'member' }, { input })).references).toEqual([{ slug: 'x' }])
  })

  test('is none that the call does not know of', async () => {
    const input = { courseId: 'x', slug: 'y' }
    const knowsSlugs = z.object({ slug: z.string() })
    const knows = async (schema: z.ZodType | null) =>
      (await made({ access: 'member' }, { input, schema })).references
    expect(await knows(knowsSlugs)).toEqual([{ slug: 'y' }])
    expect(await knows(z.object({}))).toEqual([null])
    expect(await knows(z.any())).toEqual([null])
    expect(await knows(null)).toEqual([null])
  })

  test('is not found in the words of what was named', async () => {
    const said = async (input: object) => refusalOf({ access: 'member' }, { input })
    expect(await said({ lessonId: 'x' })).toBe('404 NOT_FOUND: Lesson not found')
    expect(await said({ commentId: 'x' })).toBe('404 NOT_FOUND: Comment not found')
    expect(await said({ postId: 'x' })).toBe('404 NOT_FOUND: Post not found')
    expect(await said({ caseId: 'x' })).toBe('404 NOT_FOUND: Case not found')
    for (const key of ['courseId', 'slug', 'mediaId']) {
      expect(await said({ [key]: 'x' })).toBe('404 NOT_FOUND: Course not found')
    }
    expect(await said({})).toBe('404 NOT_FOUND: Course not found')
  })
})

describe('a stranger', () => {
  test('makes the calls that everybody may, and no others', async () => {
    expect(await refusalOf({ access: 'public' }, { visitor: null })).toBeNull()
    for (const access of ['signedIn', 'member', 'moderator', 'instructor', 'admin'] as const) {
      const all = course({ canLearn: true, canEdit: true, canModerate: true })
      expect(await refusalOf({ access }, { visitor: null, course: all })).toBe(
        '401 UNAUTHORIZED: User must be authenticated',
      )
    }
  })

  test('is answered by a replica where the call allows it, others never are', async () => {
    const visits = [null, someone].map((visitor) =>
      made({ access: 'public', fromReplica: true }, { visitor }),
    )
    const [stranger, known] = await Promise.all(visits)
    expect([stranger!.readFrom, stranger!.throughReplica]).toEqual(['replica', 1])
    expect([known!.readFrom, known!.throughReplica]).toEqual(['primary', 0])
    const other = await made({ access: 'public' }, { visitor: null })
    expect([other.readFrom, other.throughReplica]).toEqual(['primary', 0])
  })
})

describe('somebody who is signed in', () => {
  const refused = {
    notFound: '404 NOT_FOUND: Course not found',
    member: '403 FORBIDDEN: Join this course to see this.',
    owner: '403 FORBIDDEN: Only the instructor of this course may do this.',
  }
  const at = (access: Meta['access'], changes: Partial<CourseAccess>) =>
    refusalOf({ access }, { course: course(changes) })

  test('makes their own calls', async () => {
    expect(await refusalOf({ access: 'signedIn' })).toBeNull()
  })

  test('needs a course that may be seen', async () => {
    for (const access of ['member', 'moderator', 'instructor'] as const) {
      const all = { canLearn: true, canEdit: true, canModerate: true }
      expect(await at(access, { ...all, canSee: false })).toBe(refused.notFound)
      expect(await at(access, all)).toBeNull()
    }
  })

  test('needs to be a member, to moderate or to teach it', async () => {
    expect(await at('member', { canEdit: true, canModerate: true })).toBe(refused.member)
    expect(await at('member', { canLearn: true })).toBeNull()
    expect(await at('moderator', { canLearn: true, canEdit: true })).toBe(refused.owner)
    expect(await at('moderator', { canModerate: true })).toBeNull()
    expect(await at('instructor', { canLearn: true, canModerate: true })).toBe(refused.owner)
    expect(await at('instructor', { canEdit: true })).toBeNull()
  })

  test('needs the role for what administrators do', async () => {
    const meta = { access: 'admin' } as const
    expect(await refusalOf(meta)).toBe('403 FORBIDDEN: Only administrators may do this.')
    expect(await refusalOf(meta, { visitor: by({ role: 'admin' }) })).toBeNull()
  })

  test('is handed on with the course', async () => {
    const visitor = by({ role: 'admin' })
    for (const access of ['public', 'signedIn', 'admin', 'member'] as const) {
      const there = course({ canLearn: true })
      const { given } = await made({ access }, { visitor, course: there })
      expect(given).toMatchObject({ visitor, viewer: visitor, course: there })
    }
  })
})

describe('somebody who is suspended', () => {
  const visitor = by({ suspendedAt: new Date() })

  test('makes the calls that are left, and no others', async () => {
    const refusal = '403 ACCOUNT_SUSPENDED: Your account is suspended.'
    expect(await refusalOf({ access: 'signedIn' }, { visitor })).toBe(refusal)
    expect(await refusalOf({ access: 'signedIn', whileSuspended: true }, { visitor })).toBeNull()
  })

  test('is a stranger to what everybody may call', async () => {
    const { given } = await made({ access: 'public' }, { visitor })
    expect(given?.visitor).toBeNull()
    const left = await made({ access: 'public', whileSuspended: true }, { visitor })
    expect(left.given?.visitor).toEqual(visitor)
  })
})

describe('a program', () => {
  const visitor = by({ byToken: true, scopes: ['courses:read'] })

  test('does what its token may', async () => {
    const may = { access: 'signedIn', scope: 'courses:read' } as const
    expect((await made(may, { visitor })).refusal).toBeNull()
    const mayNot = { access: 'signedIn', scope: 'courses:write' } as const
    expect((await made(mayNot, { visitor })).refusal).toEqual({
      code: 'OUT_OF_SCOPE',
      status: 403,
      message: 'This access token may not do this: it does not have the scope “courses:write”.',
      data: { scope: 'courses:write' },
    })
    expect((await made({ access: 'public' }, { visitor })).refusal).toEqual({
      code: 'OUT_OF_SCOPE',
      status: 403,
      message: 'This cannot be done with a personal access token.',
      data: { scope: null },
    })
  })

  test('of a session does what the person may', async () => {
    const meta = { access: 'signedIn', scope: 'courses:write' } as const
    expect(await refusalOf(meta, { visitor: by({ byToken: true }) })).toBeNull()
    expect(await refusalOf(meta)).toBeNull()
  })
})

describe('what concerns the safety of an account', () => {
  const meta = { access: 'signedIn', proven: true } as const
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

  test('takes a proof of the last quarter of an hour', async () => {
    expect(await refusalOf(meta, { visitor: by({ provenAt: minutesAgo(14) }) })).toBeNull()
    const refusal = '403 PROOF_NEEDED: Please confirm that it is you, then try again.'
    const late = by({ provenAt: minutesAgo(16) })
    expect(await refusalOf(meta, { visitor: late })).toBe(refusal)
    expect(await refusalOf({ access: 'signedIn' }, { visitor: late })).toBeNull()
  })

  test('takes no token, however fresh', async () => {
    expect(await refusalOf(meta, { visitor: by({ byToken: true }) })).toBe(
      '403 FORBIDDEN: This takes a log-in, not a token.',
    )
  })
})

describe('what is switched off', () => {
  const off = { reviews: 'Reviews are switched off.' }
  const meta = { access: 'signedIn', stoppedBy: 'reviews' } as const

  test('is refused, and nothing else is', async () => {
    expect(await refusalOf(meta, { off })).toBe('403 FEATURE_OFF: Reviews are switched off.')
    expect(await refusalOf({ access: 'signedIn' }, { off })).toBeNull()
    expect(await refusalOf(meta)).toBeNull()
    expect(await refusalOf({ ...meta, stoppedBy: 'checkout' }, { off })).toBeNull()
  })

  test('is told to who may make the call only', async () => {
    expect(await refusalOf(meta, { off, visitor: null })).toMatch(/^401/)
  })
})

test('done once are the calls of programs that make something', () => {
  const scope = 'courses:write'
  expect(isDoneOnce({ access: 'signedIn', scope }, 'POST')).toBe(true)
  expect(isDoneOnce({ access: 'signedIn', scope }, 'GET')).toBe(false)
  expect(isDoneOnce({ access: 'signedIn', scope })).toBe(false)
  expect(isDoneOnce({ access: 'signedIn' }, 'POST')).toBe(false)
  expect(isDoneOnce({ access: 'signedIn', once: true }, 'POST')).toBe(true)
})

test('in a trace a call has its name', async () => {
  const begun: unknown[] = []
  const child = (...what: unknown[]) => {
    begun.push(what)
    return { end() {} }
  }
  const work = { facts: { statements: 0 }, span: { child } } as unknown as Work
  await underWay.run(work, () => made({ access: 'public' }))
  expect(begun).toEqual([
    ['site.listFeaturedCourses', 'internal', { 'rpc.method': 'site.listFeaturedCourses' }],
  ])
})
