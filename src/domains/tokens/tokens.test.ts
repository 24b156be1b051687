// Personal access tokens: made, shown once, used by programs, and ended.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { type Answer, type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import {
  makeCourse,
  type MadePerson,
  makePerson,
  personalTokenOf,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/mailbox.ts'
import { watchStatements } from '../../../test/statements.ts'
import { tokenQuota } from '../../server/token-limits.ts'
import { removeExpired } from '../accounts/remove-expired.ts'
import { mostTokens } from './rules.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp()
  person = await app.signUp({ name: 'Ada' })
})
afterAll(() => app?.stop())

const wanted = { name: 'My shop', scopes: ['profile:read', 'courses:read'], expiresInDays: 30 }
const make = (cookie: string, change: object = {}) =>
  app.request('/rest/v1/me/tokens', { cookie, body: { ...wanted, ...change } })
const list = async (cookie: string) => (await app.request('/rest/v1/me/tokens', { cookie })).body
const revoke = (cookie: string, id: string) =>
  app.request(`/rest/v1/me/tokens/${id}`, { method: 'DELETE', cookie })
const as = (token: string, path = '/rest/v1/me/profile', headers: Record<string, string> = {}) =>
  app.request(path, { headers: { authorization: `Bearer ${token}`, ...headers } })

const invalid = 'This access token is not valid: it is unknown, expired or revoked.'
function expectInvalid({ status, body, headers }: Answer) {
  expect([status, body.message]).toEqual([401, invalid])
  expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
}

/** As who is signed out is refused. */
async function expectNotMade({ id }: { id: string }, { status, body }: Answer) {
  expect([status, body.message]).toEqual([401, 'User must be authenticated'])
  const { rows } = await app.services.pool.query(
    'select 1 from personal_tokens where user_id = $1',
    [id],
  )
  expect(rows).toEqual([])
}

describe('a token', () => {
  test('is shown once, kept as a hash, and does what its owner chose', async () => {
    const { status, body } = await make(person.cookie)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^pat_[0-9A-Za-z]{38}$/)
    expect(body.token).toEqual({
      id: expect.any(String),
      name: 'My shop',
      ending: body.secret.slice(-4),
      scopes: ['profile:read', 'courses:read'],
      expiresAt: expect.any(String),
      isExpired: false,
      lastUsedAt: null,
      createdAt: expect.any(String),
    })
    const days = (Date.parse(body.token.expiresAt) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
    const profile = await as(body.secret)
    expect([profile.status, profile.body.email]).toEqual([200, person.email])
    expect((await as(body.secret, '/rest/v1/earnings')).status).toBe(403)

    const { tokens } = await list(person.cookie)
    expect(tokens).toEqual([{ ...body.token, lastUsedAt: expect.any(String) }])
    const { rows } = await app.services.pool.query(
      'select row_to_json(t)::text as row from personal_tokens t',
    )
    expect(JSON.stringify(rows)).not.toContain(body.secret.slice(4, 20))
    await mailTo(app, person.email, /^An access token was made for your account$/)
  })

  test('can live for ever, and is named in any letters', async () => {
    const owner = await app.signUp()
    const { body } = await make(owner.cookie, { name: ' Łódź  ⚡ ', expiresInDays: null })
    expect([body.token.name, body.token.expiresAt]).toEqual(['Łódź ⚡', null])
  })

  test.each([
    [{ name: '' }, 'A name is required'],
    [{ name: 'x'.repeat(61) }, 'A name can have at most 60 characters'],
    [{ scopes: [] }, 'Choose at least one thing that the token may do'],
    [{ scopes: ['everything'] }, /must be one of: profile:read/],
    [{ expiresInDays: 7 }, 'A token is good for 30, 90 or 365 days, or for ever'],
  ])('%j is refused in words', async (change, message) => {
    const { status, body } = await make(person.cookie, change)
    expect(status).toBe(422)
    expect(body.message).toMatch(message)
  })

  test('is made by who proved lately to be the owner, in the session itself', async () => {
    const owner = await app.signUp()
    await app.services.pool.query(
      `update sessions set proven_at = now() - interval '16 minutes' where user_id = $1`,
      [owner.id],
    )
    const late = await make(owner.cookie)
    expect([late.status, late.body.code]).toEqual([403, 'PROOF_NEEDED'])
    const proof = { body: { password: 'correct horse' }, cookie: owner.cookie }
    expect((await app.request('/auth/v1/verify-password', proof)).status).toBe(200)
    expect((await make(owner.cookie)).status).toBe(200)
    const { body: short } = await app.request('/auth/v1/token', { cookie: owner.cookie })
    const byShort = await app.request('/rest/v1/me/tokens', {
      body: wanted,
      headers: { authorization: `Bearer ${short.token}` },
    })
    expect([byShort.status, byShort.body.message]).toEqual([
      403,
      'This takes a log-in, not a token.',
    ])
  })

  test(`is one of ${mostTokens} at most, also when many are made at once`, async () => {
    const owner = await app.signUp()
    const made = await Promise.all(Array.from({ length: 25 }, () => make(owner.cookie)))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(mostTokens)
    const refused = made.find(({ status }) => status !== 200)!
    expect([refused.status, refused.body.code]).toEqual([409, 'TOO_MANY_TOKENS'])
    expect((await list(owner.cookie)).tokens).toHaveLength(mostTokens)
  })

  test('notes its last use, at most once a minute', async () => {
    const owner = await makePerson(app.services)
    const token = await personalTokenOf(app.services, owner.id)
    const used = async () => {
      await as(token)
      const { rows } = await app.services.pool.query(
        'select last_used_at from personal_tokens where user_id = $1',
        [owner.id],
      )
      return rows[0].last_used_at.getTime()
    }
    const first = await used()
    expect(await used()).toBe(first)
    await app.services.pool.query(
      `update personal_tokens set last_used_at = now() - interval '61 seconds' where user_id = $1`,
      [owner.id],
    )
    expect(await used()).toBeGreaterThanOrEqual(first)
  })

  test('is found with its person, scopes and the course in one statement', async () => {
    const owner = await makePerson(app.services)
    const course = await makeCourse(app.services, owner)
    const token = await personalTokenOf(app.services, owner.id)
    const cookie = await sessionCookieOf(app.services, owner.id)
    const path = `/rest/v1/courses/${course.slug}/outline`
    await as(token, path)
    const statements = watchStatements(app)
    await as(token)
    const byToken = await statements.during(() => as(token, path))
    const byCookie = await statements.during(() => app.request(path, { cookie }))
    expect(byToken.length).toBe(byCookie.length)
    expect(byToken.filter((text) => text.includes('personal_tokens'))).toHaveLength(1)
    expect(byCookie.filter((text) => text.includes('personal_tokens'))).toEqual([])
  })
})

describe('a token that is over', () => {
  test('because it was revoked: at the next request, by its owner only', async () => {
    const owner = await app.signUp()
    const { body } = await make(owner.cookie)
    expect((await revoke(person.cookie, body.token.id)).status).toBe(404)
    expect((await as(body.secret)).status).toBe(200)
    expect((await revoke(owner.cookie, body.token.id)).status).toBe(200)
    expectInvalid(await as(body.secret))
    expect((await list(owner.cookie)).tokens).toEqual([])
    const again = await revoke(owner.cookie, body.token.id)
    expect([again.status, again.body.message]).toEqual([404, 'This token was revoked already.'])
    await mailTo(app, owner.email, /^An access token of your account was revoked$/)
    expect(await mailsTo(app, owner.email)).toSatisfy(
      (mails: { subject: string }[]) =>
        mails.filter(({ subject }) => subject.includes('revoked')).length === 1,
    )
  })

  test('because its time is up: it is listed as that for a month, then forgotten', async () => {
    const owner = await app.signUp()
    const { body } = await make(owner.cookie)
    const expire = (ago: string) =>
      app.services.pool.query(
        'update personal_tokens set expires_at = now() - $2::interval where user_id = $1',
        [owner.id, ago],
      )
    await expire('1 second')
    expectInvalid(await as(body.secret))
    await removeExpired(null, app.services)
    expect((await list(owner.cookie)).tokens).toMatchObject([{ isExpired: true }])
    await expire('31 days')
    await removeExpired(null, app.services)
    expect((await list(owner.cookie)).tokens).toEqual([])
  })

  test('because it is none: not well formed, unknown, or of nobody', async () => {
    const token = await personalTokenOf(app.services, person.id)
    const statements = watchStatements(app)
    for (const bad of [
      'pat_',
      'pat_x',
      `${token}x`,
      `pat_${'0'.repeat(38)}`,
      `pat_${'ö'.repeat(38)}`,
    ]) {
      const authorization = Buffer.from(`Bearer ${bad}`).toString('latin1')
      const asked = await statements.during(async () =>
        expectInvalid(await app.request('/rest/v1/courses', { headers: { authorization } })),
      )
      expect(asked).toEqual([])
    }
  })

  test('with the sessions, when an administrator suspends the account or signs it out', async () => {
    const admin = await makePerson(app.services)
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    const cookie = await sessionCookieOf(app.services, admin.id)
    for (const [act, body] of [
      ['suspension', { reason: 'Spam' }],
      ['end-sessions', {}],
    ] as const) {
      const owner = await app.signUp()
      const { body: made } = await make(owner.cookie)
      const path = `/rest/v1/admin/people/${owner.id}/${act}`
      expect((await app.request(path, { cookie, body })).status).toBe(200)
      expectInvalid(await as(made.secret))
    }
  })

  test.each([
    ['suspension', { reason: 'Spam' }],
    ['end-sessions', {}],
  ])('with the session by which it is being made: %s', async (act, body) => {
    const admin = await makePerson(app.services)
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    const cookie = await sessionCookieOf(app.services, admin.id)
    const owner = await makePerson(app.services)
    const ownCookie = await sessionCookieOf(app.services, owner.id)
    const holding = 'select 1 from users where id = $1 for update'
    const [ended, made] = await behindChange(
      app.services,
      [holding, owner.id],
      [
        () => app.request(`/rest/v1/admin/people/${owner.id}/${act}`, { cookie, body }),
        async () => {
          await waitingFor(app.services, 1)
          return make(ownCookie)
        },
      ],
    )
    expect(ended!.status).toBe(200)
    await expectNotMade(owner, made!)
  })

  test('with its session alone, where that is logged out meanwhile or its time is up', async () => {
    const owner = await makePerson(app.services)
    const holding = 'select 1 from users where id = $1 for update'
    for (const end of ['delete from', 'update'] as const) {
      const cookie = await sessionCookieOf(app.services, owner.id)
      const ending = end === 'update' ? `update sessions set expires_at = now()` : `${end} sessions`
      const [made] = await behindChange(
        app.services,
        [holding, owner.id],
        [() => make(cookie)],
        () => app.services.pool.query(`${ending} where user_id = $1`, [owner.id]),
      )
      await expectNotMade(owner, made!)
    }
  })

  /** Asks for a link that sets a password; the answer follows it. */
  async function askToReset({ email }: { email: string }) {
    await app.request('/auth/v1/request-password-reset', { body: { email } })
    const link = linkIn(await mailTo(app, email, /Reset your password/))
    const body = { token: link.searchParams.get('token'), newPassword: 'battery staple' }
    return () => app.request('/auth/v1/reset-password', { body })
  }

  test('with a password that is reset', async () => {
    const owner = await app.signUp()
    const { body: made } = await make(owner.cookie)
    const reset = await askToReset(owner)
    expect((await reset()).status).toBe(200)
    expectInvalid(await as(made.secret))
  })

  describe('with a password that is reset while it is being made', () => {
    let owner: MadePerson
    let cookie: string
    let reset: () => Promise<Answer>
    beforeEach(async () => {
      owner = await makePerson(app.services)
      cookie = await sessionCookieOf(app.services, owner.id)
      reset = await askToReset(owner)
      await app.services.pool.query(`
        create function hold_mail() returns trigger language plpgsql as $$ begin
          perform pg_advisory_xact_lock(7002);
          return new;
        end $$;
        create trigger hold_mail before insert on graphile_worker._private_jobs for each row
          when (new.payload ->> 'sealed' is not null) execute function hold_mail()`)
    })
    afterEach(() => app.services.pool.query('drop function hold_mail() cascade'))

    const beforeMails = (calls: (() => Promise<Answer>)[], meanwhile?: () => Promise<unknown>) =>
      behindChange(app.services, ['select pg_advisory_xact_lock(7002)'], calls, meanwhile)

    test('begun after the reset, whose mail has still to be posted', async () => {
      let making: Promise<Answer> | undefined
      const [done] = await beforeMails([reset], async () => {
        making = make(cookie)
        await Promise.race([making, waitingFor(app.services, 2)])
      })
      expect(done!.status).toBe(200)
      await expectNotMade(owner, (await making)!)
    })

    test('begun before the reset', async () => {
      const [made, done] = await beforeMails([
        () => make(cookie),
        async () => {
          await waitingFor(app.services, 1)
          return reset()
        },
      ])
      expect([made!.status, done!.status]).toEqual([200, 200])
      expectInvalid(await as(made!.body.secret))
    })
  })

  test('that somebody else made before the address was proved by mail', async () => {
    const owner = await app.signUp()
    const { body: made } = await make(owner.cookie)
    await app.request('/auth/v1/sign-in/magic-link', { body: { email: owner.email } })
    const link = linkIn(await mailTo(app, owner.email, /log-in link/))
    const token = link.searchParams.get('token')
    await app.request(`/auth/v1/magic-link/verify?token=${token}&callbackURL=/dashboard`)
    expectInvalid(await as(made.secret))
  })

  test('with the account', async () => {
    const owner = await app.signUp()
    const { body: made } = await make(owner.cookie)
    const body = { confirmation: 'DELETE', password: 'correct horse', membersCourses: 'keep' }
    const gone = await app.request('/rest/v1/me/deletion', { cookie: owner.cookie, body })
    expect(gone.status).toBe(200)
    expectInvalid(await as(made.secret))
  })
})

describe('a token is no session', () => {
  test('outside the contract it opens nothing', async () => {
    const token = await personalTokenOf(app.services, person.id)
    const bearer = { authorization: `Bearer ${token}` }
    const session = await app.request('/auth/v1/get-session', { headers: bearer })
    expect(session.body).toBeNull()
    expect((await as(token, '/auth/v1/token')).status).toBe(401)
    expect((await as(token, '/storage/v1/my-data.zip')).status).toBe(401)
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '10' }
    const upload = { method: 'POST', headers: { ...bearer, ...tus } }
    expect((await app.request('/storage/v1/uploads', upload)).status).toBe(401)
    const checkout = await app.request('/functions/v1/stripe-billing-history', {
      body: { customer_id: 'x' },
      headers: bearer,
    })
    expect(checkout.status).toBe(403)
  })

  test('it decides alone: no cookie beside it is looked at, and none is set', async () => {
    const other = await app.signUp()
    const token = await personalTokenOf(app.services, person.id)
    const both = await as(token, '/rest/v1/me/profile', { cookie: other.cookie })
    expect([both.body.email, both.headers.getSetCookie()]).toEqual([person.email, []])
    expectInvalid(await as('pat_wrong', '/rest/v1/me/profile', { cookie: other.cookie }))
  })

  test('programs may say any origin with it; with a cookie nobody may, token or not', async () => {
    const token = await personalTokenOf(app.services, person.id)
    const origin = 'https://elsewhere.example'
    const asked = (headers: Record<string, string>, path = '/rest/v1/rpc/get_user_plan') =>
      app.request(path, { body: {}, headers: { origin, ...headers } })
    expect((await asked({ authorization: `Bearer ${token}` })).status).toBe(200)
    const both = { authorization: `Bearer ${token}`, cookie: person.cookie }
    for (const foreign of [
      await asked({ cookie: person.cookie }),
      await asked(both, '/storage/v1/uploads'),
      await asked(both, '/auth/v1/sign-out'),
    ]) {
      expect([foreign.status, foreign.body.code]).toEqual([403, 'FOREIGN_ORIGIN'])
    }
  })
})

describe('limits', () => {
  test(`each token has ${tokenQuota} requests a minute, and reads how many are left`, async () => {
    // It stays the same minute, however long so many take.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const owner = await makePerson(app.services)
    const token = await personalTokenOf(app.services, owner.id, { scopes: ['profile:read'] })
    const first = await as(token)
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=600;w=60')
    expect(first.headers.get('ratelimit')).toMatch(/^"default";r=599;t=(60|59)$/)
    const refused = await as(token, '/rest/v1/earnings')
    expect([refused.status, refused.headers.get('ratelimit')]).toEqual([
      403,
      expect.stringMatching(/r=598/),
    ])
    for (let done = 2; done < tokenQuota; done += 50) {
      const size = Math.min(50, tokenQuota - done)
      await Promise.all(Array.from({ length: size }, () => as(token, '/rest/v1/earnings')))
    }
    const over = await as(token)
    expect([over.status, over.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(over.body.message).toMatch(/made too many requests\. Please go on in \d+ seconds?\.$/)
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(over.headers.get('ratelimit')).toMatch(/r=0;/)
    // Another token of the same person, and the person, go on.
    const other = await personalTokenOf(app.services, owner.id)
    expect((await as(other)).status).toBe(200)
  })

  test('sessions have none', async () => {
    const { headers } = await app.request('/rest/v1/me/profile', { cookie: person.cookie })
    expect(headers.get('ratelimit')).toBeNull()
  })
})
