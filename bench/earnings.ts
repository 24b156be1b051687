// What a creator asks about the money: with a hundred times the sales behind it, it should cost the same.
import { checkAll } from './check-answer.ts'
import { burst, median } from './load.ts'
import { type Row, whole } from './row.ts'
import { cookieOf } from './seed-many.ts'
import { largeSeller, seedSales, type Seller, smallSeller } from './seed-sales.ts'
import {
  type Case,
  measure,
  type Measured,
  type Measuring,
  middle,
  targetOf,
} from './throughput.ts'

/** The month before this one, UTC. */
function lastMonth(): string {
  const now = new Date()
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)
  return new Date(first).toISOString().slice(0, 7)
}

/** Paths, and what the answers have to say. */
const calls: [name: string, path: string, text: string][] = [
  ['earnings call', '/rest/v1/earnings', '"currency":"usd"'],
  ['sales call, first page', '/rest/v1/sales', '"gross":2900'],
  ['statement of a month (PDF)', `/rest/v1/statements/${lastMonth()}`, '%PDF'],
]

const cost = (one: Measured) => median(one.bursts.map(({ cpu, databaseCpu }) => cpu + databaseCpu))

/** At 16 connections; the sales are made first. */
export async function measureEarnings(measuring: Measuring): Promise<Row[]> {
  const { thunder, database, secret, repeats } = measuring
  console.log(`Filling ledgers with ${whole(largeSeller.sales)} sales...`)
  await seedSales(database)
  const caseOf = ([name, path, text]: (typeof calls)[number], seller: Seller): Case => ({
    name: `${name}, ${whole(seller.sales)} sales`,
    server: thunder,
    expected: [{ path, texts: [text], cookie: cookieOf(seller.person, secret) }],
  })
  const pairs: [small: Measured, large: Measured][] = []
  for (const call of calls) {
    const pair: Measured[] = []
    for (const seller of [smallSeller, largeSeller]) {
      const one = caseOf(call, seller)
      const bytes = await checkAll(one.server.origin, one.expected)
      pair.push({ ...one, bursts: [], bytes })
    }
    pairs.push([pair[0]!, pair[1]!])
  }
  for (const one of pairs.flat()) await burst(targetOf(one, measuring), one.expected, 3)
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const one of pairs.flat()) await measure(one, measuring)
  }
  return pairs.flatMap(([small, large]) => {
    const growth = cost(large) / cost(small)
    const figure = (one: Measured): Row => ({
      what: one.name,
      measured:
        `${whole(middle(one, 'perSecond'))}/s, p99 ${middle(one, 'p99').toFixed(1)} ms, ` +
        `CPU ${middle(one, 'cpu').toFixed(3)} + ${middle(one, 'databaseCpu').toFixed(3)} ms`,
      goal: '',
      met: null,
    })
    return [
      figure(small),
      figure(large),
      {
        what: `${large.name}: CPU of a request beside that of ${whole(smallSeller.sales)}`,
        measured: `**${growth.toFixed(2)}x**`,
        goal: '<= 1.3x',
        met: growth <= 1.3,
      },
    ]
  })
}
