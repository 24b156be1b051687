import type { Config } from '../server/config.ts'
import { clusterFolder } from '../server/postgres/cluster.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../server/postgres/embedded.ts'
import { isThere } from '../server/unless-missing.ts'
import { noteStart } from './run-command.ts'

/**
 * The address of the database that a Thunder with this configuration uses, past PgBouncer: beside a running one that
 * of its server, otherwise of one that is started for the moment and is among what the command has started.
 *
 * @throws {Error} with a sentence for people, also where there is no Thunder yet and the command makes none
 */
export async function openOwnDatabase(
  started: AsyncDisposableStack,
  {
    dataDir,
    databaseUrl,
    directDatabaseUrl,
  }: Pick<Config, 'dataDir' | 'databaseUrl' | 'directDatabaseUrl'>,
  { mayBeNew = false } = {},
): Promise<string> {
  const url = directDatabaseUrl ?? databaseUrl ?? (await runningPostgresUrl({ dataDir }))
  if (url) return url
  if (!mayBeNew && !(await isThere(clusterFolder(dataDir)))) {
    throw new Error(`There is no Thunder in ${dataDir}: set DATA_DIR or DATABASE_URL.`)
  }
  const server = await noteStart(started, startEmbeddedPostgres({ dataDir }))
  return server.url
}
