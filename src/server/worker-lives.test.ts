// What becomes of a job whose process was killed.
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { makeFailingJob } from '../../test/failing-job.ts'
import { lanes as jobLanes } from '../jobs.ts'
import { freeJobsOfTheDead, sayAlive } from './worker-lives.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const longAgo = () => new Date(Date.now() - 60_000)
const takerOf = async (id: string) => {
  const { rows } = await app.services.pool.query<{ locked_by: string | null }>(
    'select locked_by from graphile_worker._private_jobs where id = $1',
    [id],
  )
  return rows[0]?.locked_by
}

test('is given back once its worker is gone, and stays where the worker lives', async () => {
  const { pool } = app.services
  const worker = new Client({ connectionString: app.databaseUrl })
  await worker.connect()
  await sayAlive(worker, 'a live one')
  const kept = await makeFailingJob(app.services, { lockedAt: longAgo(), lockedBy: 'a live one' })
  const killed = await makeFailingJob(app.services, { lockedAt: longAgo(), lockedBy: 'a dead one' })
  const ahead = await makeFailingJob(app.services, {
    lockedAt: new Date(Date.now() + 86_400_000),
    lockedBy: 'a dead one whose clock was ahead',
  })
  const young = await makeFailingJob(app.services, { lockedAt: new Date(), lockedBy: 'a new one' })
  // Of one's own, whose locks are no hindrance to oneself, none is taken for dead.
  await freeJobsOfTheDead(worker, ['a live one'])
  expect(await takerOf(kept)).toBe('a live one')
  await freeJobsOfTheDead(pool)
  expect(await takerOf(killed)).toBeNull()
  expect(await takerOf(ahead)).toBeNull()
  expect(await takerOf(kept)).toBe('a live one')
  // Its worker may not have come to say that it lives.
  expect(await takerOf(young)).toBe('a new one')
  await worker.end()
  await expect.poll(() => freeJobsOfTheDead(pool).then(() => takerOf(kept))).toBeNull()
})

test('the workers of this node live, also after their connection was cut', async () => {
  const { pool } = app.services
  const said = `select l.pid from pg_locks l join pg_stat_activity a using (pid)
                 where l.locktype = 'advisory' and a.application_name = 'thunder workers'
                   and a.datname = current_database()`
  const lanes = async () => (await pool.query<{ pid: number }>(said)).rows
  const count = jobLanes.length + 1
  await expect.poll(async () => (await lanes()).length).toBe(count)
  const [before] = await lanes()
  await pool.query('select pg_terminate_backend($1)', [before!.pid])
  await expect
    .poll(async () => (await lanes()).filter(({ pid }) => pid !== before!.pid).length)
    .toBe(count)
})
