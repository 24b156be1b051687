// What is written down of an attempt to deliver something, and what comes next.
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { endpointRow, makeEndpoint, makeMessage } from '../../../test/webhook-rows.ts'
import type { Outcome } from '../../server/post-outside.ts'
import { recordAttempt } from './record-attempt.ts'
import { webhookEndpoints } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function creator() {
  const person = await makePerson(app.services)
  await makeCourse(app.services, person)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Creator = Awaited<ReturnType<typeof creator>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

const endpointOf = ({ cookie }: Creator) => makeEndpoint(app, cookie)
const messageOf = (endpoint: { id: string }, more?: Record<string, unknown>) =>
  makeMessage(app, endpoint, more)
const rowOf = (endpoint: { id: string }) => endpointRow(app, endpoint)

describe('an attempt', () => {
  interface Before {
    failures?: number
    failing?: string | null
  }
  const lately = { status: 500, milliseconds: 20, answer: 'No', problem: null }

  /** What is written down of an attempt at the first of two events that wait, beside another endpoint. */
  async function after(outcome: Outcome, { failures = 0, failing = null }: Before = {}) {
    const owner = await creator()
    const [endpoint, beside] = [await endpointOf(owner), await endpointOf(owner)]
    const messageId = await messageOf(endpoint, { failures })
    const waiting = await messageOf(endpoint)
    const delivered = await messageOf(endpoint, { status: 'delivered' })
    const ofBeside = await messageOf(beside)
    const found = await app.services.db.transaction(async (transaction) => {
      const one = async (text: ReturnType<typeof sql>) =>
        (await transaction.execute<Record<string, unknown>>(text)).rows
      await transaction.execute(sql`
        update webhook_endpoints
           set failing_since = now() - ${failing}::interval,
               rests_until = case when ${failing}::text is not null then now() end
         where id in (${endpoint.id}, ${beside.id})`)
      const [besideBefore] = await one(sql`select * from webhook_endpoints where id = ${beside.id}`)
      const [before] = await transaction
        .select({ url: webhookEndpoints.url, failingSince: webhookEndpoints.failingSince })
        .from(webhookEndpoints)
        .where(eq(webhookEndpoints.id, endpoint.id))
      const began = Date.now()
      await recordAttempt(transaction, { endpointId: endpoint.id, messageId, ...before! }, outcome)
      const ended = Date.now()
      /** Which pause, in seconds, ends at this time in milliseconds, whenever during the attempt it began. */
      const pauseUntil = (at: unknown) =>
        at === null
          ? null
          : [5, 60, 300, 600, 1800].find(
              (pause) =>
                Number(at) >= began + pause * 1000 - 1 && Number(at) <= ended + pause * 1000 + 1,
            )
      const [row] = await one(sql`
        select status, extract(epoch from now() - failing_since)::int as failing,
               extract(epoch from rests_until)::float8 * 1000 as rests
          from webhook_endpoints where id = ${endpoint.id}`)
      const [message] = await one(sql`
        select status, failures, extract(epoch from next_attempt_at)::float8 * 1000 as pause
          from webhook_messages where id = ${messageId}`)
      const others = await one(sql`
        select id, status, failures from webhook_messages
         where id in (${waiting}, ${delivered}, ${ofBeside}) order by id`)
      const jobs = await one(sql`
        select max_attempts as most, extract(epoch from run_at)::float8 * 1000 as pause
          from graphile_worker.jobs
         where queue_name = ${`webhooks ${endpoint.id}`} and run_at > now() order by run_at`)
      const attempts = await one(sql`
        select message_id, status, milliseconds, answer, problem from webhook_attempts
         where message_id in (select id from webhook_messages where endpoint_id = ${endpoint.id})`)
      const heard = await one(sql`
        select event from live_events where topic = ${`person:${owner.id}`} and event ->> 'type' = 'webhook'`)
      const notices = await one(sql`
        select kind, title, message, href from notifications where user_id = ${owner.id}`)
      expect(await one(sql`select * from webhook_endpoints where id = ${beside.id}`)).toEqual([
        besideBefore,
      ])
      expect(attempts).toEqual([{ message_id: messageId, ...outcome }])
      expect(heard).toEqual([{ event: { type: 'webhook', endpointId: endpoint.id } }])
      for (const { most } of jobs) expect(most).toBe(12)
      return {
        endpoint: { ...row, rests: pauseUntil(row!.rests) },
        message: { ...message, pause: pauseUntil(message!.pause) },
        others: others.map(({ status }) => status),
        jobs: jobs.map(({ pause }) => pauseUntil(pause)),
        notices,
        id: endpoint.id,
      }
    })
    return found
  }
  const untouched = ['pending', 'delivered', 'pending']

  test('that fails begins the failing, and has another one queued', async () => {
    expect(await after(lately)).toMatchObject({
      endpoint: { status: 'active', failing: 0, rests: null },
      message: { status: 'pending', failures: 1, pause: 5 },
      others: untouched,
      jobs: [5],
      notices: [],
    })
  })

  test('that fails again goes on with the failing, longer and longer', async () => {
    expect(await after(lately, { failures: 1, failing: '10 minutes' })).toMatchObject({
      endpoint: { failing: 600, rests: null },
      message: { status: 'pending', failures: 2, pause: 300 },
      jobs: [300],
    })
  })

  test('that hangs has the endpoint rest', async () => {
    const silence = { status: null, milliseconds: 10_000, answer: '', problem: 'No answer' }
    expect(await after(silence, { failures: 2, failing: '10 minutes' })).toMatchObject({
      endpoint: { status: 'active', failing: 600, rests: 600 },
      message: { status: 'pending', failures: 3, pause: 1800 },
      jobs: [600, 1800],
    })
  })

  test('is the eighth and last', async () => {
    expect(await after(lately, { failures: 7, failing: '3 days' })).toMatchObject({
      endpoint: { status: 'active', failing: 259_200, rests: null },
      message: { status: 'failed', failures: 8 },
      others: untouched,
      jobs: [],
      notices: [],
    })
  })

  test('that succeeds ends the failing', async () => {
    const delivered = { status: 204, milliseconds: 3, answer: '', problem: null }
    expect(await after(delivered, { failures: 3, failing: '2 days' })).toMatchObject({
      endpoint: { status: 'active', failing: null, rests: null },
      message: { status: 'delivered', failures: 3 },
      others: untouched,
      jobs: [],
    })
  })

  test.each([
    ['that hears of the end', 410, 0, null, 'Its server answered that it is gone for good (410).'],
    ['after five days', 500, 4, '5 days', 'For five days nothing could be delivered to it.'],
  ])(
    '%s turns the endpoint off, with all that waits for it',
    async (_when, status, failures, failing, why) => {
      const { id, ...found } = await after({ ...lately, status }, { failures, failing })
      expect(found).toMatchObject({
        endpoint: { status: 'disabled', rests: null },
        message: { status: 'failed', failures: failures + 1 },
        others: ['failed', 'delivered', 'pending'],
        jobs: [],
      })
      expect(found.notices).toEqual([
        {
          kind: 'webhook_disabled',
          title: 'A Webhook Was Turned Off',
          message: `Your webhook https://hooks.example/ was turned off. ${why} What happens from now on is not kept for it. When it works again, turn it on; what could not be delivered before can be sent again from its log for 30 days.`,
          href: `/settings/webhooks/${id}`,
        },
      ])
    },
  )

  test('that fails first, long after the last event failed, turns nothing off', async () => {
    expect(await after(lately, { failing: '19 days' })).toMatchObject({
      endpoint: { status: 'active' },
      message: { status: 'pending', failures: 1, pause: 5 },
      others: untouched,
      jobs: [5],
      notices: [],
    })
  })

  describe('whose endpoint was changed by its owner meanwhile', () => {
    const silence = { status: null, milliseconds: 10_000, answer: '', problem: 'No answer' }
    const changes = [
      ['another address', { url: 'https://new.example/' }],
      ['turned off and on', { active: false }, { active: true }],
    ] as const

    /** What is left of an attempt at what had failed for five days. */
    async function afterChange(patches: readonly object[], outcome: Outcome) {
      const owner = await creator()
      const endpoint = await endpointOf(owner)
      const failing = new Date(Date.now() - 5 * 24 * 3_600_000)
      await query(
        'update webhook_endpoints set failing_since = $2 where id = $1',
        endpoint.id,
        failing,
      )
      const patch = (body: object) =>
        app.request(`/rest/v1/webhooks/${endpoint.id}`, {
          method: 'PATCH',
          body,
          cookie: owner.cookie,
        })
      for (const body of patches) expect((await patch(body)).status).toBe(200)
      // So that nobody else sends what waits.
      await query(
        `update webhook_endpoints set rests_until = now() + interval '10 minutes' where id = $1`,
        endpoint.id,
      )
      const changed = await rowOf(endpoint)
      const messageId = await messageOf(endpoint)
      await app.services.db.transaction((transaction) =>
        recordAttempt(
          transaction,
          { endpointId: endpoint.id, messageId, url: endpoint.url, failingSince: failing },
          outcome,
        ),
      )
      const [attempts, [message], endpointNow, notices] = await Promise.all([
        query('select status, problem from webhook_attempts where message_id = $1', messageId),
        query(
          'select status, failures, next_attempt_at <= now() as due from webhook_messages where id = $1',
          messageId,
        ),
        rowOf(endpoint),
        query('select title from notifications where user_id = $1', owner.id),
      ])
      return { attempts, message, endpointNow, changed, notices }
    }

    test.each([
      ...changes.map(([what, ...patches]) => ({ what, patches, outcome: silence })),
      ...changes.map(([what, ...patches]) => ({
        what,
        patches,
        outcome: { ...lately, status: 410 },
      })),
    ])('$what: nothing is held against it ($outcome.status)', async ({ patches, outcome }) => {
      const { changed, ...left } = await afterChange(patches, outcome)
      expect(changed).toMatchObject({ status: 'active', failing_since: null })
      expect(left).toEqual({
        attempts: [{ status: outcome.status, problem: outcome.problem }],
        message: { status: 'pending', failures: 0, due: true },
        endpointNow: changed,
        notices: [],
      })
    })

    test('is over when it was delivered all the same', async () => {
      const delivered = { status: 204, milliseconds: 3, answer: '', problem: null }
      const { message } = await afterChange([{ url: 'https://new.example/' }], delivered)
      expect(message).toMatchObject({ status: 'delivered', failures: 0 })
    })
  })

  test('about an event of another endpoint, or one that is gone, is not written down', async () => {
    const owner = await creator()
    const [endpoint, beside] = [await endpointOf(owner), await endpointOf(owner)]
    const messageId = await messageOf(beside)
    const record = (endpointId: string) =>
      app.services.db.transaction((transaction) =>
        recordAttempt(
          transaction,
          { endpointId, messageId, url: endpoint.url, failingSince: null },
          lately,
        ),
      )
    await record(endpoint.id)
    await record(crypto.randomUUID())
    expect(await query('select 1 from webhook_attempts where message_id = $1', messageId)).toEqual(
      [],
    )
    expect((await rowOf(endpoint)).failing_since).toBeNull()
  })
})
