import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { users } from '../accounts/tables.ts'
import { coursePageVersion } from './queries.ts'
import { orderedCourses } from '../search/catalogue-order.ts'
import { cataloguePageVersion } from '../search/list-courses.ts'
import { courseSearch, exploreSearch } from '../search/schema.ts'
import { eq } from 'drizzle-orm'

let app: TestApp
let owner: { id: string; name: string; username: string; cookie: string }
const made: { id: string; slug: string; instructorId: string }[] = []

beforeAll(async () => {
  app = await startTestApp()
  const person = await makePerson(app.services, { name: 'Grace' })
  owner = { ...person, cookie: await sessionCookieOf(app.services, person.id) }
  for (let number = 1; number <= 14; number++) {
    made.push(
      await makeCourse(app.services, owner, {
        title: `Course number ${number}`,
        category: number % 2 ? 'Art' : 'Music',
        publishedAt: new Date(2026, 0, number),
        description: number === 5 ? 'A needle: 100% of_it \\ here.' : 'Hay.',
        shortDescription: number === 6 ? 'The Needle in short' : '',
        status: number === 14 ? 'draft' : 'published',
        chapters: [
          {
            title: 'Only',
            lessons: ['A', 'B', 'C', 'D', 'E'].map((title) => ({ title: `${title}${number}` })),
          },
        ],
      }),
    )
  }
})
afterAll(() => app?.stop())

const list = async (query = '') => (await app.request(`/rest/v1/courses${query}`)).body
const titles = (found: { courses: { title: string }[] }) => found.courses.map(({ title }) => title)

describe('the list', () => {
  test('has the newest twelve first, without drafts', async () => {
    const first = await list()
    expect(titles(first)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Course number ${13 - index}`),
    )
    expect(first.hasMore).toBe(true)
    const all = await list('?show=24')
    expect(all.courses).toHaveLength(13)
    expect(all.hasMore).toBe(false)
  })

  test('shows what a card needs and no more', async () => {
    const [card] = (await list()).courses
    expect(card).toEqual({
      id: made[12]!.id,
      slug: 'course-number-13',
      title: 'Course number 13',
      summary: 'Hay.',
      thumbnail: null,
      category: 'Art',
      level: 'Beginner',
      pricingType: 'free',
      priceAmount: 0,
      instructorName: 'Grace',
      instructorUsername: owner.username,
      studentsCount: 0,
      lessonsCount: 5,
      rating: 0,
      reviewsCount: 0,
      applicationRequired: false,
      verified: false,
    })
  })

  test('filters by category', async () => {
    expect((await list('?category=Music')).courses).toHaveLength(6)
    expect(titles(await list('?category=Art&search=number%201'))).toEqual(
      // The last has a 100 in its description.
      [1, 13, 11, 5].map((number) => `Course number ${number}`),
    )
  })

  test('searches titles and descriptions, whatever the case', async () => {
    expect(titles(await list('?search=NEEDLE'))).toEqual(['Course number 6', 'Course number 5'])
  })

  test.each([
    ['100%', 1],
    ['%', 1],
    ['_', 1],
    ['\\', 1],
    ["' or 1=1 --", 0],
  ])('takes %j by the letter', async (search, found) => {
    expect((await list(`?search=${encodeURIComponent(search)}`)).courses).toHaveLength(found)
  })

  test.each(['?search=%00', '?search=%20', '?other=1', '?sort=newest', '?price=all'])(
    'answers %s with the whole list',
    async (query) => {
      expect((await list(query)).courses).toHaveLength(12)
    },
  )

  const number = 'The number of courses to show must be a whole number from 12 to 1200'
  test.each([
    ['?category=Alchemy', 'There is no such category'],
    ['?price=cheap', 'Price must be one of: all, free, paid'],
    ['?sort=best', 'Sort must be one of: newest, popular, trending, price_low, price_high'],
    ['?sort=', 'Sort must be one of: newest, popular, trending, price_low, price_high'],
    ['?show=-5', number],
    ['?show=x', number],
    ['?show=1e9', number],
    ['?show=12.5', number],
  ])('refuses %s in words; the page goes on without it', async (query, message) => {
    expect(await app.request(`/rest/v1/courses${query}`)).toMatchObject({
      status: 422,
      body: { message },
    })
    expect(exploreSearch.parse(Object.fromEntries(new URLSearchParams(query)))).toEqual(
      exploreSearch.parse({}),
    )
  })

  test('refuses a search that is too long', async () => {
    const { status, body } = await app.request(`/rest/v1/courses?search=${'x'.repeat(201)}`)
    expect(status).toBe(422)
    expect(body.message).toBe('Search text can have at most 200 characters')
  })
})

const page = (slug: string, cookie?: string) => app.request(`/rest/v1/courses/${slug}`, { cookie })

describe('the course page', () => {
  test('shows the first four lessons and says where the viewer stands', async () => {
    const { body } = await page('course-number-3')
    expect(body).toMatchObject({
      chaptersCount: 1,
      firstLessons: ['A3', 'B3', 'C3', 'D3'],
      instructor: {
        name: 'Grace',
        username: owner.username,
        avatarUrl: null,
        verified: false,
      },
      standing: 'visitor',
    })
    expect(JSON.stringify(body)).not.toContain('@')
    const reader = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, reader.id)
    expect((await page('course-number-3', cookie)).body.standing).toBe('signedIn')
    await joinCourse(app.services, reader, made[2]!)
    expect((await page('course-number-3', cookie)).body).toMatchObject({
      standing: 'member',
      studentsCount: 1,
    })
    expect((await page('course-number-3', owner.cookie)).body.standing).toBe('instructor')
  })

  test('leads to no profile while the creator is suspended, as none is shown; nor does the card', async () => {
    const creator = await makePerson(app.services)
    const course = await makeCourse(app.services, creator)
    const reader = await makePerson(app.services)
    await joinCourse(app.services, reader, course)
    const cookie = await sessionCookieOf(app.services, reader.id)
    const ledTo = async () => {
      const shown = await page(course.slug, cookie)
      const { enrolled } = (await app.request('/rest/v1/dashboard', { cookie })).body
      return [shown.body.instructor.username, enrolled[0].instructorUsername]
    }
    expect(await ledTo()).toEqual([creator.username, creator.username])
    const suspend = 'update users set suspended_at = now() where id = $1'
    await app.services.pool.query(suspend, [creator.id])
    expect(await ledTo()).toEqual([null, null])
    await app.services.pool.query('delete from courses where id = $1', [course.id])
  })

  test.each(['nothing-here', '%00', 'a%00b', '%ED%A0%80', '..%2f..', 'x'.repeat(300), '%'])(
    'is not found at %s',
    async (slug) => {
      const { status, body } = await page(slug)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(body.message).toEqual(expect.any(String))
    },
  )
})

const update = (id: string, body: object) =>
  app.request(`/rest/v1/courses/${id}`, { method: 'PATCH', body, cookie: owner.cookie })

describe('versions of kept pages', () => {
  const search = courseSearch.parse({})
  const versions = async () => ({
    page: await coursePageVersion(app.services.pool, 'course-number-13'),
    catalogue: await cataloguePageVersion(app.services.pool, search),
  })
  test('stay while nothing changes', async () => {
    expect(await versions()).toEqual(await versions())
  })

  test.each<[string, () => Promise<unknown>]>([
    ['the description', () => update(made[12]!.id, { shortDescription: 'Changed' })],
    [
      'the instructor’s name',
      () => app.services.db.update(users).set({ name: 'Grace H.' }).where(eq(users.id, owner.id)),
    ],
    [
      'the number of students',
      async () => joinCourse(app.services, await makePerson(app.services), made[12]!),
    ],
    [
      'a lesson',
      async () => {
        const content = `/rest/v1/courses/${made[12]!.id}/content`
        const { body } = await app.request(content, { cookie: owner.cookie })
        body.chapters[0].lessons[0].title = 'Renamed'
        await app.request(content, { method: 'PUT', body, cookie: owner.cookie })
      },
    ],
  ])('change with %s', async (_what, change) => {
    const before = await versions()
    await change()
    const after = await versions()
    expect(after.page).not.toBe(before.page)
    expect(after.catalogue).not.toBe(before.catalogue)
  })

  test('of a course that is not among the cards leaves the catalogue alone', async () => {
    const before = await versions()
    await update(made[0]!.id, { shortDescription: 'The oldest' })
    expect(await versions()).toEqual(before)
  })

  test('tell whether there are more', async () => {
    const { pool } = app.services
    expect(await cataloguePageVersion(pool, { ...search, show: 12 })).toMatch(/ more$/)
    expect(await cataloguePageVersion(pool, { ...search, show: 24 })).not.toMatch(/ more$/)
  })

  test.each(['nothing-here', 'course-number-14', '', 'Course-Number-13', '%00', '%E0%A4%A', 'a/b'])(
    'there is none at %j',
    async (slug) => {
      expect(await coursePageVersion(app.services.pool, slug)).toBeNull()
    },
  )

  test('there is none at an earlier address', async () => {
    await update(made[1]!.id, { title: 'Renamed course' })
    expect(await coursePageVersion(app.services.pool, 'course-number-2')).toBeNull()
    expect(await coursePageVersion(app.services.pool, made[1]!.id)).toBeNull()
    expect(await coursePageVersion(app.services.pool, 'renamed-course')).not.toBeNull()
  })
})

interface PlanNode {
  'Node Type': string
  Plans?: PlanNode[]
}

const hasLimit = (node: PlanNode): boolean =>
  node['Node Type'] === 'Limit' || (node.Plans ?? []).some(hasLimit)

/** Whether all that is found has to be read before the first of it is known. */
const sortsEverything = (node: PlanNode): boolean =>
  (node['Node Type'] === 'Sort' && !hasLimit(node)) || (node.Plans ?? []).some(sortsEverything)

describe.each(['newest', 'popular', 'trending', 'price_low', 'price_high'] as const)(
  'the order %s',
  (sort) => {
    test.each([
      { category: 'All', price: 'all' },
      { category: 'All', price: 'free' },
      { category: 'All', price: 'paid' },
      { category: 'Art', price: 'all' },
      { category: 'Art', price: 'free' },
    ] as const)('is read from an index, also with $category and $price', async (filters) => {
      const statement = orderedCourses(sort, filters, '13').replaceAll('{category}', `'Art'`)
      const client = await app.services.pool.connect()
      await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
      const { rows } = await client.query(`explain (format json) ${statement}`)
      await client.query('rollback')
      client.release()
      const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan
      expect(sortsEverything(plan), JSON.stringify(plan)).toBe(false)
      expect(JSON.stringify(plan)).not.toContain('Seq Scan')
    })
  },
)
