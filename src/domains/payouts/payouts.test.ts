// Payouts from the wish to the arrival, through the sandbox, with webhooks and jobs.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { and, eq, sql } from 'drizzle-orm'
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
import {
  arriveAtBank,
  closeDispute,
  disputeAtProvider,
  failAtBank,
  refundAtProvider,
  releaseFunds,
  setAccount,
  switches,
} from '../../../test/sandbox.ts'
import { mailTo } from '../../../test/mailbox.ts'
import { settled } from '../../../test/settled.ts'
import { users } from '../accounts/tables.ts'
import { balanceNow } from '../earnings/balance-now.ts'
import { ledgerDifferences } from '../ledger/check-ledger.ts'
import { notifications } from '../notifications/tables.ts'
import { payments } from '../payments/tables.ts'
import { followArrived, followPayouts } from './follow-payouts.ts'
import { withPayoutMethod } from './hold-method.ts'
import { payOutAvailable, payOutOnSchedule } from './pay-out-on-schedule.ts'
import { requestPayout } from './request-payout.ts'
import { sendPayout } from './send-payout.ts'
import { payoutMethods, payouts } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterEach(() => switches(app, { apiStatus: 0 }))
afterAll(async () => {
  if (!app) return
  // Whatever happened: it adds up.
  const differences = Object.entries(await ledgerDifferences(app.services.db))
  expect(differences.filter(([, ids]) => ids.length > 0)).toEqual([])
  await app.stop()
})

const db = () => app.services.db

/** Of $29: our 5 % are 145, the card costs 2.9 % and 30 cents. */
const net = 2900 - 145 - 114

const ask = (seller: Seller, amount: number) =>
  app.request('/rest/v1/payouts', { body: { amount }, cookie: seller.cookie })

const list = async (seller: Seller) =>
  (await app.request('/rest/v1/payouts', { cookie: seller.cookie })).body.payouts

const rowOf = async (id: string) =>
  (await db().select().from(payouts).where(eq(payouts.id, id)))[0]!

async function balance(seller: Seller) {
  return balanceNow(db(), await accountOf(app, seller))
}

const titles = async ({ id }: { id: string }) =>
  (
    await db()
      .select({ title: notifications.title })
      .from(notifications)
      .where(and(eq(notifications.userId, id), sql`${notifications.kind} like 'payout_%'`))
      .orderBy(notifications.createdAt, notifications.id)
  ).map(({ title }) => title)

/** With money that can be paid out to a bank. */
async function ready({ sales = 1, number }: { sales?: number; number?: string } = {}) {
  const seller = await makeSeller(app)
  for (let count = 0; count < sales; count += 1) await sell(app, seller)
  const accountId = await setUpBank(app, seller, number)
  return { seller, accountId }
}

async function asked(seller: Seller, amount: number): Promise<string> {
  const { status, body } = await ask(seller, amount)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.id
}

const transfersOf = async (payoutId: string) =>
  (await app.services.payments.stripe.transfers.list({ transfer_group: payoutId })).data

/** Whether a sale counts as paid out. */
const covered = async (seller: Seller) => {
  const { rows } = await app.services.pool.query<{ covered: boolean }>(
    `select coalesce((p.available_at, p.id) <= (o.covers_until, o.covers_payment_id), false) as covered
       from payments p left join lateral (
         select * from payouts where ledger_account_id = p.creator_account_id and status <> 'failed'
          order by requested_at desc, id desc limit 1) o on true
      where p.creator_account_id = $1 order by p.available_at, p.id`,
    [await accountOf(app, seller)],
  )
  return rows.map((row) => row.covered)
}

describe('asking for a payout', () => {
  test('says what is in the way', async () => {
    const seller = await makeSeller(app)
    const nothing = await ask(seller, 100)
    expect([nothing.status, nothing.body.code]).toEqual([409, 'NOT_CONNECTED'])
    await sell(app, seller, { isReleased: false })
    const accountId = await setUpBank(app, seller)
    const pending = await ask(seller, 100)
    expect([pending.status, pending.body.message]).toEqual([
      422,
      'There is nothing to pay out at the moment.',
    ])
    expect(await balance(seller)).toEqual({ balance: net, pending: net, available: 0 })
    await sell(app, seller)
    const less = await ask(seller, 99)
    expect([less.status, less.body.code, less.body.message]).toEqual([
      422,
      'TOO_LITTLE',
      'The smallest payout is $1.00.',
    ])
    const more = await ask(seller, net + 1)
    expect([more.status, more.body.code, more.body.message]).toEqual([
      422,
      'TOO_MUCH',
      'You can pay out at most $26.41.',
    ])
    await setAccount(app, accountId, 'paused')
    await settled(app)
    const paused = await ask(seller, net)
    expect([paused.status, paused.body.code]).toEqual([409, 'NOT_READY'])
    expect(paused.body.message).toContain('paused')
    await setAccount(app, accountId, 'enabled')
    await settled(app)
    const isSuspended = (suspendedAt: Date | null) =>
      db().update(users).set({ suspendedAt }).where(eq(users.id, seller.id))
    await isSuspended(new Date())
    const ledgerAccountId = await accountOf(app, seller)
    const wanted = { ledgerAccountId, amount: net, offersPaypal: true }
    // Also by the schedule, which asks no door.
    expect(await db().transaction((on) => requestPayout(on, wanted))).toEqual({
      refused: 'SUSPENDED',
    })
    await isSuspended(null)
    expect(await list(seller)).toEqual([])
  })

  test('twenty at once are one, which is sent once', async () => {
    const { seller } = await ready({ sales: 2 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(seller, 1000)))
    const [first, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect(first!.status).toBe(200)
    expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(['PAYOUT_OPEN']))
    const payoutId = first!.body.id
    await Promise.all([
      sendPayout({ payoutId }, app.services).catch(() => {}),
      sendPayout({ payoutId }, app.services).catch(() => {}),
    ])
    await settled(app)
    expect(await transfersOf(payoutId)).toMatchObject([{ amount: 1000 }])
    expect((await balance(seller)).available).toBe(2 * net - 1000)
    expect(await list(seller)).toMatchObject([{ id: payoutId, status: 'in_transit', fee: 0 }])
  })

  test('a payout is sent', async () => {
    // In parts: a sale is paid out when nothing of it is left.
    const { seller } = await ready({ sales: 2 })
    const steps: [number, boolean[]][] = [
      [2000, [false, false]],
      [2000, [true, false]],
      [2 * net - 4000, [true, true]],
    ]
    for (const [amount, paid] of steps) {
      const id = await asked(seller, amount)
      await settled(app)
      expect(await covered(seller)).toEqual(paid)
      await arriveAtBank(app, (await rowOf(id)).providerPayoutId!)
      await settled(app)
      expect((await rowOf(id)).status).toBe('paid')
    }
    expect(await balance(seller)).toEqual({ balance: 0, pending: 0, available: 0 })
  })
})

describe('sending', () => {
  test('goes on after the provider was away, and after a crash between two steps', async () => {
    const { seller } = await ready()
    await switches(app, { apiStatus: 500 })
    const payoutId = await asked(seller, net)
    await expect(sendPayout({ payoutId }, app.services)).rejects.toThrow()
    expect((await rowOf(payoutId)).status).toBe('requested')
    await switches(app, { apiStatus: 0 })
    await sendPayout({ payoutId }, app.services)
    const sent = await rowOf(payoutId)
    // As if the process had died before it wrote down what the provider did.
    await db()
      .update(payouts)
      .set({ status: 'requested', transferId: null, providerPayoutId: null, sentAt: null })
      .where(eq(payouts.id, payoutId))
    // The provider forgets keys after a day.
    await app.services.pool.query('delete from stripe_sandbox.idempotency')
    await sendPayout({ payoutId }, app.services)
    const { transferId, providerPayoutId } = await rowOf(payoutId)
    expect({ transferId, providerPayoutId }).toEqual({
      transferId: sent.transferId,
      providerPayoutId: sent.providerPayoutId,
    })
    expect(await transfersOf(payoutId)).toHaveLength(1)
    await settled(app)
  })

  test('a payout waits for money of ours', async () => {
    const { seller } = await ready()
    // Somebody moves our money away in the dashboard.
    const { stripe } = app.services.payments
    const { available } = await stripe.balance.retrieve()
    const away = await stripe.payouts.create({ amount: available[0]!.amount, currency: 'usd' })
    const payoutId = await asked(seller, net)
    await settled(app)
    expect(await rowOf(payoutId)).toMatchObject({ status: 'requested', transferId: null })
    await followPayouts(app.services)
    await settled(app)
    expect((await rowOf(payoutId)).status).toBe('requested')
    await stripe.payouts.cancel(away.id)
    await db()
      .update(payouts)
      .set({ checkedAt: sql`now() - interval '2 hours'` })
      .where(eq(payouts.id, payoutId))
    await followPayouts(app.services)
    await settled(app)
    expect(await rowOf(payoutId)).toMatchObject({ status: 'in_transit' })
  })

  test('what a creator was sent and the books do not have, as after a restore, is not sent again; once it is booked, the rest is', async () => {
    const { seller, accountId } = await ready({ sales: 2 })
    const { stripe } = app.services.payments
    const missing = randomUUID()
    const usd = { currency: 'usd', amount: net, metadata: { payoutId: missing } }
    const transfer = await stripe.transfers.create({ ...usd, destination: accountId })
    const sent = await stripe.payouts.create(usd, { stripeAccount: accountId })
    const error = vi.spyOn(app.services.log, 'error')
    const payoutId = await asked(seller, net)
    await settled(app)
    expect(await rowOf(payoutId)).toMatchObject({
      status: 'failed',
      transferId: null,
      failure: expect.stringContaining('missing in our books'),
    })
    const mail = await mailTo(app, seller.email, /Payout Failed/)
    expect(mail.text).toContain('Until the books are right, what you ask for is not sent.')
    expect(mail.text).not.toContain('You can ask for it again.')
    expect(error.mock.calls).toEqual([
      [
        { payoutId, problem: `${transfer.id} is of no payout that is known here` },
        'a payout was not sent: a creator was sent money that is not in the books',
      ],
    ])
    error.mockRestore()
    expect((await balance(seller)).available).toBe(2 * net)

    // As docs/operations.md says.
    const operations = await readFile('docs/operations.md', 'utf8')
    const [, statement] = /```sql\n(with sent [^`]+)```/.exec(operations)!
    const facts = {
      PAYOUT: missing,
      LEDGER_ACCOUNT: await accountOf(app, seller),
      TRANSFER: transfer.id,
      SENT_AS: sent.id,
      '2641': `${net}`,
    }
    const filled = Object.entries(facts).reduce(
      (text, [word, value]) => text.replace(word, value),
      statement!,
    )
    await app.services.pool.query(filled)
    expect((await balance(seller)).available).toBe(net)
    const rest = await asked(seller, net)
    await settled(app)
    expect(await rowOf(rest)).toMatchObject({ status: 'in_transit' })
    // The bank may send it back, as any other.
    await failAtBank(app, sent.id, 'account_closed')
    await settled(app)
    expect(await rowOf(missing)).toMatchObject({ status: 'failed' })
    expect((await balance(seller)).available).toBe(net)
  })

  test('a payout through PayPal that is not in the books is booked with its fee', async () => {
    const seller = await makeSeller(app)
    await sell(app, seller)
    await setUpPaypal(app, seller, 'clara@example.com')
    const operations = await readFile('docs/operations.md', 'utf8')
    const [, statement] = /```sql\n(with sent [^`]+)```/.exec(operations)!
    await app.services.pool.query(
      statement!
        .replace('PAYOUT', randomUUID())
        .replace('LEDGER_ACCOUNT', await accountOf(app, seller))
        .replace(
          "'bank_account', 2641, 0, 'TRANSFER'::text, 'SENT_AS'",
          "'paypal', 1020, 20, null::text, 'BATCH'",
        ),
    )
    expect((await balance(seller)).available).toBe(net - 1020)
  })

  test('a payout is refused', async () => {
    const { seller, accountId } = await ready()
    // Of this the provider says nothing before it is asked to pay.
    await switches(app, { dropPercent: 100 })
    await setAccount(app, accountId, 'rejected')
    await switches(app, { dropPercent: 0 })
    const payoutId = await asked(seller, net)
    await settled(app)
    expect(await rowOf(payoutId)).toMatchObject({
      status: 'failed',
      failure: 'The payment provider does not pay out to you at the moment.',
    })
    expect((await balance(seller)).available).toBe(net)
    expect(await covered(seller)).toEqual([false])
    expect(await titles(seller)).toContain('Payout Failed')
    // From now on it is known.
    expect((await ask(seller, net)).body.code).toBe('NOT_READY')
  })
})

describe('afterwards', () => {
  test('a payout arrives', async () => {
    const { seller } = await ready()
    const payoutId = await asked(seller, net)
    await settled(app)
    const { providerPayoutId } = await rowOf(payoutId)
    await switches(app, { dropPercent: 100 })
    await arriveAtBank(app, providerPayoutId!)
    await switches(app, { dropPercent: 0 })
    await settled(app)
    // No webhook says so, nor that the bank sends it back later.
    const back = (interval: string) =>
      db()
        .update(payouts)
        .set({ checkedAt: sql`now() - ${interval}::interval` })
        .where(eq(payouts.id, payoutId))
    await back('2 hours')
    await followPayouts(app.services)
    expect((await rowOf(payoutId)).status).toBe('paid')
    expect(await covered(seller)).toEqual([true])
    await switches(app, { dropPercent: 100 })
    await failAtBank(app, providerPayoutId!, 'account_closed')
    await switches(app, { dropPercent: 0 })
    await back('1 day')
    await followArrived(app.services)
    await followArrived(app.services)
    expect(await rowOf(payoutId)).toMatchObject({
      status: 'failed',
      failure: 'The bank account is closed.',
    })
    expect((await balance(seller)).available).toBe(net)
    expect(await covered(seller)).toEqual([false])
    expect(await titles(seller)).toEqual([
      'Your Payout Method Was Set Up',
      'Payout on Its Way',
      'Payout Arrived',
      'Payout Failed',
    ])
  })

  test('a payout comes back after a smaller one, which covers no whole sale by itself', async () => {
    const { seller } = await ready()
    await sell(app, seller)
    const arrived = async (amount: number) => {
      const payoutId = await asked(seller, amount)
      await settled(app)
      const { providerPayoutId } = await rowOf(payoutId)
      await arriveAtBank(app, providerPayoutId!)
      await settled(app)
      return providerPayoutId!
    }
    const first = await arrived(net)
    await arrived(500)
    expect(await covered(seller)).toEqual([true, false])
    await failAtBank(app, first, 'account_closed')
    await settled(app)
    expect((await balance(seller)).available).toBe(2 * net - 500)
    expect(await covered(seller)).toEqual([false, false])
  })

  test('a payout comes back', async () => {
    const { seller } = await ready({ number: '000111111116' })
    const payoutId = await asked(seller, net)
    await settled(app)
    await arriveAtBank(app, (await rowOf(payoutId)).providerPayoutId!)
    await settled(app)
    const [transfer] = await transfersOf(payoutId)
    expect(transfer!.reversed).toBe(true)
    expect(await rowOf(payoutId)).toMatchObject({ status: 'failed' })
    expect((await balance(seller)).available).toBe(net)
    expect((await ask(seller, net)).body.code).toBe('NOT_READY')
    await setUpBank(app, seller)
    await asked(seller, net)
    await settled(app)
  })

  test('a sale is paid back after its payout', async () => {
    const { seller } = await ready()
    const payoutId = await asked(seller, net)
    await settled(app)
    await arriveAtBank(app, (await rowOf(payoutId)).providerPayoutId!)
    const [sale] = await db()
      .select()
      .from(payments)
      .where(eq(payments.creatorAccountId, await accountOf(app, seller)))
    await refundAtProvider(app, sale!.chargeId, 1000)
    await settled(app)
    // Our 5 % go back with it.
    expect(await balance(seller)).toEqual({ balance: -950, pending: 0, available: -950 })
    expect((await ask(seller, 100)).body.code).toBe('TOO_MUCH')
    await sell(app, seller)
    expect((await balance(seller)).available).toBe(net - 950)
    await asked(seller, net - 950)
    await settled(app)
    expect(await covered(seller)).toEqual([true, true])
  })

  test('a payout and a refund in the same moment: never more than was there', async () => {
    const { seller } = await ready()
    const [sale] = await db()
      .select()
      .from(payments)
      .where(eq(payments.creatorAccountId, await accountOf(app, seller)))
    const [, answer] = await Promise.all([refundAtProvider(app, sale!.chargeId), ask(seller, net)])
    await settled(app)
    const { balance: now } = await balance(seller)
    // Of a whole refund the card's fee stays.
    expect(now).toBe(answer.status === 200 ? -114 - net : -114)
  })
})

test('a payout goes by PayPal', async () => {
  const seller = await makeSeller(app)
  await sell(app, seller)
  await setUpPaypal(app, seller, 'cleo@example.com')
  const { body } = await ask(seller, 1020)
  expect(body).toMatchObject({ destination: 'cleo@example.com', amount: 1020, fee: 20 })
  await settled(app)
  expect(await rowOf(body.id)).toMatchObject({ status: 'in_transit', transferId: null })
  expect((await balance(seller)).available).toBe(net - 1020)
})

describe('by itself', () => {
  const on = (day: string) =>
    payOutOnSchedule({ _cron: { ts: `${day}T06:27:00.000Z` } }, app.services)

  test('weekly on Mondays, monthly on the first, otherwise never', async () => {
    const schedules = ['manual', 'weekly', 'monthly'] as const
    const sellers: Seller[] = []
    for (const schedule of schedules) {
      const { seller } = await ready()
      await db()
        .update(payoutMethods)
        .set({ schedule })
        .where(eq(payoutMethods.ledgerAccountId, await accountOf(app, seller)))
      sellers.push(seller)
    }
    const counts = async () => {
      await settled(app)
      return Promise.all(sellers.map(async (seller) => (await list(seller)).length))
    }
    await on('2026-11-24')
    expect(await counts()).toEqual([0, 0, 0])
    await on('2026-11-23')
    expect(await counts()).toEqual([0, 1, 0])
    await on('2026-12-01')
    expect(await counts()).toEqual([0, 1, 1])
    expect(await list(sellers[1]!)).toMatchObject([{ isAutomatic: true, amount: net }])
  })

  describe('a payout of the schedule', () => {
    async function monthly() {
      const { seller } = await ready()
      const ledgerAccountId = await accountOf(app, seller)
      const wish = (schedule: 'manual' | 'monthly') =>
        db()
          .update(payoutMethods)
          .set({ schedule })
          .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
      await wish('monthly')
      const waiting = async () => {
        const { rows } = await app.services.pool.query<{ id: string; hours: number }>(
          `select id::text, round(extract(epoch from run_at - now()) / 3600)::int as hours
             from graphile_worker.jobs
            where task_identifier = 'payOutAvailable' and key = 'pay out ' || $1`,
          [ledgerAccountId],
        )
        return rows
      }
      const nextDay = async () => {
        const [job] = await waiting()
        await app.services.pool.query(
          'select graphile_worker.reschedule_jobs(array[$1::bigint], now())',
          [job!.id],
        )
        await settled(app)
      }
      const hours = async () => (await waiting()).map((job) => job.hours)
      return { seller, ledgerAccountId, wish, nextDay, hours }
    }

    test('a payout of the schedule meets another one', async () => {
      const { seller, nextDay, hours } = await monthly()
      const first = await asked(seller, net)
      await sell(app, seller)
      // Once, however often the clock asks.
      for (let times = 0; times < 2; times += 1) {
        await on('2026-12-01')
        await settled(app)
      }
      expect(await hours()).toEqual([24])
      await nextDay()
      expect(await hours()).toEqual([24])
      expect(await list(seller)).toHaveLength(1)
      await arriveAtBank(app, (await rowOf(first)).providerPayoutId!)
      await settled(app)
      await nextDay()
      expect(await list(seller)).toMatchObject([
        { isAutomatic: true, amount: net, status: 'in_transit' },
        { id: first, isAutomatic: false, status: 'paid' },
      ])
      expect(await hours()).toEqual([])
    })

    test('that waits for another one does not come when none is wished any more', async () => {
      const { seller, wish, nextDay, hours } = await monthly()
      const first = await asked(seller, net)
      await settled(app)
      await on('2026-12-01')
      await settled(app)
      await wish('manual')
      await arriveAtBank(app, (await rowOf(first)).providerPayoutId!)
      await sell(app, seller)
      await nextDay()
      expect(await list(seller)).toHaveLength(1)
      expect(await hours()).toEqual([])
    })

    test('that waits for another one comes once, also when its day comes again before', async () => {
      const { seller, hours } = await monthly()
      const first = await asked(seller, net)
      await sell(app, seller)
      await on('2026-12-01')
      await settled(app)
      await arriveAtBank(app, (await rowOf(first)).providerPayoutId!)
      await settled(app)
      await on('2027-01-01')
      await settled(app)
      expect([(await list(seller)).length, await hours()]).toEqual([2, []])
    })

    test('waits while the method is being changed, and not for what nobody is about to mend', async () => {
      const { seller, ledgerAccountId, nextDay, hours } = await monthly()
      await withPayoutMethod(db(), ledgerAccountId, () =>
        payOutAvailable({ ledgerAccountId }, app.services),
      )
      expect([await list(seller), await hours()]).toEqual([[], [24]])
      await nextDay()
      expect(await list(seller)).toMatchObject([{ isAutomatic: true, amount: net }])
      const other = await monthly()
      await setUpPaypal(app, other.seller, 'cleo@example.com')
      await other.wish('monthly')
      const services = { ...app.services, paypal: null }
      await payOutAvailable({ ledgerAccountId: other.ledgerAccountId }, services)
      expect([await list(other.seller), await other.hours()]).toEqual([[], []])
    })
  })

  test('the creator leaves with money pending', async () => {
    const seller = await makeSeller(app)
    await sell(app, seller)
    const late = await sell(app, seller, { isReleased: false })
    const accountId = await setUpBank(app, seller)
    const ledgerAccountId = await accountOf(app, seller)
    const preview = await app.request('/rest/v1/me/deletion', { cookie: seller.cookie })
    expect(preview.body).toMatchObject({ obstacle: null, earningsToGiveUp: null })
    expect(JSON.stringify(preview.body.consequences)).toContain(
      'The $52.82 that you earned are sent to STRIPE TEST BANK •••• 6789',
    )
    const { status } = await leave(seller)
    expect(status).toBe(200)
    await settled(app)
    const own = () =>
      db()
        .select()
        .from(payouts)
        .where(eq(payouts.ledgerAccountId, ledgerAccountId))
        .orderBy(payouts.requestedAt)
    const arrive = async () => {
      await arriveAtBank(app, (await own()).at(-1)!.providerPayoutId!)
      await settled(app)
    }
    expect(await own()).toMatchObject([{ amount: net, isAutomatic: true, status: 'in_transit' }])
    await arrive()
    await db()
      .update(payments)
      .set({ availableAt: sql`now()` })
      .where(eq(payments.id, late.id))
    await releaseFunds(app, late.chargeId)
    await on('2026-11-24')
    await settled(app)
    expect(await own()).toHaveLength(2)
    await arrive()
    await on('2026-11-25')
    await settled(app)
    const methods = () =>
      db().$count(payoutMethods, eq(payoutMethods.ledgerAccountId, ledgerAccountId))
    // The bank may still send it back.
    expect(await methods()).toBe(1)
    await longAgo(ledgerAccountId)
    await on('2026-11-26')
    await settled(app)
    expect(await methods()).toBe(0)
    await expect(app.services.payments.stripe.accounts.retrieve(accountId)).rejects.toThrow()
    expect((await balanceNow(db(), ledgerAccountId)).balance).toBe(0)
  })
})

/** What has arrived does not come back any more. */
const longAgo = (ledgerAccountId: string) =>
  db()
    .update(payouts)
    .set({ endedAt: sql`now() - interval '8 days'` })
    .where(eq(payouts.ledgerAccountId, ledgerAccountId))

const leave = (seller: Seller, more: object = {}) =>
  app.request('/rest/v1/me/deletion', {
    body: { confirmation: 'DELETE', password: 'correct horse', membersCourses: 'keep', ...more },
    cookie: seller.cookie,
  })

describe('who leaves without a way to be paid', () => {
  test('the creator leaves without a way to be paid', async () => {
    const seller = await makeSeller(app)
    await sell(app, seller)
    const ledgerAccountId = await accountOf(app, seller)
    const { body } = await app.request('/rest/v1/me/deletion', { cookie: seller.cookie })
    expect(body).toMatchObject({ obstacle: null, earningsToGiveUp: '$26.41' })
    expect(JSON.stringify(body.consequences)).toContain('unless you set up how you are paid first')
    const refused = await leave(seller)
    expect([refused.status, refused.body.code]).toEqual([409, 'OBSTACLE'])
    expect(refused.body.message).toBe(
      'You have earned $26.41 that were not paid out yet. Set up how you are paid, so that they can be sent to you, or say that you give them up.',
    )
    expect((await leave(seller, { giveUpEarnings: 'on' })).status).toBe(200)
    await settled(app)
    expect((await balanceNow(db(), ledgerAccountId)).balance).toBe(0)
    expect(await db().$count(users, eq(users.id, seller.id))).toBe(0)
  })

  test('the creator leaves with a method that is not ready', async () => {
    const { seller, accountId } = await ready()
    await setAccount(app, accountId, 'paused')
    await settled(app)
    const { body } = await app.request('/rest/v1/me/deletion', { cookie: seller.cookie })
    expect(body.earningsToGiveUp).toBe('$26.41')
    expect(JSON.stringify(body.consequences)).toContain(
      'are lost, unless your payout method is ready first',
    )
    expect((await leave(seller)).body.message).toContain('Stripe has paused payouts to you')
  })

  test('the creator leaves with less than a dollar, or with a debt', async () => {
    const small = await makeSeller(app, 100)
    await sell(app, small)
    const account = await accountOf(app, small)
    const { body } = await app.request('/rest/v1/me/deletion', { cookie: small.cookie })
    expect(body.earningsToGiveUp).toBeNull()
    expect(JSON.stringify(body.consequences)).toContain('less than $1.00 is not paid out')
    expect((await leave(small)).status).toBe(200)
    const { seller: indebted } = await ready()
    const id = await asked(indebted, net)
    await settled(app)
    await arriveAtBank(app, (await rowOf(id)).providerPayoutId!)
    const other = await accountOf(app, indebted)
    const [sale] = await db().select().from(payments).where(eq(payments.creatorAccountId, other))
    await refundAtProvider(app, sale!.chargeId, 500)
    await settled(app)
    await longAgo(other)
    expect((await leave(indebted)).status).toBe(200)
    await settled(app)
    for (const one of [account, other]) {
      expect((await balanceNow(db(), one)).balance).toBe(0)
    }
  })

  /** With a sale that was paid out, and that its buyer’s bank then takes back. */
  async function leftInDispute() {
    const { seller } = await ready()
    // Of this our balance at the provider has enough for the payout, whatever was taken from it before.
    await sell(app, await makeSeller(app))
    const payoutId = await asked(seller, net)
    await settled(app)
    await arriveAtBank(app, (await rowOf(payoutId)).providerPayoutId!)
    const ledgerAccountId = await accountOf(app, seller)
    const [sale] = await db()
      .select()
      .from(payments)
      .where(eq(payments.creatorAccountId, ledgerAccountId))
    const dispute = await disputeAtProvider(app, sale!.chargeId)
    await settled(app)
    await longAgo(ledgerAccountId)
    expect((await leave(seller)).status).toBe(200)
    await settled(app)
    const left = async () => (await balanceNow(db(), ledgerAccountId)).balance
    expect(await left()).toBeLessThan(0)
    /** The bank decides, and the next morning comes. */
    const decided = async (isWon: boolean) => {
      await closeDispute(app, dispute.id, isWon)
      await settled(app)
      await payOutOnSchedule({ _cron: { ts: '2026-11-25T06:27:00.000Z' } }, app.services)
      await settled(app)
    }
    const sent = () => db().$count(payouts, eq(payouts.ledgerAccountId, ledgerAccountId))
    return { left, decided, sent }
  }

  test('with a debt that a bank’s decision makes up for, and is paid nothing twice', async () => {
    const { left, decided, sent } = await leftInDispute()
    await decided(true)
    expect([await left(), await sent()]).toEqual([0, 1])
  })

  test('with a debt that stays, which we bear once the bank has decided', async () => {
    const { left, decided, sent } = await leftInDispute()
    await decided(false)
    expect([await left(), await sent()]).toEqual([0, 1])
  })
})

test('the list has pages, newest first, and nobody else’s', async () => {
  const { seller } = await ready()
  const ledgerAccountId = await accountOf(app, seller)
  const page = (cursor = '') =>
    app.request(`/rest/v1/payouts${cursor && `?cursor=${cursor}`}`, { cookie: seller.cookie })
  for (let count = 0; count < 26; count += 1) {
    // A page that is just full leads nowhere.
    if (count === 25) expect((await page()).body).toMatchObject({ nextCursor: null })
    await db().transaction(async (transaction) => {
      const wanted = { ledgerAccountId, amount: 100, offersPaypal: true }
      const made = await requestPayout(transaction, wanted)
      if ('refused' in made) throw new Error(made.refused)
      await transaction
        .update(payouts)
        .set({ status: 'paid', endedAt: sql`now()` })
        .where(eq(payouts.id, made.id))
    })
  }
  await settled(app)
  const first = (await page()).body
  expect(first.payouts).toHaveLength(25)
  const second = (await page(first.nextCursor)).body
  expect([second.payouts.length, second.nextCursor]).toEqual([1, null])
  const ids = [...first.payouts, ...second.payouts].map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(26)
  const other = await makeSeller(app)
  expect((await app.request('/rest/v1/payouts', { cookie: other.cookie })).body.payouts).toEqual([])
})

test('docs/money.md tells the same', async () => {
  const text = await readFile(new URL('../../../docs/money.md', import.meta.url), 'utf8')
  const own = await readFile(new URL(import.meta.url), 'utf8')
  const rows = text.split('## Payouts')[1]!.split('\n')
  const events = rows
    .filter((line) => /^\| (?!event )\w/.test(line))
    .map((line) => line.split('|')[1]!.trim())
  expect(events).toHaveLength(11)
  for (const event of events) expect(own).toContain(`test('${event}', async`)
})
