// What exactly is shown of requests, to whom, in which order, and where pages and limits end.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, type MadePerson, sessionCookieOf } from '../../../test/factories.ts'
import { somebodyWaits } from '../../../test/waiting.ts'

interface Caller extends MadePerson {
  cookie: string
}
interface Listed {
  id: string
  subject: string
}

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await startTestApp()
  admin = await someone('Ada Ministrator')
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await app.services.pool.query('delete from rate_limits')
  await app.services.pool.query('delete from support_requests')
  await app.services.pool.query('delete from notifications')
})

async function someone(name?: string): Promise<Caller> {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const asked = {
  topic: 'teaching',
  subject: 'My video stays black',
  message: 'I uploaded a film and it stays black.',
}
const requests = '/rest/v1/support/requests'
const queue = '/rest/v1/admin/support/requests'
const send = (who: Caller | null, change: object = {}) =>
  app.request(requests, { cookie: who?.cookie, body: { ...asked, ...change } })
const sentBy = async (who: Caller, change: object = {}): Promise<string> =>
  (await send(who, change)).body.requestId
/** The same words again would be the same request. */
const anotherOf = (who: Caller) => sentBy(who, { subject: crypto.randomUUID() })
const write = (who: Caller, id: string, message = 'It happens on my phone, too.') =>
  app.request(`${requests}/${id}/messages`, { cookie: who.cookie, body: { message } })
const answer = (id: string) =>
  app.request(`${queue}/${id}/messages`, {
    cookie: admin.cookie,
    body: { message: 'Please convert it.' },
  })
const closeOwn = ({ cookie }: Caller, id: string) =>
  app.request(`${requests}/${id}/close`, { method: 'POST', cookie })
const close = (id: string) =>
  app.request(`${queue}/${id}/close`, { method: 'POST', cookie: admin.cookie })
const noticesOf = async ({ cookie }: Caller) =>
  (await app.request('/rest/v1/notifications', { cookie })).body.notifications
const idsOf = ({ requests: shown }: { requests: Listed[] }) => shown.map(({ id }) => id)
const ownList = async ({ cookie }: Caller, query = '') =>
  (await app.request(requests + query, { cookie })).body
const queueList = async (query = '') =>
  (await app.request(queue + query, { cookie: admin.cookie })).body
const placeOf = async (id: string) =>
  (
    await app.services.pool.query(
      'select last_message_at::text as place from support_requests where id = $1',
      [id],
    )
  ).rows[0].place

/** Requests that all changed at the same moment, by their ids. */
async function sameMoment(count: number, userId: string | null, status = 'waiting') {
  const { rows } = await app.services.pool.query<{ id: string }>(
    `insert into support_requests (user_id, name, email, topic, subject, status, last_message_at)
     select $2, 'Nora', 'nora@example.com', 'other', 'Number ' || n, $3, '2026-01-02 03:04:05.678912Z'
       from generate_series(1, $1::int) n returning id`,
    [count, userId, status],
  )
  return rows.map(({ id }) => id).toSorted()
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
const id = expect.any(String)
const shown = {
  id,
  topic: 'teaching',
  subject: 'My video stays black',
  priority: false,
  status: 'waiting',
  createdAt: time,
  lastMessageAt: time,
}
const first = { id, fromTeam: false, body: asked.message, createdAt: time }
const second = { id, fromTeam: true, body: 'Please convert it.', createdAt: time }

test('who asked sees all of it but who answered; who answers sees who asked', async () => {
  const ann = await someone('Ann Asker')
  const sent = await send(ann)
  expect(sent.body).toEqual({ requestId: id, priority: false })
  expect(await ownList(ann)).toEqual({ requests: [shown], nextCursor: null })
  const from = { name: 'Ann Asker', email: ann.email, hasAccount: true }
  expect(await queueList()).toEqual({
    requests: [{ ...shown, ...from }],
    waitingCount: 1,
    nextCursor: null,
  })
  const answered = await answer(sent.body.requestId)
  expect(answered.body).toEqual({
    ...shown,
    ...from,
    status: 'answered',
    username: ann.username,
    messages: [
      { ...first, authorName: 'Ann Asker' },
      { ...second, authorName: 'Ada Ministrator' },
    ],
  })
  const own = await app.request(`${requests}/${sent.body.requestId}`, { cookie: ann.cookie })
  expect(own.body).toEqual({ ...shown, status: 'answered', messages: [first, second] })
})

test('who wrote without an account has no page; the address is the one that was typed', async () => {
  const from = { name: '  Sam   Stranger ', email: ' Sam@Example.com ' }
  const sent = await send(null, { ...from, website: '' })
  expect(sent.body).toEqual({ requestId: null, priority: false })
  const { requests: waiting } = await queueList()
  expect(waiting).toEqual([
    { ...shown, name: 'Sam Stranger', email: 'Sam@Example.com', hasAccount: false },
  ])
  const { body } = await app.request(`${queue}/${waiting[0].id}`, { cookie: admin.cookie })
  expect(body).toMatchObject({ username: null, messages: [{ ...first, authorName: null }] })
})

test('an account without an address of its own shows none', async () => {
  const ann = await someone()
  await app.services.pool.query('update users set email = $2 where id = $1', [
    ann.id,
    `${ann.id}@phone.invalid`,
  ])
  await sentBy(ann)
  expect((await queueList()).requests).toMatchObject([{ email: '', hasAccount: true }])
})

describe('a request that says nothing', () => {
  const from = { name: 'Sam', email: 'sam@example.com' }

  test.each([
    [{ name: undefined }, 400, 'Please tell us your name'],
    [{ name: 7 }, 422, 'Please tell us your name'],
    [{ email: undefined }, 400, 'Email address is required'],
    [{ email: 7 }, 422, 'Email address is required'],
    [{ email: ' ' }, 422, 'Email address is required'],
    [{ subject: undefined }, 422, 'Subject is required'],
    [{ message: undefined }, 422, 'Please write a message'],
    [{ message: ' 123456789 ' }, 422, 'Please write a sentence or two, so that we can help you'],
  ])('of %o is refused in words', async (change, code, sentence) => {
    const { status, body } = await send(null, { ...from, ...change })
    expect([status, body.message]).toEqual([code, sentence])
    expect((await queueList()).waitingCount).toBe(0)
  })

  test('is taken with as much, and as little, as may be', async () => {
    const longest = { subject: 'x'.repeat(200), message: 'x'.repeat(5_000), name: 'x'.repeat(80) }
    expect((await send(null, { ...from, ...longest })).status).toBe(200)
    expect((await send(null, { ...from, message: '1234567890' })).status).toBe(200)
  })
})

describe('the own list', () => {
  test('of just 20 has no second page', async () => {
    const ann = await someone()
    await sameMoment(20, ann.id)
    const { requests: found, nextCursor } = await ownList(ann)
    expect([found.length, nextCursor]).toEqual([20, null])
  })

  test('has each of those that changed at one moment once, and nothing of others', async () => {
    const [ann, other] = [await someone(), await someone()]
    const ids = await sameMoment(41, ann.id)
    await sameMoment(5, other.id)
    await sameMoment(5, null)
    const found: string[] = []
    let query = ''
    for (const size of [20, 20, 1]) {
      const page = await ownList(ann, query)
      expect(page.requests).toHaveLength(size)
      found.push(...idsOf(page))
      query = `?cursor=${page.nextCursor}`
    }
    expect(query).toBe('?cursor=null')
    expect(found).toEqual(ids.toReversed())
  })
})

describe('the queue', () => {
  test.each(['waiting', 'answered'])(
    'of just 20 that are %s has no second page',
    async (status) => {
      await sameMoment(20, null, status)
      const page = await queueList(`?status=${status}`)
      expect([page.requests.length, page.nextCursor]).toEqual([20, null])
    },
  )

  test.each(['waiting', 'closed'])(
    'has each of those that are %s since one moment once',
    async (status) => {
      const ids = await sameMoment(22, null, status)
      await sameMoment(3, null, 'answered')
      const one = await queueList(`?status=${status}`)
      const two = await queueList(`?status=${status}&cursor=${one.nextCursor}`)
      const found = [...idsOf(one), ...idsOf(two)]
      expect(found).toEqual(status === 'waiting' ? ids : ids.toReversed())
      expect(two).toMatchObject({ waitingCount: status === 'waiting' ? 22 : 0, nextCursor: null })
      for (const wrong of [`x${one.nextCursor}`, `${one.nextCursor}x`, '0-', '1-nowhere']) {
        const { status: code } = await app.request(`${queue}?cursor=${wrong}`, {
          cookie: admin.cookie,
        })
        expect(code, wrong).toBe(400)
      }
    },
  )

  test('has no other states', async () => {
    const { status, body } = await app.request(`${queue}?status=lost`, { cookie: admin.cookie })
    expect([status, body.message]).toEqual([422, 'Please choose waiting, answered or closed'])
  })

  test('shows what was answered or closed last first, whenever it was sent', async () => {
    const ann = await someone()
    const [one, two, three] = [await sentBy(ann), await anotherOf(ann), await anotherOf(ann)]
    for (const each of [two, three, one]) await close(each)
    expect(idsOf(await queueList('?status=closed'))).toEqual([one, three, two])
    for (const each of [three, one, two]) await answer(each)
    expect(idsOf(await queueList('?status=answered'))).toEqual([two, one, three])
    for (const each of [one, two, three]) await closeOwn(ann, each)
    expect(idsOf(await ownList(ann))).toEqual([three, two, one])
  })
})

describe('closing', () => {
  test('twice changes nothing, nor anything else', async () => {
    const ann = await someone()
    const [one, other] = [await sentBy(ann), await anotherOf(ann)]
    await closeOwn(ann, one)
    const place = await placeOf(one)
    expect((await closeOwn(ann, one)).body.status).toBe('closed')
    await close(one)
    expect(await placeOf(one)).toBe(place)
    expect(await ownList(ann)).toMatchObject({
      requests: [
        { id: one, status: 'closed' },
        { id: other, status: 'waiting' },
      ],
    })
    // Nobody is told: who closed it knows.
    expect(await noticesOf(ann)).toEqual([])
  })

  test('by somebody else does nothing', async () => {
    const [ann, other] = [await someone(), await someone()]
    const one = await sentBy(ann)
    const before = await ownList(ann)
    expect((await closeOwn(other, one)).status).toBe(404)
    expect(await ownList(ann)).toEqual(before)
  })
})

test('with Pro, a request says that it comes first; also one that waits again', async () => {
  const ann = await someone()
  const early = await sentBy(ann)
  await app.services.pool.query(`insert into plan_grants (user_id, reason) values ($1, 'A test')`, [
    ann.id,
  ])
  expect((await send(ann)).body.priority).toBe(true)
  expect((await write(ann, early)).body.priority).toBe(true)
})

test('a conversation of 99 messages has room for one, by either side', async () => {
  const ann = await someone()
  const [one, two] = [await sentBy(ann), await anotherOf(ann)]
  await app.services.pool.query(
    `insert into support_messages (request_id, author_id, body)
     select r.id, $1, 'More' from support_requests r, generate_series(1, 98)`,
    [ann.id],
  )
  const written = await write(ann, one)
  expect([written.status, written.body.messages.length]).toEqual([200, 100])
  expect((await write(ann, one, 'And one more.')).body.code).toBe('TOO_LONG')
  expect((await answer(two)).status).toBe(200)
  expect((await answer(two)).body.code).toBe('TOO_LONG')
})

describe('who is told', () => {
  test('of a request: the other administrators, not who asked', async () => {
    const [other, ann] = [await someone(), await someone()]
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [other.id])
    await sentBy(other)
    expect(await noticesOf(other)).toEqual([])
    expect(await noticesOf(ann)).toEqual([])
    expect(await noticesOf(admin)).toMatchObject([
      {
        title: 'Somebody asked for support',
        message: 'A request waits for an answer.',
        type: 'info',
        href: '/admin/support',
      },
    ])
    await app.services.pool.query(`update users set role = 'user' where id = $1`, [other.id])
  })

  test('of an answer: who asked, with the subject', async () => {
    const [ann, other] = [await someone(), await someone()]
    const one = await sentBy(ann)
    await sentBy(other)
    await answer(one)
    expect(await noticesOf(other)).toEqual([])
    expect(await noticesOf(ann)).toMatchObject([
      {
        title: 'Your request was answered',
        message: 'There is an answer to “My video stays black”.',
        href: `/support/${one}`,
      },
    ])
    const { rows } = await app.services.pool.query(
      `select actor_id, subject_kind, subject_id from administrative_acts
        where action = 'answer_support' order by id desc limit 1`,
    )
    expect(rows).toEqual([{ actor_id: admin.id, subject_kind: 'support_request', subject_id: one }])
  })
})

describe('a limit', () => {
  const counted = () => app.services.pool.query('select key from rate_limits')

  test('says how long it lasts, in minutes or as one', async () => {
    const ann = await someone()
    const one = await sentBy(ann)
    await app.services.pool.query('update rate_limits set points = 20')
    const said = async () => (await write(ann, one)).body.message
    expect(await said()).toBe(
      'You have written to us a lot. Please wait 60 minutes, then send it again.',
    )
    const leave = (seconds: number) =>
      app.services.pool.query('update rate_limits set expire = $1', [Date.now() + seconds * 1000])
    await leave(150)
    expect(await said()).toContain('Please wait 3 minutes,')
    await leave(90)
    expect(await said()).toContain('Please wait a minute,')
    expect((await send(ann)).body.message).toContain('Please wait a minute,')
  })

  test('counts nothing for who guesses at requests of others', async () => {
    const [ann, other] = [await someone(), await someone()]
    const one = await sentBy(ann)
    await app.services.pool.query('delete from rate_limits')
    for (const guess of [one, randomUUID()]) {
      expect((await write(other, guess)).status).toBe(404)
    }
    expect((await counted()).rowCount).toBe(0)
    await write(ann, one)
    expect((await counted()).rowCount).toBe(1)
  })

  test('counts people with an account by it, and others by their network and address', async () => {
    await send(await someone())
    expect((await counted()).rowCount).toBe(1)
    await send(null, { name: 'Sam', email: 'sam@example.com' })
    expect((await counted()).rowCount).toBe(3)
  })
})

test('who is deleted while the request is on its way is nobody, and it is not kept', async () => {
  const ann = await someone()
  const leaving = await app.services.pool.connect()
  await leaving.query('begin')
  await leaving.query('delete from users where id = $1', [ann.id])
  const sent = send(ann)
  await somebodyWaits(app)
  await leaving.query('commit')
  leaving.release()
  expect((await sent).status).toBe(401)
  expect((await queueList()).waitingCount).toBe(0)
})
