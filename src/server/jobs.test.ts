// What becomes of the jobs that a node has in hand when it is stopped.
import { setTimeout as workFor } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { enqueue, type Jobs, startJobs } from './jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const startNode = (work: () => Promise<void>, patience?: number) =>
  startJobs({ slowWork: work } satisfies Jobs<unknown>, app.services, {
    databaseUrl: app.databaseUrl,
    schedule: '',
    lanes: [],
    patience,
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
