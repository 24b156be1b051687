import { mkdir, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { locateBinaries } from './binaries.ts'
import { clusterFolder, openCluster, readPassword } from './cluster.ts'
import { connectionString } from './connection.ts'
import { acquireDataDirLock } from './data-dir-lock.ts'
import { ensureDatabase } from './database.ts'
import { isServerOf, readPostmasterFile } from './processes.ts'
import { supervise } from './supervisor.ts'

export interface EmbeddedPostgres {
  /** Connection string for the application's database; it stays the same until `stop()`. */
  url: string
  /** Ends the server, then gives the data folder free. May be called more than once. */
  stop(): Promise<void>
}

/**
 * Boots (or adopts) the PostgreSQL server whose data lives in `${dataDir}/postgres`, and keeps it
 * running: a server that dies is started again on the same port, so that a pool reconnects.
 *
 * @throws Error with one sentence for people when it cannot
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  database?: string
  log?: (line: string) => void
  /** Of the server, in place of ours: for data that nobody needs after a power cut. */
  settings?: Record<string, string>
}): Promise<EmbeddedPostgres> {
  const { database = 'thunder', log = () => {}, settings } = options
  const dataDir = await makeDataDir(options.dataDir)
  const lock = await acquireDataDirLock(dataDir, log)
  try {
    const binaries = await locateBinaries()
    const cluster = await openCluster(dataDir, binaries, log)
    const supervisor = await supervise({ ...cluster, settings }, binaries, log)
    const door = { port: supervisor.port, password: cluster.password }
    try {
      await ensureDatabase(door, database)
    } catch (error) {
      await supervisor.stop()
      throw error
    }
    let stopped: Promise<void> | undefined
    return {
      url: connectionString(door, database),
      stop: () => (stopped ??= supervisor.stop().finally(() => lock.release())),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * The connection string of the server that another Thunder runs on this data folder, for a command
 * beside it; undefined when none runs. It neither starts nor locks anything.
 */
export async function runningPostgresUrl(options: {
  dataDir: string
  database?: string
}): Promise<string | undefined> {
  // A server is known by the name that it was started with, which has no links in it.
  const dataDir = await realpath(options.dataDir).catch(() => resolve(options.dataDir))
  const folder = clusterFolder(dataDir)
  const found = await readPostmasterFile(folder)
  if (!found || !(await isServerOf(folder, found.pid))) return undefined
  const door = { port: found.port, password: await readPassword(folder) }
  return connectionString(door, options.database ?? 'thunder')
}

async function makeDataDir(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    return await realpath(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The data folder ${path} cannot be made: ${why}.`, { cause: error })
  }
}
