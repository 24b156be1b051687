// Two-step verification: an authenticator app, backup codes, trusted devices.
import { readFile } from 'node:fs/promises'
import { decodeJwt } from 'jose'
import { TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { behindChange } from '../../../test/behind-change.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { type Browser, openBrowser } from '../../../test/identity/browser.ts'
import { codeIn, mailTo, tokenIn } from '../../../test/mailbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(() => app.services.pool.query('delete from rate_limits'))

const call = (browser: Browser, path: string, body: object) =>
  browser.request(`/auth/v1${path}`, { body })
const logIn = (browser: Browser, { email, password }: { email: string; password: string }) =>
  call(browser, '/sign-in/email', { email, password })
const aalOf = async (browser: Browser) =>
  (await browser.request('/auth/v1/get-session')).body?.session.aal

/** Somebody with an authenticator app. What was typed so far was long ago: every code may be used once more. */
async function personWithApp() {
  const person = await makePerson(app.services)
  const browser = openBrowser(app)
  await logIn(browser, person)
  const { body } = await call(browser, '/two-factor/enable', { password: person.password })
  const totp = URI.parse(body.totpURI) as TOTP
  const confirmed = await call(browser, '/two-factor/verify-totp', { code: totp.generate() })
  expect(confirmed.status).toBe(200)
  await app.services.pool.query('delete from used_codes where user_id = $1', [person.id])
  return { ...person, totp, backupCodes: body.backupCodes as string[], browser }
}

describe('turning it on', () => {
  test('takes the password and a code; then the session is of two factors, and the owner is told', async () => {
    const person = await makePerson(app.services)
    const browser = openBrowser(app)
    await logIn(browser, person)
    expect(await aalOf(browser)).toBe('aal1')
    for (const password of [undefined, 'a wrong one']) {
      expect((await call(browser, '/two-factor/enable', { password })).status).toBe(400)
    }
    const { body } = await call(browser, '/two-factor/enable', { password: person.password })
    const totp = URI.parse(body.totpURI) as TOTP
    expect(totp).toMatchObject({ issuer: 'Thunder', label: person.email, digits: 6, period: 30 })
    expect(body.backupCodes).toHaveLength(10)
    // Not before a code has shown that the app knows the secret.
    expect((await logIn(openBrowser(app), person)).body.twoFactorRedirect).toBeUndefined()
    const wrong = await call(browser, '/two-factor/verify-totp', { code: '000000' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CODE'])
    await call(browser, '/two-factor/verify-totp', { code: totp.generate() })
    expect(await aalOf(browser)).toBe('aal2')
    const { body: access } = await browser.request('/auth/v1/token')
    expect(decodeJwt(access.token)).toMatchObject({ aal: 'aal2' })
    await mailTo(app, person.email, /Two-step verification was turned on/)
  })

  test('opens nothing for a session that was ended meanwhile, and leaves no second step', async () => {
    const person = await makePerson(app.services)
    const browser = openBrowser(app)
    await logIn(browser, person)
    const { body } = await call(browser, '/two-factor/enable', { password: person.password })
    const code = (URI.parse(body.totpURI) as TOTP).generate()
    const holding = 'select 1 from users where id = $1 for no key update'
    const [answer] = await behindChange(
      app.services,
      [holding, person.id],
      [() => call(browser, '/two-factor/verify-totp', { code })],
      () => app.services.pool.query('delete from sessions where user_id = $1', [person.id]),
    )
    expect(answer!.status).toBe(401)
    const { rows } = await app.services.pool.query(
      `select two_factor_enabled as on, (select count(*)::int from sessions where user_id = id) as sessions
         from users where id = $1`,
      [person.id],
    )
    expect(rows).toEqual([{ on: false, sessions: 0 }])
    expect((await logIn(openBrowser(app), person)).body.twoFactorRedirect).toBeUndefined()
  })

  test('stores neither the secret nor the backup codes in a readable form', async () => {
    const { id, totp, backupCodes } = await personWithApp()
    const { rows } = await app.services.pool.query('select * from two_factors where user_id = $1', [
      id,
    ])
    expect(rows).toHaveLength(1)
    const stored = JSON.stringify(rows)
    for (const secret of [totp.secret.base32, totp.secret.utf8, ...backupCodes]) {
      expect(stored).not.toContain(secret)
    }
  })
})

describe('logging in', () => {
  test.each(['/two-factor/verify-totp', '/two-factor/verify-backup-code'])(
    'by %s opens no session when another password was set meanwhile',
    async (path) => {
      const person = await personWithApp()
      const browser = openBrowser(app)
      await logIn(browser, person)
      await call(openBrowser(app), '/request-password-reset', { email: person.email })
      const token = tokenIn(await mailTo(app, person.email, /password/i))
      const code = path.endsWith('totp') ? person.totp.generate() : person.backupCodes[0]
      // A session is stored only where its person stays.
      const holding = 'select 1 from users where id = $1 for update'
      const [answer] = await behindChange(
        app.services,
        [holding, person.id],
        [() => call(browser, path, { code, trustDevice: true })],
        async () => {
          const newPassword = 'another correct horse'
          const reset = await call(openBrowser(app), '/reset-password', { token, newPassword })
          expect(reset.status).toBe(200)
        },
      )
      expect([answer!.status, answer!.body.code]).toEqual([401, 'INVALID_TWO_FACTOR_COOKIE'])
      const { rows } = await app.services.pool.query(
        `select (select count(*)::int from sessions where user_id = $1) as sessions,
                (select count(*)::int from verifications where value = $1::text) as begun`,
        [person.id],
      )
      expect(rows).toEqual([{ sessions: 0, begun: 0 }])
    },
  )

  test('is not begun by an old password, when another one was set meanwhile', async () => {
    const person = await personWithApp()
    const browser = openBrowser(app)
    // The session of the first step is there; what waits for the second one is about to be.
    const [answer] = await behindChange(
      app.services,
      ['lock table verifications in share mode'],
      [() => call(browser, '/sign-in/email', person)],
      () =>
        app.services.pool.query(`update identities set password = 'another' where user_id = $1`, [
          person.id,
        ]),
    )
    expect([answer!.status, answer!.body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
    const { rows } = await app.services.pool.query('select 1 from verifications where value = $1', [
      person.id,
    ])
    expect(rows).toEqual([])
  })

  test('is not begun by an old password while another one is being stored', async () => {
    const person = await personWithApp()
    const browser = openBrowser(app)
    const [answer] = await behindChange(
      app.services,
      [
        `update identities set password = 'another' where user_id = '${person.id}';
         delete from verifications where value = '${person.id}'`,
      ],
      [() => call(browser, '/sign-in/email', person)],
    )
    expect([answer!.status, answer!.body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
  })

  test('goes on from no old password, from the moment that another one is stored', async () => {
    const person = await personWithApp()
    const cookie = await sessionCookieOf(app.services, person.id)
    const browser = openBrowser(app)
    await logIn(browser, person)
    const body = { currentPassword: person.password, newPassword: 'another correct horse' }
    // It is stored; the session that the change opens waits for its person.
    const holding = 'select 1 from users where id = $1 for update'
    const [change] = await behindChange(
      app.services,
      [holding, person.id],
      [() => app.request('/auth/v1/change-password', { body, cookie })],
      async () => {
        const step = { code: person.totp.generate() }
        const answer = await call(browser, '/two-factor/verify-totp', step)
        expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_TWO_FACTOR_COOKIE'])
      },
    )
    expect(change!.status).toBe(200)
  })

  test('with the password alone opens no session; with the code one of two factors', async () => {
    const person = await personWithApp()
    const browser = openBrowser(app)
    const first = await logIn(browser, person)
    expect([first.status, first.body]).toEqual([
      200,
      { twoFactorRedirect: true, twoFactorMethods: ['totp'] },
    ])
    expect(await browser.signedInAs()).toBeNull()
    const second = await call(browser, '/two-factor/verify-totp', { code: person.totp.generate() })
    expect(second.status).toBe(200)
    expect([await browser.signedInAs(), await aalOf(browser)]).toEqual([person.email, 'aal2'])
  })

  describe('and remember me', () => {
    const sessionLine = (headers: Headers) =>
      headers.getSetCookie().find((line) => line.startsWith('thunder.session_token='))

    test('chosen at the first step, where it was not the time before, lasts for 30 days', async () => {
      const person = await personWithApp()
      const browser = openBrowser(app)
      const { email, password, id } = person
      const first = (rememberMe: boolean) =>
        call(browser, '/sign-in/email', { email, password, rememberMe })
      await first(false)
      const code = person.totp.generate()
      const short = await call(browser, '/two-factor/verify-totp', { code })
      expect(sessionLine(short.headers)).not.toContain('Max-Age')
      await app.services.pool.query('delete from sessions where user_id = $1', [id])
      await app.services.pool.query('delete from used_codes where user_id = $1', [id])
      await first(true)
      const long = await call(browser, '/two-factor/verify-totp', { code })
      expect(sessionLine(long.headers)).toContain('Max-Age=2592000')
    })

    test('is no choice of a mailed link, which lasts for 30 days whatever was chosen before', async () => {
      const person = await personWithApp()
      const browser = openBrowser(app)
      const { email, password } = person
      await call(browser, '/sign-in/email', { email, password, rememberMe: false })
      await call(browser, '/sign-in/magic-link', { email })
      const token = tokenIn(await mailTo(app, email, /log-in link/))
      await browser.request(`/auth/v1/magic-link/verify?token=${token}`)
      const code = person.totp.generate()
      const second = await call(browser, '/two-factor/verify-totp', { code })
      expect(sessionLine(second.headers)).toContain('Max-Age=2592000')
    })

    test('not chosen, stays so on a device that is trusted', async () => {
      const person = await personWithApp()
      const browser = openBrowser(app)
      const { email, password, id } = person
      await call(browser, '/sign-in/email', { email, password, rememberMe: false })
      const code = person.totp.generate()
      const second = await call(browser, '/two-factor/verify-totp', { code, trustDevice: true })
      expect(sessionLine(second.headers)).not.toContain('Max-Age')
      await app.services.pool.query(
        `update sessions set updated_at = now() - interval '2 hours', expires_at = expires_at - interval '2 hours'
          where user_id = $1`,
        [id],
      )
      const later = await browser.request('/rest/v1/me')
      expect(later.body).toMatchObject({ email })
      expect(sessionLine(later.headers) ?? '').not.toContain('Max-Age')
    })
  })

  test('by a mailed link asks for the second step, on its page', async () => {
    const person = await personWithApp()
    const browser = openBrowser(app)
    const wanted = '/settings?a=b#security'
    await call(browser, '/sign-in/magic-link', { email: person.email, callbackURL: wanted })
    const token = tokenIn(await mailTo(app, person.email, /log-in link/))
    const { headers } = await browser.request(
      `/auth/v1/magic-link/verify?token=${token}&callbackURL=${encodeURIComponent(wanted)}`,
    )
    expect(headers.get('location')).toBe(
      `http://localhost:3000/login/two-step?to=${encodeURIComponent(wanted)}`,
    )
    expect(await browser.signedInAs()).toBeNull()
    await call(browser, '/two-factor/verify-totp', { code: person.totp.generate() })
    expect([await browser.signedInAs(), await aalOf(browser)]).toEqual([person.email, 'aal2'])
  })

  test('by a mailed code asks for it as well', async () => {
    const person = await personWithApp()
    const browser = openBrowser(app)
    await call(browser, '/email-otp/send-verification-otp', {
      email: person.email,
      type: 'sign-in',
    })
    const otp = codeIn((await mailTo(app, person.email, /is your Thunder code/)).text)
    const { body } = await call(browser, '/sign-in/email-otp', { email: person.email, otp })
    expect(body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    expect(await browser.signedInAs()).toBeNull()
    await call(browser, '/two-factor/verify-totp', { code: person.totp.generate() })
    expect(await browser.signedInAs()).toBe(person.email)
  })

  test('by telephone asks for it as well', async () => {
    const person = await personWithApp()
    const phoneNumber = '+4915155555555'
    await app.services.pool.query(
      `update users set phone_number = $2, phone_number_verified = true where id = $1`,
      [person.id, phoneNumber],
    )
    const browser = openBrowser(app)
    const { body } = await call(browser, '/sign-in/phone-number', {
      phoneNumber,
      password: person.password,
    })
    expect(body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    expect(await browser.signedInAs()).toBeNull()
  })

  test('a reset password leaves the second step on', async () => {
    const person = await personWithApp()
    await call(openBrowser(app), '/request-password-reset', { email: person.email })
    const token = tokenIn(await mailTo(app, person.email, /Reset your password/))
    await call(openBrowser(app), '/reset-password', { token, newPassword: 'battery staple' })
    const { body } = await logIn(openBrowser(app), { ...person, password: 'battery staple' })
    expect(body.twoFactorRedirect).toBe(true)
  })

  test('of somebody who was locked out by it is turned off by what the operator’s page says', async () => {
    const [owner, other] = [await personWithApp(), await personWithApp()]
    const operations = await readFile('docs/operations.md', 'utf8')
    const [statement] = /with gone as [^`]*'ann@example\.com'/.exec(operations)!
    await app.services.pool.query(statement.replaceAll('ann@example.com', owner.email))
    const browser = openBrowser(app)
    await logIn(browser, owner)
    expect(await browser.signedInAs()).toBe(owner.email)
    expect((await logIn(openBrowser(app), other)).body.twoFactorRedirect).toBe(true)
    // And can be set up anew.
    const { status } = await call(browser, '/two-factor/enable', { password: owner.password })
    expect(status).toBe(200)
  })

  test('a changed address logs nobody in around it', async () => {
    const person = await personWithApp()
    const newEmail = `${crypto.randomUUID()}@example.com`
    await call(person.browser, '/change-email', { newEmail })
    const allow = tokenIn(await mailTo(app, person.email, /Allow a new email address/))
    await app.request(`/auth/v1/verify-email?token=${allow}`)
    const confirm = tokenIn(await mailTo(app, newEmail, /Confirm your email address/))
    const browser = openBrowser(app)
    await browser.request(`/auth/v1/verify-email?token=${confirm}&callbackURL=/dashboard`)
    expect(await browser.signedInAs()).toBeNull()
    expect(await person.browser.signedInAs()).toBe(newEmail)
  })

  test('a changed password keeps the session one of two factors', async () => {
    const person = await personWithApp()
    await call(person.browser, '/change-password', {
      currentPassword: person.password,
      newPassword: 'battery staple',
    })
    expect(await aalOf(person.browser)).toBe('aal2')
  })
})

describe('a code', () => {
  test('is accepted once', async () => {
    const person = await personWithApp()
    const code = person.totp.generate()
    const [first, second] = [openBrowser(app), openBrowser(app)]
    await logIn(first, person)
    await logIn(second, person)
    expect((await call(first, '/two-factor/verify-totp', { code })).status).toBe(200)
    const again = await call(second, '/two-factor/verify-totp', { code })
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_CODE'])
    expect(await second.signedInAs()).toBeNull()
  })

  test('is accepted once by many at the same moment', async () => {
    const person = await personWithApp()
    const code = person.totp.generate()
    const browsers = Array.from({ length: 6 }, () => openBrowser(app))
    for (const browser of browsers) await logIn(browser, person)
    const answers = await Promise.all(
      browsers.map((browser) => call(browser, '/two-factor/verify-totp', { code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('of another moment, another person, or without a log-in under way is refused', async () => {
    const [ann, bob] = [await personWithApp(), await personWithApp()]
    const browser = openBrowser(app)
    const stranger = await call(browser, '/two-factor/verify-totp', { code: ann.totp.generate() })
    expect(stranger.status).toBe(401)
    await logIn(browser, ann)
    const old = ann.totp.generate({ timestamp: Date.now() - 5 * 60_000 })
    for (const code of [old, bob.totp.generate()]) {
      expect((await call(browser, '/two-factor/verify-totp', { code })).status).toBe(401)
    }
    expect(await browser.signedInAs()).toBeNull()
  })

  test('ten wrong ones lock the second step for a quarter of an hour, the right one and backup codes included', async () => {
    const person = await personWithApp()
    const right = person.totp.generate()
    const wrong = right === '111111' ? '222222' : '111111'
    const statuses = []
    for (let attempt = 0; attempt < 10; attempt++) {
      // Five for each log-in; the same wrong code counts as a used one only for two minutes.
      await app.services.pool.query('delete from used_codes')
      const browser = openBrowser(app)
      await logIn(browser, person)
      statuses.push((await call(browser, '/two-factor/verify-totp', { code: wrong })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([401]))
    const browser = openBrowser(app)
    await logIn(browser, person)
    const locked = await call(browser, '/two-factor/verify-totp', { code: right })
    expect([locked.status, locked.body.message]).toEqual([429, expect.stringMatching(/\w+ \w+/)])
    const backup = { code: person.backupCodes[0] }
    expect((await call(browser, '/two-factor/verify-backup-code', backup)).status).toBe(429)
    expect(await browser.signedInAs()).toBeNull()
    const { rows } = await app.services.pool.query(
      `update two_factors set locked_until = now() - interval '1 second' where user_id = $1
       returning (locked_until between now() - interval '2 seconds' and now()) as over`,
      [person.id],
    )
    expect(rows).toEqual([{ over: true }])
    await app.services.pool.query('delete from used_codes')
    const later = openBrowser(app)
    await logIn(later, person)
    const code = person.totp.generate()
    expect((await call(later, '/two-factor/verify-totp', { code })).status).toBe(200)
  })

  test('one log-in has five attempts', async () => {
    const person = await personWithApp()
    const browser = openBrowser(app)
    await logIn(browser, person)
    for (let attempt = 0; attempt < 5; attempt++) {
      await call(browser, '/two-factor/verify-totp', { code: `00000${attempt}` })
    }
    const { status } = await call(browser, '/two-factor/verify-totp', {
      code: person.totp.generate(),
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await browser.signedInAs()).toBeNull()
  })
})

describe('a backup code', () => {
  test('is accepted once', async () => {
    const person = await personWithApp()
    const code = person.backupCodes[0]
    const browser = openBrowser(app)
    await logIn(browser, person)
    expect((await call(browser, '/two-factor/verify-backup-code', { code })).status).toBe(200)
    expect([await browser.signedInAs(), await aalOf(browser)]).toEqual([person.email, 'aal2'])
    const again = openBrowser(app)
    await logIn(again, person)
    expect((await call(again, '/two-factor/verify-backup-code', { code })).status).toBe(401)
    const another = { code: person.backupCodes[1] }
    expect((await call(again, '/two-factor/verify-backup-code', another)).status).toBe(200)
  })

  test('is accepted once by many at the same moment', async () => {
    const person = await personWithApp()
    const code = person.backupCodes[0]
    const browsers = Array.from({ length: 5 }, () => openBrowser(app))
    for (const browser of browsers) await logIn(browser, person)
    const answers = await Promise.all(
      browsers.map((browser) => call(browser, '/two-factor/verify-backup-code', { code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect(status).toBeLessThan(500)
  })

  test('made anew makes the old ones worthless', async () => {
    const person = await personWithApp()
    const { body } = await call(person.browser, '/two-factor/generate-backup-codes', {
      password: person.password,
    })
    expect(body.backupCodes).toHaveLength(10)
    const browser = openBrowser(app)
    await logIn(browser, person)
    const old = { code: person.backupCodes[0] }
    expect((await call(browser, '/two-factor/verify-backup-code', old)).status).toBe(401)
  })
})

describe('a trusted device', () => {
  test('is not asked again, others are', async () => {
    const person = await personWithApp()
    const browser = openBrowser(app)
    await logIn(browser, person)
    await call(browser, '/two-factor/verify-totp', {
      code: person.totp.generate(),
      trustDevice: true,
    })
    await call(browser, '/sign-out', {})
    const again = await logIn(browser, person)
    expect(again.body.twoFactorRedirect).toBeUndefined()
    expect([await browser.signedInAs(), await aalOf(browser)]).toEqual([person.email, 'aal1'])
    expect((await logIn(openBrowser(app), person)).body.twoFactorRedirect).toBe(true)
  })

  test('is trusted no more once the password was changed or reset, or the second step was off', async () => {
    const password = 'another good one'
    const ends: ((person: Awaited<ReturnType<typeof personWithApp>>) => Promise<string>)[] = [
      async ({ browser, password: currentPassword }) => {
        await call(browser, '/change-password', { currentPassword, newPassword: password })
        return password
      },
      async ({ browser, email }) => {
        await call(browser, '/request-password-reset', { email })
        const token = tokenIn(await mailTo(app, email, /password/i))
        await call(browser, '/reset-password', { token, newPassword: password })
        return password
      },
      async (person) => {
        await call(person.browser, '/two-factor/disable', { password: person.password })
        await call(person.browser, '/two-factor/enable', { password: person.password })
        await app.services.pool.query('update users set two_factor_enabled = true where id = $1', [
          person.id,
        ])
        return person.password
      },
    ]
    for (const end of ends) {
      const person = await personWithApp()
      const trusted = openBrowser(app)
      await logIn(trusted, person)
      const code = person.totp.generate()
      await call(trusted, '/two-factor/verify-totp', { code, trustDevice: true })
      await call(trusted, '/sign-out', {})
      expect((await logIn(trusted, person)).body.twoFactorRedirect).toBeUndefined()
      await call(trusted, '/sign-out', {})
      const now = { email: person.email, password: await end(person) }
      const again = await logIn(trusted, now)
      expect([again.status, again.body.twoFactorRedirect, end.toString()]).toEqual([
        200,
        true,
        end.toString(),
      ])
    }
  })

  test('is trusted for its own person only', async () => {
    const [ann, bob] = [await personWithApp(), await personWithApp()]
    const browser = openBrowser(app)
    await logIn(browser, ann)
    await call(browser, '/two-factor/verify-totp', { code: ann.totp.generate(), trustDevice: true })
    await call(browser, '/sign-out', {})
    expect((await logIn(browser, bob)).body.twoFactorRedirect).toBe(true)
    expect(await browser.signedInAs()).toBeNull()
  })
})

test('turning it off takes a proof and the password, and the owner is told', async () => {
  const person = await personWithApp()
  const off = (password: string) => call(person.browser, '/two-factor/disable', { password })
  expect((await off('a wrong one')).status).toBe(400)
  await app.services.pool.query(
    `update sessions set proven_at = now() - interval '16 minutes' where user_id = $1`,
    [person.id],
  )
  const unproven = await off(person.password)
  expect([unproven.status, unproven.body.code]).toEqual([403, 'PROOF_NEEDED'])
  await call(person.browser, '/verify-password', { password: person.password })
  expect((await off(person.password)).status).toBe(200)
  expect((await logIn(openBrowser(app), person)).body.twoFactorRedirect).toBeUndefined()
  await mailTo(app, person.email, /Two-step verification was turned off/)
})
