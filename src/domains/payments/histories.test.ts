import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { runHistories } from '../../../test/payment-histories/run-histories.ts'

// Another seed: PAYMENT_SEED=123 vitest run src/domains/payments/histories.test.ts
const firstSeed = Number(process.env.PAYMENT_SEED ?? 1)
const histories = Number(process.env.PAYMENT_HISTORIES ?? 30)

const shared = { AUTH_SECRET: 'the secret of both processes: long enough' }

let one: TestApp
let other: TestApp
beforeAll(async () => {
  one = await startTestApp(shared)
  other = await startTestApp({ ...shared, DATABASE_URL: one.databaseUrl })
})
afterAll(async () => {
  await other.stop()
  await one.stop()
})

/** Milliseconds: much more than it takes on a machine that has nothing else to do. */
const patience = 240_000

test(
  'whatever happens to payments, and however webhooks come: paid means enrolled, and the ledger balances',
  { timeout: patience },
  async () => {
    const run = { processes: [one, other] as const, firstSeed, histories, atOnce: 8 }
    const { wrong, steps, events, deliveries } = await runHistories(run)
    expect(wrong.join('\n\n')).toBe('')
    expect(steps).toBeGreaterThan(histories)
    expect(deliveries).toBeGreaterThan(events)
  },
)
