// Nothing tells a stranger who has an account: answers are the same in their words, and in the work that is done
// for them. Sign-up alone says that an address is taken (spec 1, section 8), and is limited for that.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { makeCourse, makePerson, sessionCookieOf, type MadePerson } from '../factories.ts'

let app: TestApp
let known: MadePerson
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  known = await makePerson(app.services)
})
beforeEach(async () => {
  await app.services.pool.query('delete from rate_limits')
})
afterAll(() => app?.stop())

const unknown = 'nobody-at-all@example.com'

/** An answer without what is different in each: the time, and the address that was asked about. */
const said = (
  { status, body, headers }: Awaited<ReturnType<TestApp['request']>>,
  email: string,
) => ({
  status,
  body: JSON.stringify(body).replaceAll(email, 'the address'),
  headers: [...headers.keys()].filter((name) => !name.startsWith('x-')).toSorted(),
})

const asked: [what: string, path: string, more: Record<string, unknown>][] = [
  ['a wrong password', '/sign-in/email', { password: 'not the password' }],
  ['an empty password', '/sign-in/email', { password: '' }],
  ['a forgotten password', '/request-password-reset', { redirectTo: '/reset-password' }],
  ['a log-in link', '/sign-in/magic-link', { callbackURL: '/dashboard' }],
  ['a code', '/email-otp/send-verification-otp', { type: 'sign-in' }],
  ['a confirmation', '/send-verification-email', { callbackURL: '/dashboard' }],
  ['a wrong code', '/sign-in/email-otp', { otp: '000000' }],
  [
    'a wrong code for a new password',
    '/email-otp/reset-password',
    { otp: '000000', password: 'correct horse 2' },
  ],
]

describe('is answered alike for who has an account and who has none', () => {
  test.each(asked)('%s', async (_what, path, more) => {
    const answers = []
    for (const email of [known.email, unknown]) {
      const answer = await app.request(`/auth/v1${path}`, { body: { email, ...more } })
      answers.push(said(answer, email))
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]!.status).not.toBe(404)
  })

  test('the work is the same, too: a password is hashed either way', async () => {
    const { password } = await app.services.auth.$context
    const verify = vi.spyOn(password, 'verify')
    const hash = vi.spyOn(password, 'hash')
    const work = []
    for (const email of [known.email, unknown]) {
      verify.mockClear()
      hash.mockClear()
      await app.request('/auth/v1/sign-in/email', { body: { email, password: 'not this' } })
      work.push(verify.mock.calls.length + hash.mock.calls.length)
    }
    expect(work).toEqual([1, 1])
    vi.restoreAllMocks()
  })

  test('the same statements are sent while somebody waits for a mail', async () => {
    const counts = []
    for (const email of [known.email, unknown]) {
      const before = vi.spyOn(app.services.pool, 'query')
      await app.request('/auth/v1/request-password-reset', { body: { email } })
      counts.push(before.mock.calls.length)
      before.mockRestore()
    }
    expect(counts[0]).toBe(counts[1])
  })
})

test('who invites a list is not told which of the addresses have an account', async () => {
  const creator = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, creator.id)
  const course = await makeCourse(app.services, creator)
  const answers = []
  for (const email of [known.email, unknown]) {
    const { status, body } = await app.request(`/rest/v1/courses/${course.id}/invitations/csv`, {
      body: { csv: email, dryRun: true },
      cookie,
    })
    expect(status).toBe(200)
    answers.push(JSON.stringify(body).replaceAll(email, 'the address'))
  }
  expect(answers[0]).toBe(answers[1])
})
