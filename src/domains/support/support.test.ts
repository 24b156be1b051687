import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, type MadePerson, sessionCookieOf } from '../../../test/factories.ts'
import { jobsDone, mailsTo, mailTo } from '../../../test/mailbox.ts'
import { isRequestStatus, isTopic, statusWords, topicWords } from './rules.ts'

let app: TestApp
let admin: Caller
interface Caller extends MadePerson {
  cookie: string
}

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: 'on' })
  admin = await someone('Ada Ministrator')
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await app.services.pool.query('delete from rate_limits')
})

async function someone(name?: string): Promise<Caller> {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const givePro = ({ id }: { id: string }) =>
  app.services.pool.query(
    `insert into plan_grants (user_id, reason) values ($1, 'A test') on conflict do nothing`,
    [id],
  )

const asked = {
  topic: 'teaching',
  subject: 'My video stays black',
  message: 'I uploaded a film and it stays black in the lesson.',
}

const requests = '/rest/v1/support/requests'
const queue = '/rest/v1/admin/support/requests'
const send = (who: Caller | null, change: object = {}, address = '203.0.113.1') =>
  app.request(requests, {
    cookie: who?.cookie,
    body: { ...asked, ...change },
    headers: { 'x-forwarded-for': address },
  })
const stranger = () => ({ name: 'Sam Stranger', email: `${crypto.randomUUID()}@example.com` })

async function sentBy(who: Caller, change: object = {}): Promise<string> {
  const { status, body } = await send(who, change)
  expect(status).toBe(200)
  return body.requestId
}

const write = (who: Caller, id: string, message = 'It happens on my phone, too.') =>
  app.request(`${requests}/${id}/messages`, { cookie: who.cookie, body: { message } })
const answer = (id: string, message = 'Please convert it to H.264.') =>
  app.request(`${queue}/${id}/messages`, { cookie: admin.cookie, body: { message } })
const noticesOf = async ({ cookie }: Caller) =>
  (await app.request('/rest/v1/notifications', { cookie })).body.notifications

describe('a request', () => {
  test('of somebody signed in has a page with its answers, for nobody else', async () => {
    const ann = await someone('Ann Asker')
    const other = await someone()
    const id = await sentBy(ann, { name: 'Somebody Else', email: 'else@example.com' })
    const own = await app.request(`${requests}/${id}`, { cookie: ann.cookie })
    expect(own.body).toMatchObject({
      subject: asked.subject,
      status: 'waiting',
      priority: false,
      messages: [{ fromTeam: false, body: asked.message }],
    })
    expect((await app.request(`${requests}/${id}`, { cookie: other.cookie })).status).toBe(404)
    expect((await write(other, id)).status).toBe(404)
    const close = { method: 'POST', cookie: other.cookie }
    expect((await app.request(`${requests}/${id}/close`, close)).status).toBe(404)
    expect((await app.request(requests, { cookie: other.cookie })).body.requests).toEqual([])
    // Who it is from is not what the form says.
    const queued = await app.request(`${queue}/${id}`, { cookie: admin.cookie })
    expect(queued.body).toMatchObject({ name: 'Ann Asker', email: ann.email, hasAccount: true })
  })

  test('is answered, closed, and opened again by writing; the person is told', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    const answered = await answer(id)
    expect(answered.body).toMatchObject({
      status: 'answered',
      messages: [{ fromTeam: false }, { fromTeam: true, authorName: 'Ada Ministrator' }],
    })
    expect(await noticesOf(ann)).toMatchObject([
      { title: 'Your request was answered', href: `/support/${id}` },
    ])
    const mail = await mailTo(app, ann.email, /was answered/)
    expect(mail.text).toContain(`/support/${id}`)
    const read = await app.request(`${requests}/${id}`, { cookie: ann.cookie })
    expect(JSON.stringify(read.body)).not.toContain('Ada Ministrator')

    const closed = await app.request(`${requests}/${id}/close`, {
      method: 'POST',
      cookie: ann.cookie,
    })
    expect(closed.body.status).toBe('closed')
    expect((await write(ann, id)).body).toMatchObject({ status: 'waiting', messages: [{}, {}, {}] })
    const closing = { method: 'POST', cookie: admin.cookie }
    expect((await app.request(`${queue}/${id}/close`, closing)).body.status).toBe('closed')
    expect((await app.request(`${queue}/${id}/close`, closing)).status).toBe(200)
    const { rows } = await app.services.pool.query(
      `select action, subject_name from administrative_acts where subject_id = $1 order by id`,
      [id],
    )
    expect(rows).toEqual([
      { action: 'answer_support', subject_name: 'Making a course' },
      { action: 'close_support', subject_name: 'Making a course' },
    ])
  })

  test('whose answer was lost, sent again, is one; later, or in other words, another one', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    expect(await sentBy(ann)).toBe(id)
    expect(await sentBy(ann, { message: 'Another film stays black.' })).not.toBe(id)
    expect(await sentBy(await someone())).not.toBe(id)
    await app.services.pool.query(
      `update support_requests set last_message_at = now() - interval '11 minutes' where id = $1`,
      [id],
    )
    expect(await sentBy(ann)).not.toBe(id)

    const sam = stranger()
    await send(null, sam)
    expect((await send(null, sam)).status).toBe(200)
    const { rows } = await app.services.pool.query(
      'select count(*)::int from support_requests where email = $1',
      [sam.email],
    )
    expect(rows).toEqual([{ count: 1 }])
    // The mail that it arrived may be what did not come.
    await jobsDone(app)
    expect(await mailsTo(app, sam.email)).toHaveLength(2)
  })

  test('more about it, sent again after a lost answer, stands there once; in answer to an answer, again', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    await write(ann, id)
    expect((await write(ann, id)).body.messages).toHaveLength(2)
    await answer(id)
    expect((await write(ann, id)).body).toMatchObject({
      status: 'waiting',
      messages: [{}, {}, { fromTeam: true }, {}],
    })
    await app.services.pool.query(
      `update support_messages set created_at = now() - interval '11 minutes' where request_id = $1`,
      [id],
    )
    expect((await write(ann, id)).body.messages).toHaveLength(5)
  })

  test('without an account: a mail that it arrived, with nothing of what was typed, then the answer', async () => {
    const from = stranger()
    const { status, body } = await send(null, from)
    expect([status, body]).toEqual([200, { requestId: null, priority: false }])
    const arrived = await mailTo(app, from.email, /We have received your request/)
    for (const typed of [asked.subject, asked.message, from.name]) {
      expect(arrived.text + arrived.html).not.toContain(typed)
    }
    const { rows } = await app.services.pool.query<{ id: string }>(
      'select id from support_requests where email = $1',
      [from.email],
    )
    await answer(rows[0]!.id, 'Try <b>this</b> & that.\n\nGood luck!')
    const answered = await mailTo(app, from.email, /Our answer/)
    expect(answered.text).toContain('Try <b>this</b> & that.')
    expect(answered.html).not.toContain('<b>this')
    expect(answered.text).toContain('/support')
  })

  test.each([
    [{ topic: 'nonsense' }, 'Please choose what it is about'],
    [{ subject: ' ' }, 'Subject is required'],
    [{ subject: 'x'.repeat(201) }, 'Subject can have at most 200 characters'],
    [{ message: 'x'.repeat(5_001) }, 'The message can have at most 5,000 characters'],
    [{ message: 'Help' }, 'Please write a sentence or two, so that we can help you'],
    [{ name: undefined }, 'Please tell us your name'],
    [{ email: 'nowhere' }, 'Please enter a valid email address'],
    [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'Please enter a valid email address'],
  ])('that is wrong is refused in words: %o', async (change, sentence) => {
    const { status, body } = await send(null, { ...stranger(), ...change })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.message).toBe(sentence)
  })

  test('goes on in as few words as they need, but not without any', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    expect((await answer(id, 'In which browser?')).status).toBe(200)
    expect((await write(ann, id, 'Firefox')).status).toBe(200)
    expect((await answer(id, 'Yes')).status).toBe(200)
    for (const { status, body } of [await write(ann, id, ' \n '), await answer(id, '\u200E')]) {
      expect([status, body.message]).toEqual([422, 'Please write a message'])
    }
  })

  test('is without control characters and turned text, and cannot add a header', async () => {
    const ann = await someone()
    const subject = 'One\r\nBcc: all@example.com\u0007\u202E two'
    const id = await sentBy(ann, { subject, message: 'Line one\u0000\u0008 here\r\nline two' })
    const { body } = await app.request(`${requests}/${id}`, { cookie: ann.cookie })
    expect(body.subject).toBe('One Bcc: all@example.com two')
    expect(body.messages[0].body).toBe('Line one here\nline two')
  })
})

describe('what is written while somebody answers or closes', () => {
  const refused = [409, 'Something was written meanwhile. Please read it first.']
  const read = async (id: string) =>
    (await app.request(`${queue}/${id}`, { cookie: admin.cookie })).body
  const answerAfter = (id: string, messagesRead: number, who = admin) =>
    app.request(`${queue}/${id}/messages`, {
      cookie: who.cookie,
      body: { message: 'Please convert it to H.264.', messagesRead },
    })
  const closeAfter = (id: string, messagesRead: number) =>
    app.request(`${queue}/${id}/close`, { cookie: admin.cookie, body: { messagesRead } })

  test('by the person is read before', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    await write(ann, id)
    for (const act of [answerAfter, closeAfter]) {
      const { status, body } = await act(id, 1)
      expect([status, body.message]).toEqual(refused)
      expect(await read(id)).toMatchObject({ status: 'waiting', messages: [{}, {}] })
    }
    expect(await noticesOf(ann)).toEqual([])
    expect((await answerAfter(id, 2)).body.status).toBe('answered')
    await write(ann, id)
    expect((await closeAfter(id, 3)).status).toBe(409)
    expect((await closeAfter(id, 4)).body.status).toBe('closed')
    // Twice is harmless, whatever was read.
    expect((await closeAfter(id, 1)).body.status).toBe('closed')
  })

  test('by another administrator is no second answer, also at the same moment', async () => {
    const other = await someone()
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [other.id])
    const id = await sentBy(await someone())
    const answers = await Promise.all([answerAfter(id, 1), answerAfter(id, 1, other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await read(id)).messages).toHaveLength(2)
    await app.services.pool.query(`update users set role = 'user' where id = $1`, [other.id])
  })
})

describe('a request that never was, or went with its account,', () => {
  const never = crypto.randomUUID()

  test('is found by nobody', async () => {
    const ann = await someone()
    const own = { cookie: ann.cookie }
    expect((await app.request(`${requests}/${never}`, own)).status).toBe(404)
    expect((await write(ann, never)).status).toBe(404)
    const close = { method: 'POST', ...own }
    expect((await app.request(`${requests}/${never}/close`, close)).status).toBe(404)
  })

  test('is not answered', async () => {
    const own = { cookie: admin.cookie }
    expect((await app.request(`${queue}/${never}`, own)).status).toBe(404)
    expect((await answer(never)).status).toBe(404)
    const close = { method: 'POST', ...own }
    expect((await app.request(`${queue}/${never}/close`, close)).status).toBe(404)
    const acts = await app.services.pool.query(
      `select 1 from administrative_acts where subject_id = $1`,
      [never],
    )
    expect(acts.rowCount).toBe(0)
  })
})

describe('own requests', () => {
  const pageOf = async ({ cookie }: Caller, cursor?: string) =>
    (await app.request(cursor ? `${requests}?cursor=${cursor}` : requests, { cookie })).body

  test('come in pages of 20, those in which something happened last first', async () => {
    const ann = await someone()
    const ids: string[] = []
    for (let index = 0; index < 21; index++) {
      await app.services.pool.query('delete from rate_limits')
      ids.unshift(await sentBy(ann, { subject: `Number ${index}` }))
    }
    const idsOf = (page: { requests: { id: string }[] }) => page.requests.map(({ id }) => id)
    const first = await pageOf(ann)
    expect(idsOf(first)).toEqual(ids.slice(0, 20))
    const second = await pageOf(ann, first.nextCursor)
    expect([idsOf(second), second.nextCursor]).toEqual([ids.slice(20), null])

    // The oldest one comes up when it is answered.
    await answer(ids[20]!)
    expect(idsOf(await pageOf(ann))[0]).toBe(ids[20])
  })

  test('have no place that is none', async () => {
    const { cookie } = await someone()
    const { status, body } = await app.request(`${requests}?cursor=nowhere`, { cookie })
    expect([status, body.message]).toEqual([400, 'This is not a place in the list'])
  })
})

test.each(['answered', 'closed'])(
  'what is %s comes in pages, the last one first, and each once',
  async (status) => {
    await app.services.pool.query('delete from support_requests')
    const ids: string[] = []
    for (let index = 0; index < 22; index++) {
      await app.services.pool.query('delete from rate_limits')
      const id = await sentBy(await someone())
      if (status === 'answered') await answer(id)
      else await app.request(`${queue}/${id}/close`, { method: 'POST', cookie: admin.cookie })
      ids.unshift(id)
    }
    const own = { cookie: admin.cookie }
    const first = (await app.request(`${queue}?status=${status}`, own)).body
    const second = await app.request(`${queue}?status=${status}&cursor=${first.nextCursor}`, own)
    const found = [...first.requests, ...second.body.requests].map(({ id }) => id)
    expect(found).toEqual(ids)
    expect([first.requests.length, first.waitingCount, second.body.nextCursor]).toEqual([
      20,
      0,
      null,
    ])
    // A place of the other kind of list is none.
    const wrong = await app.request(`${queue}?status=${status}&cursor=2-${first.nextCursor}`, own)
    expect(wrong.status).toBe(400)
  },
)

describe('priority', () => {
  test('is that of the plan at that moment, and stands first; then who waits longest', async () => {
    await app.services.pool.query('delete from support_requests')
    const [early, late, pro] = [await someone(), await someone(), await someone()]
    await givePro(pro)
    const first = await sentBy(early, { priority: true })
    const second = await sentBy(late)
    const third = await sentBy(pro)
    const order = async () =>
      (await app.request(queue, { cookie: admin.cookie })).body.requests.map(
        ({ id }: { id: string }) => id,
      )
    expect(await order()).toEqual([third, first, second])
    // Who writes more keeps the place.
    await write(early, first)
    expect(await order()).toEqual([third, first, second])
    await app.services.pool.query('delete from plan_grants where user_id = $1', [pro.id])
    await write(pro, third)
    expect(await order()).toEqual([first, second, third])
  })

  test('holds over the pages of the queue', async () => {
    await app.services.pool.query('delete from support_requests')
    await app.services.pool.query(
      `insert into support_requests (name, email, topic, subject, priority, last_message_at)
       select 'N', 'n@example.com', 'other', 'Number ' || n, n % 3 = 0, now() - n * interval '1 minute'
         from generate_series(1, 50) n`,
    )
    const seen: { subject: string; priority: boolean; lastMessageAt: string }[] = []
    let after: string | null = ''
    while (after !== null) {
      const path: string = after === '' ? queue : `${queue}?cursor=${after}`
      const { body }: Answer = await app.request(path, { cookie: admin.cookie })
      expect(body.waitingCount).toBe(50)
      seen.push(...body.requests)
      after = body.nextCursor
    }
    const expected = seen.toSorted(
      (one, other) =>
        Number(other.priority) - Number(one.priority) ||
        one.lastMessageAt.localeCompare(other.lastMessageAt),
    )
    expect(seen).toHaveLength(50)
    expect(seen).toEqual(expected)
    expect((await app.request(`${queue}?cursor=nowhere`, { cookie: admin.cookie })).status).toBe(
      400,
    )
  })
})

describe('spam', () => {
  test('that fills in the hidden field is refused, and nothing is stored or mailed', async () => {
    const from = stranger()
    const { status, body } = await send(null, { ...from, website: 'https://pills.example' })
    expect([status, body.code]).toEqual([403, 'FILLED_TRAP'])
    const { rowCount } = await app.services.pool.query(
      'select 1 from support_requests where email = $1',
      [from.email],
    )
    expect(rowCount).toBe(0)
  })

  test('from one address: 10 in an hour, whoever it says it is', async () => {
    const sent = await Promise.all(Array.from({ length: 14 }, () => send(null, stranger())))
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = sent.find(({ status }) => status !== 200)!
    expect(refused.status).toBe(429)
    expect(refused.body.message).toMatch(/^You have written to us a lot\. Please wait \d+ minutes/)
    expect((await send(null, stranger(), '198.51.100.9')).status).toBe(200)
  })

  test('to one recipient: 3 in an hour, from wherever and however it is written', async () => {
    const { email } = stranger()
    const statuses: number[] = []
    for (const number of [1, 2, 3, 4]) {
      const address = `198.51.100.${number}`
      const written = number % 2 ? email : email.toUpperCase()
      statuses.push((await send(null, { name: 'Sam', email: written }, address)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('from one account: 20 messages in an hour', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    const more = await Promise.all(Array.from({ length: 22 }, () => write(ann, id)))
    expect(more.filter(({ status }) => status === 200)).toHaveLength(19)
    expect((await send(ann)).status).toBe(429)
  })

  test('is no flood: administrators are told once until they have looked', async () => {
    await app.services.pool.query('delete from notifications where user_id = $1', [admin.id])
    const ann = await someone()
    await sentBy(ann)
    await send(null, stranger())
    await sentBy(ann)
    expect(await noticesOf(admin)).toMatchObject([
      { title: 'Somebody asked for support', href: '/admin/support' },
    ])
  })

  test('tells administrators of what was answered and is asked again, not of what waits', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    const forget = () =>
      app.services.pool.query('delete from notifications where user_id = $1', [admin.id])
    await forget()
    await write(ann, id)
    expect(await noticesOf(admin)).toEqual([])
    await answer(id)
    await forget()
    await write(ann, id, 'It is still black.')
    expect(await noticesOf(admin)).toMatchObject([{ title: 'Somebody asked for support' }])
  })

  test('a conversation has an end', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    await app.services.pool.query(
      `insert into support_messages (request_id, author_id, body)
       select $1, $2, 'More' from generate_series(1, 99)`,
      [id, ann.id],
    )
    const { status, body } = await write(ann, id)
    expect([status, body.code]).toEqual([409, 'TOO_LONG'])
    const answered = await answer(id)
    expect([answered.status, answered.body.code]).toEqual([409, 'TOO_LONG'])
  })

  test('keeps its place while it waits, and has a new one when it waits again', async () => {
    const ann = await someone()
    const id = await sentBy(ann)
    const placeOf = async () =>
      (
        await app.services.pool.query(
          'select last_message_at::text as place from support_requests where id = $1',
          [id],
        )
      ).rows[0].place
    const first = await placeOf()
    await write(ann, id)
    expect(await placeOf()).toBe(first)
    await answer(id)
    const answered = await placeOf()
    expect(answered).not.toBe(first)
    await write(ann, id, 'It is still black.')
    expect(await placeOf()).not.toBe(answered)
  })
})

test('somebody who is suspended can ask, too', async () => {
  const ann = await someone('Ann Stopped')
  await app.services.pool.query('update users set suspended_at = now() where id = $1', [ann.id])
  const id = await sentBy(ann)
  expect((await write(ann, id)).body.messages).toHaveLength(2)
  const { body } = await app.request(`${queue}/${id}`, { cookie: admin.cookie })
  // No profile is shown that a username could lead to.
  expect(body).toMatchObject({ name: 'Ann Stopped', username: null })
})

test('an administrator who is suspended is not told that somebody waits', async () => {
  const stopped = await someone()
  await app.services.pool.query(
    `update users set role = 'admin', suspended_at = now() where id = $1`,
    [stopped.id],
  )
  await app.services.pool.query('delete from notifications where user_id = $1', [admin.id])
  await sentBy(await someone())
  const { rows } = await app.services.pool.query(
    `select user_id as id from notifications where kind = 'support_received' and user_id = any($1)`,
    [[admin.id, stopped.id]],
  )
  expect(rows).toEqual([{ id: admin.id }])
  await app.services.pool.query(`update users set role = 'user' where id = $1`, [stopped.id])
})

test('the queue is for administrators, also no more after losing the role', async () => {
  const ann = await someone()
  const id = await sentBy(ann)
  const former = await someone()
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [former.id])
  expect((await app.request(queue, { cookie: former.cookie })).status).toBe(200)
  await app.services.pool.query(`update users set role = 'user' where id = $1`, [former.id])
  for (const who of [ann, former]) {
    const { cookie } = who
    expect((await app.request(queue, { cookie })).status).toBe(403)
    expect((await app.request(`${queue}/${id}`, { cookie })).status).toBe(403)
    const body = { message: 'An answer by nobody' }
    expect((await app.request(`${queue}/${id}/messages`, { cookie, body })).status).toBe(403)
  }
  expect((await app.request(queue)).status).toBe(401)
})

test('an account that is deleted while it is answered leaves nothing, and no deadlock', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => someone()))
  const ids = await Promise.all(people.map((person) => sentBy(person)))
  const done = await Promise.all(
    people.flatMap((person, index) => [
      answer(ids[index]!),
      write(person, ids[index]!),
      app.request('/rest/v1/me/deletion', {
        cookie: person.cookie,
        body: { confirmation: 'DELETE', password: person.password, membersCourses: 'keep' },
      }),
    ]),
  )
  expect(done.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  const { rowCount } = await app.services.pool.query(
    'select 1 from support_requests where id = any($1)',
    [ids],
  )
  expect(rowCount).toBe(0)
})

test('what goes with the account is said before, by its number', async () => {
  const ann = await someone()
  const said = async () => {
    const { body } = await app.request('/rest/v1/me/deletion', { cookie: ann.cookie })
    return body.consequences.map(({ text }: { text: string }) => text).join(' ')
  }
  expect(await said()).not.toContain('support')
  await sentBy(ann)
  expect(await said()).toContain('Your request for support is deleted, with the answers.')
  await sentBy(ann, { subject: 'And my other video' })
  expect(await said()).toContain('Your 2 requests for support are deleted, with the answers.')
})

test('topics and states have their words', () => {
  expect(topicWords).toEqual({
    account: 'My account',
    learning: 'Taking a course',
    teaching: 'Making a course',
    payments: 'Payments and billing',
    abuse: 'Something that should not be here',
    other: 'Something else',
  })
  expect(statusWords).toEqual({ waiting: 'Waiting', answered: 'Answered', closed: 'Closed' })
  expect(['teaching', 'other', 'none', 7].filter(isTopic)).toEqual(['teaching', 'other'])
  expect(['closed', 'none', null].filter(isRequestStatus)).toEqual(['closed'])
})
