// What a comparison with the provider asks for, and what it does with what it finds: the provider here is told what to answer.
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { watchStatements } from '../../../test/statements.ts'
import type { Services } from '../../server/services.ts'
import { eventKinds } from './event-kinds.ts'
import { reconcilePayments, resumePayments } from './reconcile.ts'

let app: TestApp
let watch: ReturnType<typeof watchStatements>
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  watch = watchStatements(app)
})
afterAll(() => app?.stop())

const now = Date.parse('2026-05-20T12:00:00Z')
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows
const provider = async () => (await query('select * from payment_provider'))[0]
const comparedUntil = async (at: Date | null) =>
  query('update payment_provider set compared_until = $1, is_reachable = true', at)
const jobsNamed = (task: string, about: string) =>
  query(
    `select j.key, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1 and j.payload::text like '%' || $2 || '%'`,
    task,
    about,
  )

interface Asked {
  created: { gte: number; lt?: number }
  types: string[]
}

/** A provider with these events of the first kinds, and these answers about payment pages. */
function told(
  events: object[] | Error = [],
  pages: Record<string, unknown> = {},
): { services: Services; asked: Asked[]; pagesAsked: string[] } {
  const [asked, pagesAsked]: [Asked[], string[]] = [[], []]
  const stripe = {
    events: {
      async *list({ created, types }: Asked) {
        asked.push({ created, types })
        if (events instanceof Error) throw events
        if (types.includes(eventKinds[0])) yield* events
      },
    },
    checkout: {
      sessions: {
        async retrieve(id: string) {
          pagesAsked.push(id)
          if (pages[id] instanceof Error) throw pages[id]
          return pages[id]
        },
      },
    },
  } as unknown as Stripe
  const services = { ...app.services, payments: { ...app.services.payments, stripe } }
  return { services, asked, pagesAsked }
}

/** The times that were asked about, of the first of the two lists of kinds. */
const windows = (asked: Asked[]) =>
  asked.filter(({ types }) => types.includes(eventKinds[0])).map(({ created }) => created)

const eventOf = (created = now / 1000 - 3600) => ({
  id: `evt_${randomUUID().replaceAll('-', '')}`,
  // Nothing follows from it.
  type: 'product.created',
  created,
  data: { object: { id: 'prod_1', object: 'product' } },
})

const down = () => new Stripe.errors.StripeConnectionError({ type: 'api_error', message: 'Down.' })
const missing = () =>
  new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: 'No such checkout.session',
  })

describe('the provider’s history', () => {
  test('is asked for from ten minutes before the last time on, each kind once', async () => {
    await comparedUntil(new Date(now - 13 * hour))
    const { services, asked } = told()
    await reconcilePayments({}, services)
    const from = now / 1000 - 13 * 3600 - 600
    expect(windows(asked)).toEqual([
      { gte: from, lt: from + 6 * 3600 },
      { gte: from + 6 * 3600, lt: from + 12 * 3600 },
      { gte: from + 12 * 3600 },
    ])
    expect(asked.slice(0, 2).flatMap(({ types }) => types)).toEqual(eventKinds)
    expect((await provider()).compared_until).toEqual(new Date(now))
  })

  test('has no end where its last step reaches up to now', async () => {
    await comparedUntil(new Date(now - 6 * hour + 10 * minute))
    const { services, asked } = told()
    await reconcilePayments({}, services)
    expect(windows(asked)).toEqual([{ gte: now / 1000 - 6 * 3600 }])
  })

  test('of a day is asked for the first time', async () => {
    await comparedUntil(null)
    const { services, asked } = told()
    await reconcilePayments({}, services)
    expect(windows(asked)[0]!.gte).toBe((now - day - 10 * minute) / 1000)
  })

  test('is not longer than the provider’s memory, and compared ten days at a time', async () => {
    await comparedUntil(new Date(now - 60 * day))
    const { services, asked } = told()
    await reconcilePayments({}, services)
    expect(windows(asked)).toHaveLength(40)
    expect(windows(asked)[0]!.gte).toBe((now - 29 * day) / 1000)
    expect((await provider()).compared_until).toEqual(new Date(now - 19 * day))
  })

  test('is compared up to now only, by a clock that was ahead', async () => {
    await comparedUntil(new Date(now + 5 * day))
    const { services, asked } = told()
    await reconcilePayments({}, services)
    expect(windows(asked)).toEqual([{ gte: (now - 10 * minute) / 1000 }])
    expect((await provider()).compared_until).toEqual(new Date(now))
  })
})

describe('events that no webhook brought', () => {
  beforeEach(() => comparedUntil(new Date(now)))

  /** What is asked about events, and how many transactions there are. */
  async function statementsOf(events: object[]) {
    const texts = await watch.during(() => reconcilePayments({}, told(events).services))
    return {
      looks: texts.filter((text) => /^select .* from "payment_events"/.test(text)).length,
      transactions: texts.filter((text) => text.startsWith('begin')).length,
    }
  }

  test('are noted a hundred at a time; of what is known, and of nothing, nothing is written', async () => {
    const events = Array.from({ length: 250 }, () => eventOf())
    expect(await statementsOf(events)).toEqual({ looks: 3, transactions: 3 })
    const ids = events.map(({ id }) => id)
    const kept = await query(
      `select distinct source, deliveries, status from payment_events where id = any($1)`,
      ids,
    )
    expect(kept).toEqual([{ source: 'reconciler', deliveries: 0, status: 'ignored' }])
    expect(await query('select from payment_events where id = any($1)', ids)).toHaveLength(250)
    expect(await statementsOf(events)).toEqual({ looks: 3, transactions: 0 })
    expect(await statementsOf([])).toEqual({ looks: 0, transactions: 0 })
  })

  test('count as lost after ten seconds, or what else is said', async () => {
    const repairedBy = async (ages: number[], onItsWay: object = {}) => {
      const before = (await provider()).repaired
      const events = ages.map((age) => eventOf(now / 1000 - age))
      await reconcilePayments(onItsWay, told(events).services)
      const ids = events.map(({ id }) => id)
      expect(await query('select from payment_events where id = any($1)', ids)).toHaveLength(
        ages.length,
      )
      return (await provider()).repaired - before
    }
    expect(await repairedBy([100, 10])).toBe(2)
    expect(await repairedBy([9, 0])).toBe(0)
    expect(await repairedBy([11, 9])).toBe(1)
    expect(await repairedBy([31, 30, 29], { onItsWay: 30 })).toBe(2)
    expect(await repairedBy([0], { onItsWay: 0 })).toBe(1)
  })
})

describe('a provider that cannot be asked', () => {
  async function waiting() {
    const id = `evt_${randomUUID()}`
    await query(
      `insert into payment_events (id, type, object_id, occurred_at, source)
       values ($1, 'checkout.session.completed', 'cs_1', now(), 'webhook')`,
      id,
    )
    return id
  }

  test('is noted to be away, and said so in the log; nothing else is asked', async () => {
    const warn = vi.spyOn(app.services.log, 'warn')
    await comparedUntil(new Date(now))
    const { services, pagesAsked } = told(down())
    await reconcilePayments({}, services)
    expect((await provider()).is_reachable).toBe(false)
    expect(warn).toHaveBeenCalledWith({ problem: 'Down.' }, expect.any(String))
    expect(pagesAsked).toEqual([])
  })

  test('and is back: what waits is tried at once, and not each time again', async () => {
    await comparedUntil(new Date(now))
    const [one, later] = [await waiting(), await waiting()]
    await reconcilePayments({}, told().services)
    expect(await jobsNamed('applyPaymentEvent', one)).toEqual([])
    await query('update payment_provider set is_reachable = false')
    await query(`update payment_events set status = 'applied' where id = $1`, later)
    await reconcilePayments({}, told().services)
    expect((await provider()).is_reachable).toBe(true)
    expect(await jobsNamed('applyPaymentEvent', one)).toHaveLength(1)
    expect(await jobsNamed('applyPaymentEvent', later)).toEqual([])
  })

  test('is something else than a fault of ours, which is not kept quiet', async () => {
    await comparedUntil(new Date(now))
    const fault = new RangeError('ours')
    await expect(reconcilePayments({}, told(fault).services)).rejects.toBe(fault)
    expect((await provider()).is_reachable).toBe(true)
  })
})

describe('payment pages of which nothing was heard', () => {
  async function page({ sessionId, ago }: { sessionId: string; ago: string }) {
    await query(
      `insert into checkouts (id, kind, amount, currency, success_url, cancel_url, session_id, url,
                              expires_at, created_at)
       values ($1, 'plan', 2000, 'usd', '/', '/', $2, '/pay', now() + interval '10 minutes',
               now() - $3::interval)`,
      randomUUID(),
      sessionId,
      ago,
    )
  }
  const statusOf = async (sessionId: string) =>
    (await query('select status from checkouts where session_id = $1', sessionId))[0].status

  test('are asked about after a minute: one that makes trouble keeps none of the others', async () => {
    const warn = vi.spyOn(app.services.log, 'warn')
    await comparedUntil(new Date(now))
    for (const sessionId of ['cs_trouble', 'cs_gone', 'cs_waits']) {
      await page({ sessionId, ago: '2 minutes' })
    }
    await page({ sessionId: 'cs_young', ago: '30 seconds' })
    const trouble = down()
    const { services, pagesAsked } = told([], {
      cs_trouble: trouble,
      cs_gone: missing(),
      cs_waits: { customer: 'cus_1', status: 'open' },
    })
    await reconcilePayments({}, services)
    expect(pagesAsked.toSorted()).toEqual(['cs_gone', 'cs_trouble', 'cs_waits'])
    expect(await statusOf('cs_gone')).toBe('expired')
    expect(await statusOf('cs_trouble')).toBe('open')
    expect(await statusOf('cs_waits')).toBe('open')
    expect(warn.mock.calls).toEqual([
      [{ err: trouble, sessionId: 'cs_trouble' }, expect.any(String)],
    ])
  })
})

test('a process that starts asks once what happened while none ran', async () => {
  const before = await jobsNamed('reconcilePayments', '')
  await resumePayments(app.services)
  await resumePayments(app.services)
  const jobs = await jobsNamed('reconcilePayments', '')
  expect(jobs.filter(({ key }) => key === 'reconcile payments')).toHaveLength(1)
  expect(jobs.length - before.length).toBeLessThan(2)
})
