// Every call of the contract and every door beside it, with inputs made from its schema and from bytes: never a
// 5xx, nothing of what is inside, and afterwards it works as before. Short here; `npm run prove:fuzz` is the whole.
import { appendFileSync } from 'node:fs'
import { isContractProcedure } from '@orpc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../src/contract.ts'
import { recountAnalytics } from '../../src/domains/analytics/recount-analytics.ts'
import { recountCommunity } from '../../src/domains/community/recount-community.ts'
import { recountCounters } from '../../src/domains/courses/recount-counters.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type ContractRow, contractRows, requestOf } from '../contract-rows.ts'
import { type Input, inputs } from '../contract-inputs.ts'
import { sessionCookieOf } from '../factories.ts'
import { forgetLimits } from '../forget-limits.ts'
import { type Figures, runCampaign } from './campaign.ts'
import { doors } from './doors.ts'
import type { Attacked } from './hostile-requests.ts'
import { endConnections, send } from './send.ts'
import { makeWorld, type World } from './world.ts'

const perCall = Number(process.env.FUZZ_INPUTS ?? 20)
const seed = process.env.FUZZ_SEED ?? 'thunder'
const only = process.env.FUZZ_CALLS?.split(',')
/** Figures for whoever runs the whole. */
const report = process.env.FUZZ_REPORT
/** A number of inputs after which there are new people and courses, and the call must still work. */
const roundOf = 500

const isChosen = (name: string) => only === undefined || only.some((part) => name.includes(part))

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(async () => {
  endConnections()
  await app?.stop()
})

let untouched: World | undefined

/** What only reads leaves the world as it was, for the next one. */
async function worldFor(method: string): Promise<World> {
  if (method !== 'GET' || report) return makeWorld(app.services)
  untouched ??= await makeWorld(app.services)
  return untouched
}

/** The figures of all rounds; `world` makes what the inputs are about, and asks whether all still works. */
async function attack(
  attacked: Attacked,
  world: () => Promise<{ valid: Input; cookie: string | null }>,
): Promise<void> {
  const total: Figures = { inputs: 0, faults: [], statuses: {}, longestStall: 0 }
  for (let from = 0; from < perCall && total.faults.length === 0; from += roundOf) {
    await forgetLimits(app.services.pool)
    const round = await runCampaign({
      origin: app.url,
      seed,
      attacked,
      from,
      until: Math.min(from + roundOf, perCall),
      ...(await world()),
      forgetLimits: () => forgetLimits(app.services.pool),
      timed: report !== undefined,
    })
    total.inputs += round.inputs
    total.faults.push(...round.faults)
    total.longestStall = Math.max(total.longestStall, round.longestStall)
    for (const [status, count] of Object.entries(round.statuses)) {
      total.statuses[Number(status)] = (total.statuses[Number(status)] ?? 0) + count
    }
  }
  // In a short run the next call shows it.
  if (report) await world()
  if (report) appendFileSync(report, `${JSON.stringify({ call: attacked.name, ...total })}\n`)
  expect(total.faults.join('\n\n')).toBe('')
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

function schemaOf({ name }: ContractRow): Attacked['schema'] {
  const [domain, call] = name.split('.') as [keyof typeof contract, string]
  const row: unknown = (contract[domain] as Record<string, unknown>)[call]
  const input = isContractProcedure(row) ? row['~orpc'].inputSchema : undefined
  if (!(input instanceof z.ZodType)) return undefined
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Attacked['schema']
}

const callerOf = (row: ContractRow, { owner, member, administrator }: World) =>
  row.access === 'admin' ? administrator : row.access === 'member' ? member : owner

/** Since the row is for this person, what it may answer to a valid input is not that it is not. */
const refusals = new Set([400, 401, 404, 422, 429])

/** Valid, and refused for what it is about: nobody's password, a coupon for a course that is free. */
const refusedAsValid = new Set(['accounts.deleteAccount', 'purchases.quoteCoupon'])

const chosenCalls = contractRows.filter(({ name }) => isChosen(name))
const chosenDoors = doors.filter(({ attacked }) => isChosen(attacked.name))

describe.runIf(chosenCalls.length > 0)('calls', { timeout: 3_600_000 }, () => {
  test.each(chosenCalls)('$name', async (row) => {
    await attack({ ...row, schema: schemaOf(row) }, async () => {
      const world = await worldFor(row.method)
      const caller = callerOf(row, world)
      const first = await inputs[row.name]!(world.target, app.services)
      const { path, body } = requestOf(row, first)
      const { status, text } = await send(app.url, {
        method: row.method,
        path,
        headers: { cookie: caller.cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      })
      expect(status, `${row.name} with a valid input: ${text.slice(0, 300)}`).toBeLessThan(500)
      if (!refusedAsValid.has(row.name)) {
        expect(
          [...refusals],
          `${row.name} with a valid input: ${text.slice(0, 300)}`,
        ).not.toContain(status)
      }
      // Not the one that was used up.
      return { valid: await inputs[row.name]!(world.target, app.services), cookie: caller.cookie }
    })
  })
})

describe.runIf(chosenDoors.length > 0)('doors', { timeout: 3_600_000 }, () => {
  test.each(chosenDoors)('$attacked.name', async ({ attacked, input }) => {
    await attack(attacked, async () => {
      const { target, administrator } = await worldFor(attacked.method)
      const cookie = await sessionCookieOf(app.services, administrator.id)
      expect((await send(app.url, { method: 'GET', path: '/healthz', headers: {} })).status).toBe(
        200,
      )
      return { valid: input(target), cookie }
    })
  })
})

test('what is counted is right after all this', { timeout: 600_000 }, async () => {
  await recountCounters(app.services)
  await recountCommunity(app.services)
  await recountAnalytics(app.services)
  const { rows } = await app.services.pool.query(
    'select counter, differences from counter_checks where differences <> 0',
  )
  expect(rows).toEqual([])
})
