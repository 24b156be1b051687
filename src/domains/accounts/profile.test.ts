// A person's own profile: what it takes, what it refuses, and that no edit gets lost.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import type { MyProfile } from './schema.ts'

interface Signed {
  id: string
  name: string
  username: string
  cookie: string
}

let app: TestApp
let ann: Signed

async function someone(facts: { name?: string; username?: string } = {}): Promise<Signed> {
  const person = await makePerson(app.services, facts)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  ann = await someone({ name: 'Ann Lee' })
})
afterAll(() => app?.stop())

const profile = async (person = ann): Promise<MyProfile> =>
  (await app.request('/rest/v1/me/profile', { cookie: person.cookie })).body

async function save(changes: Record<string, unknown>, person = ann, version?: string) {
  const from = version ?? (await profile(person)).version
  return app.request('/rest/v1/me/profile', {
    method: 'PATCH',
    cookie: person.cookie,
    body: { version: from, ...changes },
  })
}

const publicly = async (username: string) => app.request(`/rest/v1/users/${username}`)

const noSocial = {
  kick: '',
  linkedin: '',
  medium: '',
  rumble: '',
  tiktok: '',
  twitch: '',
  x: '',
  youtube: '',
}

describe('saving', () => {
  test('keeps every field, and the next page shows it', async () => {
    const { status, body } = await save({
      name: '  Ann   B. Lee ',
      bio: ' First line\r\nsecond line ',
      website: 'https://ann.example/blog',
      social: { x: '@ann', youtube: 'https://www.youtube.com/@ann' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Ann B. Lee',
      bio: 'First line\nsecond line',
      website: 'https://ann.example/blog',
      social: { ...noSocial, x: '@ann', youtube: 'https://www.youtube.com/@ann' },
      username: ann.username,
    })
    expect(await profile()).toEqual(body)
    expect((await publicly(ann.username)).body).toMatchObject({
      name: 'Ann B. Lee',
      bio: 'First line\nsecond line',
      website: 'https://ann.example/blog',
      socialLinks: [
        { platform: 'x', url: 'https://x.com/ann' },
        { platform: 'youtube', url: 'https://www.youtube.com/@ann' },
      ],
    })
    expect((await app.request('/rest/v1/me', { cookie: ann.cookie })).body.name).toBe('Ann B. Lee')
  })

  test('changes only what is set; an emptied field is empty', async () => {
    await save({ bio: 'A bio', website: 'https://ann.example', social: { kick: 'ann', x: 'ann' } })
    await save({ social: { kick: '' } })
    expect(await profile()).toMatchObject({
      name: 'Ann Lee',
      bio: 'A bio',
      website: 'https://ann.example',
      social: { ...noSocial, x: 'ann' },
    })
    await save({ bio: '', website: ' ' })
    expect(await profile()).toMatchObject({ bio: '', website: '' })
  })

  test('a new name shows on courses at once; the username stays', async () => {
    const course = await makeCourse(app.services, ann)
    await save({ name: 'Anna Li' })
    const page = await app.request(`/rest/v1/courses/${course.slug}`)
    expect(page.body).toMatchObject({
      instructorName: 'Anna Li',
      instructorUsername: ann.username,
      instructor: { name: 'Anna Li', username: ann.username },
    })
  })

  test('neither email, role, verified nor id can be set', async () => {
    const { status, body } = await save({
      bio: 'x',
      email: 'mallory@example.com',
      role: 'admin',
      verified: true,
      emailVerified: false,
      id: crypto.randomUUID(),
      avatarUrl: 'https://evil.example/x.png',
    })
    expect(status).toBe(200)
    expect(body.avatarUrl).toBe(null)
    const { rows } = await app.services.pool.query(
      'select role, verified, email_verified, avatar_url, email from users where id = $1',
      [ann.id],
    )
    expect(rows).toEqual([
      {
        role: 'user',
        verified: false,
        email_verified: true,
        avatar_url: null,
        email: (await profile()).email,
      },
    ])
  })
})

describe('two edits at once', () => {
  test('the second is told, and nothing is lost', async () => {
    const { version } = await profile()
    expect((await save({ bio: 'From the phone' }, ann, version)).status).toBe(200)
    const late = await save({ bio: 'From the desk', name: 'Other Name' }, ann, version)
    expect(late).toMatchObject({ status: 409, body: { code: 'PROFILE_CHANGED' } })
    expect(late.body.message).toMatch(/changed in another tab/)
    expect(await profile()).toMatchObject({ bio: 'From the phone', name: 'Ann Lee' })
  })

  test('the very same once more, as after an answer that was lost, is saved', async () => {
    const { version } = await profile()
    const said = { bio: 'From the train', social: { x: '@train' } }
    const first = await save(said, ann, version)
    expect(first.status).toBe(200)
    const again = await save(said, ann, version)
    expect([again.status, again.body]).toEqual([200, first.body])
    const other = { ...said, social: { x: '' } }
    expect((await save(other, ann, version)).status).toBe(409)
    expect((await save({ ...said, name: 'Other Name' }, ann, version)).status).toBe(409)
  })

  test('of twenty that start from the same version one is saved', async () => {
    const { version } = await profile()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => save({ bio: `Bio ${number}` }, ann, version)),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const winner = answers.find(({ status }) => status === 200)!
    expect(await profile()).toEqual(winner.body)
  })

  test('a change of something else is no conflict', async () => {
    const { version } = await profile()
    await app.services.pool.query('update users set email_verified = false where id = $1', [ann.id])
    expect((await save({ bio: 'Still fine' }, ann, version)).status).toBe(200)
  })
})

describe('the username', () => {
  test('moves the profile; the old address is free again', async () => {
    const fresh = `ann-${crypto.randomUUID().slice(0, 8)}`
    expect((await save({ username: fresh })).status).toBe(200)
    expect((await publicly(fresh)).body.username).toBe(fresh)
    const other = await someone()
    expect((await save({ username: ann.username }, other)).status).toBe(200)
  })

  test('of somebody else is refused with words', async () => {
    const other = await someone({ username: `taken-${crypto.randomUUID().slice(0, 8)}` })
    const { status, body } = await save({ username: other.username })
    expect([status, body.code, body.message]).toEqual([
      409,
      'USERNAME_TAKEN',
      'This username is taken. Please choose another one.',
    ])
    expect((await profile()).username).toBe(ann.username)
  })

  test('that twenty people want at once goes to one of them', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => someone()))
    const answers = await Promise.all(people.map((person) => save({ username: 'wanted' }, person)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  test('with a number leaves newcomers of that name their way in', async () => {
    await save({ username: 'zoe-zimmer-999999999' })
    const other = await someone()
    await save({ username: 'zoe-zimmer-2' }, other)
    const newcomers = await Promise.all(
      Array.from({ length: 4 }, () => app.signUp({ name: 'Zoe Zimmer' })),
    )
    const names = await Promise.all(
      newcomers.map(
        async ({ cookie }) => (await app.request('/rest/v1/me', { cookie })).body.username,
      ),
    )
    expect(names.toSorted()).toEqual(['zoe-zimmer', 'zoe-zimmer-3', 'zoe-zimmer-4', 'zoe-zimmer-5'])
  })

  test('that is the id of another person is kept for that person', async () => {
    const other = await someone()
    expect((await save({ username: other.id })).status).toBe(409)
    expect((await save({ username: ann.id })).status).toBe(200)
  })

  test.each([
    ['', 'Username is required'],
    ['   ', 'Username is required'],
    ['Ann', /lower-case letters/],
    ['ann lee', /lower-case letters/],
    ['ann--lee', /lower-case letters/],
    ['-ann', /lower-case letters/],
    ['ann/../admin', /lower-case letters/],
    ['<script>', /lower-case letters/],
    ['émilie', /lower-case letters/],
    ['😀', /lower-case letters/],
    ['\u202eann', /lower-case letters/],
    ['x'.repeat(81), 'Username can have at most 80 characters'],
    ['x'.repeat(10_000), 'Username can have at most 80 characters'],
  ])('%j is refused', async (username, words) => {
    const { status, body } = await save({ username })
    expect(status).toBe(422)
    expect(body.message).toMatch(words)
    expect(body.data.fields[0].path).toBe('username')
  })
})

describe('the other fields', () => {
  test.each([
    ['name', '', 'Display name is required'],
    ['name', ' \t\n ', 'Display name is required'],
    ['name', 'A', 'Display name must be at least 2 characters long'],
    ['name', ' A ', 'Display name must be at least 2 characters long'],
    ['name', 'x'.repeat(81), 'Display name can have at most 80 characters'],
    ['name', 'x'.repeat(10_000), 'Display name can have at most 80 characters'],
    ['name', 5, 'Display name is required'],
    ['bio', 'x'.repeat(1001), 'Bio can have at most 1,000 characters'],
    ['bio', 'x'.repeat(10_000), 'Bio can have at most 1,000 characters'],
    ['bio', null, 'Bio must be text'],
    ['website', 'ann.example', 'Website must be an address that starts with http:// or https://'],
    [
      'website',
      'javascript:alert(1)',
      'Website must be an address that starts with http:// or https://',
    ],
    [
      'website',
      'data:text/html,x',
      'Website must be an address that starts with http:// or https://',
    ],
    ['website', 'https://', 'Website must be an address that starts with http:// or https://'],
    ['website', `https://${'x'.repeat(10_000)}`, 'Website can have at most 2,000 characters'],
  ])('%s refuses %j', async (field, value, words) => {
    const before = await profile()
    const { status, body } = await save({ [field]: value })
    expect([status, body.message, body.data.fields[0].path]).toEqual([422, words, field])
    expect(await profile()).toEqual(before)
  })

  test.each(Object.keys(noSocial))('the link to %s refuses what is none', async (platform) => {
    for (const [value, words] of [
      ['javascript:alert(1)', /must be a handle, or an address/],
      ['JAVA\tSCRIPT:alert(1)', /must be a handle, or an address/],
      ['data:text/html,<script>alert(1)</script>', /must be a handle, or an address/],
      ['x'.repeat(201), /at most 200 characters/],
      ['x'.repeat(10_000), /at most 200 characters/],
      ['@', /needs a handle/],
      [7, /must be text/],
    ] as const) {
      const { status, body } = await save({ social: { [platform]: value } })
      expect(status).toBe(422)
      expect(body.message).toMatch(words)
      expect(body.data.fields[0].path).toBe(`social.${platform}`)
    }
    expect((await profile()).social).toEqual(noSocial)
  })

  test('a platform that nobody knows is not kept', async () => {
    expect((await save({ social: { evil: 'javascript:alert(1)', x: 'ann' } })).status).toBe(200)
    const { rows } = await app.services.pool.query('select social_links from users where id = $1', [
      ann.id,
    ])
    expect(rows).toEqual([{ social_links: { x: 'ann' } }])
  })

  test.each(['😀😀', 'ab\u202edc', '李小龍', 'مرحبا', '<script>alert(1)</script>', '&amp; <b>'])(
    '%j is text as good as any',
    async (text) => {
      expect((await save({ name: text, bio: text, social: { x: text } })).status).toBe(200)
      expect(await profile()).toMatchObject({ name: text, bio: text })
      const { body } = await publicly(ann.username)
      expect(body).toMatchObject({ name: text, bio: text })
      expect(body.socialLinks[0].url).toMatch(/^https:\/\/x\.com\/[^"<>\s]+$/)
    },
  )

  test('what PostgreSQL cannot store is dropped', async () => {
    const body = `{"version":"${(await profile()).version}","name":"A\\u0000nn","bio":"lone \\ud800 half","social":{"x":"a\\u0000b"}}`
    const answer = await app.request('/rest/v1/me/profile', {
      method: 'PATCH',
      body,
      cookie: ann.cookie,
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ name: 'Ann', bio: 'lone \ufffd half', social: { x: 'ab' } })
  })

  test('a save without the version it started from is refused', async () => {
    for (const body of [{ bio: 'x' }, { bio: 'x', version: 5 }, {}]) {
      const answer = await app.request('/rest/v1/me/profile', {
        method: 'PATCH',
        body,
        cookie: ann.cookie,
      })
      expect(answer.status).toBe(422)
      expect(answer.body.message).toBe('The version of the profile is missing')
    }
  })
})
