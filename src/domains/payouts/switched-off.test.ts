// Paying out while administrators have switched it off: nothing is asked for or sent, and nothing is lost.
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  accountOf,
  makeSeller,
  type Seller,
  sell,
  setUpBank,
  setUpPaypal,
} from '../../../test/payee.ts'
import { settled } from '../../../test/settled.ts'
import type { Executor } from '../../server/db.ts'
import { balanceNow } from '../earnings/balance-now.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { followPayouts } from './follow-payouts.ts'
import { earningsObstacle, leaveEarnings } from './leave-earnings.ts'
import { payOutAvailable } from './pay-out-on-schedule.ts'
import { requestPayout } from './request-payout.ts'

const here = { offersPaypal: true }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** In the database alone: the node has not heard of it. */
const switchOff = (on: Executor = app.services.db) =>
  on.execute(
    sql`insert into settings (key, value)
        values ('feature:payouts',
                '{"off": true, "since": "2026-11-28T06:00:00Z", "notice": "We are counting."}')`,
  )
const switchOn = () => app.services.pool.query(`delete from settings where key = 'feature:payouts'`)
afterEach(switchOn)

/** Of $29: our 5 % are 145, the card costs 2.9 % and 30 cents. */
const net = 2900 - 145 - 114
const words = 'Paying out is switched off at the moment. We are counting.'

/** Somebody with money that can be paid out: to a bank, or by PayPal. */
async function seller({ paypal }: { paypal?: string } = {}) {
  const made = await makeSeller(app)
  await sell(app, made)
  await (paypal ? setUpPaypal(app, made, paypal) : setUpBank(app, made))
  return { ...made, ledgerAccountId: await accountOf(app, made) }
}

const ask = ({ cookie }: Seller) =>
  app.request('/rest/v1/payouts', { body: { amount: net }, cookie })

async function payoutsTo({ ledgerAccountId }: { ledgerAccountId: string }) {
  const { rows } = await app.services.pool.query<object>(
    'select status, amount, transfer_id from payouts where ledger_account_id = $1',
    [ledgerAccountId],
  )
  return rows
}

/** The job that pays out all that is there: in how many hours it comes; null when it does not. */
async function hoursToJob({ ledgerAccountId }: { ledgerAccountId: string }) {
  const { rows } = await app.services.pool.query<{ hours: number }>(
    `select round(extract(epoch from run_at - now()) / 3600)::int as hours
       from graphile_worker.jobs where key = 'pay out ' || $1`,
    [ledgerAccountId],
  )
  return rows[0]?.hours ?? null
}

test('nobody is paid who asks, also where a node has not heard of it', async () => {
  const creator = await seller()
  await switchOff()
  const refused = { code: 'FEATURE_OFF', status: 403, message: words }
  expect(app.services.features.off).toEqual({})
  expect(await ask(creator)).toMatchObject({ status: 403, body: refused })
  await app.services.features.read()
  expect(await ask(creator)).toMatchObject({ status: 403, body: refused })
  expect(await payoutsTo(creator)).toEqual([])

  await switchOn()
  await app.services.features.read()
  expect((await ask(creator)).status).toBe(200)
  await settled(app)
  expect(await payoutsTo(creator)).toMatchObject([{ status: 'in_transit', amount: net }])
})

test('what was asked for before waits, and goes when it is on again', async () => {
  const byBank = await seller()
  const byPaypal = await seller({ paypal: 'cleo@example.com' })
  const both = [byBank, byPaypal]
  await app.services.db.transaction(async (transaction) => {
    for (const { ledgerAccountId } of both) {
      const asked = await requestPayout(transaction, {
        ledgerAccountId,
        amount: 'all',
        offersPaypal: true,
      })
      expect(asked).toMatchObject({ status: 'requested' })
    }
    await switchOff(transaction)
  })
  await settled(app)
  for (const one of both) {
    expect(await payoutsTo(one)).toEqual([{ status: 'requested', amount: net, transfer_id: null }])
  }

  await switchOn()
  await app.services.pool.query(
    `update payouts set checked_at = now() - interval '2 hours' where status = 'requested'`,
  )
  await followPayouts(app.services)
  await settled(app)
  for (const one of both) expect(await payoutsTo(one)).toMatchObject([{ status: 'in_transit' }])
})

test('who is paid by the clock is paid within a day of the switch back on', async () => {
  const creator = await seller()
  await app.request('/rest/v1/payout-setup/schedule', {
    method: 'PATCH',
    body: { schedule: 'weekly' },
    cookie: creator.cookie,
  })
  await switchOff()
  await payOutAvailable(creator, app.services)
  expect(await payoutsTo(creator)).toEqual([])
  expect(await hoursToJob(creator)).toBe(24)

  await switchOn()
  await payOutAvailable(creator, app.services)
  await settled(app)
  expect(await payoutsTo(creator)).toMatchObject([{ status: 'in_transit', amount: net }])
})

test('who leaves gives nothing up, is paid later, and no operator is called', async () => {
  const creator = await seller()
  await switchOff()
  const { db, log } = app.services
  expect(await earningsObstacle(db, creator.id, here)).toBeNull()
  await db.transaction(async (transaction) => {
    await leaveEarnings(transaction, creator.id, here)
    await transaction
      .update(ledgerAccounts)
      .set({ userId: null })
      .where(eq(ledgerAccounts.id, creator.ledgerAccountId))
  })
  const error = vi.spyOn(log, 'error')
  onTestFinished(() => error.mockRestore())
  await settled(app)
  await payOutAvailable(creator, app.services)
  expect(error).not.toHaveBeenCalled()
  expect(await payoutsTo(creator)).toEqual([])
  expect((await balanceNow(db, creator.ledgerAccountId)).available).toBe(net)

  await switchOn()
  await payOutAvailable(creator, app.services)
  await settled(app)
  expect(await payoutsTo(creator)).toMatchObject([{ status: 'in_transit', amount: net }])
})
