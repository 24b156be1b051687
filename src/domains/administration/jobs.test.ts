// What administrators see of the background jobs, and do with those that fail.
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { makeFailingJob } from '../../../test/failing-job.ts'
import { mailsTo, mailTo } from '../../../test/mailbox.ts'
import { watchStatements } from '../../../test/statements.ts'
import { somebodyWaits } from '../../../test/waiting.ts'
import { enqueue } from '../../server/jobs.ts'
import { sayAlive } from '../../server/worker-lives.ts'
import { jobKinds } from './job-kinds.ts'
import type { FailingJob, KindInQueue } from './job-schema.ts'
import { perPage } from './rules.ts'

let app: TestApp
let admin: Awaited<ReturnType<typeof someone>>
/** It has every job that these tests have under way. */
let worker: Client
beforeAll(async () => {
  app = await startTestApp()
  admin = await someone('Ada Admin', 'admin')
  worker = new Client({ connectionString: app.databaseUrl })
  await worker.connect()
  await sayAlive(worker, 'somebody')
})
afterEach(async () => {
  await query(
    'delete from graphile_worker._private_jobs where locked_by is null or locked_by = $1',
    ['somebody'],
  )
})
afterAll(async () => {
  await worker?.end()
  await app?.stop()
})

async function query(statement: string, values: unknown[] = []) {
  return (await app.services.pool.query(statement, values)).rows
}

async function someone(name?: string, role = 'user') {
  const person = await makePerson(app.services, { name })
  await query('update users set role = $2 where id = $1', [person.id, role])
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

/** What a call answers that comes to rows which somebody else is changing just then. */
async function during<Answer>(change: string, values: unknown[], call: () => Promise<Answer>) {
  const somebody = await app.services.pool.connect()
  try {
    await somebody.query('begin')
    await somebody.query(change, values)
    const answer = call()
    await somebodyWaits(app)
    await somebody.query('commit')
    return await answer
  } finally {
    await somebody.query('rollback')
    somebody.release()
  }
}

const inAnHour = () => new Date(Date.now() + 3_600_000)
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** Of no kind that a worker takes, so it stays as it is. */
const unworked = 'ofAnotherVersion'

const ask = (path = '', cookie = admin.cookie) =>
  app.request(`/rest/v1/admin/jobs${path}`, { cookie })
const act = (path: string, body: object = {}, cookie = admin.cookie) =>
  app.request(`/rest/v1/admin/jobs/${path}`, { method: 'POST', body, cookie })
const retry = (jobId: string, cookie?: string) => act(`${jobId}/retry`, {}, cookie)
const giveUp = (jobId: string, reason = 'Nobody needs it.') => act(`${jobId}/give-up`, { reason })

async function kind(name: string): Promise<KindInQueue | undefined> {
  const { status, body } = await ask()
  expect(status).toBe(200)
  return body.kinds.find((one: KindInQueue) => one.name === name)
}
async function failing(): Promise<FailingJob[]> {
  const { status, body } = await ask('/failing')
  expect(status).toBe(200)
  return body.jobs
}
const failingJob = async (jobId: string) => (await failing()).find(({ id }) => id === jobId)

/** A mail that waits because it failed before; its being there says that the job has run. */
async function failedMail(more: Parameters<typeof makeFailingJob>[1] = {}) {
  const person = await someone()
  const jobId = await makeFailingJob(app.services, {
    name: 'sendWelcomeMail',
    payload: { userId: person.id },
    ...more,
  })
  return { ...person, jobId }
}
const arrived = ({ email }: { email: string }) => mailTo(app, email, /^Welcome to/)

const actsOf = (action: string) =>
  query(
    `select actor_id, subject_kind, subject_id, subject_name, reason, details
       from administrative_acts where action = $1 order by created_at, id`,
    [action],
  )

describe('the queue', () => {
  test('is counted by kind and state, and says since when something is due', async () => {
    expect(await kind(unworked)).toBe(undefined)
    const fresh = { name: unworked, attempts: 0, error: null }
    await makeFailingJob(app.services, {
      ...fresh,
      runAt: minutesAgo(90),
      createdAt: minutesAgo(4),
    })
    await makeFailingJob(app.services, { ...fresh, runAt: minutesAgo(1), createdAt: minutesAgo(9) })
    await makeFailingJob(app.services, { ...fresh, runAt: inAnHour(), createdAt: minutesAgo(99) })
    // The process that had it was killed.
    await makeFailingJob(app.services, { ...fresh, runAt: minutesAgo(2), attempts: 1 })
    await makeFailingJob(app.services, { ...fresh, attempts: 1, lockedAt: minutesAgo(14) })
    await makeFailingJob(app.services, { name: unworked, attempts: 2, lockedAt: minutesAgo(12) })
    for (const attempts of [1, 11]) await makeFailingJob(app.services, { name: unworked, attempts })
    await makeFailingJob(app.services, { name: unworked, attempts: 12 })
    await makeFailingJob(app.services, { name: unworked, attempts: 12, error: null })
    const counted = await kind(unworked)
    expect(counted).toEqual({
      name: unworked,
      waiting: 3,
      later: 1,
      underWay: 2,
      underWaySince: expect.any(String),
      failing: 2,
      givenUp: 2,
    })
    const minutesSince = (time: string) => Math.round((Date.now() - Date.parse(time)) / 60_000)
    expect(minutesSince(counted!.underWaySince!)).toBe(14)
    expect(minutesSince((await ask()).body.waitingSince)).toBe(4)
  })

  test('has trouble first', async () => {
    await makeFailingJob(app.services, { name: 'trimNotices' })
    await makeFailingJob(app.services, { name: 'aKindThatIsFirst', attempts: 0, error: null })
    const names = (await ask()).body.kinds.map(({ name }: KindInQueue) => name)
    expect(names.indexOf('trimNotices')).toBe(0)
    expect(names).toContain('aKindThatIsFirst')
  })

  test('costs one statement, and its failing jobs another', async () => {
    for (let count = 0; count < 5; count += 1) await makeFailingJob(app.services)
    const watched = watchStatements(app)
    const seen = async (path: string) =>
      (await watched.during(() => ask(path))).filter((text) => text.includes('graphile_worker'))
    expect(await seen('')).toHaveLength(1)
    expect(await seen('/failing')).toHaveLength(1)
  })
})

describe('failing jobs', () => {
  test('of every state are listed, and no others', async () => {
    const failed = await makeFailingJob(app.services, { attempts: 3 })
    const givenUp = await makeFailingJob(app.services, { attempts: 12, error: null })
    const triedNow = await makeFailingJob(app.services, { lockedAt: minutesAgo(1) })
    await makeFailingJob(app.services, { attempts: 1, error: null, lockedAt: minutesAgo(1) })
    await makeFailingJob(app.services, { attempts: 1, error: null })
    await makeFailingJob(app.services, { attempts: 0, error: null })
    await makeFailingJob(app.services, { attempts: 0, error: 'Before somebody tried it again' })
    const shown = (await failing()).map(({ id, state, error }) => [id, state, error])
    expect(shown).toEqual([
      [triedNow, 'underWay', 'It did not work'],
      [givenUp, 'givenUp', ''],
      [failed, 'failing', 'It did not work'],
    ])
  })

  test('are listed newest first, page by page', async () => {
    const made: string[] = []
    for (let count = 0; count < perPage + 2; count += 1) {
      made.unshift(await makeFailingJob(app.services))
    }
    const first = (await ask('/failing')).body
    const second = (await ask(`/failing?cursor=${first.nextCursor}`)).body
    expect(first.jobs).toHaveLength(perPage)
    expect([...first.jobs, ...second.jobs].map(({ id }: FailingJob) => id)).toEqual(made)
    expect(second.nextCursor).toBe(null)
  })

  test('that failed for real are told of without what they carry and whom they are about', async () => {
    await enqueue(app.services.db, 'sendNoticeMail', { notificationId: 'grace@private.example' })
    // As soon as it has failed it is put off, so that it is not tried again meanwhile.
    const putOff = () =>
      query(
        `update graphile_worker._private_jobs j set run_at = now() + interval '1 day'
           from graphile_worker._private_tasks t
          where t.id = j.task_id and t.identifier = 'sendNoticeMail'
            and j.locked_at is null and j.last_error is not null
          returning j.last_error, j.attempts`,
      )
    await expect.poll(putOff).toHaveLength(1)
    const [kept] = await putOff()
    expect((await kind('sendNoticeMail'))?.failing).toBe(1)
    // What is left out was there.
    expect(kept.last_error).toContain('grace@private.example')
    await makeFailingJob(app.services, {
      payload: { to: 'grace@private.example', code: '987654' },
      error: '550 no mailbox grace@private.example for “Grace Hopper”\nat send (mail.ts:1:1)',
    })
    const { body } = await ask('/failing')
    expect(JSON.stringify([body, (await ask()).body])).not.toMatch(
      /grace|hopper|private|987654|mail\.ts|payload/i,
    )
    expect(body.jobs[0].error).toBe('550 no mailbox … for …')
    expect(body.jobs[1]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'sendNoticeMail',
      state: 'failing',
      attempts: kept.attempts,
      maxAttempts: 12,
      nextTryAt: expect.any(String),
      createdAt: expect.any(String),
      error: 'invalid input syntax for type uuid: …',
    })
  })
})

describe('trying again', () => {
  test('runs a failing job at once, which stands in the log', async () => {
    const mail = await failedMail({ attempts: 5 })
    expect((await retry(mail.jobId)).body).toEqual({ done: true })
    await arrived(mail)
    await expect.poll(() => failingJob(mail.jobId)).toBe(undefined)
    expect((await actsOf('retry_job')).at(-1)).toEqual({
      actor_id: admin.id,
      subject_kind: 'job',
      subject_id: mail.jobId,
      subject_name: 'Sends the welcome mail',
      reason: '',
      details: { job: 'sendWelcomeMail', attempts: 5 },
    })
  })

  test('runs what was given up, with all of its tries before it', async () => {
    const mail = await failedMail({ attempts: 12 })
    expect((await retry(mail.jobId)).status).toBe(200)
    await arrived(mail)
    const jobId = await makeFailingJob(app.services, { name: unworked, attempts: 12 })
    const other = await makeFailingJob(app.services, { name: unworked, attempts: 11 })
    for (const id of [jobId, other]) expect((await retry(id)).status).toBe(200)
    const left = await query(
      `select attempts, run_at <= now() as "isDue" from graphile_worker.jobs
        where task_identifier = $1 order by id`,
      [unworked],
    )
    expect(left).toEqual([
      { attempts: 0, isDue: true },
      { attempts: 11, isDue: true },
    ])
  })

  test('of all of a kind leaves alone what was given up, and other kinds', async () => {
    const before = (await actsOf('retry_job')).length
    const mails = [await failedMail(), await failedMail()]
    const givenUp = await failedMail({ attempts: 12 })
    const other = await makeFailingJob(app.services, { name: 'trimNotices' })
    const taken = await failedMail({ lockedAt: minutesAgo(1) })
    const answer = await act('retry', { name: 'sendWelcomeMail' })
    expect([answer.status, answer.body]).toEqual([200, { tried: 2 }])
    for (const mail of mails) await arrived(mail)
    const states = new Map((await failing()).map(({ id, state }) => [id, state]))
    expect(states.get(givenUp.jobId)).toBe('givenUp')
    expect(states.get(other)).toBe('failing')
    expect(states.get(taken.jobId)).toBe('underWay')
    const acts = await actsOf('retry_job')
    expect(acts).toHaveLength(before + 1)
    expect(acts.at(-1)).toMatchObject({
      subject_id: null,
      subject_name: 'Sends the welcome mail (all that failed: 2)',
      details: { job: 'sendWelcomeMail', tried: 2 },
    })
    // Nothing to do is no act.
    await expect.poll(async () => (await kind('sendWelcomeMail'))?.failing).toBe(0)
    expect((await act('retry', { name: 'sendWelcomeMail' })).body).toEqual({ tried: 0 })
    expect(await actsOf('retry_job')).toHaveLength(before + 1)
  })
})

describe('giving up', () => {
  test('stops a job for good, keeps its error, and stands in the log with the reason', async () => {
    const mail = await failedMail({ attempts: 4, error: 'The mail server is away' })
    expect((await giveUp(mail.jobId, 'The person has left.')).body).toEqual({ done: true })
    // It would be the first in line now.
    await query(
      `update graphile_worker._private_jobs set run_at = now() - interval '1 day' where id = $1`,
      [mail.jobId],
    )
    const next = await someone()
    await enqueue(app.services.db, 'sendWelcomeMail', { userId: next.id })
    await arrived(next)
    expect(await mailsTo(app, mail.email)).toEqual([])
    expect(await failingJob(mail.jobId)).toMatchObject({
      state: 'givenUp',
      attempts: 12,
      error: 'The mail server is away',
    })
    expect((await actsOf('give_up_job')).at(-1)).toEqual({
      actor_id: admin.id,
      subject_kind: 'job',
      subject_id: mail.jobId,
      subject_name: 'Sends the welcome mail',
      reason: 'The person has left.',
      details: { job: 'sendWelcomeMail', attempts: 4 },
    })
    const { body } = await app.request('/rest/v1/admin/acts?subjectKind=job', {
      cookie: admin.cookie,
    })
    expect(body.acts[0]).toMatchObject({ action: 'give_up_job', subjectId: mail.jobId })
  })

  test('of an event of the payment provider leaves it failed, until somebody has it tried again', async () => {
    const eventId = 'evt_given_up'
    await query(
      `insert into payment_events (id, type, object_id, occurred_at, source, attempts, outcome)
       values ($1, 'customer.deleted', 'cus_nobody', now(), 'webhook', 4, 'Stripe is away')`,
      [eventId],
    )
    const event = async () => {
      const [row] = await query('select status, outcome from payment_events where id = $1', [
        eventId,
      ])
      return row
    }
    const job = { name: 'applyPaymentEvent', payload: { eventId } }
    const jobId = await makeFailingJob(app.services, job)
    expect((await giveUp(jobId)).body).toEqual({ done: true })
    expect(await event()).toEqual({ status: 'failed', outcome: 'Stripe is away' })
    expect((await retry(jobId)).body).toEqual({ done: true })
    await expect
      .poll(event)
      .toEqual({ status: 'ignored', outcome: 'About a customer whom we do not know' })
  })
})

describe('refused is', () => {
  const refusals = async (jobId: string) =>
    [await retry(jobId), await giveUp(jobId)].map(({ status, body }) => [status, body.message])

  test('a job under way, one that is gone, and one that waits for its turn', async () => {
    const acts = 'select count(*)::int from administrative_acts'
    const [before] = await query(acts)
    const underWay = await makeFailingJob(app.services, { lockedAt: minutesAgo(1) })
    const running = 'This job is under way. Look again when it has ended.'
    expect(await refusals(underWay)).toEqual([
      [409, running],
      [409, running],
    ])
    const waiting = await makeFailingJob(app.services, { attempts: 0, error: null })
    const turn = 'This job is not failing: it waits for its turn.'
    expect(await refusals(waiting)).toEqual([
      [409, turn],
      [409, turn],
    ])
    await query('delete from graphile_worker._private_jobs where id = $1', [waiting])
    const gone = 'This job is done or gone.'
    expect(await refusals(waiting)).toEqual([
      [404, gone],
      [404, gone],
    ])
    expect(await query(acts)).toEqual([before])
  })

  test('a job that a worker takes at that moment', async () => {
    const jobId = await makeFailingJob(app.services)
    const { status } = await during(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody' where id = $1`,
      [jobId],
      () => giveUp(jobId),
    )
    expect(status).toBe(409)
    expect(await failingJob(jobId)).toMatchObject({ state: 'underWay', attempts: 3 })
  })

  test('giving up twice, and without a reason', async () => {
    const jobId = await makeFailingJob(app.services)
    const without = await giveUp(jobId, ' \n ')
    expect([without.status, without.body.message]).toEqual([
      422,
      'Please write a reason: it stays in the audit log',
    ])
    expect((await giveUp(jobId)).status).toBe(200)
    const again = await giveUp(jobId)
    expect([again.status, again.body.message]).toEqual([409, 'This job was given up already.'])
  })

  test.each(['0', '-1', '1.5', '1e3', '9223372036854775808', '٣', 'null', '1;--', '%00', '1%20'])(
    'what is no number of a job: %s',
    async (jobId) => {
      for (const answer of [await retry(jobId), await giveUp(jobId)]) {
        expect([answer.status, answer.body.message]).toEqual([
          422,
          'This is not the number of a job',
        ])
      }
      const place = await ask(`/failing?cursor=${jobId}`)
      expect([place.status, place.body.message]).toEqual([422, 'This is not a place in the list'])
    },
  )

  test('a kind that there is not', async () => {
    for (const name of [unworked, 'toString', '', 7, null]) {
      const { status, body } = await act('retry', { name })
      expect([status, body.message]).toEqual([422, 'There is no such kind of job'])
    }
  })

  test('everybody but administrators', async () => {
    const jobId = await makeFailingJob(app.services)
    const person = await someone()
    for (const [cookie, status] of [
      ['', 401],
      [person.cookie, 403],
    ] as const) {
      const answers = [
        await ask('', cookie),
        await ask('/failing', cookie),
        await retry(jobId, cookie),
        await act(`${jobId}/give-up`, { reason: 'Because' }, cookie),
        await act('retry', { name: 'countWords' }, cookie),
      ]
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))
    }
    expect(await failingJob(jobId)).toMatchObject({ state: 'failing', attempts: 3 })
  })

  test.each<[string, (jobId: string) => [string, object]]>([
    ['trying again', (jobId: string) => [`${jobId}/retry`, {}]],
    ['giving up', (jobId: string) => [`${jobId}/give-up`, { reason: 'Because' }]],
    ['trying all again', () => ['retry', { name: 'countWords' }]],
  ])('who loses the role meanwhile: %s', async (_what, request) => {
    const jobId = await makeFailingJob(app.services)
    const was = await someone('Was Admin', 'admin')
    const [path, body] = request(jobId)
    const { status } = await during(`update users set role = 'user' where id = $1`, [was.id], () =>
      act(path, body, was.cookie),
    )
    expect(status).toBe(403)
    const [job] = await query(
      'select run_at > now() as "isLater" from graphile_worker.jobs where id = $1',
      [jobId],
    )
    expect(job).toEqual({ isLater: true })
    expect(await failingJob(jobId)).toMatchObject({ state: 'failing', attempts: 3 })
  })
})

test('every kind has words of its own', () => {
  const words = Object.values(jobKinds)
  expect(new Set(words).size).toBe(words.length)
  for (const one of words) expect(one).toMatch(/^[A-Z][a-z]+s .{3,60}[a-z]$/)
})
