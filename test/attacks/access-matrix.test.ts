// Every call of the contract for every kind of person and of course, at the guard that all of them go through.
// What happens behind it is in contract-access.test.ts and in the domains' own tests.
import { createRouterClient, isProcedure, ORPCError } from '@orpc/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handlers } from '../../src/handlers.ts'
import { suspendedRefusal } from '../../src/server/viewer.ts'
import { beginVisit } from '../../src/server/visit.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type ContractRow, contractRows } from '../contract-rows.ts'
import {
  joinCourse,
  lessonsOf,
  makeCase,
  makeComment,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../factories.ts'
import {
  accessMatrixPage,
  expectedOutcome,
  type Kind,
  objects,
  type Outcome,
  type Role,
  roles,
} from './access-matrix.ts'

/** By which an input can name a course. */
type References = Record<
  'courseId' | 'slug' | 'lessonId' | 'mediaId' | 'postId' | 'commentId' | 'caseId',
  string
>

let app: TestApp
const cookies = {} as Record<Role, string>
/** With an own one for each instructor: theirs is what they are instructors of. */
const courses = {} as Record<'instructor' | 'suspended instructor', Record<Kind, References>>

const nothing: References = {
  courseId: crypto.randomUUID(),
  slug: 'there-is-no-such-course',
  lessonId: crypto.randomUUID(),
  mediaId: crypto.randomUUID(),
  postId: crypto.randomUUID(),
  commentId: crypto.randomUUID(),
  caseId: crypto.randomUUID(),
}

const members = ['member', 'member whose payment is overdue', 'suspended member'] as const

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  const { services } = app
  const { pool } = services
  const people = {} as Record<Role, { id: string }>
  for (const role of roles) {
    const person = await makePerson(services)
    people[role] = person
    cookies[role] = await sessionCookieOf(services, person.id)
  }
  cookies.stranger = ''
  cookies['stranger with a forged cookie'] = 'thunder.session_token=made-up.c2lnbmF0dXJl'
  const makeReferences = async (owner: { id: string }, kind: Kind): Promise<References> => {
    const course = await makeCourse(services, owner)
    for (const role of [...members, 'removed member'] as const) {
      await joinCourse(services, people[role], course)
    }
    const [lesson] = await lessonsOf(services, course.id)
    const postId = await makePost(services, course)
    const references = {
      courseId: course.id,
      slug: course.slug,
      lessonId: lesson!.id,
      mediaId: await makeMedia(services, owner, { purpose: 'video', courseId: course.id }),
      postId,
      commentId: await makeComment(services, postId, { by: owner }),
      caseId: await makeCase(services, course),
    }
    const applications = { applicant: 'pending', 'rejected applicant': 'rejected' } as const
    for (const [role, status] of Object.entries(applications)) {
      await pool.query(
        'insert into course_applications (course_id, user_id, status) values ($1, $2, $3)',
        [course.id, people[role as keyof typeof applications].id, status],
      )
    }
    await pool.query('delete from enrollments where course_id = $1 and user_id = $2', [
      course.id,
      people['removed member'].id,
    ])
    if (kind === 'draft' || kind === 'suspended course') {
      await pool.query(`update courses set status = 'draft' where id = $1`, [course.id])
    }
    if (kind === 'suspended course') {
      await pool.query('update courses set suspended_at = now() where id = $1', [course.id])
    }
    return references
  }
  for (const role of ['instructor', 'suspended instructor'] as const) {
    courses[role] = { 'no such course': nothing } as Record<Kind, References>
    for (const kind of objects.slice(0, 3)) {
      courses[role][kind] = await makeReferences(people[role], kind)
    }
  }
  await makeCourse(services, people['instructor of another course'])
  await pool.query(
    `insert into purchases (user_id, course_id, course_title, creator_account_id, pricing_type, amount, currency, status)
     select $1, $2, 'A course', id, 'monthly', 900, 'usd', 'past_due' from ledger_accounts limit 1`,
    [people['member whose payment is overdue'].id, courses.instructor['published course'].courseId],
  )
  const ids = (some: Role[]) => [some.map((role) => people[role].id)]
  await pool.query(
    'update users set suspended_at = now() where id = any ($1)',
    ids(['suspended member', 'suspended outsider', 'suspended instructor']),
  )
  await pool.query(
    `update users set role = 'admin' where id = any ($1)`,
    ids(['administrator', 'former administrator']),
  )
  // Signed in since before.
  await pool.query(
    'update users set role = default where id = any ($1)',
    ids(['former administrator']),
  )
})
afterAll(() => app?.stop())

class Reached extends Error {}
let reached = 0

/** Every call as it is, up to the guard: what it would do is not done. */
function stubs() {
  const without = (value: unknown): unknown => {
    if (isProcedure(value)) {
      const { '~orpc': definition } = value
      const procedure = Object.create(Object.getPrototypeOf(value)) as object
      return Object.assign(procedure, {
        '~orpc': {
          ...definition,
          handler: () => {
            reached += 1
            throw new Reached()
          },
        },
      })
    }
    const entries = Object.entries(value as object).map(([name, part]) => [name, without(part)])
    return Object.fromEntries(entries)
  }
  return without(handlers) as typeof handlers
}

const guarded = stubs()

async function outcomeOf(row: ContractRow, role: Role, references: References): Promise<Outcome> {
  const request = new Request(app.url, { headers: { cookie: cookies[role] } })
  const { services } = app
  const context = {
    services,
    visit: beginVisit(services, request, 'unknown'),
    requestId: 'x',
    address: 'unknown',
  }
  const client = createRouterClient(guarded, { context })
  const [domain, name] = row.name.split('.') as [string, string]
  const call = (client as unknown as Record<string, Record<string, (input: unknown) => unknown>>)[
    domain
  ]![name]!
  try {
    await call(references)
    throw new Error('not stopped')
  } catch (error) {
    if (error instanceof Reached) return 'passes'
    if (!(error instanceof ORPCError)) throw error
    if (error.code === 'UNAUTHORIZED') return 'sign in'
    if (error.code === suspendedRefusal.code) return 'suspended'
    if (error.code === 'FORBIDDEN') return 'forbidden'
    if (error.code === 'NOT_FOUND') return 'not found'
    // The rest of the input is looked at after the guard.
    if (error.code === 'BAD_REQUEST') return 'passes'
    throw error
  }
}

describe.each(roles)('%s', (role) => {
  test.each(objects)('at a %s', async (object) => {
    const owner = role === 'suspended instructor' ? role : 'instructor'
    const wrong: string[] = []
    for (const row of contractRows) {
      const outcome = await outcomeOf(row, role, courses[owner][object])
      const expected = expectedOutcome(row, role, object)
      if (outcome !== expected) wrong.push(`${row.name}: ${outcome} instead of ${expected}`)
    }
    expect(wrong).toEqual([])
  })
})

test('behind the guard the calls were reached', () => {
  expect(reached).toBeGreaterThan(2000)
})

test('the page of the documentation says the same', async () => {
  await expect(accessMatrixPage()).toMatchFileSnapshot('../../docs/access-matrix.md')
})
