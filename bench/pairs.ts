// The same call on little and on much, in the same run: what it costs should not grow.
import { ask, checkAll } from './check-answer.ts'
import { countersOf } from './counters.ts'
import { burst, median } from './load.ts'
import { type Row, whole } from './row.ts'
import {
  type Case,
  measure,
  type Measured,
  type Measuring,
  middle,
  sampleOf,
  targetOf,
} from './throughput.ts'

export interface Pair {
  what: string
  few: Case
  many: Case
}

/** Where little and where much is: each has a database of its own. */
export interface Worlds {
  few: Measuring
  many: Measuring
}

const sides = ['few', 'many'] as const
const most = 1.3
const counted = 100
/** Processor time is counted to 10 ms: a short burst is enough. */
const longest = 2

const cpuOf = (one: Measured) => median(one.bursts.map(({ cpu, databaseCpu }) => cpu + databaseCpu))

/** Rows that PostgreSQL reads for an answer of each of these, by its own counts. */
async function rowsReadBy(cases: Case[], { database }: Measuring): Promise<number[]> {
  const all: number[] = []
  let before = await countersOf(database)
  for (const { server, expected } of cases) {
    for (let at = 0; at < counted; at++) await ask(server.origin, expected[at % expected.length]!)
    const after = await countersOf(database)
    all.push((after.read - before.read) / counted)
    before = after
  }
  return all
}

/** At 16 connections, and then one after the other to count rows. */
export async function measurePairs(pairs: Pair[], worlds: Worlds): Promise<Row[]> {
  const measured: ({ what: string } & Record<(typeof sides)[number], Measured>)[] = []
  for (const { what, ...pair } of pairs) {
    const both = {} as Record<(typeof sides)[number], Measured>
    for (const side of sides) {
      await pair[side].prepare?.()
      const bytes = await checkAll(pair[side].server.origin, sampleOf(pair[side].expected, 100))
      both[side] = { ...pair[side], bursts: [], bytes }
    }
    measured.push({ what, ...both })
  }
  for (const pair of measured) {
    for (const side of sides) {
      await burst(targetOf(pair[side], worlds[side]), pair[side].expected, longest)
    }
  }
  for (let repeat = 1; repeat <= worlds.many.repeats; repeat++) {
    for (const pair of measured) {
      // Now one, now the other begins.
      for (const side of repeat % 2 ? sides : sides.toReversed()) {
        const seconds = Math.min(longest, worlds[side].seconds)
        await measure(pair[side], { ...worlds[side], seconds })
      }
    }
  }
  const [few, many] = await Promise.all(
    sides.map((side) =>
      rowsReadBy(
        measured.map((pair) => pair[side]),
        worlds[side],
      ),
    ),
  )
  const said = (one: Measured) =>
    `${middle(one, 'cpu').toFixed(3)} + ${middle(one, 'databaseCpu').toFixed(3)} ms`
  return measured.map((pair, at): Row => {
    const times = cpuOf(pair.many) / cpuOf(pair.few)
    return {
      what: pair.what,
      measured:
        `**${times.toFixed(2)}x** the CPU: ${said(pair.many)} beside ${said(pair.few)}; ` +
        `${whole(many![at]!)} rows read beside ${whole(few![at]!)}; ` +
        `p99 ${middle(pair.many, 'p99').toFixed(1)} ms beside ${middle(pair.few, 'p99').toFixed(1)} ms`,
      goal: `<= ${most}x`,
      met: times <= most,
    }
  })
}
