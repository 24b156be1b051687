// One burst of requests against a server process, and what it cost that process.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const connections = 16

export interface Address {
  path: string
  cookie?: string
  /** JSON to put there, instead of asking for what is there. */
  body?: string
  /** Without it what has a body is put, and what has none is asked for. */
  method?: 'PUT' | 'POST' | 'DELETE'
}

export const methodOf = ({ method, body }: Address) => method ?? (body ? 'PUT' : 'GET')

export interface Burst {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Milliseconds of processor time of the server process for each request; NaN where it cannot be read. */
  cpu: number
  /** The same for the processes of the database. */
  databaseCpu: number
  /** Bytes of an average answer, headers included. */
  bytes: number
}

interface Counted {
  requests: number
  seconds: number
  bytes: number
  failed: number
  refused: number
  p50: number
  p99: number
}

export const usesWrk = ['/usr/bin/wrk', '/usr/local/bin/wrk', '/opt/homebrew/bin/wrk'].some(
  existsSync,
)

/** Milliseconds of processor time that a process has used; NaN where /proc is not there. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The same for each connection of a PostgreSQL, which are processes that its first one started. */
async function cpuOfConnections(postmaster: number): Promise<Map<string, number>> {
  const list = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(
    () => '',
  )
  const times = new Map<string, number>()
  for (const child of list.split(' ').filter(Boolean)) {
    const title = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    // 'postgres: thunder thunder 127.0.0.1(4711) idle'; the other children have no address.
    if (title.includes('(')) times.set(child, await cpuOf(Number(child)))
  }
  return times
}

async function machineTimes() {
  const [line = ''] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n')
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, value) => sum + value, 0)
  return { all, idle: (ticks[3] ?? 0) + (ticks[4] ?? 0) }
}

/** Share of the machine that is busy while we do nothing; 0 where it cannot be read. */
async function othersShare(): Promise<number> {
  const before = await machineTimes()
  await delay(400)
  const after = await machineTimes()
  const all = after.all - before.all
  return all > 0 ? 1 - (after.idle - before.idle) / all : 0
}

/** Waits, at most `seconds`, until other programs leave the machine alone. @returns their share then */
export async function waitForQuiet(seconds: number): Promise<number> {
  const deadline = Date.now() + seconds * 1000
  let share = await othersShare()
  while (share > 0.12 && Date.now() < deadline) {
    await delay(600)
    share = await othersShare()
  }
  return share
}

async function load(origin: string, file: string, seconds: number): Promise<Counted> {
  const [command, args] = usesWrk
    ? [
        'wrk',
        [`-t1`, `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--latency'].concat(
          '-s',
          join(import.meta.dirname, 'load.lua'),
          origin,
          '--',
          file,
        ),
      ]
    : [
        process.execPath,
        [
          join(import.meta.dirname, 'load-by-node.ts'),
          origin,
          file,
          String(seconds),
          String(connections),
        ],
      ]
  const { stdout } = await run(command, args, { timeout: (seconds + 20) * 1000 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** The pool may have opened connections in between, so one that was not there before had used nothing. */
function spentByAll(before: Map<string, number>, after: Map<string, number>): number {
  const spent = [...after].map(([child, time]) => time - (before.get(child) ?? 0))
  return spent.reduce((sum, time) => sum + (Number.isNaN(time) ? 0 : time), 0)
}

export interface Target {
  origin: string
  pid: number
  /** The process whose children are the connections of the database. */
  databasePid: number
}

/**
 * Asks for the addresses in turn, over 16 connections.
 * @throws {Error} when any answer was an error or any connection failed
 */
export async function burst(target: Target, addresses: Address[], seconds: number): Promise<Burst> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-load-'))
  const file = join(folder, 'addresses')
  await writeFile(
    file,
    addresses
      .map((one) => [one.path, one.cookie ?? '', methodOf(one), one.body ?? ''].join('\t') + '\n')
      .join(''),
  )
  const times = () => Promise.all([cpuOf(target.pid), cpuOfConnections(target.databasePid)])
  const [serverBefore, databaseBefore] = await times()
  const counted = await load(target.origin, file, seconds).finally(() =>
    rm(folder, { recursive: true }),
  )
  const [serverAfter, databaseAfter] = await times()
  const { requests, refused, failed } = counted
  if (failed + refused > 0 || requests === 0) {
    const wrong = `of ${requests} answers ${refused} were errors, ${failed} failed`
    throw new Error(`${addresses[0]?.path}: ${wrong}`)
  }
  return {
    perSecond: requests / counted.seconds,
    p50: counted.p50,
    p99: counted.p99,
    cpu: (serverAfter - serverBefore) / requests,
    databaseCpu: spentByAll(databaseBefore, databaseAfter) / requests,
    bytes: counted.bytes / requests,
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const cores = availableParallelism()
