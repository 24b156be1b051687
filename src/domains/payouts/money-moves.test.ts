// One step of a payout at a time, as jobs and news take it: twice, late, at the same moment as another, or refused.
import { readFile } from 'node:fs/promises'
import { and, asc, eq, inArray, like, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  accountOf,
  makeSeller,
  type Seller,
  sell,
  setUpBank,
  setUpPaypal,
} from '../../../test/payee.ts'
import { paypalBatches } from '../../../test/paypal-sandbox.ts'
import { switches, tokenize } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { GivenUp } from '../../server/jobs.ts'
import { balanceNow } from '../earnings/balance-now.ts'
import { ledgerDifferences } from '../ledger/check-ledger.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { dayLabel } from '../purchases/day-label.ts'
import { failPayout } from './fail-payout.ts'
import { followArrived, followPayouts, syncPayout } from './follow-payouts.ts'
import { destinationOf } from './ready-method.ts'
import { requestPayout } from './request-payout.ts'
import { sendPayout } from './send-payout.ts'
import { markFailed, markPaid, markSent } from './settle-payout.ts'
import { syncConnectedAccount } from './sync-connected-account.ts'
import { payoutMethods, payouts } from './tables.ts'

let app: TestApp
let paypal: TestApp['services']['paypal']
let seller: Seller
let paypalSeller: Seller
let accountId: string
let account: string
let paypalAccount: string
beforeAll(async () => {
  app = await startTestApp()
  ;({ paypal } = app.services)
  seller = await makeSeller(app)
  await sell(app, seller)
  await sell(app, seller)
  accountId = await setUpBank(app, seller)
  account = await accountOf(app, seller)
  paypalSeller = await makeSeller(app)
  // So that there is money of ours beside what the first one is paid.
  await sell(app, paypalSeller)
  await setUpPaypal(app, paypalSeller, 'cleo@example.com')
  paypalAccount = await accountOf(app, paypalSeller)
  await switches(app, { dropPercent: 100 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  app.services.paypal = paypal
  await switches(app, { apiStatus: 0 })
  // One at a time: the next test has its own.
  const open = inArray(payouts.status, ['requested', 'in_transit'])
  await db().update(payouts).set({ status: 'failed' }).where(open)
  await db().update(payoutMethods).set({ problem: null })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const stripe = () => app.services.payments.stripe

type Payout = typeof payouts.$inferSelect
const bank = 'STRIPE TEST BANK •••• 6789'

/** One of which no job knows. */
async function made(given: Partial<typeof payouts.$inferInsert> = {}): Promise<Payout> {
  const [row] = await db()
    .insert(payouts)
    .values({
      ledgerAccountId: account,
      method: 'bank_account',
      destination: bank,
      amount: 200,
      currency: 'usd',
      connectedAccountId: accountId,
      ...given,
    })
    .returning()
  return row!
}

const madeByPaypal = (given: Partial<typeof payouts.$inferInsert> = {}) =>
  made({
    ledgerAccountId: paypalAccount,
    method: 'paypal',
    destination: 'cleo@example.com',
    amount: 5_100,
    fee: 100,
    connectedAccountId: null,
    ...given,
  })

const rowOf = async ({ id }: { id: string }) =>
  (await db().select().from(payouts).where(eq(payouts.id, id)))[0]!

const send = ({ id }: { id: string }) => sendPayout({ payoutId: id }, app.services)

async function sent(given: Partial<typeof payouts.$inferInsert> = {}) {
  const payout = await made(given)
  await send(payout)
  return rowOf(payout)
}

const transfersOf = async ({ id }: { id: string }) =>
  (await stripe().transfers.list({ transfer_group: id })).data

/** What the creator was told of payouts since a moment, oldest first. */
async function told({ id }: Seller, { requestedAt }: Payout) {
  const about = and(
    eq(notifications.userId, id),
    like(notifications.kind, 'payout_%'),
    sql`${notifications.createdAt} > ${requestedAt.toISOString()}::timestamptz`,
  )
  return db()
    .select({
      title: notifications.title,
      message: notifications.message,
      href: notifications.href,
    })
    .from(notifications)
    .where(about)
    .orderBy(asc(notifications.createdAt), asc(notifications.id))
}

const { StripeAPIError, StripeInvalidRequestError, StripePermissionError } = Stripe.errors
const refusal = (code?: string) =>
  new StripeInvalidRequestError({ type: 'invalid_request_error', message: 'No.', code })
const why = { failure: 'It came back.', isDestination: false }

test('a payout that fails after the next one: its sale is not paid out, and later ones are', async () => {
  const net = 2900 - 145 - 114
  const covered = async () => {
    const { rows } = await app.services.pool.query<{ covered: boolean }>(
      `select (p.available_at, p.id) <= (o.covers_until, o.covers_payment_id) as covered
         from payments p, lateral (select * from payouts
               where ledger_account_id = p.creator_account_id and status <> 'failed'
               order by requested_at desc, id desc limit 1) o
        where p.creator_account_id = $1 order by p.available_at, p.id`,
      [account],
    )
    return rows.map((row) => row.covered)
  }
  const both: Payout[] = []
  for (let count = 0; count < 2; count += 1) {
    const wanted = { ledgerAccountId: account, amount: net, offersPaypal: true }
    const payout = await db().transaction((on) => requestPayout(on, wanted))
    if ('refused' in payout) throw new Error(payout.refused)
    await settled(app)
    await markPaid(db(), payout)
    both.push(payout)
  }
  expect(await covered()).toEqual([true, true])
  await markFailed(db(), both[0]!, why)
  expect(await covered()).toEqual([true, false])
})

describe('sending', () => {
  test('a payout that nobody knows, or that has failed, moves nothing', async () => {
    await send({ id: account })
    const payout = await made({ status: 'failed' })
    await send(payout)
    expect(await transfersOf(payout)).toEqual([])
  })

  test('it goes without the fee, beside what was made there by hand, and is told with its day', async () => {
    const before = await sent()
    await app.services.pool.query(
      `update stripe_sandbox.objects set data = jsonb_set(data, '{metadata}', 'null') where id = $1`,
      [before.providerPayoutId],
    )
    await markPaid(db(), before)
    const payout = await sent({ amount: 250, fee: 20 })
    const [transfer] = await transfersOf(payout)
    expect(transfer).toMatchObject({ amount: 230, metadata: { payoutId: payout.id } })
    const by = { stripeAccount: accountId }
    const there = await stripe().payouts.retrieve(payout.providerPayoutId!, {}, by)
    expect(there).toMatchObject({ amount: 230 })
    expect(await told(seller, payout)).toEqual([
      {
        title: 'Payout on Its Way',
        message: `$2.30 is on its way to ${bank}. It should arrive by ${dayLabel(payout.arrivesAt!)}. Test mode: no money moved.`,
        href: '/payments',
      },
    ])
  })

  test('two who see at the same moment that nothing was sent send once', async () => {
    const first = await sent()
    await db()
      .update(payouts)
      .set({
        status: 'requested',
        transferId: null,
        providerPayoutId: null,
        checkedAt: first.requestedAt,
      })
      .where(eq(payouts.id, first.id))
    const { transfers, payouts: there } = stripe()
    const nothing = { data: [] } as never
    vi.spyOn(transfers, 'list').mockResolvedValueOnce(nothing)
    vi.spyOn(there, 'list').mockResolvedValueOnce(nothing)
    const keys = [vi.spyOn(transfers, 'create'), vi.spyOn(there, 'create')]
    await send(first)
    const { transferId, providerPayoutId } = await rowOf(first)
    expect([transferId, providerPayoutId]).toEqual([first.transferId, first.providerPayoutId])
    // Each step has a key of its own.
    const moment = first.requestedAt.getTime()
    expect(keys.map(({ mock }) => mock.calls[0]![1])).toMatchObject([
      { idempotencyKey: `${first.id} transfer ${moment}` },
      { idempotencyKey: `${first.id} payout ${moment}` },
    ])
  })

  test('one that another has sent meanwhile does not fail by a refusal', async () => {
    const payout = await made()
    vi.spyOn(stripe().transfers, 'create').mockImplementationOnce(async () => {
      await markSent(db(), payout, { providerPayoutId: `po_${payout.id}`, arrivesAt: null })
      throw refusal()
    })
    await send(payout)
    expect(await rowOf(payout)).toMatchObject({ status: 'in_transit', failure: null })
  })

  test('without an account to go through it ends, and the log says which', async () => {
    const payout = await made({ connectedAccountId: null })
    const sending = send(payout)
    await expect(sending).rejects.toBeInstanceOf(GivenUp)
    await expect(sending).rejects.toThrow(payout.id)
  })

  test('it is tried again with what the provider said while that does not answer', async () => {
    const payout = await made()
    await switches(app, { apiStatus: 500 })
    await expect(send(payout)).rejects.toBeInstanceOf(Stripe.errors.StripeError)
    expect((await rowOf(payout)).status).toBe('requested')
  })

  test.each(['balance_insufficient', null])('what lies with us waits (%s)', async (code) => {
    const payout = await (code ? made() : madeByPaypal())
    if (code) vi.spyOn(stripe().transfers, 'create').mockRejectedValueOnce(refusal(code))
    else app.services.paypal = null
    const error = vi.spyOn(app.services.log, 'error')
    await send(payout)
    expect(error.mock.calls).toEqual([
      [
        { payoutId: payout.id, problem: code ? 'No.' : 'PayPal is not configured any more' },
        'a payout waits until the operator has mended this at the payment provider',
      ],
    ])
    const { status, checkedAt } = await rowOf(payout)
    expect(status).toBe('requested')
    expect(checkedAt.getTime()).toBeGreaterThan(payout.checkedAt.getTime())
  })

  test('PayPal is told whose earnings it sends; no day is promised', async () => {
    const payout = await madeByPaypal()
    await send(payout)
    const [batch] = await paypalBatches(app)
    expect(batch!.items[0]!.sent).toMatchObject({
      amount: { value: '50.00' },
      note: 'Your earnings at http://localhost:3000',
    })
    expect(await told(paypalSeller, payout)).toMatchObject([
      { message: '$50.00 is on its way to cleo@example.com. Test mode: no money moved.' },
    ])
  })
})

describe('what becomes of a payout', () => {
  test('is told once, however often it is found out', async () => {
    const payout = await made()
    const facts = { providerPayoutId: `po_${payout.id}`, arrivesAt: null }
    for (let times = 0; times < 2; times += 1) await markSent(db(), payout, facts)
    for (let times = 0; times < 2; times += 1) await markPaid(db(), payout)
    await markSent(db(), payout, facts)
    expect((await rowOf(payout)).status).toBe('paid')
    for (let times = 0; times < 2; times += 1) await markFailed(db(), payout, why)
    await markPaid(db(), payout)
    expect((await rowOf(payout)).status).toBe('failed')
    const returned = `$2.00 could not be paid out to ${bank}. It came back. The money is in your balance again.`
    expect(await told(seller, payout)).toMatchObject([
      { title: 'Payout on Its Way' },
      {
        title: 'Payout Arrived',
        message: `$2.00 has arrived at ${bank}. Test mode: no money moved.`,
        href: '/payments',
      },
      {
        title: 'Payout Failed',
        message: `${returned} You can ask for it again. Test mode: no money moved.`,
      },
    ])
  })

  test('is in the list, with the moments that are known', async () => {
    const payout = await made()
    const listed = async () =>
      (await app.request('/rest/v1/payouts', { cookie: seller.cookie })).body.payouts[0]
    expect(await listed()).toMatchObject({ id: payout.id, arrivesAt: null, endedAt: null })
    const arrivesAt = new Date('2026-12-24T12:00:00.000Z')
    await markSent(db(), payout, { providerPayoutId: `po_${payout.id}`, arrivesAt })
    await markPaid(db(), payout)
    const { endedAt } = await rowOf(payout)
    expect(await listed()).toMatchObject({
      requestedAt: payout.requestedAt.toISOString(),
      arrivesAt: arrivesAt.toISOString(),
      endedAt: endedAt!.toISOString(),
    })
  })

  test('that it has arrived is taken, also when nobody has heard that it was sent', async () => {
    const payout = await made()
    await markPaid(db(), payout)
    expect((await rowOf(payout)).status).toBe('paid')
  })

  test('that it came back is held against where it went, and nothing else', async () => {
    const payout = await made({ destination: 'ANOTHER BANK •••• 4321' })
    const problem = async () => {
      const own = eq(payoutMethods.ledgerAccountId, account)
      return (await db().select().from(payoutMethods).where(own))[0]!.problem
    }
    await markFailed(db(), payout, { ...why, isDestination: true })
    expect(await problem()).toBeNull()
    const [notice] = await told(seller, payout)
    expect(notice!.message).toMatch(
      /in your balance again\. Set up your payout method again before you ask for the next one\. Test mode: no money moved\.$/,
    )
    await markFailed(db(), await made(), { ...why, isDestination: true })
    expect(await problem()).toBe(
      'The last payout came back. It came back. Set up your payout method again.',
    )
  })

  test('for who has left: the address of PayPal goes as soon as nothing needs it', async () => {
    const owner = (userId: string | null) =>
      db().update(ledgerAccounts).set({ userId }).where(eq(ledgerAccounts.id, paypalAccount))
    await owner(null)
    const own = eq(ledgerAccounts.id, account)
    await db().update(ledgerAccounts).set({ userId: null }).where(own)
    const where = async (payout: Payout) => (await rowOf(payout)).destination
    const arrives = await madeByPaypal()
    await markSent(db(), arrives, { providerPayoutId: `batch ${arrives.id}`, arrivesAt: null })
    expect(await where(arrives)).toBe('cleo@example.com')
    await markPaid(db(), arrives)
    expect(await where(arrives)).toBe('PayPal')
    const fails = await madeByPaypal()
    await markFailed(db(), fails, why)
    expect(await where(fails)).toBe('PayPal')
    const byBank = await made()
    await markPaid(db(), byBank)
    expect(await where(byBank)).toBe(bank)
    // One that comes back although its address is forgotten: nothing is sent there once more.
    const comesBack = await madeByPaypal()
    await markPaid(db(), comesBack)
    await markFailed(db(), comesBack, { ...why, isDestination: true })
    const method = eq(payoutMethods.ledgerAccountId, paypalAccount)
    const [left] = await db().select().from(payoutMethods).where(method)
    expect(left!.problem).toContain(why.failure)
    await owner(paypalSeller.id)
    await db().update(ledgerAccounts).set({ userId: seller.id }).where(own)
  })

  test('that it came back is told to the operator, once, where the creator has left', async () => {
    const own = eq(ledgerAccounts.id, account)
    const error = vi.spyOn(app.services.log, 'error')
    await failPayout(app.services, await made(), why)
    expect(error).not.toHaveBeenCalled()
    await db().update(ledgerAccounts).set({ userId: null }).where(own)
    const payout = await made()
    for (let times = 0; times < 2; times += 1) await failPayout(app.services, payout, why)
    await db().update(ledgerAccounts).set({ userId: seller.id }).where(own)
    expect(error.mock.calls).toEqual([
      [
        { payoutId: payout.id, problem: why.failure },
        'a payout to a creator who has left came back: nobody else is told of it',
      ],
    ])
  })
})

describe('taking back what was transferred', () => {
  const reversals = async (payout: Payout) => (await transfersOf(payout))[0]!.reversals.data

  test('is done once: by us, by two of us, or by hand', async () => {
    const payout = await sent()
    await stripe().payouts.cancel(payout.providerPayoutId!, {}, { stripeAccount: accountId })
    const error = vi.spyOn(app.services.log, 'error')
    const [before] = await transfersOf(payout)
    await failPayout(app.services, payout, why)
    expect(await reversals(payout)).toMatchObject([{ metadata: { payoutId: payout.id } }])
    // Who has looked before that.
    vi.spyOn(stripe().transfers, 'retrieve').mockResolvedValueOnce(before as never)
    await failPayout(app.services, payout, why)
    const byHand = await sent()
    await stripe().payouts.cancel(byHand.providerPayoutId!, {}, { stripeAccount: accountId })
    await stripe().transfers.createReversal(byHand.transferId!)
    await failPayout(app.services, byHand, why)
    for (const each of [payout, byHand]) {
      expect(await reversals(each)).toHaveLength(1)
      expect((await rowOf(each)).status).toBe('failed')
    }
    expect(error).not.toHaveBeenCalled()
  })

  test.each([refusal(), new StripePermissionError({ type: 'invalid_request_error' })])(
    'that the provider refuses is for the operator: the creator has the money (%#)',
    async (refused) => {
      const payout = await made({ transferId: `tr_${Math.random()}` })
      const { available } = await balanceNow(db(), account)
      vi.spyOn(stripe().transfers, 'retrieve').mockRejectedValueOnce(refused)
      const error = vi.spyOn(app.services.log, 'error')
      await failPayout(app.services, payout, why)
      const about = { payoutId: payout.id, transferId: payout.transferId, problem: refused.message }
      expect(error.mock.calls).toEqual([[about, expect.any(String)]])
      expect((await balanceNow(db(), account)).available).toBe(available + payout.amount)
    },
  )

  test('of which nothing is known gives nothing back yet', async () => {
    const payout = await made({ transferId: `tr_${Math.random()}` })
    const away = new StripeAPIError({ type: 'api_error' })
    vi.spyOn(stripe().transfers, 'retrieve').mockRejectedValueOnce(away)
    await expect(failPayout(app.services, payout, why)).rejects.toBe(away)
    expect((await rowOf(payout)).status).toBe('requested')
  })
})

describe('news of a payout', () => {
  test('that is none of ours are ignored', async () => {
    expect(await syncPayout(app.services, 'po_unknown')).toMatchObject({ status: 'ignored' })
  })

  test('that the provider does not know any more are told to the operator', async () => {
    const payout = await sent()
    await db().update(payouts).set({ connectedAccountId: null }).where(eq(payouts.id, payout.id))
    const error = vi.spyOn(app.services.log, 'error')
    const found = await syncPayout(app.services, payout.providerPayoutId!)
    expect(found).toMatchObject({ status: 'ignored' })
    expect(error.mock.calls).toEqual([[{ payoutId: payout.id }, expect.any(String)]])
    expect((await rowOf(payout)).status).toBe('in_transit')
    // What has arrived has nothing to be settled.
    await markPaid(db(), payout)
    await syncPayout(app.services, payout.providerPayoutId!)
    expect(error).toHaveBeenCalledTimes(1)
  })

  test('through an account that was deleted there are told to the operator', async () => {
    const payout = await sent()
    const gone = { type: 'invalid_request_error', code: 'account_invalid' } as const
    const forbidden = new StripePermissionError(gone)
    vi.spyOn(stripe().payouts, 'retrieve').mockRejectedValueOnce(forbidden)
    const error = vi.spyOn(app.services.log, 'error')
    const found = await syncPayout(app.services, payout.providerPayoutId!)
    expect(found).toMatchObject({ status: 'ignored' })
    expect(error.mock.calls).toEqual([[{ payoutId: payout.id }, expect.any(String)]])
  })

  test('that never come are settled by hand, as docs/operations.md says', async () => {
    const wanted = { ledgerAccountId: account, amount: 100, offersPaypal: true }
    const payout = await db().transaction((on) => requestPayout(on, wanted))
    if ('refused' in payout) throw new Error(payout.refused)
    await settled(app)
    const { available } = await balanceNow(db(), account)
    const operations = await readFile('docs/operations.md', 'utf8')
    const [, statement] = /```sql\n(with back [^`]+)```/.exec(operations)!
    for (let times = 0; times < 2; times += 1) {
      await app.services.pool.query(statement!.replace('PAYOUT', payout.id))
    }
    expect((await balanceNow(db(), account)).available).toBe(available + 100)
    expect(await rowOf(payout)).toMatchObject({ status: 'failed', endedAt: expect.any(Date) })
    const { ledger_transactions, ledger_payouts, ledger_earning_days } =
      await ledgerDifferences(db())
    expect([ledger_transactions, ledger_earning_days]).toEqual([[], []])
    expect(ledger_payouts).not.toContain(payout.id)
  })

  test('are asked for again when the provider does not answer', async () => {
    const payout = await sent()
    await switches(app, { apiStatus: 500 })
    const asked = syncPayout(app.services, payout.providerPayoutId!)
    await expect(asked).rejects.toBeInstanceOf(Stripe.errors.StripeError)
  })

  test('wait where the provider has no name for it, or is not offered any more', async () => {
    const long = new Date(Date.now() - 24 * 3_600_000)
    const unnamed = await made({ status: 'in_transit', checkedAt: long, sentAt: long })
    const warn = vi.spyOn(app.services.log, 'warn')
    await followPayouts(app.services)
    await followArrived(app.services)
    expect(warn).not.toHaveBeenCalled()
    expect((await rowOf(unnamed)).status).toBe('in_transit')
    const stranded = await madeByPaypal({ status: 'in_transit', providerPayoutId: 'a batch' })
    app.services.paypal = null
    expect(await syncPayout(app.services, 'a batch')).toMatchObject({ status: 'ignored' })
    expect((await rowOf(stranded)).status).toBe('in_transit')
  })
})

test('a payout goes where the creator wished, whatever is usual there', async () => {
  const token = await tokenize(app, { card: { number: '4000056655665556' } })
  await stripe().accounts.createExternalAccount(accountId, {
    external_account: token,
    default_for_currency: true,
  })
  const own = eq(payoutMethods.ledgerAccountId, account)
  const [method] = await db().select().from(payoutMethods).where(own)
  const by = { stripeAccount: accountId }
  const there = await stripe().payouts.retrieve((await sent()).providerPayoutId!, {}, by)
  expect(there.destination).toBe(method!.externalAccountId)
})

test('a payout that waits while another account is given at the provider goes there, and says so', async () => {
  const waits = await made()
  const token = await tokenize(app, { card: { number: '4000056655665556' } })
  await stripe().accounts.createExternalAccount(accountId, {
    external_account: token,
    default_for_currency: true,
  })
  await syncConnectedAccount(app.services, accountId)
  await send(waits)
  const own = eq(payoutMethods.ledgerAccountId, account)
  const method = async () => (await db().select().from(payoutMethods).where(own))[0]!
  const words = destinationOf(await method())
  expect(words).not.toBe(bank)
  expect(await rowOf(waits)).toMatchObject({ method: 'debit_card', destination: words })
  expect((await told(seller, waits)).at(-1)!.message).toContain(`is on its way to ${words}.`)
  // What comes back is held against where it went.
  await markFailed(db(), waits, { ...why, isDestination: true })
  expect((await method()).problem).toContain(why.failure)
})
