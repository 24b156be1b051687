// What becomes of the jobs that a node has in hand when it is stopped.
import { setTimeout as workFor } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { enqueue, type Jobs, startJobs } from './jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())
afterEach(() => app.services.pool.query('delete from graphile_worker._private_jobs'))

const startNode = (work: () => Promise<void>, patience?: number, settling?: number) =>
  startJobs({ slowWork: work } satisfies Jobs<unknown>, app.services, {
    databaseUrl: app.databaseUrl,
    schedule: '',
    lanes: [],
    patience,
    settling,
  })

const takers = async () => {
  const { rows } = await app.services.pool.query<{ locked_by: string | null }>(
    `select j.locked_by from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'slowWork'`,
  )
  return rows.map((row) => row.locked_by)
}

test('a job that does not end in time is free when the node is gone, and done by another one', async () => {
  const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const leaving = await startNode(async () => {
    begun.resolve()
    await ending.promise
  }, 100)
  await enqueue(app.services.db, 'slowWork', {})
  await begun.promise
  expect(await takers()).toEqual([expect.any(String)])
  await leaving.stop()
  expect(await takers()).toEqual([null])

  let times = 0
  const staying = await startNode(async () => void (times += 1))
  await expect.poll(takers).toEqual([])
  expect(times).toBe(1)
  ending.resolve()
  await staying.stop()
})

test('a job that ends in time is waited for, and given to nobody', async () => {
  const begun = Promise.withResolvers<void>()
  const order: string[] = []
  const leaving = await startNode(async () => {
    begun.resolve()
    await workFor(500)
    order.push('done')
  }, 60_000)
  await enqueue(app.services.db, 'slowWork', {})
  await begun.promise
  await leaving.stop()
  order.push('gone')
  expect(order).toEqual(['done', 'gone'])
  expect(await takers()).toEqual([])
})

test('what failed while the node left is noted, and tried again later', async () => {
  const begun = Promise.withResolvers<void>()
  const leaving = await startNode(async () => {
    begun.resolve()
    await workFor(500)
    throw new Error('The other side is away')
  }, 60_000)
  await enqueue(app.services.db, 'slowWork', {})
  await begun.promise
  await leaving.stop()
  const { rows } = await app.services.pool.query(
    `select last_error, locked_by, run_at > now() as "isLater" from graphile_worker._private_jobs`,
  )
  expect(rows).toEqual([{ last_error: 'The other side is away', locked_by: null, isLater: true }])
})

/** From now on the queue cannot note what becomes of a job; `heard` counts its tries. */
async function deafen() {
  const { pool } = app.services
  await pool.query(`
    create sequence refusals;
    create function refuse() returns trigger language plpgsql as
      $$ begin perform nextval('refusals'); raise 'The database is away'; end $$;
    create trigger refuse before update or delete on graphile_worker._private_jobs
      for each row execute function refuse()`)
  return {
    tries: async () => {
      const { rows } = await pool.query<{ tries: number }>(
        'select case when is_called then last_value else 0 end::int as tries from refusals',
      )
      return rows[0]!.tries
    },
    hears: () =>
      pool.query(
        `drop trigger refuse on graphile_worker._private_jobs; drop function refuse; drop sequence refusals`,
      ),
  }
}

/** In a queue with a name, of which one job at a time is done. */
const enqueueInTurn = () =>
  app.services.pool.query(`select graphile_worker.add_job('slowWork', queue_name := 'in turn')`)

test.each([
  ['is done is not done again', 1],
  ['failed is tried again', 2],
])('what %s, though the database did not hear of it', async (_, wanted) => {
  let times = 0
  const deafened = Promise.withResolvers<Awaited<ReturnType<typeof deafen>>>()
  const node = await startNode(
    async () => {
      times += 1
      if (times > 1) return
      deafened.resolve(await deafen())
      if (wanted > 1) throw new Error('The other side is away')
    },
    60_000,
    100,
  )
  await enqueueInTurn()
  const { tries, hears } = await deafened.promise
  await expect.poll(tries).toBeGreaterThan(0)
  await hears()
  await expect.poll(takers).toEqual([])
  expect(times).toBe(wanted)
  // The next of its queue does not wait for it.
  await enqueueInTurn()
  await expect.poll(takers).toEqual([])
  expect(times).toBe(wanted + 1)
  await node.stop()
})

test('what a worker took and never heard of is begun', async () => {
  const { pool } = app.services
  const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let times = 0
  const node = await startNode(
    async () => {
      times += 1
      begun.resolve()
      await ending.promise
    },
    60_000,
    100,
  )
  await enqueue(app.services.db, 'slowWork', {})
  await begun.promise
  const tomorrow = new Date(Date.now() + 86_400_000)
  await enqueue(app.services.db, 'slowWork', {}, undefined, tomorrow)
  await pool.query(
    `update graphile_worker._private_jobs
        set locked_by = (select locked_by from graphile_worker._private_jobs where locked_by is not null),
            locked_at = now(), attempts = 1, run_at = now()
      where locked_by is null`,
  )
  await expect.poll(() => times).toBe(2)
  // The one that is under way all the time was left alone.
  ending.resolve()
  await expect.poll(takers).toEqual([])
  expect(times).toBe(2)
  await node.stop()
})

test('what fails while the same is queued again leaves the rest to that, and is not given up', async () => {
  const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let times = 0
  const node = await startNode(async () => {
    times += 1
    if (times > 1) return
    begun.resolve()
    await ending.promise
    throw new Error('The other side is away')
  })
  await enqueue(app.services.db, 'slowWork', {}, 'each minute')
  await begun.promise
  await enqueue(app.services.db, 'slowWork', {}, 'each minute')
  ending.resolve()
  await expect.poll(() => times).toBe(2)
  await expect.poll(takers).toEqual([])
  await node.stop()
})
