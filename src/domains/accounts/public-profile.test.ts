// What others see of a person: how they find the profile, what is on it, and what never is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { stillPages } from '../../still-pages.ts'

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
    await joinCourse(app.services, ann, taken, new Date(2027, 0, 3))
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
