// Requests with an Idempotency-Key are done once, however often they are sent, and whatever dies in between. What else may
// happen to a key is in once-by-key.test.ts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../test/app.ts'
import {
  lessonsOf,
  makeCourse,
  type MadePerson,
  makePerson,
  personalTokenOf,
  sessionCookieOf,
} from '../../test/factories.ts'
import { makeSoldCourse } from '../../test/sold-course.ts'
import { watchStatements } from '../../test/statements.ts'
import { removeExpired } from '../domains/accounts/remove-expired.ts'

let app: TestApp
let person: MadePerson
let cookie: string
let notes: string
let key: string
beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app.services)
  cookie = await sessionCookieOf(app.services, person.id)
  const course = await makeCourse(app.services, person)
  const [lesson] = await lessonsOf(app.services, course.id)
  notes = `/rest/v1/lessons/${lesson!.id}/notes`
})
afterAll(() => app?.stop())
beforeEach(async () => {
  key = randomUUID()
  await app.services.pool.query('delete from lesson_notes')
})

const note = (text: string, by: Record<string, string> = { cookie }): Promise<Answer> =>
  app.request(notes, { body: { text }, headers: { 'idempotency-key': key, ...by } })
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')
const writtenNotes = async () =>
  (await app.services.pool.query<{ text: string }>('select text from lesson_notes')).rows.map(
    ({ text }) => text,
  )
/** As if the request with this key had begun so long ago, and its process were dead. */
const killedWhile = (state: 'working' | 'answering') =>
  app.services.pool.query(
    `update idempotency_keys set answer = null, started_at = now() - interval '61 seconds',
            done_at = ${state === 'working' ? 'null' : 'now()'} where key = $1`,
    [key],
  )

describe('the same request with the same key', () => {
  test('is done once, and answered alike', async () => {
    const first = await note('Once')
    const second = await note('Once')
    expect([first.status, replayed(first)]).toEqual([200, null])
    expect([second.status, replayed(second)]).toEqual([200, 'true'])
    expect(second.body).toEqual(first.body)
    expect(await writtenNotes()).toEqual(['Once'])
  })

  test('without the key is done each time, at no cost', async () => {
    const statements = watchStatements(app)
    const asked = await statements.during(() =>
      app.request(notes, { cookie, body: { text: 'Twice' } }),
    )
    expect(asked.filter((text) => text.includes('idempotency_keys'))).toEqual([])
    await app.request(notes, { cookie, body: { text: 'Twice' } })
    expect(await writtenNotes()).toHaveLength(2)
  })

  test('sent 20 times at once is done once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => note('At once')))
    expect(await writtenNotes()).toEqual(['At once'])
    const waiting = answers.filter(({ status }) => status === 409)
    for (const { body } of waiting) expect(body.code).toBe('IDEMPOTENCY_IN_FLIGHT')
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length + waiting.length).toBe(20)
    expect(done.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect((await note('At once')).body).toEqual(done[0]!.body)
  })

  test('through a token, and with the cookie, is of one person', async () => {
    const token = await personalTokenOf(app.services, person.id)
    const first = await note('From a program', { authorization: `Bearer ${token}` })
    expect([first.status, replayed(first)]).toEqual([200, null])
    const second = await note('From a program')
    expect([replayed(second), second.body]).toEqual(['true', first.body])
  })

  test('is no more answered to who may not do it any more', async () => {
    const token = await personalTokenOf(app.services, person.id, { scopes: ['learning:write'] })
    const bearer = { authorization: `Bearer ${token}` }
    await note('Mine', bearer)
    await app.services.pool.query(`update personal_tokens set scopes = '{profile:read}'`)
    expect((await note('Mine', bearer)).status).toBe(403)
  })
})

describe('the key', () => {
  test('of another request is refused, and nothing is done', async () => {
    await note('One')
    const other = await note('Another')
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const elsewhere = await app.request('/rest/v1/rpc/can_create_course', {
      cookie,
      body: {},
      headers: { 'idempotency-key': key },
    })
    expect(elsewhere.status).toBe(422)
    expect(await writtenNotes()).toEqual(['One'])
  })

  test('of another call is refused, also where the same is sent', async () => {
    const ask = (call: string) =>
      app.request(`/rest/v1/rpc/${call}`, {
        cookie,
        body: {},
        headers: { 'idempotency-key': key },
      })
    expect((await ask('can_create_course')).status).toBe(200)
    const other = await ask('get_user_plan')
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('is each person’s own', async () => {
    await note('One')
    const other = await makePerson(app.services)
    const answer = await app.request('/rest/v1/rpc/can_create_course', {
      cookie: await sessionCookieOf(app.services, other.id),
      body: {},
      headers: { 'idempotency-key': key },
    })
    expect([answer.status, replayed(answer)]).toEqual([200, null])
  })

  test('of what was refused is free again', async () => {
    const refused = await note('')
    expect(refused.status).toBe(422)
    expect((await note('Now with text')).status).toBe(200)
    expect(await writtenNotes()).toEqual(['Now with text'])
  })

  test('of what a transaction found to be refused is free again', async () => {
    const { creator, course } = await makeSoldCourse(app.services)
    const create = async (code: string, own = key) => {
      const { status, body } = await app.request(`/rest/v1/courses/${course.id}/coupons`, {
        cookie: await sessionCookieOf(app.services, creator.id),
        body: { code, percentOff: 20 },
        headers: { 'idempotency-key': own },
      })
      return [status, body.code]
    }
    expect(await create('TAKEN-26', randomUUID())).toEqual([200, 'TAKEN-26'])
    const refused = await create('TAKEN-26')
    expect(refused[0]).toBe(409)
    expect(await create('TAKEN-26')).toEqual(refused)
    expect(await create('FREE-26')).toEqual([200, 'FREE-26'])
  })

  test.each(['', 'x'.repeat(256), 'ö'])('“%s” is refused in words', async (bad) => {
    key = Buffer.from(bad).toString('latin1')
    const { status, body } = await note('Never')
    expect([status, body.code]).toEqual([400, 'BAD_IDEMPOTENCY_KEY'])
    expect(await writtenNotes()).toEqual([])
  })

  test('keeps no answer with a secret in it', async () => {
    const { status } = await app.request('/rest/v1/me/tokens', {
      cookie,
      body: { name: 'Once', scopes: ['profile:read'], expiresInDays: 30 },
      headers: { 'idempotency-key': key },
    })
    expect(status).toBe(200)
    const { rows } = await app.services.pool.query(
      'select key from idempotency_keys where key = $1',
      [key],
    )
    expect(rows).toEqual([])
  })

  test('counts for 24 hours', async () => {
    const first = await note('Daily')
    const age = (ago: string) =>
      app.services.pool.query(
        'update idempotency_keys set created_at = now() - $2::interval where key = $1',
        [key, ago],
      )
    await age('23 hours 59 minutes')
    await removeExpired(null, app.services)
    expect((await note('Daily')).body).toEqual(first.body)
    await age('24 hours 1 minute')
    expect(replayed(await note('Daily'))).toBeNull()
    await age('24 hours 1 minute')
    await removeExpired(null, app.services)
    const { rows } = await app.services.pool.query(
      'select key from idempotency_keys where key = $1',
      [key],
    )
    expect(rows).toEqual([])
  })
})

test('what was done is not done again where its answer could not be kept', async () => {
  const { pool } = app.services
  const course = await makeCourse(app.services, person)
  const send = async (what: string, headers = {}) => {
    const path = `/rest/v1/courses/${course.id}/${what}`
    const { status, body } = await app.request(path, { method: 'POST', cookie, headers })
    return [status, body.code]
  }
  const withKey = { 'idempotency-key': key }
  await pool.query(`
    create function keep_no_answer() returns trigger language plpgsql as
    $$ begin raise exception 'no room'; end $$;
    create trigger keep_no_answer before update on idempotency_keys for each row
    when (new.answer is not null) execute function keep_no_answer()`)
  try {
    expect(await send('unpublish', withKey)).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  } finally {
    await pool.query('drop function keep_no_answer cascade')
  }
  expect((await send('publish'))[0]).toBe(200)
  expect(await send('unpublish', withKey)).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT'])
  await killedWhile('answering')
  expect(await send('unpublish', withKey)).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST'])
  const { rows } = await pool.query('select status from courses where id = $1', [course.id])
  expect(rows).toEqual([{ status: 'published' }])
})

describe('when a process dies', () => {
  test('before it has done anything, the request is done when it is sent again, after a minute', async () => {
    await note('Again')
    await app.services.pool.query('delete from lesson_notes')
    await killedWhile('working')
    const again = await note('Again')
    expect([again.status, replayed(again)]).toEqual([200, null])
    expect(await writtenNotes()).toEqual(['Again'])
  })

  test('after it, before the answer is kept, nothing is done again, and that is said', async () => {
    await note('Done')
    await killedWhile('answering')
    const again = await note('Done')
    expect([again.status, again.body.code]).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST'])
    expect(again.body.message).toMatch(/^This was done already/)
    expect(await writtenNotes()).toEqual(['Done'])
  })
})
