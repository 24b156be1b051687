// What becomes of an endpoint and of what waits for it, and that those beside it stay as they are.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as workFor } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { endpointRow, makeEndpoint, makeMessage } from '../../../test/webhook-rows.ts'
import type { Db, Transaction } from '../../server/db.ts'
import { setBrand } from '../site/brand.ts'
import { deliverWebhooks, resumeWebhooks } from './deliver-webhooks.ts'
import type { HappenedInCourse } from './keep-event.ts'
import { keepEvent, queueDelivery } from './keep-event.ts'

let app: TestApp
let server: Server
const received: { headers: IncomingHttpHeaders; text: string }[] = []
beforeAll(async () => {
  app = await startTestApp({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, text: await readText(request) })
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app?.stop()
})

async function creator() {
  const person = await makePerson(app.services)
  const course = await makeCourse(app.services, person, { title: 'Knots' })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id), course }
}
type Creator = Awaited<ReturnType<typeof creator>>

const call = ({ cookie }: Creator, method: string, path = '', body?: unknown) =>
  app.request(`/rest/v1/webhooks${path}`, { method, body, cookie })
const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

const endpointOf = ({ cookie }: Creator, more?: object) => makeEndpoint(app, cookie, more)
const messageOf = (endpoint: { id: string }, more?: Record<string, unknown>) =>
  makeMessage(app, endpoint, more)
const rowOf = (endpoint: { id: string }) => endpointRow(app, endpoint)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

describe('an endpoint', () => {
  test('is shown as it was made, beside the other ones and what it can be limited to', async () => {
    const owner = await creator()
    const another = await makeCourse(app.services, owner, { title: 'Bows' })
    const other = await creator()
    await endpointOf(other)
    const first = await endpointOf(owner, { url: 'https://b.example/' })
    const second = await endpointOf(owner, {
      url: 'https://a.example/',
      description: 'For a list',
      events: ['sale.completed', 'post.created', 'sale.completed'],
      courseId: another.id,
    })
    expect([first, second]).toEqual([
      {
        id: expect.any(String),
        url: 'https://b.example/',
        description: '',
        events: ['post.created'],
        course: null,
        status: 'active',
        failingSince: null,
        createdAt: expect.stringMatching(/Z$/),
      },
      {
        id: expect.any(String),
        url: 'https://a.example/',
        description: 'For a list',
        events: ['sale.completed', 'post.created'],
        course: { id: another.id, title: 'Bows' },
        status: 'active',
        failingSince: null,
        createdAt: expect.any(String),
      },
    ])
    expect((await call(owner, 'GET')).body).toEqual({
      endpoints: [first, second],
      courses: [
        { id: another.id, title: 'Bows' },
        { id: owner.course.id, title: 'Knots' },
      ],
    })
    expect((await call(owner, 'GET', `/${second.id}`)).body).toEqual(second)
  })

  test('changes by what is named, and only this one', async () => {
    const [owner, other] = [await creator(), await creator()]
    const endpoint = await endpointOf(owner, { description: 'Mine' })
    const beside = await endpointOf(owner)
    const besideBefore = await rowOf(beside)
    const change = async (body: object) => {
      const { status, body: said } = await call(owner, 'PATCH', `/${endpoint.id}`, body)
      return status === 200 ? said : [status, said.message]
    }
    expect(await change({})).toEqual(endpoint)
    expect(await change({ courseId: other.course.id, description: 'Theirs' })).toEqual([
      400,
      'A webhook can only be about a course of yours',
    ])
    const limited = await change({ courseId: owner.course.id, events: ['sale.completed'] })
    expect(limited).toEqual({
      ...endpoint,
      course: { id: owner.course.id, title: 'Knots' },
      events: ['sale.completed'],
    })
    expect(await change({ courseId: null })).toEqual({ ...limited, course: null })
    expect(await rowOf(beside)).toEqual(besideBefore)
  })

  test('that fails or rests begins anew with another address, or when it is turned on', async () => {
    const owner = await creator()
    const endpoint = await endpointOf(owner)
    const fails = () =>
      query(
        `update webhook_endpoints set failing_since = '2026-01-01', rests_until = '2036-01-01' where id = $1`,
        endpoint.id,
      )
    const after = async (change: object) => {
      await fails()
      await call(owner, 'PATCH', `/${endpoint.id}`, change)
      const { status, failing_since: failing, rests_until: rests } = await rowOf(endpoint)
      return [status, failing !== null, rests !== null]
    }
    expect(await after({ description: 'Another word' })).toEqual(['active', true, true])
    // The dialog names the address with whatever is changed.
    const same = { url: endpoint.url, description: 'One more word' }
    expect(await after(same)).toEqual(['active', true, true])
    expect(await after({ active: false })).toEqual(['paused', true, true])
    expect(await after({ url: 'https://new.example/' })).toEqual(['paused', false, false])
    expect(await after({ active: true })).toEqual(['active', false, false])
    await query(`update webhook_endpoints set status = 'disabled' where id = $1`, endpoint.id)
    expect(await after({ active: true })).toEqual(['active', false, false])
  })

  test('has a new secret for itself; the former one signs for a day', async () => {
    const owner = await creator()
    const [endpoint, beside] = [await endpointOf(owner), await endpointOf(owner)]
    const [before, besideBefore] = [await rowOf(endpoint), await rowOf(beside)]
    await call(owner, 'POST', `/${endpoint.id}/secret`)
    const after = await rowOf(endpoint)
    expect(after.sealed_former_secret).toBe(before.sealed_secret)
    expect(after.sealed_secret).not.toBe(before.sealed_secret)
    const hours = (after.former_until.getTime() - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    expect(await rowOf(beside)).toEqual(besideBefore)
  })

  test('whose secret cannot be read any more says so, there and in its log', async () => {
    const owner = await creator()
    const endpoint = await endpointOf(owner)
    await query(`update webhook_endpoints set sealed_secret = 'x' where id = $1`, endpoint.id)
    const secret = await call(owner, 'GET', `/${endpoint.id}/secret`)
    expect([secret.status, secret.body.message]).toEqual([
      409,
      'This secret cannot be read any more. Make a new one.',
    ])
    const messageId = await messageOf(endpoint)
    await query('update webhook_endpoints set rests_until = null where id = $1', endpoint.id)
    await call(owner, 'PATCH', `/${endpoint.id}`, {})
    const log = async () =>
      (await call(owner, 'GET', `/${endpoint.id}/deliveries/${messageId}`)).body.log
    await expect.poll(async () => (await log()).length).toBeGreaterThan(0)
    expect((await log()).at(-1)).toMatchObject({
      status: null,
      milliseconds: 0,
      answer: '',
      problem: 'The secret of this endpoint cannot be read any more. Make a new one.',
    })
    await call(owner, 'DELETE', `/${endpoint.id}`)
  })

  test('whose secret cannot be read any more signs again as soon as it has a new one', async () => {
    const owner = await creator()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const endpoint = await endpointOf(owner, { url })
    await query(`update webhook_endpoints set sealed_secret = 'x' where id = $1`, endpoint.id)
    const { secret } = (await call(owner, 'POST', `/${endpoint.id}/secret`)).body
    const { messageId } = (await call(owner, 'POST', `/${endpoint.id}/test`)).body
    const log = async () =>
      (await call(owner, 'GET', `/${endpoint.id}/deliveries/${messageId}`)).body.log
    await expect.poll(async () => (await log()).length).toBeGreaterThan(0)
    expect((await log()).at(-1)).toMatchObject({ status: 200, problem: null })
    const sent = received.pop()!
    expect(sent.headers['webhook-id']).toBe(`msg_${messageId}`)
    const headers = sent.headers as Record<string, string>
    expect(new Webhook(secret).verify(sent.text, headers)).toMatchObject({ type: 'webhook.test' })
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(1)
  })
})

describe('an event of a course', () => {
  /** What each of these endpoints is given when it happens. */
  async function keptFor(event: HappenedInCourse, endpoints: { id: string }[]) {
    await query('delete from webhook_messages')
    await app.services.db.transaction((transaction) => keepEvent(transaction, event))
    const rows = await query('select endpoint_id, type, about_id, data from webhook_messages')
    return endpoints.map(({ id }) =>
      rows
        .filter((row) => row.endpoint_id === id)
        .map(({ type, about_id, data }) => [type, about_id, data]),
    )
  }

  test('is kept for each endpoint that wants it, in the shape of its kind', async () => {
    const [owner, other] = [await creator(), await creator()]
    const another = await makeCourse(app.services, owner)
    const events = ['post.created', 'enrollment.created', 'lesson.completed', 'sale.completed']
    const off = await endpointOf(owner, { events })
    await call(owner, 'PATCH', `/${off.id}`, { active: false })
    const endpoints = [
      await endpointOf(owner, { events }),
      await endpointOf(owner, { events, courseId: owner.course.id }),
      await endpointOf(owner, { events, courseId: another.id }),
      await endpointOf(owner, { events: ['post.created'] }),
      off,
      await endpointOf(other, { events }),
    ]
    const { id: courseId, slug } = owner.course
    const course = { id: courseId, slug, title: 'Knots' }
    const personOf = ({ id, name, username }: Creator) => ({ id, name, username })

    const post = { post: { id: 'p' } }
    const posted = await keptFor(
      { type: 'post.created', courseId, personId: other.id, more: post },
      endpoints,
    )
    const told = [['post.created', other.id, { course, person: personOf(other), ...post }]]
    expect(posted).toEqual([told, told, [], told, [], []])
    // Creators write posts, too; learners of their own courses they are not.
    const own = await keptFor({ type: 'post.created', courseId, personId: owner.id }, endpoints)
    expect(own[0]).toEqual([['post.created', owner.id, { course, person: personOf(owner) }]])
    const tried = await keptFor(
      { type: 'lesson.completed', courseId, personId: owner.id },
      endpoints,
    )
    expect(tried.flat()).toEqual([])

    const joined = await keptFor(
      { type: 'enrollment.created', courseId, personId: other.id },
      endpoints,
    )
    expect(joined[0]).toEqual([
      [
        'enrollment.created',
        other.id,
        { course, person: { ...personOf(other), email: other.email } },
      ],
    ])
    expect(joined[3]).toEqual([])

    const nobody = await keptFor(
      { type: 'sale.completed', courseId, personId: null, more: sql`null::jsonb` },
      endpoints,
    )
    expect(nobody[0]).toEqual([['sale.completed', null, { course }]])
    const asked = await keptFor(
      { type: 'sale.completed', courseId, more: sql`select jsonb_build_object('sale', 7)` },
      endpoints,
    )
    expect(asked[0]).toEqual([['sale.completed', null, { course, sale: 7 }]])
  })
})

describe('what waits', () => {
  test('is sent by when it is due, to the end, and nothing before its time', async () => {
    const owner = await creator()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const endpoint = await endpointOf(owner, { url })
    const beside = await endpointOf(owner, { url })
    const at = (name: string, minutes: number, more = {}) =>
      messageOf(endpoint, { data: { name }, next_attempt_at: inMinutes(minutes), ...more })
    await at('second', -5)
    await at('later', 5)
    await at('first', -9)
    await at('over', -9, { status: 'failed' })
    await at('third', -1)
    await messageOf(beside, { data: { name: 'beside' } })
    await query('update users set suspended_at = now() where id = $1', owner.id)
    await query('update webhook_endpoints set rests_until = null where id = $1', endpoint.id)
    const queue = () =>
      query(
        `select graphile_worker.add_job('deliverWebhooks', json_build_object('endpointId', $1::text),
                                        queue_name := 'webhooks ' || $1)`,
        endpoint.id,
      )
    const jobs = async () =>
      (
        await query(
          `select 1 from graphile_worker.jobs where queue_name = $1`,
          `webhooks ${endpoint.id}`,
        )
      ).length
    await queue()
    await expect.poll(jobs).toBe(0)
    expect(received, 'nothing to whoever is suspended').toEqual([])
    await query('update users set suspended_at = null where id = $1', owner.id)
    await query(`update webhook_endpoints set status = 'paused' where id = $1`, endpoint.id)
    await queue()
    await expect.poll(jobs).toBe(0)
    expect(received, 'nor to what is turned off').toEqual([])
    setBrand({ ...app.services.brandPictures.brand, name: 'Birch & Sons' })
    expect((await call(owner, 'PATCH', `/${endpoint.id}`, { active: true })).status).toBe(200)
    await expect.poll(() => received.length).toBe(3)
    await expect.poll(jobs).toBe(0)
    setBrand(app.services.brandPictures.brand)
    expect(received.map(({ text }) => JSON.parse(text).data.name)).toEqual([
      'first',
      'second',
      'third',
    ])
    expect(JSON.parse(received[0]!.text)).toEqual({
      type: 'webhook.test',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { name: 'first' },
    })
    expect(received[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Birch-Sons-webhooks',
    })
  })

  test('too long is found by the job of every minute, where something may be sent', async () => {
    const owner = await creator()
    const endpoints = []
    while (endpoints.length < 8) endpoints.push(await endpointOf(owner))
    const ids = endpoints.map(({ id }) => id)
    const queued = await app.services.db.transaction(async (transaction: Transaction) => {
      const set = (at: number, values: ReturnType<typeof sql>) =>
        transaction.execute(sql`update webhook_endpoints set ${values} where id = ${ids[at]}`)
      const waits = (at: number, minutes: number, status = 'pending') =>
        transaction.execute(sql`
          insert into webhook_messages (endpoint_id, type, data, status, next_attempt_at)
          values (${ids[at]}, 'webhook.test', '{}', ${status}, now() - make_interval(mins => ${minutes}))`)
      for (const at of [0, 2, 4, 5, 6]) await set(at, sql`rests_until = null`)
      await set(1, sql`rests_until = now() - interval '1 second'`)
      await set(4, sql`status = 'paused'`)
      // As a clock that was ahead has left it.
      await set(7, sql`rests_until = now() + interval '1 day'`)
      for (const at of [0, 1, 3, 4, 7]) await waits(at, 3)
      await waits(0, 4)
      await waits(2, 1)
      await waits(5, 3, 'delivered')
      await resumeWebhooks({ db: transaction as unknown as Db })
      const { rows } = await transaction.execute<{ queue: string }>(
        sql`select queue_name as queue from graphile_worker.jobs where run_at = now() order by queue_name`,
      )
      const of = new Set(ids.map((id) => `webhooks ${id}`))
      await transaction.execute(
        sql`delete from webhook_messages where endpoint_id = any(${sql.param(ids)}::uuid[])`,
      )
      return rows.map(({ queue }) => queue).filter((queue) => of.has(queue))
    })
    expect(queued).toEqual([0, 1, 7].map((at) => `webhooks ${ids[at]}`).toSorted())
  })

  test('at slow servers in all places lets the later event of somebody else pass', async () => {
    const [busy, other] = [await creator(), await creator()]
    let [asked, answered] = [0, 0]
    const askedBefore = Promise.withResolvers<number>()
    const listening = async (answer: () => Promise<void>) => {
      const there = createServer(async (_request, response) => {
        await answer()
        response.end()
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => there.once('listening', resolve))
      return { there, url: `http://127.0.0.1:${(there.address() as AddressInfo).port}/` }
    }
    const slow = await listening(async () => {
      asked += 1
      // For longer than a turn.
      await workFor(5200)
      answered += 1
    })
    const quick = await listening(async () => askedBefore.resolve(asked))
    const slowOnes: { id: string }[] = []
    while (slowOnes.length < 8) slowOnes.push(await endpointOf(busy, { url: slow.url }))
    await endpointOf(other, { url: quick.url })
    await query('update webhook_endpoints set rests_until = null where url = any($1)', [
      slow.url,
      quick.url,
    ])
    const posted = ({ id: personId, course }: Creator) =>
      keepEvent(app.services.db, { type: 'post.created', courseId: course.id, personId })
    for (let posts = 0; posts < 6; posts += 1) await posted(busy)
    await expect.poll(() => asked - answered).toBe(8)
    const askedUntilThen = asked
    await posted(other)
    const askedMeanwhile = (await askedBefore.promise) - askedUntilThen
    expect(askedMeanwhile, 'it is the first that has its turn').toBeLessThan(8)
    const jobsOfSlow = async () =>
      (
        await query(
          `select count(*)::int as jobs from graphile_worker.jobs where queue_name = any($1) group by queue_name`,
          slowOnes.map(({ id }) => `webhooks ${id}`),
        )
      ).map(({ jobs }) => jobs)
    await expect.poll(jobsOfSlow).toEqual(Array(8).fill(1))
    for (const { id } of slowOnes) await call(busy, 'DELETE', `/${id}`)
    for (const { there } of [slow, quick]) {
      there.closeAllConnections()
      there.close()
    }
  })

  test('has its turn for all of its jobs that are due, and for no other ones', async () => {
    const owner = await creator()
    const [endpoint, beside] = [await endpointOf(owner), await endpointOf(owner)]
    const left = await app.services.db.transaction(async (transaction: Transaction) => {
      for (const { id } of [endpoint, endpoint, beside]) await queueDelivery(transaction, id)
      await queueDelivery(transaction, endpoint.id, inMinutes(5))
      const givenUp = await transaction.execute<{ id: string }>(sql`
        select (graphile_worker.permanently_fail_jobs(array[(graphile_worker.add_job(
          'deliverWebhooks', queue_name := ${`webhooks ${endpoint.id}`})).id], 'No')).id::text`)
      const db = transaction as unknown as Db
      await deliverWebhooks({ endpointId: endpoint.id }, { ...app.services, db })
      const { rows } = await transaction.execute<{ queue: string; state: string }>(sql`
        select queue_name as queue,
               case when id = ${givenUp.rows[0]!.id}::bigint then 'given up'
                    when run_at > now() then 'later' else 'due' end as state
          from graphile_worker.jobs
         where queue_name in (${`webhooks ${endpoint.id}`}, ${`webhooks ${beside.id}`}) and created_at = now()
         order by id`)
      return rows.map(({ queue, state }) => [queue.slice(9), state])
    })
    expect(left).toEqual([
      [beside.id, 'due'],
      [endpoint.id, 'later'],
      [endpoint.id, 'given up'],
    ])
  })
})

describe('the log', () => {
  test('is shown page by page, each with its attempts, to its owner', async () => {
    const owner = await creator()
    const endpoint = await endpointOf(owner)
    const ids: string[] = []
    while (ids.length < 20) ids.push(await messageOf(endpoint, { status: 'delivered' }))
    const listed = async (cursor?: string) =>
      (await call(owner, 'GET', `/${endpoint.id}/deliveries${cursor ? `?cursor=${cursor}` : ''}`))
        .body
    expect((await listed()).nextCursor).toBeNull()
    const data = { b: 1, a: { c: [] } }
    const last = await messageOf(endpoint, { data, failures: 2 })
    const failed = { status: 'failed', next_attempt_at: inMinutes(1) }
    await messageOf(await endpointOf(owner), failed)
    await query(
      `insert into webhook_attempts (message_id, status, milliseconds, answer)
       select $1, 500, n, 'Answer ' || n from generate_series(1, 51) n`,
      last,
    )
    await query(
      `insert into webhook_attempts (message_id, status, milliseconds, answer) values ($1, 200, 1, '')`,
      ids[19],
    )
    const { deliveries, nextCursor } = await listed()
    const all = [...ids, last].toReversed()
    expect(deliveries.map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 20))
    const rest = await listed(nextCursor)
    expect([rest.deliveries.map(({ id }: { id: string }) => id), rest.nextCursor]).toEqual([
      [ids[0]],
      null,
    ])
    const shown = {
      id: last,
      type: 'webhook.test',
      status: 'pending',
      attempts: 51,
      createdAt: expect.any(String),
      nextAttemptAt: expect.stringMatching(/Z$/),
    }
    expect(deliveries.slice(0, 3)).toEqual([
      shown,
      { ...shown, id: ids[19], status: 'delivered', attempts: 1, nextAttemptAt: null },
      { ...shown, id: ids[18], status: 'delivered', attempts: 0, nextAttemptAt: null },
    ])
    const { body } = await call(owner, 'GET', `/${endpoint.id}/deliveries/${last}`)
    const { log, ...whole } = body
    expect(whole).toEqual({
      ...deliveries[0],
      webhookId: `msg_${last}`,
      body: JSON.stringify(
        { type: 'webhook.test', timestamp: body.createdAt, data: JSON.parse(body.body).data },
        null,
        2,
      ),
    })
    expect(JSON.parse(body.body).data).toEqual(data)
    expect(log.map(({ milliseconds }: { milliseconds: number }) => milliseconds)).toEqual(
      Array.from({ length: 50 }, (_, at) => 51 - at),
    )
    expect(log[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      status: 500,
      milliseconds: 51,
      answer: 'Answer 51',
      problem: null,
    })
  })

  test('has an event sent again, from the beginning, where something is sent at all', async () => {
    const owner = await creator()
    const [endpoint, beside] = [await endpointOf(owner), await endpointOf(owner)]
    const failed = { status: 'failed', failures: 8, next_attempt_at: inMinutes(500) }
    const [messageId, second] = [
      await messageOf(endpoint, failed),
      await messageOf(endpoint, failed),
    ]
    const replay = async ({ id }: { id: string }) => {
      const { status, body } = await call(owner, 'POST', `/${id}/deliveries/${messageId}/replay`)
      return [status, body.message ?? body]
    }
    expect(await replay(beside)).toEqual([404, 'Event not found'])
    expect((await rowOf(beside)).rests_until).not.toBeNull()
    await call(owner, 'PATCH', `/${endpoint.id}`, { active: false })
    expect(await replay(endpoint)).toEqual([409, 'This webhook is turned off. Turn it on first.'])
    const states = () =>
      query(
        `select status, failures, next_attempt_at <= now() as due from webhook_messages
          where id = any($1) order by id`,
        [messageId, second],
      )
    const wasFailed = { status: 'failed', failures: 8, due: false }
    expect(await states()).toEqual([wasFailed, wasFailed])
    await query(`update webhook_endpoints set status = 'active' where id = $1`, endpoint.id)
    // Its job would come at once, and change it: it waits for the row.
    const client = await app.services.pool.connect()
    await client.query('begin')
    await client.query('lock table webhook_attempts in access exclusive mode')
    expect(await replay(endpoint)).toEqual([200, { replayed: true }])
    expect(await states()).toEqual([{ status: 'pending', failures: 0, due: true }, wasFailed])
    expect((await rowOf(endpoint)).rests_until).toBeNull()
    await client.query('commit')
    client.release()
    await call(owner, 'DELETE', `/${endpoint.id}`)
  })

  test('a test by hand is sent at once, also where an endpoint that gave no answer rests', async () => {
    const owner = await creator()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const [endpoint, beside] = [await endpointOf(owner, { url }), await endpointOf(owner, { url })]
    expect((await rowOf(endpoint)).rests_until).not.toBeNull()
    const { messageId } = (await call(owner, 'POST', `/${endpoint.id}/test`)).body
    const state = async () =>
      (await call(owner, 'GET', `/${endpoint.id}/deliveries/${messageId}`)).body.status
    await expect.poll(state).toBe('delivered')
    expect((await rowOf(beside)).rests_until).not.toBeNull()
  })

  test('and a test by hand at the same moment do not wait for each other', async () => {
    const owner = await creator()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const endpoint = await endpointOf(owner, { url })
    const messageId = await messageOf(endpoint, { status: 'delivered' })
    const answers = await behindChange(
      app.services,
      ['select from webhook_endpoints where id = $1 for update', endpoint.id],
      [`deliveries/${messageId}/replay`, 'test'].map(
        (what) => () => call(owner, 'POST', `/${endpoint.id}/${what}`),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await call(owner, 'DELETE', `/${endpoint.id}`)
  })

  test('and tests by hand are five hundred a day', async () => {
    const owner = await creator()
    const endpoint = await endpointOf(owner)
    const already = (points: number) =>
      query(
        `insert into rate_limits (key, points, expire) values ($1, $2, $3)
           on conflict (key) do update set points = $2`,
        `webhooks-by-hand:${owner.id}`,
        points,
        Date.now() + 60_000,
      )
    await already(499)
    const { status, body } = await call(owner, 'POST', `/${endpoint.id}/test`)
    expect(status).toBe(200)
    const [kept] = await query(
      'select type, data, about_id from webhook_messages where id = $1',
      body.messageId,
    )
    expect(kept).toEqual({
      type: 'webhook.test',
      data: { message: 'This event was sent to try your webhook. It tells of nothing.' },
      about_id: null,
    })
    const path = `/${endpoint.id}/deliveries/${body.messageId}/replay`
    expect((await call(owner, 'POST', path)).body.code).toBe('TOO_MANY')
    expect((await call(owner, 'POST', `/${endpoint.id}/test`)).body.code).toBe('TOO_MANY')
    await already(499)
    expect((await call(owner, 'POST', path)).status).toBe(200)
  })
})
