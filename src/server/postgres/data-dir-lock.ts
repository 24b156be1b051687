import { access, constants, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

export interface DataDirLock {
  release(): Promise<void>
}

/** A lock ends with its connection: nothing but this keeps it from the garbage collector. */
const held = new Set<DatabaseSync>()

const SQLITE_BUSY = 5
const SQLITE_IOERR = 10

/** A killed predecessor keeps its lock until the kernel has taken it apart. */
const PATIENCE_MS = 500

/**
 * Makes this process the only Thunder on the data folder, until `release()` or its death.
 *
 * The lock is the operating system's own lock on `thunder.lock`, taken through SQLite because Node
 * has no call for it: it ends with its process however that dies, so neither a reused process id
 * nor another container's id for the same number can be mistaken for a live owner.
 * `thunder.pid` only says who it is.
 *
 * @throws Error with a sentence for people, when another Thunder has the folder
 */
export async function acquireDataDirLock(
  dataDir: string,
  log: (line: string) => void = () => {},
): Promise<DataDirLock> {
  const pidFile = join(dataDir, 'thunder.pid')
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw new Error(
      `The data folder ${dataDir} cannot be written by this user: give it to the user that runs ` +
        'Thunder, or set DATA_DIR to another folder.',
    )
  })

  const lock = await lockFile(join(dataDir, 'thunder.lock'))
  if (lock === 'held') {
    const owner = await readFile(pidFile, 'utf8').catch(() => '')
    throw new Error(
      `Another Thunder is already running on this data folder${owner && ` (process ${owner.trim()})`}: ` +
        `stop it first, or set DATA_DIR to another folder than ${dataDir}.`,
    )
  }
  if (lock === 'unsupported') {
    log(`The file system of ${dataDir} has no locks: start only one Thunder on it.`)
  }
  if (lock !== 'unsupported') held.add(lock)
  await writeFile(pidFile, `${process.pid}\n`)

  return {
    async release() {
      // On a disk that can no longer be written it stays, and is written over by the next.
      await rm(pidFile, { force: true }).catch(() => {})
      if (lock !== 'unsupported' && held.delete(lock)) lock.close()
    },
  }
}

async function lockFile(path: string): Promise<DatabaseSync | 'held' | 'unsupported'> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(50)) {
    let database: DatabaseSync | undefined
    try {
      database = new DatabaseSync(path)
      // Nothing is ever written: without a journal in memory it would leave one behind on a crash.
      database.exec('pragma journal_mode = memory; begin exclusive')
      return database
    } catch (error) {
      if (database?.isOpen) database.close()
      const code = sqliteCode(error)
      if (code === SQLITE_IOERR) return 'unsupported'
      if (code !== SQLITE_BUSY) {
        throw new Error(
          `The lock file ${path} cannot be opened by this user: it belongs to another user, or is damaged.`,
          { cause: error },
        )
      }
      if (Date.now() > deadline) return 'held'
    }
  }
}

/** SQLite's primary result code: its extended codes carry more in the higher bytes. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}
