import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PostgresBinaries } from './binaries.ts'
import { chooseRunner, type Runner, runAs } from './runner.ts'

/** A database folder of PostgreSQL ("cluster" in its own words), and who may run it. */
export interface Cluster {
  folder: string
  logFile: string
  runner: Runner
  /** Of the superuser `postgres` and of the application's role. */
  password: string
  /** Of the server, in place of ours. */
  settings?: Record<string, string>
}

const STAGING = 'postgres.new-'
const PASSWORD_FILE = 'thunder.password'

/** The folder of the database inside the data folder. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/**
 * Opens the database folder, and makes it first where there is none. It is made beside its place
 * and moved there when it is whole and on disk, so that a cut run leaves nothing half-done.
 *
 * @throws Error with a sentence for people
 */
export async function openCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<Cluster> {
  const folder = clusterFolder(dataDir)
  await removeLeftovers(dataDir)
  if (await isMissing(folder)) {
    log(`Creating the database in ${folder}.`)
    await createCluster(folder, binaries)
  }
  const runner = await chooseRunner(folder, binaries.postgres)
  const password = await readPassword(folder)
  return { folder, logFile: join(dataDir, 'postgres.log'), runner, password }
}

/** @throws Error with a sentence for people, when the folder holds no database of ours */
export async function readPassword(folder: string): Promise<string> {
  const file = join(folder, PASSWORD_FILE)
  const password = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(
      `The database's password in ${file} cannot be read: put the file back, or move ${folder} away ` +
        'to begin with an empty database.',
      { cause: error },
    )
  })
  return password.trim()
}

async function createCluster(folder: string, binaries: PostgresBinaries): Promise<void> {
  const dataDir = dirname(folder)
  // A new name each time: an initdb that outlived its killed starter may still write to the old.
  const staging = await mkdtemp(join(dataDir, STAGING))
  const runner = await chooseRunner(staging, binaries.initdb)
  const fresh = join(staging, 'data')
  const passwordFile = join(staging, PASSWORD_FILE)
  await writePrivately(passwordFile, `${randomBytes(24).toString('base64url')}\n`, runner)

  const made = await runAs(runner, binaries.initdb, [
    `--pgdata=${fresh}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ])
  if (!made.ok) {
    await rm(staging, { recursive: true, force: true })
    throw new Error(`The database could not be created in ${dataDir}: ${reason(made.stderr)}.`)
  }

  await rename(passwordFile, join(fresh, PASSWORD_FILE))
  await syncFolder(fresh)
  // Only ever an empty folder; Windows cannot rename over it.
  await rmdir(folder).catch(() => {})
  await rename(fresh, folder)
  await syncFolder(dataDir)
  await rm(staging, { recursive: true, force: true })
}

async function writePrivately(path: string, content: string, runner: Runner): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
  await file.close()
  if (runner.filesOf) await chown(path, runner.filesOf.uid, runner.filesOf.gid)
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and keeps its names on disk without being told.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}

async function removeLeftovers(dataDir: string): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith(STAGING))
  for (const name of leftovers) {
    // One that is still being written to can wait for the next start.
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** @throws Error with a sentence for people, when there are files but no database */
async function isMissing(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw new Error(
      `The database folder ${folder} cannot be read by this user: start Thunder as its owner.`,
      { cause: error },
    )
  })
  if (names.length === 0) return true
  if (names.includes('PG_VERSION')) return false
  throw new Error(
    `The folder ${folder} holds files but no database: move it away, or put the missing files back.`,
  )
}

/** The line in which a PostgreSQL program says why it gave up, without the full stop. */
export function reason(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.filter((line) => /\b(FATAL|PANIC|ERROR|error):/i.test(line)).at(-1)
  return (telling ?? lines.at(-1) ?? 'it said nothing').replace(
    /^.*?\b(FATAL|PANIC|ERROR|initdb: error|error):\s*/i,
    '',
  )
}
