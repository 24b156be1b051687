// What only happens when a payout, an account or the provider is in another state than one expects.
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { makeSeller, type Seller, sell, setUpBank } from '../../../test/payee.ts'
import { setAccount, switches } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { ledgerTransactions } from '../ledger/tables.ts'
import { defaultExternal } from './connected-account.ts'
import { followPayouts, syncPayout } from './follow-payouts.ts'
import { earningsConsequences, leaveEarnings } from './leave-earnings.ts'
import { throughOf } from './request-payout.ts'
import { syncConnectedAccount } from './sync-connected-account.ts'
import { connectedAccounts, payouts } from './tables.ts'

const here = { offersPaypal: true }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterEach(() => switches(app, { apiStatus: 0, dropPercent: 0 }))
afterAll(() => app?.stop())

const db = () => app.services.db

/** Of $29: our 5 % are 145, the card costs 2.9 % and 30 cents. */
const net = 2900 - 145 - 114

const rowOf = async (id: string) =>
  (await db().select().from(payouts).where(eq(payouts.id, id)))[0]!

/** A payout that the provider has on its way. */
async function onItsWay() {
  const seller = await makeSeller(app)
  await sell(app, seller)
  const accountId = await setUpBank(app, seller)
  const { body } = await app.request('/rest/v1/payouts', {
    body: { amount: net },
    cookie: seller.cookie,
  })
  await settled(app)
  const payout = await rowOf(body.id)
  expect(payout).toMatchObject({ status: 'in_transit', arrivesAt: expect.any(Date) })
  return { seller, accountId, payout }
}

const askedLongAgo = (id: string) =>
  db()
    .update(payouts)
    .set({ checkedAt: sql`now() - interval '3 hours'`, arrivesAt: null })
    .where(eq(payouts.id, id))

describe('asked about', () => {
  test('a payout that is still on its way is, and says when it arrives', async () => {
    const { payout } = await onItsWay()
    await askedLongAgo(payout.id)
    await followPayouts(app.services)
    expect(await rowOf(payout.id)).toMatchObject({
      status: 'in_transit',
      failure: null,
      arrivesAt: payout.arrivesAt,
    })
  })

  test('one that was canceled there has failed; asked again nothing happens', async () => {
    const { payout, accountId } = await onItsWay()
    await switches(app, { dropPercent: 100 })
    const { stripe } = app.services.payments
    await stripe.payouts.cancel(payout.providerPayoutId!, {}, { stripeAccount: accountId })
    expect(await syncPayout(app.services, payout.providerPayoutId!)).toMatchObject({
      status: 'applied',
    })
    const failed = await rowOf(payout.id)
    expect(failed).toMatchObject({ status: 'failed', failure: 'It was canceled.' })
    // Not even the provider is asked.
    await switches(app, { apiStatus: 500 })
    expect(await syncPayout(app.services, payout.providerPayoutId!)).toMatchObject({
      status: 'ignored',
    })
    expect(await rowOf(payout.id)).toEqual(failed)
  })

  test('one that makes trouble is told to the operator, and asked about later', async () => {
    const { payout } = await onItsWay()
    await switches(app, { apiStatus: 500 })
    await askedLongAgo(payout.id)
    const warn = vi.spyOn(app.services.log, 'warn')
    await followPayouts(app.services)
    expect(warn.mock.calls.map(([about]) => about)).toContainEqual(
      expect.objectContaining({ payoutId: payout.id }),
    )
    warn.mockRestore()
    const { status, checkedAt } = await rowOf(payout.id)
    expect(status).toBe('in_transit')
    expect(checkedAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
  })
})

test('an account is not gone because the provider does not answer', async () => {
  const { accountId } = await onItsWay()
  const state = async () =>
    (await db().select().from(connectedAccounts).where(eq(connectedAccounts.id, accountId)))[0]
  const before = await state()
  await switches(app, { apiStatus: 500 })
  await expect(syncConnectedAccount(app.services, accountId)).rejects.toThrow()
  expect(await state()).toEqual(before)
})

test('a refused payout is in the log, for the operator', async () => {
  const seller = await makeSeller(app)
  await sell(app, seller)
  const accountId = await setUpBank(app, seller)
  await switches(app, { dropPercent: 100 })
  await setAccount(app, accountId, 'rejected')
  await switches(app, { dropPercent: 0 })
  const warn = vi.spyOn(app.services.log, 'warn')
  const { body } = await app.request('/rest/v1/payouts', {
    body: { amount: net },
    cookie: seller.cookie,
  })
  await settled(app)
  expect(warn.mock.calls).toContainEqual([
    expect.objectContaining({ payoutId: body.id }),
    'a payout was refused',
  ])
  warn.mockRestore()
})

describe('open pages of the creator hear', () => {
  /** What is heard of earnings while this is done. */
  async function hears(seller: Seller, work: () => Promise<unknown>) {
    const heard = await eventsOf(app.services, seller.id)
    await work()
    for await (const { type } of heard) if (type === 'earnings') return true
    return false
  }

  test('of another schedule', async () => {
    const seller = await makeSeller(app)
    await setUpBank(app, seller)
    const change = () =>
      app.request('/rest/v1/payout-setup/schedule', {
        method: 'PATCH',
        body: { schedule: 'weekly' },
        cookie: seller.cookie,
      })
    expect(await hears(seller, change)).toBe(true)
  })

  test('of a payout that comes back', async () => {
    const { seller, payout, accountId } = await onItsWay()
    const cancel = async () => {
      const { stripe } = app.services.payments
      await stripe.payouts.cancel(payout.providerPayoutId!, {}, { stripeAccount: accountId })
      await syncPayout(app.services, payout.providerPayoutId!)
    }
    expect(await hears(seller, cancel)).toBe(true)
  })
})

describe('who leaves', () => {
  const leave = (userId: string) => db().transaction((on) => leaveEarnings(on, userId, here))
  const movements = () => db().$count(ledgerTransactions, eq(ledgerTransactions.kind, 'given_up'))

  test('with nothing, or without ever having sold anything, gives nothing up', async () => {
    const stranger = await makeSeller(app)
    expect(await earningsConsequences(db(), stranger.id, here)).toEqual([])
    const seller = await makeSeller(app)
    // Set up to be paid, and never sold.
    await setUpBank(app, seller)
    expect(await earningsConsequences(db(), seller.id, here)).toEqual([])
    const before = await movements()
    await leave(stranger.id)
    await leave(seller.id)
    expect(await movements()).toBe(before)
  })

  test('with less than a payout is told that it does not stay', async () => {
    const seller = await makeSeller(app, 100)
    await sell(app, seller)
    expect(await earningsConsequences(db(), seller.id, here)).toEqual([
      { text: expect.stringContaining('are left and lost'), stays: false },
    ])
  })
})

test('money for PayPal leaves our account there, and all other the payment provider', () => {
  expect(throughOf('paypal')).toBe('paypal')
  expect(throughOf('bank_account')).toBe('provider')
  expect(throughOf('debit_card')).toBe('provider')
})

test('an account without anywhere to pay out to has none', () => {
  const account = (external_accounts?: object) =>
    ({ external_accounts }) as Parameters<typeof defaultExternal>[0]
  expect(defaultExternal(account())).toBeNull()
  expect(defaultExternal(account({ data: [] }))).toBeNull()
  const one = { id: 'ba_1', default_for_currency: false }
  const other = { id: 'ba_2', default_for_currency: true }
  expect(defaultExternal(account({ data: [one] }))).toBe(one)
  expect(defaultExternal(account({ data: [one, other] }))).toBe(other)
})
