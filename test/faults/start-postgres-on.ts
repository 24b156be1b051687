// A PostgreSQL of its own in a folder, for faults that would hit other tests as well.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrateDatabase, openDatabase } from '../../src/server/db.ts'
import { migrateJobs } from '../../src/server/jobs.ts'
import { createLog } from '../../src/server/log.ts'
import { startEmbeddedPostgres } from '../../src/server/postgres/embedded.ts'

/** With the tables, and nothing in them. */
export async function startPostgresOn(folder: string) {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir })
  const log = createLog('silent')
  const { pool } = openDatabase(postgres.url, log)
  await migrateDatabase(pool, 'migrations')
  await migrateJobs(pool, log)
  await pool.end()
  return { ...postgres, dataDir }
}
