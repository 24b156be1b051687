// What the processes hold: after a start, under load, and once the garbage is collected.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { checkAll } from './check-answer.ts'
import { type Filled, startFilled } from './filled-thunder.ts'
import { burst } from './load.ts'
import { freePort, startBare } from './processes.ts'
import type { Row } from './row.ts'
import { cookieOf, type Size } from './seed-many.ts'
import { collectedMemory } from './streams.ts'
import { casesOf } from './throughput.ts'

const megabytes = (bytes: number) =>
  Number.isNaN(bytes) ? '?' : `${(bytes / 2 ** 20).toFixed(0)} MB`

/** Bytes of one line of a file of /proc; NaN where there is none. */
async function lineOf(file: string, name: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024
}

const residentOf = (pid: number) => lineOf(`/proc/${pid}/status`, 'VmRSS')

/** Of a PostgreSQL and its connections, what they share counted once. */
async function databaseOf(postmaster: number): Promise<number> {
  const file = `/proc/${postmaster}/task/${postmaster}/children`
  const children = await readFile(file, 'utf8').catch(() => '')
  const pids = [postmaster, ...children.split(' ').filter(Boolean)]
  const sizes = await Promise.all(pids.map((pid) => lineOf(`/proc/${pid}/smaps_rollup`, 'Pss')))
  // One that ended meanwhile holds nothing.
  const [first = NaN, ...others] = sizes
  return others.reduce((sum, size) => sum + (Number.isNaN(size) ? 0 : size), first)
}

async function memoryOf({ thunder, databasePid }: Pick<Filled, 'thunder' | 'databasePid'>) {
  return { node: await residentOf(thunder.pid), database: await databaseOf(databasePid) }
}
type Memory = Awaited<ReturnType<typeof memoryOf>>

/** The most that was held at any look while the work went on. */
async function peakDuring(work: Promise<unknown>, look: () => Promise<Memory>): Promise<Memory> {
  let peak = await look()
  const over = work.then(() => true)
  while (!(await Promise.race([over, delay(500, false)]))) {
    const now = await look()
    peak = {
      node: Math.max(peak.node, now.node),
      database: Math.max(peak.database, now.database),
    }
  }
  return peak
}

/** Pages and calls of all kinds, mixed: public ones and those of signed-in people. */
function mixedOf(filled: Filled, size: Size, secret: string) {
  const cases = casesOf({
    ...filled,
    bare: filled.thunder,
    size,
    secret,
    seconds: 0,
    repeats: 0,
    patience: 0,
  })
  const { course, explore, exploreMore, profile, site, lesson, lessonCall } = cases
  const dashboards = {
    expected: lesson.expected.map((_, at) => ({
      path: '/dashboard',
      texts: ['Person'],
      cookie: cookieOf(1 + (at % size.people), secret),
    })),
  }
  const kinds = [course, lesson, explore, lessonCall, profile, dashboards, exploreMore, site]
  return Array.from({ length: 8000 }, (_, at) => {
    const { expected } = kinds[at % kinds.length]!
    return expected[Math.floor(at / kinds.length) % expected.length]!
  })
}

/** A Thunder of its own with 10,000 courses at most, under load of 16 connections for so many seconds. */
export async function measureMemory(options: {
  folder: string
  secret: string
  size: Size
  seconds: number
}): Promise<Row[]> {
  const { folder, secret, seconds } = options
  const courses = Math.min(10_000, options.size.courses)
  const size = { ...options.size, courses, taught: Math.min(options.size.taught, courses) }
  const inspector = await freePort()
  let empty: Memory | undefined
  const filled = await startFilled({
    folder,
    secret,
    size,
    flags: [`--inspect=127.0.0.1:${inspector}`],
    whileEmpty: async (started) => {
      await delay(10_000)
      empty = await memoryOf(started)
    },
  })
  const bareInspector = await freePort()
  const bare = await startBare(filled.databaseUrl, [`--inspect=127.0.0.1:${bareInspector}`])
  try {
    const { thunder, databasePid } = filled
    const mixed = mixedOf(filled, size, secret)
    await checkAll(thunder.origin, mixed.slice(0, 200))
    const before = await memoryOf(filled)
    const peak = await peakDuring(burst({ ...thunder, databasePid }, mixed, seconds), () =>
      memoryOf(filled),
    )
    await delay(5000)
    const after = await memoryOf(filled)
    const collected = await collectedMemory(inspector)
    const { bareLesson } = casesOf({
      ...filled,
      bare,
      size,
      secret,
      seconds,
      repeats: 0,
      patience: 0,
    })
    const bareRest = await residentOf(bare.pid)
    const barePeak = await peakDuring(
      burst({ ...bare, databasePid }, bareLesson.expected, seconds),
      async () => ({ node: await residentOf(bare.pid), database: 0 }),
    )
    const bareCollected = await collectedMemory(bareInspector)
    const row = (what: string, { node, database }: Memory, ofBare: number | null): Row => ({
      what,
      measured:
        `**${megabytes(node)}** Node, **${megabytes(database)}** PostgreSQL` +
        (ofBare === null ? '' : `; bare server ${megabytes(ofBare)}`),
      goal: '',
      met: null,
    })
    return [
      row('memory at rest, empty, 10 s after the start', empty!, bareRest),
      row(`memory at rest with ${courses} courses, after 200 answers`, before, null),
      row(`memory under load, the most in ${seconds} s`, peak, barePeak.node),
      row('memory 5 s after the load', after, null),
      row('memory after the load, garbage collected', { ...after, node: collected }, bareCollected),
    ]
  } finally {
    await bare.stop()
    await filled.stop()
  }
}
