// What the statements about access find. What follows from a row is in access.test.ts.
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import type { Db } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'
import { courseAccess, withoutAccess } from './access.ts'
import { publishChecklist } from './publish-checklist.ts'
import {
  coursePage,
  coursePageVersion,
  myDashboard,
  profileCounts,
  profileCourses,
  profileCoursesVersion,
} from './queries.ts'

let app: TestApp
const people = {} as Record<
  'owner' | 'member' | 'stranger' | 'admin' | 'suspended member' | 'suspended admin',
  { id: string }
>
type MadeCourse = Awaited<ReturnType<typeof makeCourse>>
let course: MadeCourse
let other: MadeCourse
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  const { services } = app
  for (const name of [
    'owner',
    'member',
    'stranger',
    'admin',
    'suspended member',
    'suspended admin',
  ] as const) {
    people[name] = await makePerson(services)
  }
  course = await makeCourse(services, people.owner)
  other = await makeCourse(services, people.stranger)
  await joinCourse(services, people.member, course)
  await joinCourse(services, people['suspended member'], course)
  await services.pool.query(`update users set role = 'admin' where id = any($1)`, [
    [people.admin.id, people['suspended admin'].id],
  ])
  await services.pool.query('update users set suspended_at = now() where id = any($1)', [
    [people['suspended member'].id, people['suspended admin'].id],
  ])
})
afterAll(() => app?.stop())

const viewerOf = ({ id }: { id: string }) => ({ id, role: 'user' }) as Viewer

describe('what somebody may do with a course', () => {
  test('is found by who they are to it', async () => {
    const standing = async (viewer: Viewer | null, reference: Parameters<typeof courseAccess>[2]) =>
      (await courseAccess(app.services.db, viewer, reference))?.standing ?? null
    const at = { courseId: course.id }
    expect(await standing(viewerOf(people.owner), at)).toBe('instructor')
    expect(await standing(viewerOf(people.member), { slug: course.slug })).toBe('member')
    expect(await standing(viewerOf(people.stranger), at)).toBe('signedIn')
    expect(await standing(null, at)).toBe('visitor')
    expect(await standing(viewerOf(people.member), { courseId: other.id })).toBe('signedIn')
  })

  test('is nothing where there is no course, and costs nothing where there can be none', async () => {
    const { db } = app.services
    expect(await courseAccess(db, null, { courseId: crypto.randomUUID() })).toBeNull()
    const asked = await watchStatements(app).during(async () => {
      expect(await courseAccess(db, null, { courseId: 'x' })).toBeNull()
    })
    expect(asked).toEqual([])
  })

  test('is a statement that PostgreSQL has prepared', async () => {
    const pool = new Pool({ connectionString: app.databaseUrl, max: 1 })
    const db = drizzle(pool) as unknown as Db
    await courseAccess(db, null, { courseId: course.id })
    await courseAccess(db, null, { slug: course.slug })
    const { rows } = await pool.query('select name from pg_prepared_statements order by name')
    expect(rows).toEqual([{ name: 'course-access course' }, { name: 'course-access slug' }])
    await pool.end()
  })
})

describe('those who may not learn there any more', () => {
  const lost = async (names: (keyof typeof people)[], courseId: string) => {
    const asked = names.map((name) => ({ userId: people[name].id, courseId }))
    const without = await withoutAccess(app.services.db, asked)
    expect(without.every((one) => one.courseId === courseId)).toBe(true)
    return names.filter((name) => without.some(({ userId }) => userId === people[name].id))
  }
  const everybody = () => Object.keys(people) as (keyof typeof people)[]

  test('are all but the instructor, members and administrators, and suspended ones among these', async () => {
    expect(await lost(everybody(), course.id)).toEqual([
      'stranger',
      'suspended member',
      'suspended admin',
    ])
    expect(await lost(everybody(), other.id)).toEqual([
      'owner',
      'member',
      'suspended member',
      'suspended admin',
    ])
  })

  test('are all of them where there is no course', async () => {
    expect(await lost(everybody(), crypto.randomUUID())).toEqual(everybody())
  })

  test('of nobody are nobody, and nothing is asked', async () => {
    const asked = await watchStatements(app).during(async () => {
      expect(await withoutAccess(app.services.db, [])).toEqual([])
    })
    expect(asked).toEqual([])
  })
})

test('what the pages of a course and of its people ask is prepared, too', async () => {
  const pool = new Pool({ connectionString: app.databaseUrl, max: 1 })
  const { id } = people.owner
  await coursePage(pool, course.id)
  await coursePageVersion(pool, course.slug)
  await publishChecklist(pool, { courseId: course.id, instructorId: id })
  await myDashboard(pool, id)
  await profileCounts(pool, id)
  for (const tab of ['created', 'enrolled'] as const) {
    await profileCourses(pool, id, tab, 12)
    await profileCoursesVersion(pool, id, tab, 12)
  }
  const { rows } = await pool.query('select name from pg_prepared_statements order by name')
  expect(rows.map(({ name }) => name)).toEqual([
    'author-check',
    'course-page',
    'course-version',
    'my-dashboard',
    'profile-counts',
    'profile-courses created',
    'profile-courses enrolled',
    'profile-courses-version created',
    'profile-courses-version enrolled',
    'publish-checklist',
  ])
  await pool.end()
})
