// Plays many people's histories side by side against two processes, and says what came out wrong.
import { setTimeout } from 'node:timers/promises'
import { reconcilePayments } from '../../src/domains/payments/reconcile.ts'
import { chance } from './chance.ts'
import { differences } from './compare.ts'
import { deliver, EventFeed } from './event-feed.ts'
import { historyOf, onSale } from './history.ts'
import { type Played, playHistory } from './play-history.ts'
import { Quiet } from './quiet.ts'
import { buyersOfShop, makeBuyer, openShop, type Process } from './world.ts'

interface Run {
  /** Two on one database, with one secret. */
  processes: readonly [Process, Process]
  /** Of the first history; the others follow. */
  firstSeed: number
  histories: number
  /** How many people are under way at once. */
  atOnce: number
}

interface Outcome {
  wrong: string[]
  steps: number
  events: number
  deliveries: number
}

export async function runHistories({
  processes,
  firstSeed,
  histories,
  atOnce,
}: Run): Promise<Outcome> {
  const { services } = processes[0]
  await muteSandbox(processes[0])
  const feed = new EventFeed(services.pool)
  const quiet = new Quiet(services.pool)
  const all: Played[] = []
  const wrong: string[] = []
  const next = firstSeed
  const last = firstSeed + histories
  const shops = await openShops(services, next, last)

  let seed = next
  async function playOn() {
    while (seed < last) {
      const mine = seed
      seed += 1
      const shop = shops.get(Math.floor(mine / buyersOfShop))!
      const random = chance(mine ^ 0x5eed)
      const at = random.between(0, onSale.length - 1)
      const history = historyOf(mine, { ...onSale[at]!, feePercent: shop.feePercent })
      const buyer = await makeBuyer(services, `Buyer ${mine}`)
      const stage = { processes, feed, quiet, shop, random }
      await playHistory(stage, { history, buyer }, shop.courses[at]!).then(
        (played) => all.push(played),
        (error: unknown) => wrong.push(`history ${mine}: ${String(error)}`),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, playOn))

  // What is late comes while both processes compare with the provider; what was lost they find by themselves.
  const random = chance(firstSeed)
  await Promise.all([
    deliver(
      all.flatMap(({ late }) => late),
      processes,
      random,
    ),
    ...processes.map((process) => reconcilePayments({}, process.services)),
  ])
  await untilQuiet(processes)

  // After a history that broke off nothing adds up.
  if (wrong.length === 0) wrong.push(...(await differences(services, all)))
  const { rows } = await services.pool.query<{ events: number; deliveries: number }>(
    'select count(*)::int as events, sum(deliveries)::int as deliveries from payment_events',
  )
  const steps = all.reduce((sum, { history }) => sum + history.steps.length, 0)
  return { wrong, steps, events: rows[0]!.events, deliveries: rows[0]!.deliveries }
}

/** Its webhooks are sent by the histories. */
async function muteSandbox({ services }: Process): Promise<void> {
  const { host, port, secretKey } = services.payments.sandbox!
  const response = await fetch(`http://${host}:${port}/_sandbox/switches`, {
    method: 'POST',
    body: JSON.stringify({ dropPercent: 100 }),
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
  })
  if (!response.ok) throw new Error(`the sandbox answered ${response.status}`)
}

/** Creators on Free and on Pro in turns. */
async function openShops(services: Process['services'], first: number, last: number) {
  const numbers = new Set<number>()
  for (let seed = first; seed < last; seed += 1) numbers.add(Math.floor(seed / buyersOfShop))
  const opened = [...numbers].map(
    async (number) => [number, await openShop(services, number % 2 === 1)] as const,
  )
  return new Map(await Promise.all(opened))
}

/** Nothing waits any more, and another comparison finds nothing new. */
async function untilQuiet(processes: Run['processes']): Promise<void> {
  const { pool } = processes[0].services
  const end = Date.now() + 600_000
  let known = -1
  while (Date.now() < end) {
    const { rows } = await pool.query<{ waiting: number; events: number }>(
      `select (select count(*) from payment_events where status = 'waiting')::int
            + (select count(*) from graphile_worker.jobs where task_identifier = any($1))::int as waiting,
              (select count(*) from payment_events)::int as events`,
      [['applyPaymentEvent', 'cancelSubscription', 'refundCharge']],
    )
    const { waiting, events } = rows[0]!
    if (waiting === 0 && events === known) return
    if (waiting === 0) {
      known = events
      await Promise.all(processes.map((process) => reconcilePayments({}, process.services)))
    } else await setTimeout(20)
  }
  throw new Error('payments did not come to rest')
}
