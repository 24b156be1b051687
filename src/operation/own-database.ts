import type { Config } from '../server/config.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../server/postgres/embedded.ts'

/**
 * The database that a Thunder with this configuration uses, past PgBouncer: beside a running one its server,
 * otherwise one that is started for the moment.
 */
export async function openOwnDatabase({
  dataDir,
  databaseUrl,
  directDatabaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 'directDatabaseUrl'>): Promise<{
  url: string
  stop(): Promise<void>
}> {
  const url = directDatabaseUrl ?? databaseUrl ?? (await runningPostgresUrl({ dataDir }))
  return url ? { url, stop: async () => {} } : startEmbeddedPostgres({ dataDir })
}
