// What people, programs and attackers send instead of what was asked for: never a 5xx, always a sentence.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { richTextFrom } from '../src/domains/lessons/rich-text.ts'
import { readConfig } from '../src/server/config.ts'
import { startTestApp, type TestApp } from './app.ts'
import { send } from './attacks/send.ts'
import { contractRows, requestOf } from './contract-rows.ts'
import { type Input, inputs, type Target } from './contract-inputs.ts'
import { contentVersion } from './input-makers.ts'
import { makeCourse, makePerson, sessionCookieOf } from './factories.ts'
import { makeTarget } from './make-target.ts'
import { forgetLimits } from './forget-limits.ts'

let app: TestApp
let cookie: string
let target: Target
let instructorId: string
let otherCourseId: string

beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app.services)
  instructorId = owner.id
  cookie = await sessionCookieOf(app.services, owner.id)
  const course = await makeCourse(app.services, owner)
  otherCourseId = (await makeCourse(app.services, owner)).id
  target = await makeTarget(app.services, course)
})
afterAll(() => app.stop())

const deep = (open: string, close: string, times = 3000) => open.repeat(times) + close.repeat(times)

/** Instead of one value somewhere in a valid input. Lone surrogates cross the wire as escapes only. */
const junk: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' \t\n ',
  'not-a-uuid',
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(10_000),
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'NUL \0 inside',
  'lone \ud800 surrogate',
  '\ud800',
  '\u202e\u0007\ufeff\uffff',
  `'; drop table users; --`,
  '%00%ff../../etc/passwd',
  '__proto__',
  [],
  {},
  [null],
  [[[[]]]],
  { toString: 'x', constructor: { prototype: null } },
  {
    type: 'doc',
    content: [
      {
        type: 'text',
        text: 'x',
        marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }],
      },
    ],
  },
]

/** Instead of a whole body. */
const bodies = [
  '',
  ' ',
  '{',
  'not JSON',
  '{"title":"\\ud800"',
  '[]',
  '"text"',
  '5',
  '1e999',
  'null',
  'true',
  '{}',
  '{"__proto__":{"access":"public"},"constructor":5}',
  '\0',
  '\ufeff{}',
  deep('[', ']'),
  deep('{"a":', '}').replace('}', '1}'),
]

/** Copies of `input`, each with one value somewhere replaced or left out. */
function* spoiled(input: unknown): Generator<unknown> {
  if (typeof input !== 'object' || input === null) return
  for (const [key, value] of Object.entries(input)) {
    const withInstead = (instead: unknown) =>
      Array.isArray(input) ? input.with(Number(key), instead) : { ...input, [key]: instead }
    for (const instead of junk) yield withInstead(instead)
    if (!Array.isArray(input)) yield withInstead(undefined)
    for (const inner of spoiled(value)) yield withInstead(inner)
  }
}

interface Attempt {
  /** The owner's by default. */
  cookie?: string
  method: string
  path: string
  body?: string
  type?: string
}

/** Words that belong into our log, not into an answer. */
const internals =
  /node_modules|file:\/\/|\bat \S+ \(|select .* from|insert into|syntax error|violates|ECONN/i

async function expectSentence(attempt: Attempt): Promise<number> {
  const response = await fetch(app.url + attempt.path, {
    method: attempt.method,
    body: attempt.body,
    headers: {
      cookie: attempt.cookie ?? cookie,
      ...(attempt.body === undefined ? {} : { 'content-type': attempt.type ?? 'application/json' }),
    },
    redirect: 'manual',
  })
  const { status } = response
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return status
  }
  const text = await response.text()
  const about = `${attempt.method} ${attempt.path.slice(0, 200)} ${(attempt.body ?? '').slice(0, 300)} → ${status} ${text.slice(0, 300)}`
  expect(status, about).toBeLessThan(500)
  if (status >= 400) {
    const message: unknown = response.headers.get('content-type')?.includes('json')
      ? JSON.parse(text).message
      : text
    expect(message, about).toMatch(/^[^{}[\]]*\w+ \w+/)
    expect(String(message).length, about).toBeLessThan(400)
    expect(message, about).not.toMatch(/Invalid input|Too (big|small)|expected string|Unrecognized/)
    expect(text, about).not.toMatch(internals)
  }
  return status
}

const resetContentVersion = () =>
  app.services.pool.query('update courses set content_version = 1 where id = $1', [otherCourseId])

/** Some at a time: as many as a browser would send. */
async function expectSentences(attempts: Attempt[], atATime = 6): Promise<void> {
  const rest = attempts.values()
  const work = async () => {
    for (const attempt of rest) {
      const status = await expectSentence(attempt)
      // So that the next one is not answered with a conflict or for its number.
      if (status === 200) await resetContentVersion()
      if (status === 429) await forgetLimits(app.services.pool)
    }
  }
  await Promise.all(Array.from({ length: atATime }, work))
}

/** Nothing that an earlier save could have removed, in a course of its own. */
const newContent = () => ({
  courseId: otherCourseId,
  contentVersion: 1,
  chapters: [
    {
      id: undefined,
      title: 'A chapter',
      lessons: [
        {
          id: undefined,
          title: 'A lesson',
          content: richTextFrom('What it says'),
          videoId: null,
          links: [{ id: undefined, title: 'More', url: 'https://example.com', description: 'x' }],
        },
      ],
    },
  ],
})

/** What an input is about: a course of its own where some of the attempts succeed in deleting it. */
async function targetOf(row: { name: string }): Promise<Target> {
  if (row.name !== 'courses.deleteCourse') return target
  return { ...target, courseId: (await makeCourse(app.services, { id: instructorId })).id }
}

/** An address that is not quite one: each becomes one part of the path. */
const oddSegments = [
  '%',
  '%00',
  '%E0%A4%A',
  '%ff',
  '%ed%a0%80',
  '..%2f..%2fetc%2fpasswd',
  '.',
  'x'.repeat(5000),
  '%F0%9F%92%A9',
  ' ',
  '-',
  '*',
]

describe.each(contractRows)('$name', (row) => {
  test('answers junk with a sentence', async () => {
    const isSave = row.name === 'courses.saveCourseContent'
    const valid = isSave ? newContent() : await inputs[row.name]!(await targetOf(row), app.services)
    const attempts: Attempt[] = []
    const base = requestOf(row, valid)
    for (const input of spoiled(valid)) {
      const { path, body } = requestOf(row, input as Input)
      attempts.push({ method: row.method, path, body: body && JSON.stringify(body) })
    }
    for (const name of row.path.match(/\{\w+\}/g) ?? []) {
      for (const segment of oddSegments) {
        const path = requestOf({ ...row, path: row.path.replace(name, segment) }, valid).path
        attempts.push({ method: row.method, path, body: base.body && JSON.stringify(base.body) })
      }
    }
    for (const query of [
      '?%',
      '?a[b][c][d]=1&a=2',
      '?slug[]=x&courseId[]=y',
      '?search=%00&show=-1',
      '?search=a&search=b&cursor=1&cursor=2&sort=x&sort=y',
      '?search[]=a&cursor[0]=1&status[x]=y',
      `?${'a[0]'.repeat(300)}=1`,
      '?__proto__[x]=1',
      '?%ed%a0%80=%ff',
    ]) {
      attempts.push({
        method: row.method,
        path: base.path.split('?')[0] + query,
        body: base.body && JSON.stringify(base.body),
      })
    }
    if (row.method !== 'GET') {
      for (const body of bodies) attempts.push({ method: row.method, path: base.path, body })
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/json; charset=utf-16',
        'nonsense',
      ]) {
        attempts.push({ method: row.method, path: base.path, body: '--x\r\na=1&b[c]=2', type })
      }
    }
    await expectSentences(attempts, isSave ? 1 : 6)
  })
})

/** Instead of a place in a list: what only looks like one. */
const almostPlaces = (cursor: string) => [
  cursor.replace(/[\da-f-]{36}/, '-'.repeat(36)),
  cursor.replace(/[\da-f-]{36}/, 'f'.repeat(36)),
  cursor.replace(/[\da-f-]{36}/, (id) => `${id}0`),
  cursor.replace(/\d+/, '9'.repeat(30)),
  `${cursor}\n`,
]

const lists = contractRows.filter(({ takes }) => takes.includes('cursor'))

test.each(lists)('$name: a cursor that only looks like one is refused in words', async (row) => {
  const { id } = await makePerson(app.services)
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [id])
  const admin = await sessionCookieOf(app.services, id)
  const valid = await inputs[row.name]!(target, app.services)
  const ask = async (cursor: unknown) => {
    const { path } = requestOf(row, { ...valid, cursor })
    const answer = await app.request(path, { cookie: row.access === 'admin' ? admin : cookie })
    return [cursor, answer.status, answer.body.message]
  }
  expect(await ask(valid.cursor)).toEqual([expect.any(String), 200, undefined])
  for (const cursor of almostPlaces(valid.cursor as string)) {
    if (cursor === valid.cursor) continue
    const refused = [cursor, expect.toBeOneOf([400, 422]), expect.stringMatching(/place|page/)]
    expect(await ask(cursor)).toEqual(refused)
  }
  // Beyond any time of ours, and still one.
  const late = (valid.cursor as string).replace(/^\d+/, '9'.repeat(16))
  expect((await ask(late))[1]).toBeLessThan(500)
})

describe('/auth/v1', () => {
  const valid = { name: 'Somebody', email: 'somebody@example.com', password: 'correct horse' }

  test.each(['/auth/v1/sign-up/email', '/auth/v1/sign-in/email', '/auth/v1/sign-out'])(
    '%s answers junk with a sentence',
    async (path) => {
      const attempts: Attempt[] = bodies.map((body) => ({ method: 'POST', path, body }))
      for (const input of spoiled(valid))
        attempts.push({ method: 'POST', path, body: JSON.stringify(input) })
      for (const type of ['text/plain', 'multipart/form-data', 'nonsense']) {
        attempts.push({ method: 'POST', path, body: 'a=b', type })
      }
      attempts.push({ method: 'GET', path }, { method: 'PUT', path, body: '{}' })
      // Signing out would work, and end the owner's session.
      await expectSentences(attempts.map((attempt) => ({ ...attempt, cookie: '' })))
    },
  )

  test('calls that are not open answer 404', async () => {
    for (const path of [
      '/auth/v1/get-session',
      '/auth/v1/update-session',
      '/auth/v1/delete-user',
      '/auth/v1/%2e%2e',
      '/auth/v1/',
    ]) {
      expect(await expectSentence({ method: 'POST', path, body: '{}' })).toBe(404)
    }
  })
})

describe('files', () => {
  test('/storage/v1 answers junk with a sentence', async () => {
    const ids = [...oddSegments, 'not-a-uuid', target.mediaId, target.courseId]
    const attempts = ids.flatMap((id) => [
      { method: 'GET', path: `/storage/v1/videos/${id}` },
      { method: 'GET', path: `/storage/v1/videos/${id}/token/original` },
      { method: 'GET', path: `/storage/v1/videos/${target.mediaId}/${id}/original` },
      { method: 'GET', path: `/storage/v1/videos/${target.mediaId}/token/${id}` },
      { method: 'GET', path: `/storage/v1/videos/${target.mediaId}/token/hls/${id}` },
      { method: 'GET', path: `/storage/v1/videos/${target.mediaId}/token/captions/${id}.vtt` },
      { method: 'GET', path: `/storage/v1/images/${id}/640.webp` },
      { method: 'GET', path: `/storage/v1/images/${target.mediaId}/${id}` },
      { method: 'PATCH', path: `/storage/v1/uploads/${id}`, body: 'x' },
      { method: 'DELETE', path: `/storage/v1/uploads/${id}` },
      { method: 'POST', path: `/storage/v1/uploads/${id}`, body: 'x' },
    ])
    await expectSentences([...attempts, { method: 'POST', path: '/storage/v1/uploads', body: 'x' }])
  })

  test('tus headers of any kind are answered', async () => {
    const headers = [
      '',
      '-1',
      '1e9',
      'NaN',
      '99999999999999999999',
      'x'.repeat(4000),
      ',',
      'purpose',
      'purpose !!!!',
      `purpose ${'A'.repeat(3000)}`,
    ]
    for (const value of headers) {
      for (const name of ['upload-length', 'upload-metadata', 'upload-offset', 'tus-resumable']) {
        const response = await fetch(`${app.url}/storage/v1/uploads`, {
          method: 'POST',
          headers: { cookie, 'tus-resumable': '1.0.0', 'upload-length': '100', [name]: value },
        })
        expect(response.status, `${name}: ${value.slice(0, 40)}`).toBeGreaterThanOrEqual(400)
        expect(response.status, `${name}: ${value.slice(0, 40)}`).toBeLessThan(500)
        await response.body?.cancel()
      }
    }
  })
})

describe('the sentences', () => {
  const create = (body: Input) => app.request('/rest/v1/courses', { body, cookie })

  test('name the limit', async () => {
    const title = await create({
      ...(await inputs['courses.createCourse']!(target, app.services)),
      title: 'x'.repeat(10_000),
    })
    expect(title.status).toBe(422)
    expect(title.body.message).toBe('Course title can have at most 120 characters')
  })

  test('name what is missing', async () => {
    const { body } = await create({ title: ' ', category: 'Tech', description: null })
    expect(body.message).toBe('Course title is required')
  })

  test('name an email address that has an account', async () => {
    const { email } = await app.signUp()
    const again = await app.request('/auth/v1/sign-up/email', {
      body: { name: 'Somebody', email: email.toUpperCase(), password: 'correct horse' },
    })
    expect(again.status).toBeGreaterThanOrEqual(400)
    expect(again.status).toBeLessThan(500)
    expect(again.body.message).toMatch(/exists/i)
  })
})

test.each([
  ['a host that is a number beyond all addresses', '/rest/v1/me', { host: '9'.repeat(26) }, 400],
  ['NUL in a search for payments', '/rest/v1/payment-events?search=%00', {}, 200],
])('%s is answered', async (_name, path, headers, status) => {
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [instructorId])
  // fetch would send the host of the address.
  const answer = await send(app.url, { method: 'GET', path, headers: { cookie, ...headers } })
  await app.services.pool.query('update users set role = default where id = $1', [instructorId])
  expect(answer.status, answer.text).toBe(status)
})

test('a position too small for the database is the beginning', async () => {
  const saved = await app.request(`/rest/v1/lessons/${target.lessonId}/position`, {
    method: 'PUT',
    cookie,
    body: { seconds: 5e-324, duration: 1e-300 },
  })
  expect([saved.status, saved.body.seconds]).toEqual([200, 0])
})

test('a save with something wrong in its last lesson saves nothing', async () => {
  const path = `/rest/v1/courses/${target.courseId}/content`
  const before = await app.request(path, { cookie })
  const { body } = requestOf(
    contractRows.find(({ name }) => name === 'courses.saveCourseContent')!,
    await inputs['courses.saveCourseContent']!(target, app.services),
  )
  const chapters = [
    { title: 'New', lessons: [{ title: 'New', content: null }] },
    { title: 'Wrong', lessons: [{ title: 'Stolen', id: crypto.randomUUID(), content: null }] },
  ]
  const save = (changed: unknown) =>
    app.request(path, { method: 'PUT', cookie, body: { ...body, chapters: changed } })
  expect((await save(chapters)).status).toBeGreaterThanOrEqual(400)
  const content = { type: 'doc', content: [{ type: 'paragraph' }] }
  const withContent = chapters.map((chapter) => ({
    ...chapter,
    lessons: chapter.lessons.map((lesson) => ({ ...lesson, content })),
  }))
  expect((await save(withContent)).status).toBe(400)
  expect((await app.request(path, { cookie })).body).toEqual(before.body)
})

test('script in every text comes back as text', async () => {
  const script = '<script>alert(1)</script>'
  const path = `/rest/v1/courses/${target.courseId}/content`
  const saved = await app.request(path, {
    method: 'PUT',
    cookie,
    body: {
      contentVersion: await contentVersion(app.services, target.courseId),
      chapters: [
        {
          title: script,
          lessons: [
            {
              title: script,
              content: {
                type: 'doc',
                content: [{ type: 'paragraph', content: [{ type: 'text', text: script }] }],
              },
              links: [{ title: script, url: 'https://example.com' }],
            },
          ],
        },
      ],
    },
  })
  expect(saved.status).toBe(200)
  expect(saved.body.chapters[0]).toMatchObject({
    title: script,
    lessons: [{ title: script, links: [{ title: script }] }],
  })
  const unsafe = await app.request(path, {
    method: 'PUT',
    cookie,
    body: {
      contentVersion: saved.body.contentVersion,
      chapters: [
        {
          title: 'x',
          lessons: [
            {
              title: 'x',
              content: saved.body.chapters[0].lessons[0].content,
              links: [{ title: 'x', url: 'javascript:alert(1)' }],
            },
          ],
        },
      ],
    },
  })
  expect(unsafe.status).toBe(400)
})

test('the owner still has the course after all this', async () => {
  const { rows } = await app.services.pool.query(
    'select id from courses where instructor_id = $1',
    [instructorId],
  )
  expect(rows).toContainEqual({ id: target.courseId })
})

describe('a wrong configuration stops the start with a sentence', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT is "eighty", but it must be a number.'],
    [{ PORT: '70000' }, 'PORT is "70000", but it must be 0 to 65535.'],
    [
      { APP_URL: 'thunder.example' },
      'APP_URL is "thunder.example", but it must be an address that starts with http:// or https://.',
    ],
    [
      { APP_URL: 'https://example.com/school' },
      'APP_URL is "https://example.com/school", but it must have nothing behind the host.',
    ],
    [
      { MAIL_FROM: 'The School' },
      'MAIL_FROM is "The School", but it must have an email address, as in School <school@example.com>.',
    ],
    [
      { GOOGLE_CLIENT_ID: 'google' },
      'GOOGLE_CLIENT_SECRET is missing: it belongs to GOOGLE_CLIENT_ID. Set both, or none.',
    ],
    [
      { GITHUB_CLIENT_SECRET: 'github' },
      'GITHUB_CLIENT_ID is missing: it belongs to GITHUB_CLIENT_SECRET. Set both, or none.',
    ],
    [
      { OIDC_DISCOVERY_URL: 'https://id.example/.well-known/openid-configuration' },
      'OIDC_CLIENT_ID is missing: it belongs to OIDC_DISCOVERY_URL. Set both, or none.',
    ],
    [
      { SMS_WEBHOOK_URL: 'https://school:hunter2@sms.example/send' },
      'SMS_WEBHOOK_URL must have no user name and no password in it.',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://school:hunter2@traces.example' },
      'OTEL_EXPORTER_OTLP_ENDPOINT must have no user name and no password in it.',
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=100%',
      },
      'OTEL_EXPORTER_OTLP_HEADERS must have its percent signs written as %25.',
    ],
    [
      { DATABASE_URL: 'mysql://x/y' },
      'DATABASE_URL must be an address that starts with postgres:// or postgresql://.',
    ],
    [{ SMTP_URL: 'http://x' }, 'SMTP_URL must be an address that starts with smtp:// or smtps://.'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY is "yes", but it must be on or off.'],
    [{ VIDEO_MAX_MB: '0' }, 'VIDEO_MAX_MB is "0", but it must be at least 1.'],
    [{ VIDEO_MAX_MB: '1.5' }, 'VIDEO_MAX_MB is "1.5", but it must be a whole number.'],
    [{ BUILT_WITH_BADGE: '1' }, 'BUILT_WITH_BADGE is "1", but it must be on or off.'],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL is "loud", but it must be debug, info, warn, error or silent.',
    ],
  ])('%o', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence)
  })

  test('one sentence per wrong value, and the secret is not repeated', () => {
    const read = () => readConfig({ PORT: '-1', VIDEO_MAX_MB: 'many', AUTH_SECRET: 'hunter2' })
    expect(read).toThrow('PORT is "-1", but it must be 0 to 65535.')
    expect(read).toThrow('AUTH_SECRET must have at least 32 characters.')
    expect(read).toThrow('VIDEO_MAX_MB is "many", but it must be a number.')
    expect(read).not.toThrow(/hunter2/)
  })

  test('an empty value counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
    })
  })

  test.each(['school@example.com', 'School <school@example.com>', '"A, B" <a@example.com>'])(
    'mails may come from %s',
    (sender) => {
      expect(readConfig({ MAIL_FROM: sender }).mailFrom).toBe(sender)
    },
  )
})
