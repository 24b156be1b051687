// Before all tests: one PostgreSQL with one migrated template. Each test file gets a copy of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateDatabase, openDatabase } from '../src/server/db.ts'
import { migrateJobs } from '../src/server/jobs.ts'
import { createLog } from '../src/server/log.ts'
import { startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'
import { startPooler } from './pooler.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the template; copies are made beside it. */
    templateUrl: string
    /** Where a pooler before it listens, when the tests go through one. */
    poolerPort: number | null
  }
}

export default async function setup(project: Pick<TestProject, 'provide'>) {
  const { TEST_TEMPLATE } = process.env
  if (TEST_TEMPLATE) {
    // One that stands already, for thousands of short runs: scripts/mutants/within-one-app.mjs.
    project.provide('templateUrl', TEST_TEMPLATE)
    project.provide('poolerPort', null)
    return
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    database: 'template',
    // With hundreds of databases made and dropped, each commit would wait for the disk.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  })
  const log = createLog('error')
  const { pool } = openDatabase(postgres.url, log)
  await migrateDatabase(pool, 'migrations')
  await migrateJobs(pool, log)
  // A template must have no connections while it is copied.
  await pool.end()
  project.provide('templateUrl', postgres.url)
  const program = process.env.TEST_POOLER
  const pooler = program ? await startPooler(program, postgres.url) : null
  project.provide('poolerPort', pooler?.port ?? null)
  return async () => {
    await pooler?.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
