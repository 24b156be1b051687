// Webhooks: who may have them, what they are told and when, and what becomes of those that do not answer.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { lessonsOf, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { jobsDone, mailsTo, mailTo } from '../../../test/mailbox.ts'
import { payHere, refundAtProvider } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { watchStatements } from '../../../test/statements.ts'
import { removeExpired } from '../accounts/remove-expired.ts'
import { chosenEventTypes } from './event-words.ts'
import { type ChosenEventType, webhookPayloads } from './events.ts'
import { resumeWebhooks } from './deliver-webhooks.ts'
import { queueDelivery } from './keep-event.ts'
import { removeOldMessages } from './remove-old-messages.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const call = ({ cookie }: { cookie?: string }, method: string, path = '', body?: unknown) =>
  app.request(`/rest/v1/webhooks${path}`, { method, body, cookie })

interface Received {
  headers: IncomingHttpHeaders
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

const receivers: Server[] = []
afterAll(() => {
  for (const server of receivers) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server of somebody's, which answers what it is told to: a status, or nothing at all. */
async function receiver(answers: (number | 'silence')[] = []) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const text = await readText(request)
    received.push({ headers: request.headers, text, body: JSON.parse(text) })
    const answer = answers.length > 1 ? answers.shift()! : (answers[0] ?? 200)
    if (answer !== 'silence') response.writeHead(answer).end(`answer ${received.length}`)
  }).listen(0, '127.0.0.1')
  receivers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers,
    ofType: (type: string) => received.filter(({ body }) => body.type === type),
  }
}

async function creatorWith(events: ChosenEventType[] = chosenEventTypes) {
  const creator = await someone('Creator')
  const course = await makeCourse(app.services, creator, { title: 'Knots', status: 'published' })
  const there = await receiver()
  const { body, status } = await call(creator, 'POST', '', { url: there.url, events })
  expect([status, body.message]).toEqual([200, undefined])
  return { creator, course, there, endpoint: body as { id: string } }
}

const join = ({ cookie }: Someone, courseId: string) =>
  app.request('/rest/v1/enrollments', { body: { courseId }, cookie })

const deliveries = async (creator: Someone, endpointId: string) =>
  (await call(creator, 'GET', `/${endpointId}/deliveries`)).body.deliveries as {
    id: string
    type: string
    status: string
    attempts: number
    nextAttemptAt: string | null
  }[]

/** As if the pause after a failure were over. */
async function makeDue(endpointId: string) {
  await app.services.db.transaction(async (transaction) => {
    // The endpoint before its messages, like whoever records what became of an attempt.
    await transaction.execute(
      sql`update webhook_endpoints set rests_until = null where id = ${endpointId}`,
    )
    await transaction.execute(sql`
      update webhook_messages set next_attempt_at = now()
       where endpoint_id = ${endpointId} and status = 'pending'`)
    await queueDelivery(transaction, endpointId)
  })
}

const isOver = (status: string) => status !== 'pending'
const allAreOver = (creator: Someone, endpointId: string) =>
  expect
    .poll(async () => (await deliveries(creator, endpointId)).every(({ status }) => isOver(status)))
    .toBe(true)

describe('an endpoint', () => {
  test('is for creators, about own courses, at addresses that may be told', async () => {
    const there = { url: 'https://example.com/hook', events: ['enrollment.created'] }
    const learner = await someone()
    const refused = await call(learner, 'POST', '', there)
    expect([refused.status, refused.body.code]).toEqual([403, 'NO_COURSE'])

    const { course } = await creatorWith()
    const creator = await someone()
    await makeCourse(app.services, creator, {})
    const foreign = await call(creator, 'POST', '', { ...there, courseId: course.id })
    expect([foreign.status, foreign.body.message]).toEqual([
      400,
      'A webhook can only be about a course of yours',
    ])
    for (const wrong of [
      { url: 'ftp://example.com/' },
      { url: 'https://user:password@example.com/' },
      { url: 'example' },
      { url: '' },
      { url: `https://example.com/${'a'.repeat(2000)}` },
      { events: [] },
      { events: ['everything'] },
      { events: ['webhook.test'] },
      { description: 'a'.repeat(121) },
      { courseId: 'x' },
    ]) {
      const { status, body } = await call(creator, 'POST', '', { ...there, ...wrong })
      expect([400, 422], JSON.stringify(wrong)).toContain(status)
      expect(body.message).toMatch(/\w+ \w+/)
    }
  })

  test('is listed, changed, turned off and on, and deleted by its owner, and by nobody else', async () => {
    const { creator, course, endpoint } = await creatorWith(['post.created'])
    const other = (await creatorWith()).creator
    const path = `/${endpoint.id}`
    const { messageId } = (await call(creator, 'POST', `${path}/test`)).body
    expect(await deliveries(creator, endpoint.id)).toHaveLength(1)
    const change = { description: 'For the list of mails', courseId: course.id, active: false }
    for (const [method, rest, body] of [
      ['GET', path],
      ['PATCH', path, change],
      ['GET', `${path}/secret`],
      ['POST', `${path}/secret`],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries/${messageId}`],
      ['POST', `${path}/deliveries/${messageId}/replay`],
    ] as const) {
      expect((await call(other, method, rest, body)).status).toBe(404)
    }
    expect((await call(other, 'GET', `${path}/deliveries`)).body.deliveries).toEqual([])
    await call(other, 'DELETE', path)

    const changed = await call(creator, 'PATCH', path, change)
    expect(changed.body).toMatchObject({
      description: 'For the list of mails',
      course: { id: course.id, title: 'Knots' },
      status: 'paused',
      events: ['post.created'],
    })
    const wrong = await call(creator, 'PATCH', path, { url: 'ftp://example.com' })
    expect(wrong.status).toBe(400)
    expect((await call(creator, 'POST', `${path}/test`)).body.code).toBe('NOT_ACTIVE')
    expect((await call(creator, 'PATCH', path, { active: true })).body.status).toBe('active')
    expect((await call(creator, 'GET')).body.endpoints).toHaveLength(1)
    expect((await call(creator, 'DELETE', path)).status).toBe(200)
    expect((await call(creator, 'DELETE', path)).status).toBe(200)
    expect((await call(creator, 'GET')).body.endpoints).toEqual([])
  })

  test('is one of at most ten, also when they are made at once', async () => {
    const creator = await someone()
    await makeCourse(app.services, creator, {})
    const one = { url: 'https://example.com/hook', events: ['post.created'] }
    const made = await Promise.all(Array.from({ length: 13 }, () => call(creator, 'POST', '', one)))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(made.find(({ status }) => status !== 200)!.body.code).toBe('TOO_MANY_WEBHOOKS')
  })

  test('that is sent again after a lost answer is made once', async () => {
    const creator = await someone()
    await makeCourse(app.services, creator, {})
    const add = () =>
      app.request('/rest/v1/webhooks', {
        body: { url: 'https://example.com/hook', events: ['post.created'] },
        cookie: creator.cookie,
        headers: { 'idempotency-key': 'an answer that was lost' },
      })
    const [first, again] = [await add(), await add()]
    expect([first.status, again.body]).toEqual([200, first.body])
    expect((await call(creator, 'GET')).body.endpoints).toHaveLength(1)
  })

  test('is told of by mail when it is added, and when it has another address', async () => {
    const creator = await someone()
    await makeCourse(app.services, creator, {})
    const there = { url: 'https://first.example.com/hook?key=hidden', events: ['post.created'] }
    const path = `/${(await call(creator, 'POST', '', there)).body.id}`
    const added = await mailTo(app, creator.email, /^A webhook was added to your account$/)
    expect(added.text).toContain('tells first.example.com what happens in your courses')
    expect(added.text).toContain('delete the webhook under Developers in your settings')
    expect(added.text).not.toContain('hidden')

    await call(creator, 'PATCH', path, { description: 'For the list of mails', url: there.url })
    await call(creator, 'PATCH', path, { url: 'https://second.example.com/hook' })
    const moved = await mailTo(app, creator.email, /^A webhook of your account has another address/)
    expect(moved.text).toContain('tells second.example.com what happens in your courses')
    await jobsDone(app)
    expect(await mailsTo(app, creator.email)).toHaveLength(2)
  })

  test('has a secret that is stored encrypted; a new one signs beside the former for a day', async () => {
    const { creator, course, there, endpoint } = await creatorWith(['enrollment.created'])
    const before = (await call(creator, 'GET', `/${endpoint.id}/secret`)).body.secret
    expect(before).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { rows } = await app.services.pool.query(
      'select to_jsonb(e)::text as row from webhook_endpoints e where id = $1',
      [endpoint.id],
    )
    expect(rows[0].row).not.toContain(before.slice(6, 20))
    const rotated = async () =>
      (await call(creator, 'POST', `/${endpoint.id}/secret`)).body.secret as string
    // Pressed again after an answer that was lost.
    const lost = await rotated()
    const after = await rotated()
    expect(new Set([before, lost, after]).size).toBe(3)
    await join(await someone(), course.id)
    await expect.poll(() => there.received).toHaveLength(1)
    const { text, headers } = there.received[0]!
    for (const secret of [before, lost, after]) {
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toBeTruthy()
    }
    await app.services.pool.query(
      `update webhook_endpoints set former_until = now() where id = $1`,
      [endpoint.id],
    )
    await join(await someone(), course.id)
    await expect.poll(() => there.received).toHaveLength(2)
    const later = there.received[1]!
    const verify = (secret: string) =>
      new Webhook(secret).verify(later.text, later.headers as Record<string, string>)
    expect(verify(after)).toBeTruthy()
    for (const secret of [before, lost]) expect(() => verify(secret)).toThrow()
    // Those that sign no more do not begin again with the next one.
    await rotated()
    await join(await someone(), course.id)
    await expect.poll(() => there.received).toHaveLength(3)
    expect(there.received[2]!.headers['webhook-signature']!.toString().split(' ')).toHaveLength(2)
    for (let made = 0; made < 10; made++) await rotated()
    await join(await someone(), course.id)
    await expect.poll(() => there.received).toHaveLength(4)
    expect(there.received[3]!.headers['webhook-signature']!.toString().split(' ')).toHaveLength(6)
  })

  test('goes with its course, and its log with it', async () => {
    const { creator, course, there, endpoint } = await creatorWith()
    const { pool } = app.services
    await call(creator, 'PATCH', `/${endpoint.id}`, { courseId: course.id })
    await call(creator, 'POST', `/${endpoint.id}/test`)
    await expect.poll(() => there.received).toHaveLength(1)
    await pool.query('delete from courses where id = $1', [course.id])
    expect((await call(creator, 'GET')).body.endpoints).toEqual([])
    const left = await pool.query('select 1 from webhook_messages where endpoint_id = $1', [
      endpoint.id,
    ])
    expect(left.rows).toEqual([])
  })
})

describe('an event', () => {
  test('of each kind is told in the shape that is promised, signed, to a stranger’s verifier', async () => {
    const { creator, course, there, endpoint } = await creatorWith()
    const { secret } = (await call(creator, 'GET', `/${endpoint.id}/secret`)).body
    const learner = await someone('Ada')
    const { id: courseId } = course
    await join(learner, courseId)
    const [lesson] = await lessonsOf(app.services, courseId)
    await app.request(`/rest/v1/lessons/${lesson!.id}/completion`, {
      method: 'PUT',
      body: {},
      cookie: learner.cookie,
    })
    const posted = await app.request('/rest/v1/posts', {
      body: { courseId, content: 'Which knot?' },
      cookie: learner.cookie,
    })
    await app.request('/rest/v1/comments', {
      body: { postId: posted.body.id, content: 'This one.' },
      cookie: creator.cookie,
    })
    for (const rating of [4, 5, 5]) {
      const { status } = await app.request(`/rest/v1/courses/${courseId}/review`, {
        method: 'PUT',
        body: { rating, reviewText: 'Good knots.' },
        cookie: learner.cookie,
      })
      expect(status).toBe(200)
    }
    await app.request(`/rest/v1/enrollments/${courseId}`, {
      method: 'DELETE',
      cookie: learner.cookie,
    })
    for (const path of ['unpublish', 'publish', 'publish']) {
      await app.request(`/rest/v1/courses/${courseId}/${path}`, {
        method: 'POST',
        body: {},
        cookie: creator.cookie,
      })
    }
    await call(creator, 'POST', `/${endpoint.id}/test`)
    await expect.poll(() => there.ofType('webhook.test')).toHaveLength(1)
    await allAreOver(creator, endpoint.id)

    expect(there.received.map(({ body }) => body.type).toSorted()).toEqual([
      'comment.created',
      'course.completed',
      'course.published',
      'enrollment.created',
      'enrollment.ended',
      'lesson.completed',
      'post.created',
      'review.created',
      'review.updated',
      'webhook.test',
    ])
    for (const { text, headers, body } of there.received) {
      const type = body.type as keyof typeof webhookPayloads
      expect(webhookPayloads[type].strict().parse(body.data)).toEqual(body.data)
      expect(new Date(body.timestamp).getTime()).toBeLessThanOrEqual(Date.now())
      const verified = new Webhook(secret).verify(text, headers as Record<string, string>)
      expect(verified).toEqual(body)
      const others = { ...headers, 'webhook-id': 'msg_other' }
      expect(() => new Webhook(secret).verify(text, others as never)).toThrow()
    }
    const [joined] = there.ofType('enrollment.created')
    expect(joined!.body.data).toEqual({
      course: { id: courseId, slug: course.slug, title: 'Knots' },
      person: { id: learner.id, name: 'Ada', username: learner.username, email: learner.email },
    })
    // Of who is a member the list of members says the address; of who has left it does not.
    expect(there.received.filter(({ text }) => text.includes(learner.email))).toHaveLength(1)
  })

  test('of an application says who applied and what was decided', async () => {
    const { creator, course, there } = await creatorWith([
      'application.submitted',
      'application.decided',
    ])
    await app.services.pool.query('update courses set application_required = true where id = $1', [
      course.id,
    ])
    const applicant = await someone('Grace')
    const sent = await app.request('/rest/v1/course_applications', {
      body: { courseId: course.id, answers: [] },
      cookie: applicant.cookie,
    })
    expect(sent.status).toBe(200)
    await expect.poll(() => there.received).toHaveLength(1)
    const { application } = there.received[0]!.body.data
    const decided = await app.request(
      `/rest/v1/courses/${course.id}/applications/${application.id}/review`,
      { body: { decision: 'approved' }, cookie: creator.cookie },
    )
    expect(decided.status).toBe(200)
    await expect.poll(() => there.received).toHaveLength(2)
    for (const { body } of there.received) {
      const type = body.type as keyof typeof webhookPayloads
      expect(webhookPayloads[type].strict().parse(body.data)).toEqual(body.data)
      expect(body.data.person.name).toBe('Grace')
    }
    expect(there.received[1]!.body.data.application).toEqual({
      id: application.id,
      decision: 'approved',
    })
  })

  test('of money says what was paid, paid back, and that a subscription is over', async () => {
    const { course, there, creator, endpoint } = await creatorWith([
      'sale.completed',
      'sale.refunded',
      'subscription.ended',
    ])
    await app.services.pool.query(
      `update courses set pricing_type = 'monthly', price_amount = 2900 where id = $1`,
      [course.id],
    )
    const buyer = await someone('Mary')
    const { body } = await app.request('/functions/v1/course-checkout', {
      body: { course_id: course.id },
      cookie: buyer.cookie,
    })
    await payHere(app, body.url)
    await settled(app)
    await expect.poll(() => there.received).toHaveLength(1)
    const { rows } = await app.services.pool.query(
      'select charge_id as "chargeId" from payments where course_id = $1',
      [course.id],
    )
    await refundAtProvider(app, rows[0].chargeId)
    await settled(app)
    await expect.poll(() => there.received).toHaveLength(3)
    await allAreOver(creator, endpoint.id)
    for (const { body: told } of there.received) {
      const type = told.type as keyof typeof webhookPayloads
      expect(webhookPayloads[type].strict().parse(told.data)).toEqual(told.data)
      expect(told.data.person.name).toBe('Mary')
    }
    expect(there.ofType('sale.completed')[0]!.body.data.sale).toMatchObject({
      amount: 2900,
      currency: 'usd',
    })
    expect(there.ofType('sale.refunded')[0]!.body.data.refund).toEqual({
      amount: 2900,
      inFull: true,
    })
    expect(there.ofType('subscription.ended')[0]!.body.data.subscription.reason).toBe('refunded')
  })

  test('reaches who has chosen it, for all courses or this one, and is not suspended', async () => {
    const { creator, course, there, endpoint } = await creatorWith(['enrollment.created'])
    const elsewhere = await makeCourse(app.services, creator, { status: 'published' })
    await call(creator, 'PATCH', `/${endpoint.id}`, { courseId: course.id })
    const others = await creatorWith(['enrollment.ended'])
    await join(await someone(), elsewhere.id)
    await join(await someone(), others.course.id)
    await app.services.pool.query('update users set suspended_at = now() where id = $1', [
      creator.id,
    ])
    await join(await someone(), course.id)
    await app.services.pool.query('update users set suspended_at = null where id = $1', [
      creator.id,
    ])
    const last = await someone()
    await join(last, course.id)
    await expect.poll(() => there.received).toHaveLength(1)
    expect(there.received[0]!.body.data.person.id).toBe(last.id)
    expect(others.there.received).toEqual([])
    const { rows } = await app.services.pool.query(
      `select count(*)::int as kept from webhook_messages m join webhook_endpoints e on e.id = m.endpoint_id
        where e.user_id = any($1)`,
      [[creator.id, others.creator.id]],
    )
    expect(rows[0].kept).toBe(1)
  })

  test('is not about creators who try their own course', async () => {
    const { creator, course, there } = await creatorWith()
    const [lesson] = await lessonsOf(app.services, course.id)
    const learner = await someone()
    const asLearner = async (who: Someone) => {
      const leave = { method: 'DELETE', cookie: who.cookie }
      return [
        await join(who, course.id),
        await app.request(`/rest/v1/lessons/${lesson!.id}/completion`, {
          method: 'PUT',
          body: {},
          cookie: who.cookie,
        }),
        await app.request(`/rest/v1/enrollments/${course.id}`, leave),
      ].map(({ status }) => status)
    }
    expect(await asLearner(creator)).toEqual([200, 200, 403])
    expect(await asLearner(learner)).toEqual([200, 200, 200])
    await expect.poll(() => there.ofType('enrollment.ended')).toHaveLength(1)
    const about = there.received.map(({ body }) => [body.type, body.data.person.id])
    expect(about.toSorted()).toEqual([
      ['course.completed', learner.id],
      ['enrollment.created', learner.id],
      ['enrollment.ended', learner.id],
      ['lesson.completed', learner.id],
    ])
  })

  test('happens with its transaction, or not at all', async () => {
    const { course, there, creator, endpoint } = await creatorWith(['enrollment.created'])
    await app.services.pool.query('update courses set students_count = 25 where id = $1', [
      course.id,
    ])
    expect((await join(await someone(), course.id)).status).toBe(403)
    await app.services.pool.query('update courses set students_count = 0 where id = $1', [
      course.id,
    ])
    await join(await someone(), course.id)
    await expect.poll(() => there.received).toHaveLength(1)
    expect(await deliveries(creator, endpoint.id)).toHaveLength(1)
  })

  test('costs a learner no statement, whether somebody is told or not', async () => {
    const told = await creatorWith(['lesson.completed'])
    const chapters = [{ title: 'Chapter 1', lessons: [{ title: 'A' }, { title: 'B' }] }]
    const facts = { status: 'published', chapters } as const
    const course = await makeCourse(app.services, await someone(), { ...facts, chapters })
    const toldOf = await makeCourse(app.services, told.creator, { ...facts, chapters })
    const statements = watchStatements(app)
    for (const { id } of [course, toldOf]) {
      const learner = await someone()
      await join(learner, id)
      const [lesson] = await lessonsOf(app.services, id)
      const texts = await statements.during(() =>
        app.request(`/rest/v1/lessons/${lesson!.id}/completion`, {
          method: 'PUT',
          body: {},
          cookie: learner.cookie,
        }),
      )
      // One of several lessons: no certificate yet.
      const about = texts.filter((text) => text.includes('webhook_messages'))
      expect(about).toHaveLength(1)
      expect(about[0]).toContain('live_events')
    }
    await expect.poll(() => told.there.received).toHaveLength(1)
  })

  test('about somebody is gone from the log with the account', async () => {
    const { creator, course, there, endpoint } = await creatorWith(['enrollment.created'])
    const learner = await someone('Leaver')
    await join(learner, course.id)
    await expect.poll(() => there.received).toHaveLength(1)
    const { status } = await app.request('/rest/v1/me/deletion', {
      body: { confirmation: 'DELETE', password: learner.password, membersCourses: 'keep' },
      cookie: learner.cookie,
    })
    expect(status).toBe(200)
    expect(await deliveries(creator, endpoint.id)).toEqual([])
  })
})

describe('a server that fails', () => {
  test('is told again after some seconds, with the same id and another time', async () => {
    const { creator, course, there, endpoint } = await creatorWith(['enrollment.created'])
    const { secret } = (await call(creator, 'GET', `/${endpoint.id}/secret`)).body
    there.answers.push(500, 200)
    await join(await someone(), course.id)
    await expect.poll(() => there.received).toHaveLength(2)
    await allAreOver(creator, endpoint.id)
    const [first, second] = there.received
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.text).toBe(first!.text)
    const waited =
      Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp'])
    expect(waited).toBeGreaterThanOrEqual(4)
    expect(new Webhook(secret).verify(second!.text, second!.headers as never)).toBeTruthy()

    const [listed] = await deliveries(creator, endpoint.id)
    expect(listed).toMatchObject({ status: 'delivered', attempts: 2, nextAttemptAt: null })
    const { body } = await call(creator, 'GET', `/${endpoint.id}/deliveries/${listed!.id}`)
    expect(body.webhookId).toBe(first!.headers['webhook-id'])
    expect(JSON.parse(body.body)).toEqual(first!.body)
    expect(
      body.log.map((one: { status: number; answer: string }) => [one.status, one.answer]),
    ).toEqual([
      [200, 'answer 2'],
      [500, 'answer 1'],
    ])
  })

  test('is given up after eight attempts, and told again when its owner wants', async () => {
    const { creator, course, there, endpoint } = await creatorWith(['enrollment.created'])
    there.answers.push(500)
    await join(await someone(), course.id)
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await expect
        .poll(async () => (await deliveries(creator, endpoint.id))[0]!.attempts)
        .toBe(attempt)
      await makeDue(endpoint.id)
    }
    const [given] = await deliveries(creator, endpoint.id)
    expect(given).toMatchObject({ status: 'failed', attempts: 8, nextAttemptAt: null })
    expect((await call(creator, 'GET', `/${endpoint.id}`)).body.failingSince).not.toBeNull()

    there.answers[0] = 200
    const path = `/${endpoint.id}/deliveries/${given!.id}/replay`
    expect((await call(creator, 'POST', path)).status).toBe(200)
    await expect.poll(() => there.received).toHaveLength(9)
    await allAreOver(creator, endpoint.id)
    const ids = new Set(there.received.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(1)
    expect((await deliveries(creator, endpoint.id))[0]!.status).toBe('delivered')
    expect((await call(creator, 'GET', `/${endpoint.id}`)).body.failingSince).toBeNull()
  })

  test('for five days is turned off, and its owner hears of it', async () => {
    const { creator, course, there, endpoint } = await creatorWith(['enrollment.created'])
    there.answers.push(500)
    await join(await someone(), course.id)
    await join(await someone(), course.id)
    await expect.poll(() => there.received.length).toBeGreaterThanOrEqual(2)
    await app.services.pool.query(
      `with failing as (
         update webhook_endpoints set failing_since = now() - interval '5 days' where id = $1)
       update webhook_messages set failures = 4 where endpoint_id = $1`,
      [endpoint.id],
    )
    await makeDue(endpoint.id)
    await expect
      .poll(async () => (await call(creator, 'GET', `/${endpoint.id}`)).body.status)
      .toBe('disabled')
    const states = (await deliveries(creator, endpoint.id)).map(({ status }) => status)
    expect(states).toEqual(['failed', 'failed'])
    const notices = await app.request('/rest/v1/notifications', { cookie: creator.cookie })
    const about = notices.body.notifications.filter(
      ({ title }: { title: string }) => title === 'A Webhook Was Turned Off',
    )
    expect(about).toHaveLength(1)
    expect(about[0].message).toContain(there.url)
    // Nothing is kept for it, and it can be turned on again.
    await join(await someone(), course.id)
    expect(await deliveries(creator, endpoint.id)).toHaveLength(2)
    there.answers[0] = 200
    await call(creator, 'PATCH', `/${endpoint.id}`, { active: true })
    await join(await someone(), course.id)
    await expect
      .poll(async () => (await deliveries(creator, endpoint.id))[0]!.status)
      .toBe('delivered')
  })

  test('that says 410 is turned off at once', async () => {
    const { creator, there, endpoint } = await creatorWith()
    there.answers.push(410)
    await call(creator, 'POST', `/${endpoint.id}/test`)
    await expect
      .poll(async () => (await call(creator, 'GET', `/${endpoint.id}`)).body.status)
      .toBe('disabled')
  })

  test('by being silent holds up nobody else, and rests', async () => {
    const slow = await creatorWith(['enrollment.created'])
    const quick = await creatorWith(['enrollment.created'])
    slow.there.answers.push('silence')
    const [other, ...people] = await Promise.all(Array.from({ length: 13 }, () => someone()))
    // Nothing goes out before all of it waits: the silent attempt lasts for ten seconds only.
    await app.services.pool.query(
      `update webhook_endpoints set rests_until = now() + interval '10 minutes' where id = $1`,
      [slow.endpoint.id],
    )
    for (const person of people) await join(person, slow.course.id)
    await makeDue(slow.endpoint.id)
    await expect.poll(() => slow.there.received).toHaveLength(1)
    await join(other!, quick.course.id)
    await expect.poll(() => quick.there.received).toHaveLength(1)
    // The silent one still has its one attempt under way; not twelve of them.
    expect(slow.there.received).toHaveLength(1)
    const states = await deliveries(slow.creator, slow.endpoint.id)
    expect(states.map(({ attempts }) => attempts)).toEqual(Array(12).fill(0))

    await expect
      .poll(async () => {
        const { rows } = await app.services.pool.query(
          'select rests_until > now() as rests from webhook_endpoints where id = $1',
          [slow.endpoint.id],
        )
        return rows[0].rests
      })
      .toBe(true)
    expect(slow.there.received).toHaveLength(1)
    const [tried] = (await deliveries(slow.creator, slow.endpoint.id)).filter(
      ({ attempts }) => attempts === 1,
    )
    const { body } = await call(slow.creator, 'GET', `/${slow.endpoint.id}/deliveries/${tried!.id}`)
    expect(body.log[0].problem).toBe('No whole answer within 10 seconds')
  })
})

describe('deliveries', () => {
  test('whose job was lost are found again', async () => {
    const { creator, there, endpoint } = await creatorWith()
    await call(creator, 'PATCH', `/${endpoint.id}`, { active: false })
    await app.services.pool.query(
      `insert into webhook_messages (endpoint_id, type, data, next_attempt_at)
       values ($1, 'webhook.test', '{"message":"lost"}', now() - interval '3 minutes')`,
      [endpoint.id],
    )
    await app.services.pool.query(`update webhook_endpoints set status = 'active' where id = $1`, [
      endpoint.id,
    ])
    await resumeWebhooks(app.services)
    await expect.poll(() => there.received).toHaveLength(1)
  })

  test('are listed page by page, newest first, for 30 days', async () => {
    const { creator, endpoint } = await creatorWith()
    await app.services.pool.query(
      `insert into webhook_messages (endpoint_id, type, data, status, created_at)
         select $1, 'webhook.test', '{}', 'delivered', now() - make_interval(days => number)
           from generate_series(1, 45) number`,
      [endpoint.id],
    )
    await removeOldMessages(app.services.db)
    const first = (await call(creator, 'GET', `/${endpoint.id}/deliveries`)).body
    expect(first.deliveries).toHaveLength(20)
    const path = `/${endpoint.id}/deliveries?cursor=${first.nextCursor}`
    const second = (await call(creator, 'GET', path)).body
    expect(second.nextCursor).toBeNull()
    const ids = [...first.deliveries, ...second.deliveries].map(({ id }) => id)
    expect(ids).toHaveLength(29)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect((await call(creator, 'GET', `/${endpoint.id}/deliveries?cursor=x`)).status).toBe(422)
  })

  test('wait in a queue of their endpoint, whose name goes with it', async () => {
    const { db, pool } = app.services
    const [kept, gone, working] = [await creatorWith(), await creatorWith(), await creatorWith()]
    for (const { creator, endpoint, there } of [kept, gone]) {
      await call(creator, 'POST', `/${endpoint.id}/test`)
      await expect.poll(() => there.received).toHaveLength(1)
    }
    await queueDelivery(db, working.endpoint.id, new Date(Date.now() + 60_000))
    for (const { creator, endpoint } of [gone, working]) {
      expect((await call(creator, 'DELETE', `/${endpoint.id}`)).status).toBe(200)
    }
    const all = [kept, gone, working].map(({ endpoint }) => endpoint.id)
    const named = async () => {
      await removeExpired(undefined, app.services)
      const { rows } = await pool.query<{ id: string }>(
        `select substr(queue_name, 10) as id from graphile_worker._private_job_queues
          where substr(queue_name, 10) = any($1) order by id`,
        [all],
      )
      return rows.map(({ id }) => id)
    }
    // Once the job has ended as well; one that waits is done first.
    await expect.poll(named).toEqual([kept.endpoint.id, working.endpoint.id])
    await call(kept.creator, 'POST', `/${kept.endpoint.id}/test`)
    await expect.poll(() => kept.there.received).toHaveLength(2)
  })

  test('asked for by hand are limited by day', async () => {
    const { creator, endpoint, there } = await creatorWith()
    await app.services.pool.query(
      `insert into rate_limits (key, points, expire) values ($1, 500, $2)`,
      [`webhooks-by-hand:${creator.id}`, Date.now() + 60_000],
    )
    const { status, body, headers } = await call(creator, 'POST', `/${endpoint.id}/test`)
    expect([status, body.code, body.message]).toEqual([
      429,
      'TOO_MANY',
      'Tests and repeated deliveries are limited to 500 in 24 hours. Please try again in 1 minute.',
    ])
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(40)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(there.received).toEqual([])
  })
})

test('an address in a private network is refused where it is made', async () => {
  const other = await startTestApp()
  try {
    const creator = await makePerson(other.services)
    const cookie = await sessionCookieOf(other.services, creator.id)
    await makeCourse(other.services, creator, {})
    for (const url of ['http://example.com/', 'https://127.0.0.1/', 'https://[::ffff:7f00:1]/']) {
      const { status, body } = await other.request('/rest/v1/webhooks', {
        body: { url, events: ['post.created'] },
        cookie,
      })
      expect(status).toBe(400)
      expect(body.message).toMatch(/private network|https:/)
    }
  } finally {
    await other.stop()
  }
})
