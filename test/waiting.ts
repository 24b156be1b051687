import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/** Until somebody in the app's database waits for what another transaction holds. */
export const somebodyWaits = (app: TestApp) =>
  expect
    .poll(async () => {
      const { rows } = await app.services.pool.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]!.waiting
    })
    .toBeGreaterThan(0)
