import type { PoolClient } from 'pg'
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'

/** As statements do that go on and on. They are given back when the test ends, unless it does so before. */
export async function takeAllConnections({ services: { pool } }: TestApp): Promise<PoolClient[]> {
  const taken: PoolClient[] = []
  onTestFinished(() => {
    for (const client of taken) client.release()
  })
  for (let count = 0; count < pool.options.max; count += 1) taken.push(await pool.connect())
  return taken
}
