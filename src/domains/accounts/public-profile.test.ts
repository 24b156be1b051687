// What others see of a person: how they find the profile, what is on it, and what never is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  makeReview,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { stillPages } from '../../still-pages.ts'
import { profileVersion } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(facts: Parameters<typeof makePerson>[1] = {}) {
  const person = await makePerson(app.services, facts)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const see = (username: string, query = '') =>
  app.request(`/rest/v1/users/${encodeURIComponent(username)}${query}`)

const query = (text: string, ...values: unknown[]) => app.services.pool.query(text, values)

describe('the look-up', () => {
  const versionOf = (username: string) => profileVersion(app.services.pool, username)
  const foundBy = async (raw: string) => (await see(raw)).body.username

  test('is by username first, in any case', async () => {
    const ann = await someone({ name: 'Somebody Else', username: 'ann-lookup' })
    await someone({ name: 'Ann Lookup', username: 'another-ann' })
    expect(await foundBy('ann-lookup')).toBe(ann.username)
    expect(await foundBy('Ann-Lookup')).toBe(ann.username)
  })

  test('else by name, with hyphens as spaces, in any case', async () => {
    const maria = await someone({ name: 'María del Mar', username: 'maria-1' })
    expect(await foundBy('maría-del-mar')).toBe(maria.username)
    expect(await foundBy('MARÍA del-mar')).toBe(maria.username)
  })

  test('else by exactly this name', async () => {
    const jean = await someone({ name: 'Jean-Luc P', username: 'captain' })
    expect(await foundBy('Jean-Luc P')).toBe(jean.username)
    // Two people have the name with spaces; only one of them writes it so.
    await someone({ name: 'twin name', username: 'twin-a' })
    const exact = await someone({ name: 'Twin-Name', username: 'twin-b' })
    await someone({ name: 'TWIN NAME', username: 'twin-c' })
    expect(await foundBy('Twin-Name')).toBe(exact.username)
  })

  test('else by the name with each word capitalised', async () => {
    await someone({ name: 'DOUBLE NAME', username: 'double-a' })
    const titled = await someone({ name: 'Double Name', username: 'double-b' })
    await someone({ name: 'double name', username: 'double-c' })
    // Three people in any case, one exactly so.
    expect(await foundBy('dOUBLE-nAME')).toBe(titled.username)
  })

  test('by a name that two people have finds nobody', async () => {
    await someone({ name: 'Same Person', username: 'same-a' })
    await someone({ name: 'Same Person', username: 'same-b' })
    const { status, body } = await see('same-person')
    expect([status, body.message]).toEqual([404, 'User not found'])
  })

  test.each([
    'nobody-at-all',
    '%',
    '_',
    'x'.repeat(10_000),
    '😀',
    '\u202e',
    "'; drop table users; --",
    '\0',
    ' ',
    '00000000-0000-0000-0000-000000000000',
  ])('of %j finds nobody', async (username) => {
    expect((await see(username)).status).toBe(404)
  })

  test('takes the longest username, with blanks around it or signs that cannot be stored in it', async () => {
    const long = await someone({ username: 'y'.repeat(80) })
    expect(await foundBy(` ${'y'.repeat(40)}\0${'y'.repeat(40)} `)).toBe(long.username)
    const named = await someone({ name: 'z'.repeat(80), username: 'long-name' })
    expect(await foundBy('z'.repeat(80))).toBe(named.username)
    expect((await see('y'.repeat(81))).status).toBe(404)
  })

  test('finds nobody who is suspended, who is in nobody’s way, either', async () => {
    const stopped = await someone({ name: 'Stopped Person', username: 'stopped-1' })
    const kept = await versionOf('stopped-1')
    expect(kept).toMatchObject({ id: stopped.id })
    await query('update users set suspended_at = now() where id = $1', stopped.id)
    expect((await see('stopped-1')).status).toBe(404)
    expect((await see('stopped-person')).status).toBe(404)
    expect(await versionOf('stopped-1')).toBeNull()
    const other = await someone({ name: 'Stopped Person', username: 'stopped-2' })
    expect(await foundBy('stopped-person')).toBe(other.username)
  })

  test('finds nobody by name who has no username yet', async () => {
    const newcomer = await someone({ name: 'Not Welcomed' })
    await query('update users set username = null where id = $1', newcomer.id)
    expect((await see('not-welcomed')).status).toBe(404)
    const other = await someone({ name: 'Not Welcomed', username: 'welcomed' })
    expect(await foundBy('not-welcomed')).toBe(other.username)
  })

  test('by email address or id finds nobody', async () => {
    const ann = await someone()
    expect((await see(ann.email)).status).toBe(404)
    expect((await see(ann.id)).status).toBe(404)
  })

  test('uses the index on names', async () => {
    const { rows } = await query(
      `select indexdef from pg_indexes where tablename = 'users' and indexname = 'users_name_lower'`,
    )
    expect(rows[0]?.indexdef).toMatch(/lower\(name\)/)
  })
})

describe('its courses', () => {
  test('are the published ones, newest first, with true counts', async () => {
    const ann = await someone({ name: 'Ann Teacher', bio: 'I teach.' })
    const other = await someone({ name: 'Bob Teacher' })
    const old = await makeCourse(app.services, ann, { publishedAt: new Date(2026, 0, 1) })
    const fresh = await makeCourse(app.services, ann, { publishedAt: new Date(2026, 0, 2) })
    await makeCourse(app.services, ann, { status: 'draft', title: 'A hidden draft' })
    const taken = await makeCourse(app.services, other, { title: 'Taken' })
    const hidden = await makeCourse(app.services, other, { title: 'Hidden again' })
    await joinCourse(app.services, ann, taken, new Date(Date.now() + 86_400_000))
    await joinCourse(app.services, ann, hidden)
    await query(`update courses set status = 'draft' where id = $1`, hidden.id)

    const created = (await see(ann.username, '?tab=created')).body
    expect(created).toMatchObject({ coursesCreated: 2, coursesEnrolled: 3, tab: 'created' })
    expect(created.courses.map(({ id }: { id: string }) => id)).toEqual([fresh.id, old.id])

    // Creators are enrolled in their own courses (spec 1, section 1).
    const enrolled = (await see(ann.username)).body
    expect(enrolled.tab).toBe('enrolled')
    expect(enrolled.courses).toHaveLength(3)
    expect(enrolled.courses[0]).toMatchObject({
      slug: taken.slug,
      title: 'Taken',
      category: 'Tech',
      pricingType: 'free',
      studentsCount: 1,
      instructorName: 'Bob Teacher',
      instructorUsername: other.username,
    })
    expect(JSON.stringify([created, enrolled])).not.toMatch(/hidden/i)
  })

  test('come twelve at a time; the counts stay whole', async () => {
    const ann = await someone()
    const teacher = await someone()
    for (let number = 0; number < 13; number++) {
      await joinCourse(app.services, ann, await makeCourse(app.services, teacher))
    }
    const first = (await see(ann.username)).body
    expect([first.courses.length, first.hasMore, first.coursesEnrolled]).toEqual([12, true, 13])
    const all = (await see(ann.username, '?show=24')).body
    expect([all.courses.length, all.hasMore, all.coursesEnrolled]).toEqual([13, false, 13])
    for (const odd of ['?show=-1', '?show=x', '?show=1e9', '?tab=drafts', '?tab=', '?tab[]=x']) {
      const { status, body } = await see(ann.username, odd)
      expect([status, body.courses.length, body.tab]).toEqual([200, 12, 'enrolled'])
    }
  })
})

describe('the kept page', () => {
  const page = stillPages.find(({ path }) => path.test('/user/ann'))!
  const versionOf = (username: string, search = '') =>
    page.version(app.services, `/user/${username}`.match(page.path)!, new URLSearchParams(search))

  test('is another one after everything that it shows', async () => {
    const ann = await someone()
    const bob = await someone()
    const own = await makeCourse(app.services, ann)
    const taken = await makeCourse(app.services, bob)
    const seen = new Set<string | null>()
    const sees = async (search: string) => {
      const version = await versionOf(ann.username, search)
      expect(seen.has(version)).toBe(false)
      expect(version).toBe(await versionOf(ann.username, search))
      seen.add(version)
    }
    await sees('')
    await joinCourse(app.services, ann, taken)
    await sees('')
    await query(`update courses set title = 'Another title' where id = $1`, taken.id)
    await sees('')
    await query(`update users set name = 'Bob Otherwise' where id = $1`, bob.id)
    await sees('')
    await query(`update users set bio = 'Written' where id = $1`, ann.id)
    await sees('')
    await query(`update users set avatar_url = '/x/256.webp' where id = $1`, ann.id)
    await sees('')
    await query(`update courses set status = 'draft' where id = $1`, own.id)
    await sees('')
    await query('delete from enrollments where course_id = $1 and user_id = $2', taken.id, ann.id)
    await sees('')
    seen.clear()
    await sees('tab=created')
    await query(`update courses set status = 'published' where id = $1`, own.id)
    await sees('tab=created')
    await query(
      `update courses set price_amount = 500, pricing_type = 'monthly' where id = $1`,
      own.id,
    )
    await sees('tab=created')
  })

  test('is none for an address that leads elsewhere or nowhere', async () => {
    const ann = await someone({ name: 'Kept Nowhere' })
    expect(await versionOf('kept-nowhere')).toBe(null)
    expect(page.path.test(`/user/${ann.username.toUpperCase()}`)).toBe(false)
    expect(page.path.test('/user/a%20b')).toBe(false)
  })
})

describe('what is private', () => {
  const canaries = {
    email: 'canary-mail@private.example',
    phone_number: '+4915112345678',
    ip: '203.0.113.77',
    agent: 'canary-agent/1.0',
    token: 'canary-token',
  }

  /** Every address where others meet a person, as JSON; the pages are made of these. */
  async function publicAnswers(username: string, slug: string, cookie?: string) {
    const paths = [
      `/rest/v1/users/${username}`,
      `/rest/v1/users/${username}?tab=created`,
      `/rest/v1/courses/${slug}`,
      '/rest/v1/courses?show=1200',
      '/rest/v1/openapi.json',
      ...(cookie
        ? [`/rest/v1/courses/${slug}/dashboard`, '/rest/v1/dashboard', '/rest/v1/me']
        : []),
    ]
    return Promise.all(
      paths.map(async (path) => {
        const { status, body } = await app.request(path, { cookie })
        expect([path, status]).toEqual([path, 200])
        return JSON.stringify(body)
      }),
    )
  }

  test('is in no answer that others get', async () => {
    const ann = await someone({ name: 'Canary Owner', email: canaries.email, bio: 'A public bio' })
    await query(
      `update users set phone_number = $2, phone_number_verified = true where id = $1`,
      ann.id,
      canaries.phone_number,
    )
    await query(
      `update sessions set ip_address = $2, user_agent = $3 where user_id = $1`,
      ann.id,
      canaries.ip,
      canaries.agent,
    )
    await query(
      `update identities set access_token = $2, refresh_token = $2, id_token = $2 where user_id = $1`,
      ann.id,
      canaries.token,
    )
    const course = await makeCourse(app.services, ann, { title: 'Canary course' })
    const reader = await someone()
    await joinCourse(app.services, reader, course)
    const [lesson] = await lessonsOf(app.services, course.id)
    const answers = [
      ...(await publicAnswers(ann.username, course.slug)),
      ...(await publicAnswers(ann.username, course.slug, reader.cookie)),
      JSON.stringify(
        (
          await app.request(`/rest/v1/courses/${course.slug}/lessons/${lesson!.slug}`, {
            cookie: reader.cookie,
          })
        ).body,
      ),
    ].join('\n')
    // The person is in these answers: it is the rest that is not.
    expect(answers).toContain('Canary Owner')
    expect(answers).toContain('A public bio')
    for (const canary of Object.values(canaries)) expect(answers).not.toContain(canary)
    expect(answers).not.toContain(ann.id)

    const mine = await app.request('/rest/v1/me/profile', { cookie: ann.cookie })
    expect(mine.body.email).toBe(canaries.email)
  })

  test('the profile is this, on each of its tabs', async () => {
    const ann = await someone({ name: 'Ann Whole', bio: 'I knot.' })
    const bob = await someone({ name: 'Bob Whole' })
    await query(
      `update users set website = 'https://ann.example', avatar_url = '/a.webp',
              social_links = '{"x": "@ann", "kick": "ann", "evil": "ann"}' where id = $1`,
      ann.id,
    )
    const course = await makeCourse(app.services, bob, { title: 'Knots' })
    await makeReview(app.services, course, { by: ann, rating: 4, reviewText: 'Good knots' })
    const whole = {
      username: ann.username,
      name: 'Ann Whole',
      bio: 'I knot.',
      website: 'https://ann.example',
      avatarUrl: '/a.webp',
      socialLinks: [
        { platform: 'kick', url: 'https://kick.com/ann' },
        { platform: 'x', url: 'https://x.com/ann' },
      ],
      coursesCreated: 0,
      coursesEnrolled: 1,
      reviewsCount: 1,
      courses: [],
      reviews: [],
      hasMore: false,
    }
    expect((await see(ann.username, '?tab=created')).body).toEqual({ ...whole, tab: 'created' })
    expect((await see(ann.username)).body).toEqual({
      ...whole,
      tab: 'enrolled',
      courses: [expect.objectContaining({ title: 'Knots' })],
    })
    expect((await see(ann.username, '?tab=reviews')).body).toEqual({
      ...whole,
      tab: 'reviews',
      reviews: [expect.objectContaining({ rating: 4, reviewText: 'Good knots' })],
    })
  })

  test('the profile has these fields and no more', async () => {
    const { body } = await see((await someone()).username)
    expect(Object.keys(body).toSorted()).toEqual([
      'avatarUrl',
      'bio',
      'courses',
      'coursesCreated',
      'coursesEnrolled',
      'hasMore',
      'name',
      'reviews',
      'reviewsCount',
      'socialLinks',
      'tab',
      'username',
      'website',
    ])
  })
})
