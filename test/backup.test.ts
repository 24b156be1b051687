// npm run backup and restore: a machine that people use is copied, and made again somewhere else.
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { imageKey } from '../src/domains/media/store-image.ts'
import { mediaFiles } from '../src/domains/media/tables.ts'
import { backUp } from '../src/operation/backup/back-up.ts'
import { readManifest, writeManifest } from '../src/operation/backup/manifest.ts'
import { migrateUpTo } from '../src/operation/backup/restore-database.ts'
import { verifyBackup } from '../src/operation/backup/verify-backup.ts'
import { readCommand } from '../src/operation/read-command.ts'
import { openDatabase } from '../src/server/db.ts'
import { enqueue, migrateJobs } from '../src/server/jobs.ts'
import { openStorage } from '../src/server/open-storage.ts'
import { startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'
import type { Storage } from '../src/server/storage.ts'
import { startTestApp, type TestApp } from './app.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
} from './factories.ts'
import { bucketCalled, hasObjectStore, objectStoreVariables } from './object-store.ts'
import { makeSeller, sell } from './payee.ts'
import { storedBytes } from './stored-files.ts'
import { makeWholePerson } from './whole-person.ts'

// Each test starts several processes, and some a database.
vi.setConfig({ testTimeout: 180_000 })

let app: TestApp
let course: { id: string; instructorId: string }
beforeAll(async () => {
  app = await startTestApp()
  await app.signUp({ name: 'Zoë', email: 'zoe@example.com' })
  // First: among the rows of a whole person is an event that is about nothing.
  await sell(app, await makeSeller(app))
  const [teacher, member] = [await makePerson(app.services), await makePerson(app.services)]
  await makeWholePerson(app.services, 'Whole', { teacher, member })
  const tomorrow = new Date(Date.now() + 86_400_000)
  await enqueue(app.services.db, 'trimNotices', {}, undefined, tomorrow)
  course = await makeCourse(app.services, teacher)
})
afterAll(() => app?.stop())

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The command as a process of its own, as an operator calls it. */
function thunder(environment: Record<string, string>, ...parameters: string[]) {
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['src/operation/command.ts', ...parameters],
      { env: { PATH: process.env.PATH, ...environment } },
      (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: (stdout + stderr).trim() }),
    )
  })
}

/** Those of the app that runs: its database, its files, its secret. */
async function ownVariables(): Promise<Record<string, string>> {
  const { dataDir, objectStore } = app.services.config
  const store = objectStore ? await objectStoreVariables(objectStore.bucket) : {}
  return { ...store, DATA_DIR: dataDir, DATABASE_URL: app.databaseUrl }
}

const lasting = `
  select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
   where schemaname not in ('pg_catalog', 'information_schema', 'caught_mails')
     and schemaname || '.' || tablename not in ('public.live_events', 'public.playing_streams', 'graphile_worker.migrations')
   order by 1`

/** Every row of every table, as text. */
async function allRows(client: Client): Promise<Record<string, string[]>> {
  const { rows: tables } = await client.query<{ name: string }>(lasting)
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from ${name} t order by 1`,
    )
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Every file, by its key. */
async function allFiles(storage: Storage): Promise<Record<string, string>> {
  const keys = (await storage.files('')).filter((key) => !key.startsWith('drafts/'))
  const entries = await Promise.all(
    keys.map(async (key) => [key, (await storedBytes(storage, key)).toString('hex')] as const),
  )
  return Object.fromEntries(entries)
}

/** People come, join, write and upload, and take back what they uploaded, until they are told to stop. */
function startWriters() {
  const { services } = app
  const over = new AbortController()
  let writes = 0
  async function write() {
    while (!over.signal.aborted) {
      const person = await makePerson(services)
      await joinCourse(services, person, course)
      const post = await makePost(services, course, { by: person })
      await makeComment(services, post, { by: person })
      const mediaId = await makeMedia(services, person, { purpose: 'avatar', status: 'uploading' })
      await services.storage.put(imageKey(mediaId, 96), Buffer.from(`picture ${writes}`))
      await services.db
        .update(mediaFiles)
        .set({ status: 'ready' })
        .where(eq(mediaFiles.id, mediaId))
      writes += 1
      if (writes % 3 > 0) continue
      await services.db.delete(mediaFiles).where(eq(mediaFiles.id, mediaId))
      await services.storage.remove(`images/${mediaId}`)
    }
  }
  const writers = Promise.all([write(), write()])
  return {
    count: () => writes,
    async stop() {
      over.abort()
      await writers
    },
  }
}

/** An empty machine with its own PostgreSQL, and a bucket of its own where files are in an object store. */
async function emptyMachine() {
  const dataDir = await newFolder()
  const bucket = `restored-${randomUUID()}`
  const variables = { ...(await objectStoreVariables(bucket)), DATA_DIR: dataDir }
  const storage = async () =>
    openStorage(
      { dataDir, objectStore: hasObjectStore ? await bucketCalled(bucket) : null },
      app.services.log,
    )
  return { dataDir, variables, storage }
}

test('a backup of a busy machine is one moment of it, and makes an empty one the same', async () => {
  const { config, storage } = app.services
  const folder = join(await newFolder(), 'backup')
  // Somebody else holds the moment, to read every row of it beside the backup.
  const holder = await connected(app.databaseUrl)
  onTestFinished(() => holder.end())
  const writers = startWriters()
  await expect.poll(writers.count, { timeout: 60_000 }).toBeGreaterThan(30)
  await holder.query('begin isolation level repeatable read')
  const { rows } = await holder.query<{ snapshot: string }>(
    'select pg_export_snapshot() as snapshot',
  )
  const before = writers.count()
  const { snapshot } = rows[0]!
  const lines: string[] = []
  const manifest = await backUp(
    {
      config,
      databaseUrl: app.databaseUrl,
      storage,
      say: (line) => lines.push(line),
      snapshot,
    },
    folder,
  )
  expect(writers.count(), 'people wrote meanwhile').toBeGreaterThan(before)
  await writers.stop()
  expect(lines.join('\n')).toMatch(/public\.users: \d+ rows/)
  expect(lines.join('\n')).not.toContain("Not Thunder's")
  const expected = await allRows(holder)
  const { rows: media } = await holder.query<{ id: string }>(
    `select id from media_files where status = 'ready'`,
  )
  const heldMedia = media.map(({ id }) => id)
  await holder.query('rollback')
  expect(expected['stripe_sandbox.objects']!.length).toBeGreaterThan(0)
  expect(expected['graphile_worker._private_jobs']!.length).toBeGreaterThan(0)

  const machine = await emptyMachine()
  // Of a restore before, in which the power went while the secret was written.
  await mkdir(machine.dataDir, { recursive: true })
  await writeFile(join(machine.dataDir, 'auth-secret'), '')
  const { code, said } = await thunder(machine.variables, 'restore', folder)
  expect([said, code]).toEqual([expect.stringMatching(/Restored: \d+ tables, \d+ rows/), 0])
  expect((await readdir(machine.dataDir)).toSorted()).toEqual(
    expect.arrayContaining(['auth-secret', 'postgres', 'thunder.lock']),
  )

  const postgres = await startEmbeddedPostgres({ dataDir: machine.dataDir })
  const restored = await connected(postgres.url)
  try {
    const found = await allRows(restored)
    expect(Object.keys(found)).toEqual(Object.keys(expected))
    // One table after the other: a difference is to be read.
    for (const name of Object.keys(expected)) expect(found[name], name).toEqual(expected[name])
    const { rows: numbers } = await restored.query(
      'select last_value, is_called from stripe_sandbox.objects_seq_seq',
    )
    expect(Number(numbers[0].last_value)).toBeGreaterThanOrEqual(
      expected['stripe_sandbox.objects']!.length,
    )
    // What is written next is checked as before.
    await expect(
      restored.query(`insert into enrollments (user_id, course_id) values ($1, $1)`, [
        randomUUID(),
      ]),
    ).rejects.toThrow('violates foreign key constraint')
  } finally {
    await restored.end()
    await postgres.stop()
  }

  const files = await allFiles(await machine.storage())
  expect(Object.keys(files)).toHaveLength(manifest.files.count)
  const originals = await allFiles(storage)
  const stillThere = Object.keys(files).filter((key) => key in originals)
  expect(stillThere.length).toBeGreaterThan(10)
  for (const key of stillThere) expect(files[key], key).toBe(originals[key])
  // Whatever was there for a row of that moment is in the backup, unless it was taken back since.
  const folderOf = (key: string) => key.split('/').slice(0, 2).join('/')
  const restoredFolders = new Set(Object.keys(files).map(folderOf))
  const forgotten = Object.keys(originals).filter(
    (key) => heldMedia.some((id) => key.includes(id)) && !restoredFolders.has(folderOf(key)),
  )
  expect(forgotten).toEqual([])
  expect(manifest.missing.filter((key) => restoredFolders.has(key))).toEqual([])

  const again = await startTestApp({ ...machine.variables, DATABASE_URL: await servedBy(machine) })
  onTestFinished(() => again.stop())
  const login = await again.request('/auth/v1/sign-in/email', {
    body: { email: 'zoe@example.com', password: 'correct horse' },
  })
  expect(login.status).toBe(200)
})

/** Its PostgreSQL runs until the test is over. */
async function servedBy({ dataDir }: { dataDir: string }): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir })
  onTestFinished(() => postgres.stop())
  return postgres.url
}

async function emptyDatabase(): Promise<string> {
  const url = new URL(inject('templateUrl'))
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  url.pathname = '/postgres'
  const client = await connected(url.href)
  await client.query(`create database ${name}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

test('a damaged, cut or unfinished backup is refused, and nothing is made', async () => {
  const folder = join(await newFolder(), 'backup')
  const made = await thunder(await ownVariables(), 'backup', folder)
  expect([made.said, made.code]).toEqual([expect.stringMatching(/The backup in .* is whole\.$/), 0])

  const table = join('database', 'public.users.copy.gz')
  const [picture] = (await readdir(join(folder, 'files', 'images'), { recursive: true })).filter(
    (name) => name.endsWith('.webp'),
  )
  const file = join('files', 'images', picture!)
  const flip = (name: string) => async (copy: string) => {
    const bytes = await readFile(join(copy, name))
    bytes[bytes.length - 9]! ^= 1
    await writeFile(join(copy, name), bytes)
  }
  const harms: [(copy: string) => Promise<unknown>, RegExp][] = [
    [flip(table), /public\.users\.copy\.gz is damaged/],
    [
      (copy) => truncate(join(copy, table), 100),
      /public\.users\.copy\.gz has 100 bytes instead of/,
    ],
    [(copy) => rm(join(copy, table)), /public\.users\.copy\.gz is missing/],
    [flip(file), /\.webp is damaged/],
    [(copy) => rm(join(copy, file)), /\.webp is missing/],
    [flip('files.jsonl'), /files\.jsonl is damaged/],
    [flip('auth-secret'), /auth-secret is damaged/],
    [flip('manifest.json'), /manifest\.json is damaged/],
    // What a backup that was cut looks like.
    [(copy) => rm(join(copy, 'manifest.json')), /no whole backup/],
  ]
  for (const [harm, sentence] of harms) {
    const copy = join(await newFolder(), 'backup')
    await cp(folder, copy, { recursive: true })
    await harm(copy)
    await expect(verifyBackup(copy)).rejects.toThrow(sentence)
  }
  await flip(file)(folder)
  const machine = await emptyMachine()
  const { code, said } = await thunder(machine.variables, 'restore', folder)
  expect([said, code]).toEqual([expect.stringMatching(/\.webp is damaged/), 1])
  expect(await readdir(machine.dataDir)).toEqual([])
  await flip(file)(folder)

  // Beside a machine that is used nothing is restored either.
  const used = await thunder(await ownVariables(), 'restore', folder)
  expect([used.said, used.code]).toEqual([
    expect.stringMatching(/The database holds people or courses/),
    1,
  ])
})

test('a backup that is killed leaves nothing that looks whole, and takes no used folder', async () => {
  const folder = join(await newFolder(), 'backup')
  const child = spawn(process.execPath, ['src/operation/command.ts', 'backup', folder], {
    env: { PATH: process.env.PATH, ...(await ownVariables()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.stdout.once('data', () => child.kill('SIGKILL'))
  await gone
  expect(await readdir(folder)).not.toContain('manifest.json')
  const machine = await emptyMachine()
  expect(await thunder(machine.variables, 'restore', folder)).toEqual({
    code: 1,
    said: expect.stringMatching(/no whole backup: there is no manifest\.json/),
  })
  expect(await thunder(await ownVariables(), 'backup', folder)).toEqual({
    code: 1,
    said: expect.stringMatching(/is not empty: name a new folder/),
  })
})

test('a backup whose reader ends first is made all the same', async () => {
  const folder = join(await newFolder(), 'backup')
  const child = spawn(process.execPath, ['src/operation/command.ts', 'backup', folder], {
    env: { PATH: process.env.PATH, ...(await ownVariables()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await gone).toBe(0)
  expect(await readdir(folder)).toContain('manifest.json')
})

test('a restore that is killed is known as such, and done again', async () => {
  const folder = join(await newFolder(), 'backup')
  expect((await thunder(await ownVariables(), 'backup', folder)).code).toBe(0)
  const machine = await emptyMachine()
  const variables = { ...machine.variables, DATABASE_URL: await emptyDatabase() }
  // Somebody is in its way when the tables are made and empty: this lock is taken to make those of the sandbox.
  const blocker = await connected(variables.DATABASE_URL)
  await blocker.query('select pg_advisory_lock(727275)')
  const child = spawn(process.execPath, ['src/operation/command.ts', 'restore', folder], {
    env: { PATH: process.env.PATH, ...variables },
    stdio: 'ignore',
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const waiting = async () =>
    (
      await blocker.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
      )
    ).rowCount
  await expect.poll(waiting, { timeout: 120_000 }).toBe(1)
  child.kill('SIGKILL')
  await gone
  await blocker.end()
  await expect(startTestApp(variables)).rejects.toThrow(/A restore into .* did not finish/)

  const { code, said } = await thunder(variables, 'restore', folder)
  expect([said, code]).toEqual([expect.stringMatching(/Restored: /), 0])

  // As when it was killed a moment after its rows were there.
  await writeFile(join(variables.DATA_DIR, 'restore.unfinished'), folder)
  const finished = await thunder(variables, 'restore', folder)
  expect([finished.said, finished.code]).toEqual([expect.stringMatching(/Restored: /), 0])
  const again = await startTestApp(variables)
  onTestFinished(() => again.stop())
  const { rows } = await again.services.pool.query(
    `select name from users where email = 'zoe@example.com'`,
  )
  expect(rows).toEqual([{ name: 'Zoë' }])
})

test('a secret that is kept elsewhere is asked for', async () => {
  const folder = join(await newFolder(), 'backup')
  const secret = 'a secret that is kept somewhere else'
  const own = { ...(await ownVariables()), AUTH_SECRET: secret }
  const made = await thunder(own, 'backup', folder)
  expect(made.said).toContain('AUTH_SECRET is not part of the backup')
  expect(await readdir(folder)).not.toContain('auth-secret')

  const machine = await emptyMachine()
  const variables = { ...machine.variables, DATABASE_URL: await emptyDatabase() }
  const without = await thunder(variables, 'restore', folder)
  expect([without.said, without.code]).toEqual([
    expect.stringMatching(/made with AUTH_SECRET, which is not part of it: set it/),
    1,
  ])
  const another = { ...variables, AUTH_SECRET: 'another secret, which it was not made with' }
  expect((await thunder(another, 'restore', folder)).said).toMatch(/AUTH_SECRET is not the secret/)
  expect((await thunder({ ...variables, AUTH_SECRET: secret }, 'restore', folder)).code).toBe(0)
})

test.each([
  ['live', true],
  ['sandbox', false],
] as const)(
  'a restore of %s money pays nobody by the clock for a time that is over',
  async (mode, isBehind) => {
    const url = await emptyDatabase()
    const { pool } = openDatabase(url, app.services.log, { max: 2 })
    await migrateUpTo(pool, readMigrationFiles({ migrationsFolder: 'migrations' }).length)
    await migrateJobs(pool, app.services.log)
    await pool.query('update payment_provider set mode = $1', [mode])
    await pool.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('payOutOnSchedule', now() - interval '9 days', now() - interval '20 hours'),
            ('sendDigests', now() - interval '9 days', null)`,
    )
    await pool.end()
    const folder = join(await newFolder(), 'backup')
    const { config, storage } = app.services
    const needs = { config, databaseUrl: url, storage, say: () => {} }
    const { madeAt } = await backUp(needs, folder)

    const machine = await emptyMachine()
    const variables = { ...machine.variables, DATABASE_URL: await emptyDatabase() }
    const { code, said } = await thunder(variables, 'restore', folder)
    expect([said, code]).toEqual([expect.stringMatching(/Restored: /), 0])
    expect(said.split('\n').at(-1)).toMatch(
      isBehind
        ? `since ${madeAt} is not in these books. Paying creators out is switched off until you have compared: before the first start read “After a restore” in operations.md.`
        : /^Restored: /,
    )
    const restored = await connected(variables.DATABASE_URL)
    onTestFinished(() => restored.end())
    // The queue makes up for what was due after this time, a day at most.
    const { rows } = await restored.query(
      `select identifier, last_execution >= $1::timestamptz as is_over
       from graphile_worker._private_known_crontabs order by 1`,
      [madeAt],
    )
    expect(rows).toEqual([
      { identifier: 'payOutOnSchedule', is_over: true },
      { identifier: 'sendDigests', is_over: true },
    ])
    // Who would be paid now was perhaps paid since.
    const held = await restored.query(
      `select value->'off' as off, value->>'notice' as notice, value->>'since' is not null as dated
         from settings where key = 'feature:payouts'`,
    )
    expect(held.rows).toEqual(
      isBehind
        ? [
            {
              off: true,
              notice: 'We are comparing our books with the banks. There is nothing to do.',
              dated: true,
            },
          ]
        : [],
    )
    // As when it was killed a moment after its rows were there.
    await writeFile(join(variables.DATA_DIR, 'restore.unfinished'), folder)
    const again = await thunder(variables, 'restore', folder)
    expect([again.said, again.code]).toEqual([said, 0])
  },
)

test('a backup of an older version is restored, and brought up to date', async () => {
  const url = await emptyDatabase()
  const { pool } = openDatabase(url, app.services.log, { max: 2 })
  await migrateUpTo(pool, 10)
  await migrateJobs(pool, app.services.log)
  await pool.query(`insert into users (name, email) values ('Old Ann', 'ann@example.com')`)
  await pool.end()
  const folder = join(await newFolder(), 'backup')
  const { config, storage } = app.services
  await backUp({ config, databaseUrl: url, storage, say: () => {} }, folder)
  expect((await readManifest(folder)).migrations).toHaveLength(10)

  const machine = await emptyMachine()
  const variables = { ...machine.variables, DATABASE_URL: await emptyDatabase() }
  expect((await thunder(variables, 'restore', folder)).code).toBe(0)
  const restored = await connected(variables.DATABASE_URL)
  onTestFinished(() => restored.end())
  const { rows } = await restored.query(
    `select name, (select count(*)::int from announcements) as announcements,
            (select count(*)::int from drizzle.__drizzle_migrations) as migrations from users`,
  )
  const { length } = readMigrationFiles({ migrationsFolder: 'migrations' })
  expect(rows).toEqual([{ name: 'Old Ann', announcements: 0, migrations: length }])
})

test.each([
  ['was never used', 0],
  ['is migrated, and empty', readMigrationFiles({ migrationsFolder: 'migrations' }).length],
])('a database that %s, with tables of another program, is left alone', async (_, count) => {
  const folder = join(await newFolder(), 'backup')
  const { config, storage, log } = app.services
  await backUp({ config, databaseUrl: app.databaseUrl, storage, say: () => {} }, folder)
  const machine = await emptyMachine()
  const variables = { ...machine.variables, DATABASE_URL: await emptyDatabase() }
  const { pool } = openDatabase(variables.DATABASE_URL, log, { max: 2 })
  onTestFinished(() => pool.end())
  if (count > 0) await migrateUpTo(pool, count)
  await pool.query(`create schema metabase; create table metabase.cards (name text);
                    insert into metabase.cards values ('Sales of the month')`)
  expect(await thunder(variables, 'restore', folder)).toEqual({
    code: 1,
    said: expect.stringMatching(
      /holds tables of something else \(metabase\.cards\): name an empty/,
    ),
  })
  const { rows } = await pool.query('select name from metabase.cards')
  expect(rows).toEqual([{ name: 'Sales of the month' }])
  expect(await readdir(machine.dataDir)).not.toContain('restore.unfinished')
})

test('tables of others are no part of a backup, and those in a former one are not restored', async () => {
  const url = await emptyDatabase()
  const { config, storage, log } = app.services
  const { pool } = openDatabase(url, log, { max: 2 })
  onTestFinished(() => pool.end())
  await migrateUpTo(pool, readMigrationFiles({ migrationsFolder: 'migrations' }).length)
  await migrateJobs(pool, log)
  await pool.query(`insert into users (name, email) values ('Own Ann', 'own@example.com');
                    create table rows_before_fix as select * from users;
                    create schema metabase; create table metabase.cards (id serial)`)
  const backedUp = async () => {
    const folder = join(await newFolder(), 'backup')
    const said: string[] = []
    const needs = { config, databaseUrl: url, storage, say: (line: string) => said.push(line) }
    const { tables, sequences } = await backUp(needs, folder)
    const names = [...tables, ...sequences].map(({ schema, name }) => `${schema}.${name}`)
    return { folder, said, names }
  }
  const others = ['metabase.cards', 'public.rows_before_fix']
  const { folder, said, names } = await backedUp()
  expect(said).toContain(`Not Thunder's, so not part of the backup: ${others.join(', ')}.`)
  expect(names).toEqual(expect.arrayContaining(['public.users', 'graphile_worker._private_jobs']))
  expect(names.filter((name) => /metabase|before/.test(name))).toEqual([])

  const manifest = await readManifest(folder)
  const users = manifest.tables.find(({ name }) => name === 'users')!
  const tables = [...manifest.tables, { ...users, name: 'rows_before_fix' }]
  await writeManifest(folder, { ...manifest, tables })
  const machine = await emptyMachine()
  const variables = { ...machine.variables, DATABASE_URL: await emptyDatabase() }
  const restored = await thunder(variables, 'restore', folder)
  expect([restored.said, restored.code]).toEqual([
    expect.stringMatching(/Not Thunder's, so not restored: public\.rows_before_fix\./),
    0,
  ])
  const client = await connected(variables.DATABASE_URL)
  onTestFinished(() => client.end())
  expect((await client.query('select name from users')).rows).toEqual([{ name: 'Own Ann' }])

  // Which tables a newer version makes is not known here.
  await pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9e15)`,
  )
  const newer = await backedUp()
  expect(newer.names).toEqual(expect.arrayContaining(others))
  expect((await thunder(variables, 'restore', newer.folder)).said).toContain(
    'This backup was made by a newer Thunder',
  )
})

test('what is typed wrong is answered with how it is used', async () => {
  expect(await thunder({ DATA_DIR: await newFolder() }, 'mend')).toEqual({
    code: 1,
    said: expect.stringMatching(/^Say what:/),
  })
})

test.each([
  [[]],
  [['backup']],
  [['restore']],
  [['backup', 'a', 'b']],
  [['doctor', 'a']],
  [['payment-mode']],
  [['payment-mode', 'real']],
  [['payment-mode', 'live', 'test']],
])('%j is no command', (typed) => {
  expect(() => readCommand(typed)).toThrow(/^Say what:/)
})
