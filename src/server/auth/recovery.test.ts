// Back into an account whose password is forgotten.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { codeIn, jobsDone, linkIn, mailsTo, mailTo, tokenIn } from '../../../test/mailbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(() => app.services.pool.query('delete from rate_limits'))

const post = (path: string, body: object, cookie?: string) =>
  app.request(`/auth/v1${path}`, { body, ...(cookie ? { cookie } : {}) })
const logIn = (email: string, password: string) => post('/sign-in/email', { email, password })
const newPassword = 'battery staple'

async function resetToken(email: string) {
  const [before = { id: 0 }] = await mailsTo(app, email)
  const { body } = await post('/request-password-reset', { email })
  expect(body).toEqual({ status: true })
  return tokenIn(await mailTo(app, email, /Reset your password/, before))
}

describe('a link to reset the password', () => {
  test('leads to our page, changes the password, ends every session, and is told about', async () => {
    const { email, cookie } = await app.signUp()
    await post('/request-password-reset', { email })
    const link = linkIn(await mailTo(app, email, /Reset your password/))
    expect(link.origin + link.pathname).toBe('http://localhost:3000/reset-password')
    const token = link.searchParams.get('token')!
    const { status, headers } = await post('/reset-password', { token, newPassword })
    expect([status, headers.getSetCookie()]).toEqual([200, []])
    expect((await app.request('/rest/v1/me', { cookie })).body).toBeNull()
    expect((await logIn(email, 'correct horse')).status).toBe(401)
    expect((await logIn(email, newPassword)).status).toBe(200)
    await mailTo(app, email, /Your password was changed/)
  })

  test('keeps the page that was wanted, of this site alone', async () => {
    const { email } = await makePerson(app.services)
    const linkTo = async (callbackURL: string) => {
      const [before = { id: 0 }] = await mailsTo(app, email)
      await post('/request-password-reset', { email, callbackURL })
      return linkIn(await mailTo(app, email, /Reset your password/, before)).searchParams.get('to')
    }
    expect(await linkTo('/course/x?tab=lessons')).toBe('/course/x?tab=lessons')
    expect(await linkTo('https://evil.example')).toBe('/dashboard')
  })

  test('works once, also for many requests at once', async () => {
    const { email } = await makePerson(app.services)
    const token = await resetToken(email)
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        post('/reset-password', { token, newPassword: `battery staple ${index}` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect((await post('/reset-password', { token, newPassword })).status).toBe(400)
  })

  test('is good for an hour', async () => {
    const { email, password } = await makePerson(app.services)
    const token = await resetToken(email)
    const shift = (by: string) =>
      app.services.pool.query(`update verifications set expires_at = expires_at - $1::interval`, [
        by,
      ])
    const { rows } = await app.services.pool.query(
      `select max(expires_at) between now() + interval '59 minutes' and now() + interval '60 minutes' as hour
         from verifications`,
    )
    expect(rows).toEqual([{ hour: true }])
    await shift('61 minutes')
    const { status, body } = await post('/reset-password', { token, newPassword })
    expect([status, body.code]).toEqual([400, 'INVALID_TOKEN'])
    expect((await logIn(email, password)).status).toBe(200)
  })

  test('proves the address', async () => {
    const { email, id } = await app.signUp()
    const verified = async () =>
      (await app.services.pool.query('select email_verified from users where id = $1', [id]))
        .rows[0]
    expect(await verified()).toEqual({ email_verified: false })
    await post('/reset-password', { token: await resetToken(email), newPassword })
    expect(await verified()).toEqual({ email_verified: true })
  })

  test('is stored as a hash', async () => {
    const { email } = await makePerson(app.services)
    const token = await resetToken(email)
    const { rows } = await app.services.pool.query('select identifier, value from verifications')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('gives a password to who had none', async () => {
    const { email, id } = await makePerson(app.services)
    await app.services.pool.query('delete from identities where user_id = $1', [id])
    await post('/reset-password', { token: await resetToken(email), newPassword })
    expect((await logIn(email, newPassword)).status).toBe(200)
  })

  test('asked for twice, each is good until one was used on its own', async () => {
    const { email } = await makePerson(app.services)
    const [first, second] = [await resetToken(email), await resetToken(email)]
    expect(first).not.toBe(second)
    expect((await post('/reset-password', { token: second, newPassword })).status).toBe(200)
  })

  test('leaves no session to a log-in with the old password that is under way', async () => {
    const { email, id, password } = await makePerson(app.services)
    const token = await resetToken(email)
    // A session is stored only where its person stays.
    const holding = 'select 1 from users where id = $1 for update'
    const [answer] = await behindChange(
      app.services,
      [holding, id],
      [() => logIn(email, password)],
      async () => {
        expect((await post('/reset-password', { token, newPassword })).status).toBe(200)
      },
    )
    expect([answer!.status, answer!.body.message]).toEqual([401, 'Invalid email or password'])
    expect(answer!.headers.getSetCookie().join()).not.toContain('session_token')
    const { rows } = await app.services.pool.query('select 1 from sessions where user_id = $1', [
      id,
    ])
    expect(rows).toEqual([])
    expect((await logIn(email, newPassword)).status).toBe(200)
  })

  describe('and a change with the old password, at the same time', () => {
    const changeTo = (currentPassword: string, cookie: string) =>
      post('/change-password', { currentPassword, newPassword: 'a thief’s choice' }, cookie)

    async function expectTheReset({ id, email }: { id: string; email: string }) {
      const { rows } = await app.services.pool.query('select 1 from sessions where user_id = $1', [
        id,
      ])
      expect(rows).toEqual([])
      expect((await logIn(email, 'a thief’s choice')).status).toBe(401)
      expect((await logIn(email, newPassword)).status).toBe(200)
    }

    test('leave the one of the link, when that is stored first', async () => {
      const person = await makePerson(app.services)
      const cookie = await sessionCookieOf(app.services, person.id)
      const token = await resetToken(person.email)
      const holding = 'select 1 from identities where user_id = $1 for update'
      const [reset, change] = await behindChange(
        app.services,
        [holding, person.id],
        [
          () => post('/reset-password', { token, newPassword }),
          async () => {
            await waitingFor(app.services, 1)
            return changeTo(person.password, cookie)
          },
        ],
      )
      expect(reset!.status).toBe(200)
      expect([change!.status, change!.body.code]).toEqual([400, 'INVALID_PASSWORD'])
      await expectTheReset(person)
    })

    test('leave the one of the link, and no session, when that is stored after', async () => {
      const person = await makePerson(app.services)
      const cookie = await sessionCookieOf(app.services, person.id)
      const token = await resetToken(person.email)
      const exchange = 'update verifications set value = $2 where value = $1'
      await app.services.pool.query(exchange, [person.id, person.email])
      // A session is stored only where its person stays.
      const holding = 'select 1 from users where id = $1 for update'
      const [change] = await behindChange(
        app.services,
        [holding, person.id],
        [() => changeTo(person.password, cookie)],
        async () => {
          // As one that was asked for since: those of before go with the change.
          await app.services.pool.query(exchange, [person.email, person.id])
          expect((await post('/reset-password', { token, newPassword })).status).toBe(200)
        },
      )
      expect([change!.status, change!.body.message]).toEqual([
        401,
        'Your password was reset in the meantime. Please log in with the new one.',
      ])
      await expectTheReset(person)
    })
  })

  describe('and another address of the account', () => {
    const statement = (text: string) => app.services.pool.query(text)
    const follow = (token: string) => app.request(`/auth/v1/verify-email?token=${token}`)

    /** Somebody who has to follow but the link in the new mailbox. */
    async function changingAddress() {
      const person = await makePerson(app.services)
      const cookie = await sessionCookieOf(app.services, person.id)
      const newEmail = `${crypto.randomUUID()}@example.com`
      expect((await post('/change-email', { newEmail }, cookie)).status).toBe(200)
      await follow(tokenIn(await mailTo(app, person.email, /Allow a new email address/)))
      const confirming = tokenIn(await mailTo(app, newEmail, /Confirm your email address/))
      return { ...person, newEmail, confirm: () => follow(confirming) }
    }

    async function expectUseless(
      token: string,
      { newEmail, password }: { newEmail: string; password: string },
    ) {
      const { status, body } = await post('/reset-password', { token, newPassword })
      expect([status, body.code]).toEqual([400, 'INVALID_TOKEN'])
      expect((await logIn(newEmail, password)).status).toBe(200)
    }

    test('is good no more in the former mailbox', async () => {
      const person = await changingAddress()
      const token = await resetToken(person.email)
      expect((await person.confirm()).status).toBe(200)
      await expectUseless(token, person)
      await mailTo(app, person.email, /The email address of your account was changed/)
      await post('/reset-password', { token: await resetToken(person.newEmail), newPassword })
      expect((await logIn(person.newEmail, newPassword)).status).toBe(200)
    })

    test('is good no more after the first real one of an account that had none', async () => {
      const { id, email, password } = await makePerson(app.services)
      const token = await resetToken(email)
      await app.services.pool.query(
        `update users set email = id || '@phone.invalid', email_verified = false where id = $1`,
        [id],
      )
      const newEmail = `${crypto.randomUUID()}@example.com`
      await post('/change-email', { newEmail }, await sessionCookieOf(app.services, id))
      const confirming = tokenIn(await mailTo(app, newEmail, /Confirm your email address/))
      expect((await follow(confirming)).status).toBe(200)
      await expectUseless(token, { newEmail, password })
    })

    test('is good no more either when the process dies as soon as it is exchanged', async () => {
      const person = await changingAddress()
      const token = await resetToken(person.email)
      await statement(`
        create function die() returns trigger language plpgsql as $$ begin
          if exists (select 1 from users where email = '${person.newEmail}') then
            raise exception 'died';
          end if;
          return old;
        end $$;
        create trigger die before delete on verifications for each row execute function die()`)
      await person.confirm()
      await statement('drop trigger die on verifications; drop function die()')
      await expectUseless(token, person)
    })

    test('is good no more either when it was asked for while it is being exchanged', async () => {
      const person = await changingAddress()
      let token = ''
      const [confirmed] = await behindChange(
        app.services,
        ['select 1 from users where id = $1 for key share', person.id],
        [person.confirm],
        async () => {
          token = await resetToken(person.email)
        },
      )
      expect(confirmed!.status).toBe(200)
      await expectUseless(token, person)
    })

    test('is not sent to the former mailbox when it was asked for just before', async () => {
      const person = await changingAddress()
      await statement(`
        create function wait() returns trigger language plpgsql as $$ begin
          perform pg_advisory_xact_lock(7001);
          return new;
        end $$;
        create trigger wait before insert on verifications
          for each row when (new.value = '${person.id}') execute function wait()`)
      await behindChange(
        app.services,
        ['select pg_advisory_xact_lock(7001)'],
        [() => post('/request-password-reset', { email: person.email })],
        async () => {
          expect((await person.confirm()).status).toBe(200)
        },
      )
      await jobsDone(app)
      await statement('drop trigger wait on verifications; drop function wait()')
      const subjects = (await mailsTo(app, person.email)).map(({ subject }) => subject)
      expect(subjects).not.toContainEqual(expect.stringMatching(/Reset your password/))
    })
  })

  test('is sent to nobody without an account', async () => {
    await post('/request-password-reset', { email: 'nobody@example.com' })
    await jobsDone(app)
    expect(await mailsTo(app, 'nobody@example.com')).toEqual([])
  })

  test.each([
    { newPassword: '', message: 'Password is required' },
    { newPassword: '12345', message: 'Password must be at least 6 characters long' },
    { newPassword: '  1234  ', message: 'Password must be at least 6 characters long' },
    { newPassword: 'x'.repeat(129), message: 'Password can have at most 128 characters' },
  ])(
    'is not used up by a password that cannot be: $message',
    async ({ newPassword: given, message }) => {
      const { email } = await makePerson(app.services)
      const token = await resetToken(email)
      const { status, body } = await post('/reset-password', { token, newPassword: given })
      expect([status, body.message]).toEqual([400, message])
      expect((await post('/reset-password', { token, newPassword })).status).toBe(200)
    },
  )

  test('made up is refused in words', async () => {
    const { status, body } = await post('/reset-password', { token: 'made-up', newPassword })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/\w+ \w+/)])
  })
})

test('a code by mail resets the password as well, once', async () => {
  const { email, cookie } = await app.signUp()
  await post('/email-otp/send-verification-otp', { email, type: 'forget-password' })
  const otp = codeIn((await mailTo(app, email, /is your Thunder code/)).text)
  const reset = { email, otp, password: newPassword }
  expect((await post('/email-otp/reset-password', reset)).status).toBe(200)
  expect((await post('/email-otp/reset-password', reset)).status).toBe(400)
  expect((await app.request('/rest/v1/me', { cookie })).body).toBeNull()
  expect((await logIn(email, newPassword)).status).toBe(200)
})
