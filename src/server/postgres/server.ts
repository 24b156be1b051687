import type { ChildProcess } from 'node:child_process'
import { open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresBinaries } from './binaries.ts'
import { type Cluster, reason } from './cluster.ts'
import { waitUntilReady } from './connection.ts'
import { freePort } from './free-port.ts'
import {
  isAlive,
  isGoneWithin,
  isServerOf,
  isTaken,
  postmasterFile,
  readPostmasterFile,
} from './processes.ts'
import { runAs, spawnAs } from './runner.ts'

/** A running PostgreSQL server. */
export interface Server {
  pid: number
  port: number
  /** Resolves when the server's process has ended, for whatever reason. */
  ended: Promise<void>
}

interface StartOptions {
  /** A free one when it is left out. */
  port?: number
  signal: AbortSignal
  log: (line: string) => void
  /** Gets the server's process id at once, before the server answers. */
  onProcess: (pid: number) => void
}

/** After a kill -9 of the server, its children hold the shared memory for a moment. */
const RETRY_MS = 10_000
const RETRY_PAUSE_MS = 100
/** How long a server that listens to nobody is waited for: a left-over one, and our own. */
const ADOPT_SILENCE_MS = 15_000
const START_SILENCE_MS = 30_000
const STOP_MS = 10_000
const LOG_LIMIT_BYTES = 5 * 1024 * 1024

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // A process takes up to 29: its pool, its jobs, its listener and the Stripe sandbox.
  max_connections: 200,
  shared_buffers: '128MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // Else each refused row would be in the log, with addresses and whatever people wrote.
  log_error_verbosity: 'terse',
  lc_messages: 'C',
}

/**
 * Goes on with the server that an earlier, killed Thunder left behind on this folder, or starts
 * one, and waits until it answers. There is never a second one on the same folder.
 *
 * @throws Error with a sentence for people; the reason of `signal` once that is aborted
 */
export async function startServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  options: StartOptions,
): Promise<Server> {
  for (let deadline: number | undefined; ; await delay(RETRY_PAUSE_MS)) {
    const server =
      (await adoptServer(cluster, binaries, options)) ??
      (await launchServer(cluster, binaries, options))
    if (!('trouble' in server)) return server

    options.signal.throwIfAborted()
    deadline ??= Date.now() + RETRY_MS
    const { trouble } = server
    const passes = /still in use|already exists|could not bind|could not create any TCP/.test(
      trouble,
    )
    if (!passes || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start: ${reason(trouble)} (see ${cluster.logFile}).`)
    }
  }
}

/** Ends a server by its process id: politely, then firmly. What was committed stays either way. */
export async function stopServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  pid: number,
): Promise<void> {
  for (const mode of ['fast', 'immediate', 'kill'] as const) {
    await endProcess(cluster, binaries, pid, mode)
    if (await isGoneWithin(pid, STOP_MS)) return
  }
  throw new Error(`PostgreSQL (process ${pid}) could not be stopped.`)
}

/** One that does not let us in within some seconds is ended instead. */
async function adoptServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  { log, onProcess }: StartOptions,
): Promise<Server | undefined> {
  const found = await readPostmasterFile(cluster.folder)
  if (!found || !(await isServerOf(cluster.folder, found.pid))) return undefined
  const { pid, port } = found
  onProcess(pid)
  const door = { port, password: cluster.password }
  const outcome = await waitUntilReady(door, ADOPT_SILENCE_MS, () => isAlive(pid), log)
  if (outcome === 'ready') {
    log(`PostgreSQL was still running from an earlier start (process ${pid}): going on with it.`)
    return { pid, port, ended: untilGone(pid) }
  }
  if (outcome !== 'ended') {
    log(`PostgreSQL from an earlier start (process ${pid}) does not let us in: stopping it.`)
    await stopServer(cluster, binaries, pid)
  }
  return undefined
}

async function launchServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  options: StartOptions,
): Promise<Server | { trouble: string }> {
  await removeStalePostmasterFile(cluster.folder)
  await rotateLog(cluster.logFile)
  const port = options.port ?? (await freePort())
  const logStart = await sizeOf(cluster.logFile)
  const child = await spawnServer(cluster, binaries, port, options)
  const ended = untilEnded(child)
  if (child.pid !== undefined) {
    const isRunning = async () => child.exitCode === null && child.signalCode === null
    const door = { port, password: cluster.password }
    const outcome = await waitUntilReady(door, START_SILENCE_MS, isRunning, options.log)
    if (outcome === 'ready') return { pid: child.pid, port, ended: ended.then(() => {}) }
    if (outcome !== 'ended') await stopServer(cluster, binaries, child.pid)
  }
  const failure = await ended
  return { trouble: failure ?? (await readFrom(cluster.logFile, logStart)) }
}

async function spawnServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  port: number,
  { signal, onProcess }: StartOptions,
): Promise<ChildProcess> {
  const flags = Object.entries({ ...settings, ...cluster.settings, port }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  const log = await open(cluster.logFile, 'a', 0o600)
  try {
    // The last moment to turn back: whoever aborts later has been told the process id.
    signal.throwIfAborted()
    const child = spawnAs(cluster.runner, binaries.postgres, ['-D', cluster.folder, ...flags], {
      // A group of its own: Ctrl-C in the terminal must reach us first.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    if (child.pid !== undefined) onProcess(child.pid)
    child.unref()
    return child
  } finally {
    void log.close()
  }
}

async function endProcess(
  cluster: Cluster,
  binaries: PostgresBinaries,
  pid: number,
  mode: 'fast' | 'immediate' | 'kill',
): Promise<void> {
  if (process.platform === 'win32' && mode !== 'kill') {
    // Windows has no signals; pg_ctl speaks to the server through a pipe of its own.
    await runAs(cluster.runner, binaries.pgCtl, ['stop', '-D', cluster.folder, '-m', mode, '-W'])
    return
  }
  const signal = ({ fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const)[mode]
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (await isAlive(pid)) throw error
  }
}

/**
 * PostgreSQL itself recognises the file of a dead server, but refuses to start when the number in
 * it was given to another program since, or to nobody because no parent has reaped it. Its shared
 * memory still keeps a second server off the folder while children of the dead one live.
 */
async function removeStalePostmasterFile(folder: string): Promise<void> {
  const found = await readPostmasterFile(folder)
  if (!found || !isTaken(found.pid) || (await isServerOf(folder, found.pid))) return
  await rm(postmasterFile(folder), { force: true })
}

/** Resolves to the reason, unless the program itself knows it. */
async function untilEnded(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('exit', (_, signal) => resolve(signal ? `it was ended by ${signal}` : undefined))
    child.once('error', (error) => resolve(error.message))
  })
}

/** For a server that is not our child, whose end nobody tells us. */
async function untilGone(pid: number): Promise<void> {
  while (await isAlive(pid)) await delay(250, undefined, { ref: false })
}

async function rotateLog(logFile: string): Promise<void> {
  if ((await sizeOf(logFile)) > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`)
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16_384), position })
  await file.close()
  return buffer.toString('utf8', 0, bytesRead)
}
