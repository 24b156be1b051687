// npm run doctor: what is well is said to be, and each thing that is broken is named.
import { execFile } from 'node:child_process'
import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { courses } from '../src/domains/courses/tables.ts'
import { imageKey } from '../src/domains/media/store-image.ts'
import { noteBackup } from '../src/domains/site/last-backup.ts'
import { room } from '../src/operation/doctor/check-machine.ts'
import { hanging } from '../src/operation/doctor/check-network.ts'
import { checkPayments } from '../src/operation/doctor/check-services.ts'
import { examine } from '../src/operation/doctor/examine.ts'
import { type Config, readConfig } from '../src/server/config.ts'
import { laterThanOthers } from '../src/server/jobs.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeCourse, makeMedia, makePerson } from './factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const configWith = (changes: Partial<Config> = {}): Config => ({
  ...app.services.config,
  appUrl: app.url,
  ...changes,
})

async function examined(config: Config, { allFiles = false } = {}) {
  const started = new AsyncDisposableStack()
  return examine(started, config, { allFiles }).finally(() => started.disposeAsync())
}

/** What is not well, by its check. */
async function wrongs(changes: Partial<Config> = {}, { allFiles = true } = {}) {
  const findings = await examined(configWith(changes), { allFiles })
  return findings
    .filter(({ state }) => state === 'wrong')
    .map(({ check, found }) => `${check}: ${found}`)
}

test('a machine that is well has nothing wrong, and says what it looked at', async () => {
  const { db, storage } = app.services
  const person = await makePerson(app.services)
  await makeCourse(app.services, person)
  const media = await makeMedia(app.services, person, { purpose: 'avatar' })
  await storage.put(imageKey(media, 96), Buffer.from('a face'))
  await noteBackup(db, new Date())
  expect(await wrongs()).toEqual([])
  const findings = await examined(configWith(), { allFiles: true })
  expect(findings.filter(({ state }) => state === 'well').map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'node',
      'data folder',
      'address',
      'database',
      'connections',
      'clock',
      'migrations',
      'transactions',
      'locks',
      'payment mode',
      'jobs',
      'counters',
      'backup',
      'storage',
      'files',
    ]),
  )
})

test('what is broken is named', async () => {
  const { db, pool } = app.services
  const person = await makePerson(app.services)
  const course = await makeCourse(app.services, person)
  await db.update(courses).set({ studentsCount: 7 }).where(eq(courses.id, course.id))
  const media = await makeMedia(app.services, person, { purpose: 'video' })
  await noteBackup(db, new Date(Date.now() - 3 * 86_400_000))
  await pool.query(
    `select graphile_worker.add_job('sendDigest', run_at := now() - interval '20 minutes')`,
  )
  await pool.query(
    `update graphile_worker._private_jobs set created_at = now() - interval '20 minutes'`,
  )
  await pool.query(
    `with made as (select id from graphile_worker.add_job('tellAnnouncement', max_attempts := 1))
     select * from made`,
  )
  await pool.query(
    `update graphile_worker._private_jobs j set attempts = 1, last_error = 'no' from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'tellAnnouncement'`,
  )
  await pool.query(
    `insert into counter_checks (counter, differences, created_at)
     values ('ledger_payments', 2, now() - interval '3 days'),
            ('ledger_departed', 1, now() - interval '3 days')`,
  )
  const found = [
    'jobs: The oldest waits for 20 minutes.',
    'jobs: Given up: 1 tellAnnouncement.',
    'payouts: Money waits for 1 creator who left, and cannot be sent.',
    'ledger: ledger_payments: 2 rows that cannot be.',
    'recounts: The last was 3 days ago.',
    'counters: students_count is wrong in 1 row.',
    'backup: The last is 3 days old.',
    expect.stringMatching(`files: Of (\\d+) of \\1 rows 1 have no file: uploads/${media}$`),
  ]
  expect(await wrongs()).toEqual(found)
  expect(await wrongs({}, { allFiles: false })).toEqual(found)

  // It looks, and mends nothing.
  const [still] = await db.select().from(courses).where(eq(courses.id, course.id))
  expect(still!.studentsCount).toBe(7)
  await db.execute(sql`delete from counter_checks`)

  const { dataDir } = app.services.config
  const said = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir }
    execFile(
      process.execPath,
      ['src/operation/command.ts', 'doctor', '--json'],
      { env: { ...env, APP_URL: app.url } },
      (error, stdout) => resolve({ code: error?.code ?? 0, stdout }),
    )
  })
  expect(said.code).toBe(1)
  expect(JSON.parse(said.stdout)).toMatchObject({
    isWell: false,
    findings: expect.arrayContaining([
      { check: 'counters', state: 'wrong', found: expect.any(String), todo: expect.any(String) },
    ]),
  })
})

test('what goes to many people waits for its turn, and is named after hours', async () => {
  const { pool } = app.services
  const jobsAfter = async (minutes: number) => {
    await pool.query(`delete from graphile_worker._private_jobs`)
    await pool.query(`select graphile_worker.add_job('sendNoticeMail', priority := $1)`, [
      laterThanOthers,
    ])
    await pool.query(
      `update graphile_worker._private_jobs
          set run_at = now() - $1 * interval '1 minute', created_at = now() - $1 * interval '1 minute'`,
      [minutes],
    )
    return (await wrongs()).filter((one) => one.startsWith('jobs:'))
  }
  expect(await jobsAfter(90)).toEqual([])
  expect(await jobsAfter(300)).toEqual(['jobs: What goes to many people waits for 5 hours.'])
  await pool.query(`delete from graphile_worker._private_jobs`)
})

test('a database that is not there, has other migrations or is no replica is named', async () => {
  const away = new URL(app.databaseUrl)
  away.port = '1'
  expect(await wrongs({ databaseUrl: away.href, directDatabaseUrl: undefined })).toEqual([
    'database: connect ECONNREFUSED 127.0.0.1:1.',
  ])
  const { pool } = app.services
  const { host } = new URL(app.databaseUrl)
  expect(await wrongs({ replicaUrls: [app.databaseUrl] })).toContain(
    `replica ${host}: It is not a replica.`,
  )
  await pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of somebody else', 1)`,
  )
  expect(await wrongs()).toContain(
    'migrations: The database is of another version than the code here.',
  )
  await pool.query(`delete from drizzle.__drizzle_migrations where hash = 'of somebody else'`)
})

test('the version before on a database of a later one is worth knowing, and not wrong', async () => {
  const { pool } = app.services
  await pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9e15)`,
  )
  expect(await examined(configWith())).toContainEqual({
    check: 'migrations',
    state: 'note',
    found: 'The database was migrated by a later version.',
    todo: 'This one works on it only if it is the one right before.',
  })
  await pool.query(`delete from drizzle.__drizzle_migrations where hash = 'of the future'`)
})

test('a mail server that is not there is named, and one that is, not', async () => {
  expect(await wrongs({ smtpUrl: 'smtp://127.0.0.1:1' })).toContain(
    'mail: connect ECONNREFUSED 127.0.0.1:1.',
  )
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const findings = await examined(configWith({ smtpUrl: `smtp://127.0.0.1:${port}` }))
  expect(findings).toContainEqual({
    check: 'mail',
    state: 'well',
    found: `127.0.0.1:${port} takes mails from us.`,
  })
})

test('a sender and a support address that nobody has are named once mails go out', async () => {
  const smtpUrl = 'smtp://127.0.0.1:1'
  const about = async (settings: Record<string, string>) => {
    const { mailFrom, brand } = readConfig(settings)
    const findings = await examined(configWith({ smtpUrl, mailFrom, brand }))
    return findings.flatMap(({ check, state, found }) =>
      check === 'sender' || check === 'support' ? `${state}: ${found}` : [],
    )
  }
  const nobodysSupport =
    'note: People are asked to write to support@thunder.example, which nobody has.'
  expect(await about({})).toEqual([
    'wrong: Mails come from hello@thunder.example, which nobody has.',
    nobodysSupport,
  ])
  expect(await about({ MAIL_FROM: 'School <hello@school.example>' })).toEqual([nobodysSupport])
  expect(await about({ SUPPORT_EMAIL: 'help@school.example' })).toEqual([])
  // Without a mail server nothing leaves this machine.
  const findings = await examined(configWith())
  expect(findings.map(({ check }) => check)).not.toContain('sender')
})

test('keys of the payment provider are asked of it', async () => {
  const { stripe } = app.services.payments
  const stripeOf = (secretKey: string, webhookSecrets: string[]) =>
    configWith({ stripe: { secretKey, publishableKey: undefined, webhookSecrets } })
  const states = async (config: Config) =>
    (await checkPayments(config, () => stripe)).map(({ state, found }) => `${state}: ${found}`)
  expect(await states(stripeOf('sk_test_x', ['whsec_x']))).toEqual([
    'well: Stripe takes the key (test mode).',
  ])
  expect(await states(stripeOf('sk_live_x', ['whsec_x']))).toEqual([
    'wrong: The key is of another mode than Stripe says.',
  ])
  expect(await states(stripeOf('sk_test_x', []))).toContainEqual(
    expect.stringMatching(/^wrong: No webhook of Stripe is believed/),
  )
})

test('a public address without a key of the payment provider is named', async () => {
  const found = 'They are made in the sandbox, where no money moves: there is no Stripe key.'
  const todo = 'Set STRIPE_SECRET_KEY.'
  const publicly = configWith({ appUrl: 'https://school.example' })
  expect(await checkPayments(publicly)).toEqual([
    { check: 'payments', state: 'wrong', found, todo },
  ])
  expect(await checkPayments(configWith())).toEqual([
    { check: 'payments', state: 'note', found, todo },
  ])
})

test('keys of another mode than the money in the database are named', async () => {
  const person = await makePerson(app.services)
  await app.services.pool.query(
    `insert into plan_subscriptions (id, user_id, customer_id, plan, status, started_at)
     values ('sub_x', $1, 'cus_x', 'annual', 'active', now())`,
    [person.id],
  )
  const stripe = { secretKey: 'sk_live_x', publishableKey: undefined, webhookSecrets: [] }
  const findings = await examined(configWith({ stripe }))
  expect(findings).toContainEqual({
    check: 'payment mode',
    state: 'wrong',
    found: expect.stringMatching(/^The money in this database is of the sandbox, but/),
    todo: expect.stringMatching(/^Leave STRIPE_SECRET_KEY out again/),
  })
  await app.services.pool.query('delete from plan_subscriptions')
  expect(await examined(configWith({ stripe }))).toContainEqual({
    check: 'payment mode',
    state: 'well',
    found: 'The database has no money of another mode than live.',
  })
})

test('an account of the payment provider that settles in another currency is named', async () => {
  const stripe = { secretKey: 'sk_test_x', publishableKey: undefined, webhookSecrets: ['whsec_x'] }
  const settlingIn = async (...currencies: string[]) => {
    const available = currencies.map((currency) => ({ amount: 0, currency }))
    const balance = { livemode: false, available, pending: [] }
    const provider = { balance: { retrieve: async () => balance } } as unknown as Stripe
    const findings = await checkPayments(configWith({ stripe }), () => provider)
    return findings.filter(({ state }) => state === 'wrong').map(({ found }) => found)
  }
  expect(await settlingIn('eur')).toEqual([
    'The Stripe account settles in EUR, not in US dollars: fees of disputes are booked in the wrong currency.',
  ])
  expect(await settlingIn('eur', 'usd')).toEqual([])
})

test('an address that nobody answers at is named, and an unencrypted one', async () => {
  expect(await wrongs({ appUrl: 'http://127.0.0.1:1' })).toContainEqual(
    expect.stringMatching(/^address: /),
  )
})

test.each([
  [100 * 1024 ** 3, 'well'],
  [3 * 1024 ** 3, 'note'],
  [500 * 1024 ** 2, 'wrong'],
])('%i bytes of the disk are %s', (bytes, state) => {
  expect(room({ folder: '/data', free: bytes }).state).toBe(state)
})

test.each([
  ['postgres://thunder@database.example/thunder', 15, ['note']],
  ['postgres://thunder@database.example/thunder', 8, []],
  ['postgres://thunder@127.0.0.1/thunder', 15, []],
  ['postgres://thunder@[::1]/thunder', 15, []],
  ['postgres:///thunder?host=/run/postgresql', 15, []],
])('a system that tries %s again %i times is noted or not: %j', (url, retries, states) => {
  expect(hanging(url, retries).map(({ state }) => state)).toEqual(states)
})
