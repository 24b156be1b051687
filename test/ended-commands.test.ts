// Commands beside no running Thunder start a PostgreSQL for the moment: however they end, none stays behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runningPostgresUrl, startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'

// Each starts several databases, one after the other.
vi.setConfig({ testTimeout: 120_000 })

const commands = {
  admin: ['scripts/set-role.ts', 'ann@example.com'],
  announce: ['scripts/tell-everybody.ts', 'A title', 'A message'],
  backup: ['src/operation/command.ts', 'backup'],
  doctor: ['src/operation/command.ts', 'doctor'],
  'payment-mode': ['src/operation/command.ts', 'payment-mode', 'live'],
  sql: ['src/operation/command.ts', 'sql', 'select 1'],
  demo: ['scripts/fill-demo.ts'],
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-ended-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A process that works on this data folder and on nothing of ours. */
function start(dataDir: string, parameters: string[], environment: Record<string, string> = {}) {
  const { PATH } = process.env
  const env = { PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn', FFMPEG_PATH: 'off', ...environment }
  const child = spawn(process.execPath, parameters, { env })
  const ended = once(child, 'close')
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (said += chunk))
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    async end() {
      const [code, signal] = await ended
      return { code: code ?? signal, said: said.trim() }
    },
    isReady: () => expect.poll(() => said, { timeout: 120_000 }).toContain('is ready at'),
  }
}

const run = (dataDir: string, parameters: string[], environment?: Record<string, string>) =>
  start(dataDir, parameters, environment).end()

/** The backup that the command shall make, where it is one. */
const parametersOf = async (command: keyof typeof commands) =>
  command === 'backup' ? [...commands.backup, join(await newFolder(), 'backup')] : commands[command]

async function askDatabase<Row extends object>(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(statement)).rows
  } catch {
    // It is still starting.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

/** The database of PostgreSQL's superuser, where nobody is held up. */
function besideIt(url: string) {
  const address = new URL(url)
  address.username = 'postgres'
  address.pathname = '/postgres'
  return address.href
}

/** A Thunder that is stopped, and in whose database everybody waits who comes. */
async function stoppedThunderThatHolds(): Promise<string> {
  const dataDir = await newFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new Client({
    connectionString: besideIt(postgres.url).replace(/postgres(?=\?|$)/, 'thunder'),
  })
  await client.connect()
  await client.query(`create function hold() returns event_trigger language plpgsql
                        as 'begin perform pg_sleep(600); end'`)
  await client.query('create event trigger hold on login execute function hold()')
  await client.end()
  await postgres.stop()
  return dataDir
}

/** Until the command has come as far as the database. */
const isHeldIn = (dataDir: string) =>
  expect
    .poll(async () => {
      const url = await runningPostgresUrl({ dataDir })
      if (!url) return []
      const held = `select wait_event as waits from pg_stat_activity where datname = 'thunder'`
      return askDatabase(besideIt(url), held)
    })
    .toContainEqual({ waits: 'PgSleep' })

const nothingRunsIn = async (dataDir: string) =>
  expect(await runningPostgresUrl({ dataDir })).toBeUndefined()

const stackTrace = /:\d+:\d+\)?$/m

/** Ctrl-C as it comes from a terminal and from npm: more than once. */
function signalAgainAndAgain(child: ChildProcess, signal: NodeJS.Signals) {
  child.kill(signal)
  const again = setInterval(() => child.kill(signal), 5)
  child.once('exit', () => clearInterval(again))
}

test.each([
  ['admin', 'SIGINT', 130],
  ['announce', 'SIGTERM', 143],
  ['backup', 'SIGINT', 130],
  ['doctor', 'SIGHUP', 129],
  ['sql', 'SIGTERM', 143],
] as const)('%s that is ended by %s leaves no PostgreSQL', async (command, signal, code) => {
  const dataDir = await stoppedThunderThatHolds()
  const { child, end } = start(dataDir, await parametersOf(command), {
    AUTH_SECRET: 'x'.repeat(32),
  })
  await isHeldIn(dataDir)
  signalAgainAndAgain(child, signal)
  expect(await end()).toMatchObject({ code, said: expect.not.stringMatching(stackTrace) })
  await nothingRunsIn(dataDir)
})

test('a command that is ended while PostgreSQL starts leaves none', async () => {
  const dataDir = await newFolder()
  await (await startEmbeddedPostgres({ dataDir })).stop()
  const { child, end } = start(dataDir, commands.admin)
  await expect.poll(() => readdir(dataDir), { interval: 5 }).toContain('thunder.pid')
  signalAgainAndAgain(child, 'SIGTERM')
  expect(await end()).toEqual({ code: 143, said: '' })
  await nothingRunsIn(dataDir)
})

test.each(['admin', 'announce', 'backup', 'payment-mode', 'sql'] as const)(
  '%s makes no Thunder where there is none',
  async (command) => {
    const dataDir = await newFolder()
    expect(await run(dataDir, await parametersOf(command))).toEqual({
      code: 1,
      said: `There is no Thunder in ${dataDir}: set DATA_DIR or DATABASE_URL.`,
    })
    expect(await readdir(dataDir)).toEqual([])
  },
)

test.each(['admin', 'announce', 'backup', 'doctor', 'demo'] as const)(
  '%s says in a sentence which variable is wrong',
  async (command) => {
    const dataDir = await newFolder()
    expect(await run(dataDir, await parametersOf(command), { SIGNUP: 'maybe' })).toEqual({
      code: 1,
      said: 'SIGNUP is "maybe", but it must be open or closed.',
    })
  },
)

test.each(['admin', 'announce'] as const)(
  '%s that fails says why and leaves no PostgreSQL',
  async (command) => {
    const dataDir = await newFolder()
    // A Thunder whose first start was cut off: its database has no tables.
    await (await startEmbeddedPostgres({ dataDir })).stop()
    expect(await run(dataDir, commands[command])).toEqual({
      code: 1,
      said: expect.stringMatching(/^relation "(users|announcements)" does not exist\.$/),
    })
    await nothingRunsIn(dataDir)
  },
)

test('a demo that is ended in the middle leaves no PostgreSQL, and the next says what to do', async () => {
  const dataDir = await newFolder()
  const { child, end } = start(dataDir, commands.demo)
  await expect
    .poll(
      async () => {
        const url = await runningPostgresUrl({ dataDir })
        const made = `select count(*)::int as people from users where email like 'mara%@demo%'`
        return url ? askDatabase(url, made) : []
      },
      { timeout: 120_000 },
    )
    .toEqual([{ people: 1 }])
  signalAgainAndAgain(child, 'SIGINT')
  expect(await end()).toEqual({ code: 130, said: '' })
  await nothingRunsIn(dataDir)

  expect(await run(dataDir, commands.demo)).toEqual({
    code: 1,
    said: 'A part of the demo content is here, from a time when it was stopped: fill an empty DATA_DIR or DATABASE_URL.',
  })
  await nothingRunsIn(dataDir)
})

const development = { NODE_ENV: 'development', LOG_LEVEL: 'info', JOBS: 'off' }

test.each(['SIGINT', 'SIGHUP'] as const)(
  'npm run dev that is ended by %s leaves no PostgreSQL',
  async (signal) => {
    const dataDir = await newFolder()
    const environment = { ...development, PORT: '0' }
    const { child, end, isReady } = start(dataDir, ['scripts/dev-server.mjs'], environment)
    await isReady()
    signalAgainAndAgain(child, signal)
    expect((await end()).code).toBe(0)
    await nothingRunsIn(dataDir)
  },
)

/** A start of the server on a database of somebody else. */
const startOn = async (address: string) =>
  run(await newFolder(), ['scripts/dev-server.mjs'], {
    ...development,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: address,
  })

test('a start says why the database does not let it in', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: await newFolder() })
  onTestFinished(() => postgres.stop())
  await askDatabase(besideIt(postgres.url), 'create database foreign_one')
  const foreign = new URL(postgres.url)
  foreign.pathname = '/foreign_one'
  const { code, said } = await startOn(foreign.href)
  expect(code).toBe(1)
  // Vite may say before it what it prepares.
  expect(said).toMatch(/permission denied for database foreign_one\.$/)
  expect(said).not.toContain('Failed query')
})

test('a start says that no database answers', async () => {
  const { code, said } = await startOn('postgres://thunder@localhost:1/thunder')
  expect(code).toBe(1)
  expect(said).toMatch(/connect ECONNREFUSED .*:1\.?$/)
})

test('npm run dev on a port that is taken leaves no PostgreSQL', async () => {
  const dataDir = await newFolder()
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const environment = { ...development, HOST: '127.0.0.1', PORT: `${port}` }
  expect(await run(dataDir, ['scripts/dev-server.mjs'], environment)).toEqual({
    code: 1,
    said: expect.stringContaining('EADDRINUSE'),
  })
  await nothingRunsIn(dataDir)
})
