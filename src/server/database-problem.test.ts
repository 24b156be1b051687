import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Client, DatabaseError } from 'pg'
import { type Person, startTestApp, type TestApp } from '../../test/app.ts'
import { startLine } from '../../test/cut-line.ts'
import { joinCourse, lessonsOf, makeCourse } from '../../test/factories.ts'
import { patience } from '../../test/patience.ts'
import { everydayBody } from './body-limits.ts'
import {
  databaseConflict,
  databaseFull,
  databaseProblem,
  databaseProblemOf,
} from './database-problem.ts'

const errorOf = (code: string) => Object.assign(new DatabaseError('', 0, 'error'), { code })
const networkError = (code: string) => Object.assign(new Error(code), { code, syscall: 'connect' })

describe('what is said', () => {
  test.each([
    ['shut down', errorOf('57P01'), databaseProblem],
    ['starting', errorOf('57P03'), databaseProblem],
    ['without connections to give', errorOf('53300'), databaseProblem],
    ['without memory to give', errorOf('53200'), databaseProblem],
    ['without its disk', errorOf('58030'), databaseProblem],
    ['not let write its files', errorOf('42501'), databaseProblem],
    [
      'ended by what went wrong',
      Object.assign(errorOf('XX000'), { severity: 'PANIC' }),
      databaseProblem,
    ],
    ['a standby', errorOf('25006'), databaseProblem],
    ['full', errorOf('53100'), databaseFull],
    ['asked for what two want at once', errorOf('40P01'), databaseConflict],
    ['not there', networkError('ECONNREFUSED'), databaseProblem],
    [
      'at no address of several',
      new AggregateError([networkError('ECONNREFUSED')]),
      databaseProblem,
    ],
    ['gone', new Error('Connection terminated unexpectedly'), databaseProblem],
    ['busy', new Error('timeout exceeded when trying to connect'), databaseProblem],
    ['inside another error', new Error('query', { cause: errorOf('57P02') }), databaseProblem],
    ['told of a mistake', errorOf('23505'), null],
    [
      'not what failed',
      new TypeError('fetch failed', { cause: networkError('ECONNREFUSED') }),
      null,
    ],
    ['fine', new Error('another'), null],
    ['nothing at all', undefined, null],
  ])('of a database that is %s', (_what, error, words) => {
    expect(databaseProblemOf(error)).toBe(words)
  })
})

describe('while the database is away', () => {
  let standing: TestApp
  let app: TestApp
  let line: Awaited<ReturnType<typeof startLine>>
  let person: Person
  let lessonId: string
  let courseId: string
  beforeAll(async () => {
    const AUTH_SECRET = 'of both nodes'.padEnd(32, '.')
    standing = await startTestApp({ AUTH_SECRET })
    line = await startLine(standing.databaseUrl)
    app = await startTestApp({ AUTH_SECRET, DATABASE_URL: line.url, JOBS: 'off' })
    person = await standing.signUp()
    const course = await makeCourse(standing.services, await standing.signUp())
    await joinCourse(standing.services, person, course)
    const [lesson] = await lessonsOf(standing.services, course.id)
    lessonId = lesson!.id
    courseId = course.id
  })
  afterAll(async () => {
    await app.stop()
    await standing.stop()
  })

  const complete = () =>
    app.request(`/rest/v1/lessons/${lessonId}/completion`, {
      method: 'PUT',
      cookie: person.cookie,
    })

  test('every door says so, and opens again by itself', async () => {
    expect((await app.request('/healthz')).status).toBe(200)
    await line.cut()
    const { cookie, email } = person
    const asked = {
      reading: await app.request('/rest/v1/notifications', { cookie }),
      writing: await complete(),
      'logging in': await app.request('/auth/v1/sign-in/email', {
        body: { email, password: 'correct horse' },
      }),
      'logging out': await app.request('/auth/v1/sign-out', { cookie, body: {} }),
      'a mailed link': await app.request('/auth/v1/magic-link/verify?token=good'),
      'a passkey': await app.request('/auth/v1/passkey/generate-authenticate-options'),
      'signing up': await app.request('/auth/v1/sign-up/email', {
        body: { name: 'Nobody', email: 'nobody@example.com', password: 'correct horse' },
      }),
      'a function': await app.request('/functions/v1/stripe-checkout', { cookie, body: {} }),
      // Nobody can say whether this person may send as much.
      'writing much': await app.request(`/rest/v1/courses/${courseId}/content`, {
        method: 'PUT',
        body: JSON.stringify({ title: 'x'.repeat(everydayBody) }),
        cookie,
      }),
      health: await app.request('/healthz'),
    }
    for (const [what, { status, body }] of Object.entries(asked)) {
      expect([what, status, body.message]).toEqual([what, 503, databaseProblem])
    }
    const upload = await app.request('/storage/v1/uploads', {
      method: 'POST',
      cookie,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '10',
        'upload-metadata': 'purpose YXZhdGFy',
      },
    })
    expect([upload.status, JSON.stringify(upload.body)]).toEqual([
      503,
      expect.stringContaining(databaseProblem),
    ])
    const page = await app.request('/sitemap.xml?q="><b>', {
      headers: { accept: 'text/html', cookie },
    })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ])
    expect(page.body).toContain(databaseProblem)
    expect(page.body).not.toContain('"><b>')
    await line.mend()
    await vi.waitFor(async () => expect((await app.request('/healthz')).status).toBe(200), patience)
    // The log-out did not happen either.
    expect(asked['logging out'].headers.getSetCookie()).toEqual([])
    expect((await complete()).status).toBe(200)
  })

  test('who was in the middle is told that it may not be saved', async () => {
    const other = new Client({ connectionString: standing.databaseUrl })
    await other.connect()
    await other.query('begin')
    await other.query('lock table lesson_completions in access exclusive mode')
    const writing = complete()
    await vi.waitFor(async () => {
      const { rows } = await other.query(
        `select 1 from pg_locks where not granted and database = (
           select oid from pg_database where datname = current_database())`,
      )
      expect(rows).toHaveLength(1)
    }, patience)
    await line.cut()
    const { status, body } = await writing
    expect([status, body.message]).toEqual([503, databaseProblem])
    await other.end()
    await line.mend()
  })
})
