// A real streaming replica beside the database: what is read there, and that nobody notices when it is behind or gone.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../test/factories.ts'
import { type ReplicatedDatabase, startReplicatedDatabase } from '../../test/replicated-database.ts'
import { courses } from '../domains/courses/tables.ts'
import { pageApi } from '../web/page-context.ts'
import { createApp } from './app.ts'
import { createPages } from './pages.ts'
import { openPublicReads } from './public-reads.ts'

vi.mock('virtual:still-script', () => ({ default: '' }))
vi.mock('virtual:react-router/server-build', () => ({ routes: {} }))
// In place of a rendered page: what its loader reads.
vi.mock('react-router', async (original) => ({
  ...(await original<typeof import('react-router')>()),
  createRequestHandler:
    () => async (request: Request, context: { get(key: unknown): typeof pageApi.defaultValue }) => {
      const slug = new URL(request.url).pathname.split('/').at(-1)!
      const page = await context.get(pageApi)!.courses.getCoursePage({ slug })
      return new Response(`<h1>${page.title}</h1>`, { headers: { 'content-type': 'text/html' } })
    },
}))

let database: ReplicatedDatabase
let app: TestApp
let pages: ReturnType<typeof createApp>
let course: { id: string; slug: string }
let cookie: string
beforeAll(async () => {
  database = await startReplicatedDatabase()
  app = await startTestApp({
    DATABASE_URL: database.url,
    DATABASE_REPLICA_URL: database.replicaUrl,
    LOG_LEVEL: 'silent',
  })
  pages = createApp(app.services, createPages(app.services, 'production'))
  const creator = await makePerson(app.services)
  course = await makeCourse(app.services, creator)
  cookie = await sessionCookieOf(app.services, creator.id)
})
afterAll(async () => {
  await app?.stop()
  await database?.stop()
})

const closings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

const replicaOf = ({ services }: TestApp) => services.publicReads.replicas[0]!

const pageOf = async () => (await pages.request(`/course/${course.slug}`)).text()
const callOf = async (path = `/rest/v1/courses/${course.slug}`) => (await app.request(path)).body

async function rename(title: string) {
  await app.services.db.update(courses).set({ title }).where(eq(courses.id, course.id))
}

/** How many statements each server answers for these requests. */
async function readsOf(work: () => Promise<unknown>) {
  const { publicReads } = app.services
  const before = { primary: publicReads.primaryReads, replica: replicaOf(app).reads }
  await work()
  return {
    primary: publicReads.primaryReads - before.primary,
    replica: replicaOf(app).reads - before.replica,
  }
}

/** It may be left out for a moment on a busy machine. */
const isUsed = () => expect.poll(() => replicaOf(app).isUsed).toBe(true)

async function pauseReplay() {
  const admin = await database.replicaAdmin()
  await admin.query('select pg_wal_replay_pause()')
  await expect
    .poll(async () => (await admin.query('select pg_get_wal_replay_pause_state() as s')).rows[0].s)
    .toBe('paused')
  closings.push(async () => {
    await admin.query('select pg_wal_replay_resume()')
    await admin.end()
  })
}

/** All of a request is read from the replica, once that has caught up with what was written before. */
async function readFromReplica(work: () => Promise<unknown>) {
  await expect
    .poll(() => readsOf(work), { interval: 100 })
    .toEqual({ primary: 0, replica: expect.toSatisfy((reads: number) => reads > 0) })
}

test.each([
  ['a page', pageOf],
  ['a call', callOf],
  ['the catalogue', () => callOf('/rest/v1/courses?search=course')],
  ['the reviews', () => callOf(`/rest/v1/courses/${course.slug}/reviews`)],
  // Not the index: where files begin is remembered, and may have been read before the replica had caught up.
  ['a file of the site map', () => callOf('/sitemaps/courses-1.xml')],
])('%s is read from the replica, by who is signed out', async (_, read) => {
  await rename(crypto.randomUUID())
  await readFromReplica(read)
})

test('who is signed in reads from the primary', async () => {
  await isUsed()
  const reads = await readsOf(async () => {
    const path = `/rest/v1/courses/${course.slug}`
    expect((await app.request(path, { cookie })).status).toBe(200)
    expect((await pages.request(`/course/${course.slug}`, { headers: { cookie } })).status).toBe(
      200,
    )
  })
  expect(reads).toEqual({ primary: 0, replica: 0 })
})

test('an edit is there at the next request, while the replica is behind', async () => {
  await rename('Before')
  await readFromReplica(pageOf)
  expect(await pageOf()).toContain('Before')
  await isUsed()
  await pauseReplay()

  await rename('After')
  expect(await pageOf()).toContain('After')
  expect(await callOf()).toMatchObject({ title: 'After' })
  await rename('After that')
  expect(await callOf()).toMatchObject({ title: 'After that' })
  expect(await pageOf()).toContain('After that')
  // Left out: nobody waits for it again. Until the second look at it, it counts as caught up with what was before.
  const unused = `thunder_replica_used{replica="${new URL(database.replicaUrl).host}"} 0`
  await expect
    .poll(async () => {
      await callOf()
      const { body } = await app.request('/metrics')
      return { isUsed: replicaOf(app).isUsed, isSaid: body.includes(unused) }
    })
    .toEqual({ isUsed: false, isSaid: true })
  await expect.poll(() => replicaOf(app).lag?.bytes).toBeGreaterThan(0)
})

test('it is used again when it has caught up', async () => {
  await isUsed()
  await readFromReplica(callOf)
  const { body } = await app.request('/metrics')
  const { host } = new URL(database.replicaUrl)
  expect(body).toMatch(/^# TYPE thunder_public_reads_total counter$/m)
  expect(body).toMatch(new RegExp(`^thunder_public_reads_total{target="${host}"} [1-9]`, 'm'))
  expect(body).toMatch(/^thunder_public_reads_total{target="primary"} [1-9]/m)
  expect(body).toMatch(new RegExp(`^thunder_replica_lag_bytes{replica="${host}"} \\d`, 'm'))
  expect(body).toMatch(new RegExp(`^thunder_replica_lag_seconds{replica="${host}"} \\d`, 'm'))
})

test('after a statement that failed there, a request stays with the primary', async () => {
  await readFromReplica(callOf)
  const { publicReads } = app.services
  const isReplica = async () => {
    const { rows } = await publicReads.services.pool.query('select pg_is_in_recovery() as is')
    return rows[0].is
  }
  await expect
    .poll(() =>
      publicReads.through(async () => {
        const before = await isReplica()
        // Nothing can be written there.
        await publicReads.services.pool.query(`update users set name = name where false`)
        return { before, after: await isReplica() }
      }),
    )
    .toEqual({ before: true, after: false })
  // Only that request: the replica is well.
  await expect.poll(() => publicReads.through(isReplica)).toBe(true)
  expect(await isReplica()).toBe(false)
})

test('a transaction begins on the primary', async () => {
  await isUsed()
  const { publicReads } = app.services
  await publicReads.through(() =>
    publicReads.services.db.transaction(async (transaction) => {
      const { rows } = await transaction.execute('select pg_is_in_recovery() as is')
      expect(rows).toEqual([{ is: false }])
    }),
  )
})

test('its death is not noticed, and it is used again when it is back', async () => {
  await readFromReplica(callOf)
  const admin = await database.replicaAdmin()
  const ended = new Promise((resolve) => admin.once('end', resolve))
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  // A backend that is killed takes its server along, which begins anew.
  process.kill(rows[0]!.pid, 'SIGKILL')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => pages.request(`/course/${course.slug}`)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  await ended
  await rename('Meanwhile')
  expect(await pageOf()).toContain('Meanwhile')
  expect((await app.request('/rest/v1/courses')).status).toBe(200)
  await isUsed()
  await readFromReplica(callOf)
})

test('one that does not answer is left alone', async () => {
  await readFromReplica(callOf)
  const admin = await database.replicaAdmin()
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  const folder = (
    await admin.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  ).rows[0]!.folder
  // Whoever would let a new connection in as well: the replica would be used again by it.
  const [listener] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  const stopped = [Number(listener), ...rows.map(({ pid }) => pid)]
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  closings.push(async () => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    await admin.end()
  })
  expect(await callOf()).toMatchObject({ title: 'Meanwhile' })
  expect(replicaOf(app).isUsed).toBe(false)
})

test('a server that is no replica of this database is not read from', async () => {
  const { base } = app.services.publicReads
  for (const url of [database.url, 'postgres://nobody@127.0.0.1:1/thunder']) {
    const other = await openPublicReads(base, [url])
    closings.push(other.stop)
    const { rows } = await other.through(() =>
      other.services.pool.query('select title from courses'),
    )
    expect(rows).toEqual([{ title: 'Meanwhile' }])
    expect(other.replicas).toMatchObject([{ isUsed: false, lag: null, reads: 0 }])
    expect(other.primaryReads).toBe(1)
  }
})

test('of several replicas each is asked in turn, and one that is away is passed by', async () => {
  const { base } = app.services.publicReads
  const urls = [database.replicaUrl, 'postgres://nobody@127.0.0.1:1/thunder', database.replicaUrl]
  const other = await openPublicReads(base, urls)
  closings.push(other.stop)
  const ask = () => other.through(() => other.services.pool.query('select 1'))
  await expect
    .poll(async () => {
      await ask()
      return other.replicas.map(({ reads }) => reads > 0)
    })
    .toEqual([true, false, true])
})

test('without replicas nothing stands between a read and the database', async () => {
  const { base } = app.services.publicReads
  const other = await openPublicReads(base, [])
  expect(other.replicas).toEqual([])
  expect(other.services.pool).toBe(base.pool)
  expect(other.services.db).toBe(base.db)
})
