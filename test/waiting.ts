import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/**
 * Rows of pg_stat_activity: statements in the app's database that wait for what others hold. Not the one that a job does
 * each minute for the days of courses, which may come at any moment and wait for a course, too; nor a commit that stands in
 * line with those of other databases to say what happened ('object').
 */
export const waitingStatements = `datname = current_database() and wait_event_type = 'Lock'
          and wait_event <> 'object' and query not like '%insert into course_days%'`

/** Until somebody in the app's database waits for what another transaction holds. */
export const somebodyWaits = (app: TestApp) =>
  expect
    .poll(async () => {
      const { rows } = await app.services.pool.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
          where ${waitingStatements}`,
      )
      return rows[0]!.waiting
    })
    .toBeGreaterThan(0)
