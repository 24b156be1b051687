// What can be paid out to the cent, asked for now, by the clock, or by who leaves. No webhook comes after the sales.
import { randomUUID } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import {
  accountOf,
  makeSeller,
  type Seller,
  sell,
  setUpBank,
  setUpPaypal,
} from '../../../test/payee.ts'
import { settled } from '../../../test/settled.ts'
import type { Executor, Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { balanceNow, currency } from '../earnings/balance-now.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import { givenUpEntries } from '../ledger/rules.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { liveEvents } from '../notifications/tables.ts'
import { payments } from '../payments/tables.ts'
import {
  earningsConsequences,
  earningsInTheWay,
  earningsObstacle,
  holdEarnings,
  leaveEarnings,
  settleDeparted,
} from './leave-earnings.ts'
import { payOutAvailable, payOutOnSchedule } from './pay-out-on-schedule.ts'
import { requestPayout } from './request-payout.ts'
import { syncConnectedAccount } from './sync-connected-account.ts'
import { connectedAccounts, payoutMethods, payouts } from './tables.ts'

const here = { offersPaypal: true }

let app: TestApp
/** Paid to a bank, by PayPal, not at all, and with nothing but money that is not there yet. */
let banked: Seller
let byPaypal: Seller
let unpaid: Seller
let early: Seller
beforeAll(async () => {
  app = await startTestApp()
  ;[banked, byPaypal, unpaid, early] = [
    await makeSeller(app),
    await makeSeller(app),
    await makeSeller(app),
    await makeSeller(app),
  ]
  for (const each of [banked, byPaypal, unpaid]) await sell(app, each)
  await sell(app, early, { isReleased: false })
  for (const each of [banked, early]) await setUpBank(app, each)
  await setUpPaypal(app, byPaypal, 'cleo@example.com')
})
afterAll(() => app?.stop())

const db = () => app.services.db

class Undone extends Error {}

/** As if it was done. */
async function asIf<Found>(work: (on: Transaction) => Promise<Found>): Promise<Found> {
  let found: Found
  const doing = db().transaction(async (on) => {
    found = await work(on)
    throw new Undone()
  })
  await doing.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return found!
}

const balance = async (on: Transaction, seller: Seller) =>
  (await balanceNow(on, await accountOf(app, seller))).balance

/** So much is left of what was earned. */
async function leftWith(on: Transaction, seller: Seller, amount: number) {
  const creatorAccountId = await accountOf(app, seller)
  await postTransaction(on, {
    kind: 'given_up',
    source: `a test ${randomUUID()}`,
    occurredAt: new Date(),
    currency,
    creatorAccountId,
    entries: givenUpEntries((await balance(on, seller)) - amount),
  })
}

async function paused(on: Transaction, seller: Seller) {
  await on
    .update(connectedAccounts)
    .set({ payoutsEnabled: false, disabledReason: 'platform_paused' })
    .where(eq(connectedAccounts.ledgerAccountId, await accountOf(app, seller)))
}

async function departed(on: Transaction, seller: Seller) {
  const id = await accountOf(app, seller)
  await on.update(ledgerAccounts).set({ userId: null }).where(eq(ledgerAccounts.id, id))
  return id
}

const methodOf = async (on: Executor, ledgerAccountId: string) =>
  (
    await on.select().from(payoutMethods).where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
  )[0]

/** Jobs that were asked for in this transaction. */
async function jobs(on: Transaction, name: string) {
  const { rows } = await on.execute<{ key: string; payload: object }>(sql`
    select j.key, p.payload
      from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier = ${name} order by j.id`)
  return rows
}

describe('asking', () => {
  const ask = async (on: Transaction, seller: Seller, amount: number | 'all', more: object = {}) =>
    requestPayout(on, {
      ledgerAccountId: await accountOf(app, seller),
      amount,
      offersPaypal: true,
      ...more,
    })

  test('for more than there is: what is left is said to the cent', async () => {
    const wish = (left: number, amount: number) =>
      asIf(async (on) => {
        await leftWith(on, banked, left)
        return ask(on, banked, amount)
      })
    const refused = 'TOO_MUCH'
    expect(await wish(100, 101)).toEqual({ refused, message: 'You can pay out at most $1.00.' })
    expect(await wish(99, 100)).toEqual({
      refused,
      message: 'Only $0.99 can be paid out, and the smallest payout is $1.00.',
    })
    expect(await wish(1, 100)).toMatchObject({ message: expect.stringContaining('Only $0.01') })
    expect(await wish(0, 100)).toEqual({
      refused,
      message: 'There is nothing to pay out at the moment.',
    })
  })

  test('without a way to be paid, or with one that is not offered any more', async () => {
    const ways = { offersPaypal: false }
    expect(await asIf((on) => ask(on, unpaid, 100))).toEqual({ refused: 'NOT_CONNECTED' })
    expect(await asIf((on) => ask(on, byPaypal, 100, ways))).toEqual({
      refused: 'NOT_READY',
      message: 'PayPal is not offered here any more. Set up another way to be paid.',
    })
    expect(await asIf((on) => ask(on, banked, 100, ways))).toMatchObject({ amount: 100 })
  })

  test('a second time, while the first is sent or on its way', async () => {
    for (const status of ['requested', 'in_transit'] as const) {
      const second = await asIf(async (on) => {
        const first = await ask(on, banked, 100)
        expect(first).toMatchObject({ isAutomatic: false, status: 'requested' })
        if ('id' in first) await on.update(payouts).set({ status }).where(eq(payouts.id, first.id))
        return ask(on, banked, 100)
      })
      expect(second).toEqual({ refused: 'PAYOUT_OPEN', isPassing: true })
    }
  })

  test('each payout has its job, and open pages hear of it', async () => {
    await asIf(async (on) => {
      const before = await on.$count(liveEvents)
      const made = [await ask(on, banked, 100), await ask(on, byPaypal, 'all')]
      const ids = made.map((one) => ('id' in one ? one.id : ''))
      expect(await jobs(on, 'sendPayout')).toEqual(
        ids.map((payoutId) => ({ key: `payout ${payoutId}`, payload: { payoutId } })),
      )
      const heard = await on.select().from(liveEvents).orderBy(desc(liveEvents.id)).limit(2)
      expect(heard).toMatchObject(
        [byPaypal, banked].map(({ id }) => ({
          topic: `person:${id}`,
          event: { type: 'earnings' },
        })),
      )
      expect(await on.$count(liveEvents)).toBe(before + 2)
    })
  })

  test('by itself, for who has left, is said to nobody', async () => {
    await asIf(async (on) => {
      const ledgerAccountId = await departed(on, banked)
      const before = await on.$count(liveEvents)
      const wanted = { ledgerAccountId, amount: 'all' as const, offersPaypal: true }
      expect(await requestPayout(on, wanted)).toMatchObject({ status: 'requested' })
      expect(await on.$count(liveEvents)).toBe(before)
    })
  })
})

describe('who leaves', () => {
  const said = (on: Transaction, { id }: Seller) =>
    Promise.all([
      earningsInTheWay(on, id, here),
      earningsObstacle(on, id, here),
      earningsConsequences(on, id, here),
    ] as const)

  test('and has earned nothing is asked nothing, and no job is about it', async () => {
    const stranger = { ...(await makePerson(app.services)), cookie: '', course: null! }
    await asIf(async (on) => {
      expect(await said(on, stranger)).toEqual([null, null, []])
      await leaveEarnings(on, stranger.id, here)
      expect(await jobs(on, 'payOutAvailable')).toEqual([])
    })
  })

  test('with a dollar and no way to be paid gives it up; with a cent less it is lost', async () => {
    await asIf(async (on) => {
      await leftWith(on, unpaid, 100)
      const [inTheWay, obstacle, consequences] = await said(on, unpaid)
      expect(inTheWay).toBe('$1.00')
      expect(obstacle).toContain('You have earned $1.00 that were not paid out yet.')
      const text =
        'The $1.00 that you earned and that were not paid out yet are lost, unless you set up how you are paid first.'
      expect(consequences).toEqual([{ text, stays: false }])
      await leftWith(on, unpaid, 99)
      expect(await said(on, unpaid)).toEqual([
        null,
        null,
        [{ text: expect.stringContaining('$0.99 of your earnings are left'), stays: false }],
      ])
    })
  })

  test('with a dollar and a bank account has it sent there; a debt is no earning', async () => {
    await asIf(async (on) => {
      await leftWith(on, banked, 100)
      const text = expect.stringMatching(/^The \$1\.00 .* sent to STRIPE TEST BANK •••• 6789 /)
      expect(await said(on, banked)).toEqual([null, null, [{ text, stays: true }]])
      await leaveEarnings(on, banked.id, here)
      expect(await balance(on, banked)).toBe(100)
      expect(await methodOf(on, await accountOf(app, banked))).toMatchObject({
        firstName: '',
        lastName: '',
        schedule: 'manual',
      })
    })
    await asIf(async (on) => {
      await leftWith(on, banked, -100)
      expect(await said(on, banked)).toEqual([null, null, []])
    })
  })

  test('while the payout method is not ready, or with less than a dollar, gives up at once', async () => {
    await asIf(async (on) => {
      await paused(on, banked)
      await leaveEarnings(on, banked.id, here)
      expect(await balance(on, banked)).toBe(0)
      await leftWith(on, early, 99)
      await leaveEarnings(on, early.id, here)
      expect(await balance(on, early)).toBe(0)
    })
  })

  test('with a debt keeps it until nothing can come back', async () => {
    for (const isPaused of [false, true]) {
      await asIf(async (on) => {
        if (isPaused) await paused(on, banked)
        await leftWith(on, banked, -100)
        await leaveEarnings(on, banked.id, here)
        expect(await balance(on, banked)).toBe(-100)
        await settleDeparted(on, await departed(on, banked))
        expect(await balance(on, banked)).toBe(0)
      })
    }
  })

  test('leaves no address of PayPal behind but that of a payout on its way', async () => {
    await asIf(async (on) => {
      const ledgerAccountId = await accountOf(app, byPaypal)
      const destination = 'cleo@example.com'
      const payout = { ledgerAccountId, destination, amount: 100, currency }
      const ways = [
        { method: 'paypal', status: 'paid' },
        { method: 'paypal', status: 'failed' },
        { method: 'paypal', status: 'in_transit' },
        { method: 'bank_account', status: 'paid' },
      ] as const
      await on.insert(payouts).values(ways.map((way) => ({ ...payout, ...way })))
      await leaveEarnings(on, byPaypal.id, here)
      const found = await on
        .select()
        .from(payouts)
        .where(eq(payouts.ledgerAccountId, ledgerAccountId))
      const where = ways.map(
        (way) =>
          found.find(({ method, status }) => method === way.method && status === way.status)
            ?.destination,
      )
      expect(where).toEqual(['PayPal', 'PayPal', destination, destination])
    })
  })

  test('is paid out after that, each by a job', async () => {
    await asIf(async (on) => {
      const ids = await Promise.all([banked, byPaypal].map((each) => accountOf(app, each)))
      for (const each of [banked, byPaypal]) await leaveEarnings(on, each.id, here)
      expect(await jobs(on, 'payOutAvailable')).toEqual(
        ids.map((ledgerAccountId) => ({
          key: `pay out ${ledgerAccountId}`,
          payload: { ledgerAccountId },
        })),
      )
    })
  })

  test('is not paid out meanwhile', async () => {
    const ledgerAccountId = await accountOf(app, banked)
    const { rows } = await asIf(async (on) => {
      await holdEarnings(on, banked.id)
      return db().execute(sql`
        select id from ledger_accounts where id = ${ledgerAccountId}
           for no key update skip locked`)
    })
    expect(rows).toEqual([])
    // Nobody has an account before there is something to be paid.
    const { id } = await makePerson(app.services)
    await asIf((on) => holdEarnings(on, id))
  })
})

describe('the account of who has left', () => {
  const isKept = (seller: Seller, work: (on: Transaction) => Promise<unknown>) =>
    asIf(async (on) => {
      await work(on)
      const ledgerAccountId = await accountOf(app, seller)
      await settleDeparted(on, ledgerAccountId)
      return (await methodOf(on, ledgerAccountId)) !== undefined
    })
  const leaves = (seller: Seller, left: number) => (on: Transaction) =>
    departed(on, seller).then(() => leftWith(on, seller, left))

  test('stays open while money may still come or go', async () => {
    expect(await isKept(banked, (on) => leftWith(on, banked, 0))).toBe(true)
    expect(await isKept(banked, leaves(banked, 100))).toBe(true)
    expect(await isKept(early, leaves(early, 50))).toBe(true)
    const onItsWay = async (on: Transaction) => {
      const ledgerAccountId = await departed(on, banked)
      await leftWith(on, banked, 0)
      const payout = { destination: 'A bank', amount: 100, currency, status: 'in_transit' as const }
      await on.insert(payouts).values({ ...payout, ledgerAccountId, method: 'bank_account' })
    }
    expect(await isKept(banked, onItsWay)).toBe(true)
    const arrived = (days: number) => async (on: Transaction) => {
      const ledgerAccountId = await departed(on, banked)
      await leftWith(on, banked, 0)
      const payout = { destination: 'A bank', amount: 100, currency, status: 'paid' as const }
      const endedAt = new Date(Date.now() - days * 24 * 60 * 60 * 1000)
      await on
        .insert(payouts)
        .values({ ...payout, endedAt, ledgerAccountId, method: 'bank_account' })
    }
    expect(await isKept(banked, arrived(6))).toBe(true)
    expect(await isKept(banked, arrived(8))).toBe(false)
    const disputed = async (on: Transaction) => {
      const creatorAccountId = await departed(on, banked)
      await leftWith(on, banked, 0)
      await on
        .update(payments)
        .set({ dispute: 'open' })
        .where(eq(payments.creatorAccountId, creatorAccountId))
    }
    expect(await isKept(banked, disputed)).toBe(true)
  })

  test('is closed with less than a dollar, here and there', async () => {
    await asIf(async (on) => {
      const ids: string[] = []
      for (const each of [banked, early]) {
        const ledgerAccountId = await departed(on, each)
        await leftWith(on, each, 99)
        await on.execute(sql`
          update payments set available_at = now() where creator_account_id = ${ledgerAccountId}`)
        await on
          .update(connectedAccounts)
          .set({ currentlyDue: ['individual.phone'], detailsSubmitted: true, payoutsEnabled: true })
          .where(eq(connectedAccounts.ledgerAccountId, ledgerAccountId))
        await settleDeparted(on, ledgerAccountId)
        expect(await balance(on, each)).toBe(0)
        expect(await methodOf(on, ledgerAccountId)).toBeUndefined()
        const own = eq(connectedAccounts.ledgerAccountId, ledgerAccountId)
        const [closed] = await on.select().from(connectedAccounts).where(own)
        expect(closed).toMatchObject({
          payoutsEnabled: false,
          detailsSubmitted: false,
          currentlyDue: [],
        })
        ids.push(closed!.id)
      }
      expect(await jobs(on, 'deleteConnectedAccount')).toEqual(
        ids.map((accountId) => ({ key: `delete ${accountId}`, payload: { accountId } })),
      )
    })
  })
})

describe('the operator hears of who has left', () => {
  const told = (work: (on: Transaction) => Promise<unknown>, seller = banked) =>
    asIf(async (on) => {
      const error = vi.spyOn(app.services.log, 'error')
      await work(on)
      const ledgerAccountId = await departed(on, seller)
      const services = { ...app.services, db: on as unknown as typeof app.services.db }
      await payOutAvailable({ ledgerAccountId }, services)
      const said = error.mock.calls.map(([about]) => about)
      error.mockRestore()
      return { said, ledgerAccountId }
    })

  test('when the provider does not pay out any more', async () => {
    const { said, ledgerAccountId } = await told((on) => paused(on, banked))
    expect(said).toEqual([
      { ledgerAccountId, problem: expect.stringContaining('Stripe has paused payouts') },
    ])
  })

  test('but not when there is nothing that is worth it, or it is sent', async () => {
    const little = async (on: Transaction) => {
      await paused(on, banked)
      await leftWith(on, banked, 99)
    }
    expect((await told(little)).said).toEqual([])
    const mayComeBack = async (on: Transaction) => {
      await paused(on, banked)
      await leftWith(on, banked, 0)
      const payout = { destination: 'A bank', amount: 100, currency, status: 'paid' as const }
      const ledgerAccountId = await accountOf(app, banked)
      const endedAt = new Date(Date.now() - 24 * 60 * 60 * 1000)
      await on
        .insert(payouts)
        .values({ ...payout, endedAt, ledgerAccountId, method: 'bank_account' })
    }
    expect((await told(mayComeBack)).said).toEqual([])
    const pending = async (on: Transaction) => {
      await paused(on, early)
      await leftWith(on, early, 99)
    }
    expect((await told(pending, early)).said).toEqual([])
    expect((await told(async () => {})).said).toEqual([])
    expect((await told(async () => {}, early)).said).toEqual([])
  })

  test('nor of somebody who is there, and sees it', async () => {
    const error = vi.spyOn(app.services.log, 'error')
    await asIf(async (on) => {
      await paused(on, banked)
      const services = { ...app.services, db: on as unknown as typeof app.services.db }
      await payOutAvailable({ ledgerAccountId: await accountOf(app, banked) }, services)
    })
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })
})

describe('by the clock', () => {
  test('many are paid without holding up what somebody waits for', async () => {
    const priorities = (on: Transaction) =>
      on.execute(sql`
        select task_identifier as name, priority from graphile_worker.jobs
         where task_identifier in ('payOutAvailable', 'sendPayout') order by 1, 2`)
    await asIf(async (on) => {
      const ledgerAccountId = await accountOf(app, banked)
      const own = eq(payoutMethods.ledgerAccountId, ledgerAccountId)
      await on.update(payoutMethods).set({ schedule: 'monthly' }).where(own)
      const services = { ...app.services, db: on as unknown as typeof app.services.db }
      await payOutOnSchedule({ _cron: { ts: '2026-12-01T06:27:00.000Z' } }, services)
      const byClock = {
        ledgerAccountId,
        amount: 'all',
        offersPaypal: true,
        isAutomatic: true,
      } as const
      await requestPayout(on, byClock)
      await requestPayout(on, {
        ledgerAccountId: await accountOf(app, byPaypal),
        amount: 'all',
        offersPaypal: true,
      })
      expect((await priorities(on)).rows).toEqual([
        { name: 'payOutAvailable', priority: 10 },
        { name: 'sendPayout', priority: 0 },
        { name: 'sendPayout', priority: 10 },
      ])
    })
  })

  test('an account that nobody has is not paid', async () => {
    const before = await db().$count(payouts)
    await payOutAvailable({ ledgerAccountId: randomUUID() }, app.services)
    expect(await db().$count(payouts)).toBe(before)
  })

  test('nothing goes by PayPal where that was given up', async () => {
    const { paypal } = app.services
    app.services.paypal = null
    const ledgerAccountId = await accountOf(app, byPaypal)
    await db()
      .update(payoutMethods)
      .set({ schedule: 'weekly' })
      .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
    await payOutAvailable({ ledgerAccountId }, app.services)
    app.services.paypal = paypal
    const own = eq(payouts.ledgerAccountId, ledgerAccountId)
    expect(await db().$count(payouts, own)).toBe(0)
  })

  test('what is missing after somebody has left is borne by us, on any day', async () => {
    const ledgerAccountId = await db().transaction(async (on) => {
      await leftWith(on, unpaid, -100)
      return departed(on, unpaid)
    })
    await payOutOnSchedule({ _cron: { ts: '2026-11-24T06:27:00.000Z' } }, app.services)
    await settled(app)
    expect(await balanceNow(db(), ledgerAccountId)).toMatchObject({ balance: 0 })
  })

  test('a job without a moment is of today, and who is paid stays paid', async () => {
    const ledgerAccountId = await accountOf(app, banked)
    const own = eq(payoutMethods.ledgerAccountId, ledgerAccountId)
    await db().update(payoutMethods).set({ schedule: 'weekly' }).where(own)
    // The day may end meanwhile.
    const days = [new Date().getUTCDay()]
    await payOutOnSchedule({}, app.services)
    days.push(new Date().getUTCDay())
    await settled(app)
    const made = await db().$count(payouts, eq(payouts.ledgerAccountId, ledgerAccountId))
    expect(days.map((day) => (day === 1 ? 1 : 0))).toContain(made)
    await payOutAvailable({ ledgerAccountId }, app.services)
    expect(await db().$count(payoutMethods, own)).toBe(1)
  })
})

describe('who is suspended and leaves', () => {
  async function suspendedSeller() {
    const seller = await makeSeller(app)
    await sell(app, seller)
    const connectedId = await setUpBank(app, seller)
    await db()
      .update(users)
      .set({ suspendedAt: sql`now()` })
      .where(eq(users.id, seller.id))
    return { seller, connectedId, ledgerAccountId: await accountOf(app, seller) }
  }
  const leave = ({ cookie, password }: Seller) =>
    app.request('/rest/v1/me/deletion', {
      cookie,
      body: { password, confirmation: 'DELETE', membersCourses: 'keep' },
    })
  const payoutsOf = (ledgerAccountId: string) =>
    db().select().from(payouts).where(eq(payouts.ledgerAccountId, ledgerAccountId))
  const day = { _cron: { ts: '2026-11-25T06:27:00.000Z' } }

  test('is told that the money is kept, and it is, until the operator lets it go', async () => {
    const { seller, ledgerAccountId, connectedId } = await suspendedSeller()
    const { body } = await app.request('/rest/v1/me/deletion', { cookie: seller.cookie })
    const text =
      'The $26.41 that you earned are kept and not sent, because your account is suspended. Whoever runs this site decides about them; only then can they be sent to STRIPE TEST BANK •••• 6789.'
    expect(body.consequences).toContainEqual({ text, stays: true })
    expect(body.earningsToGiveUp).toBeNull()
    expect((await leave(seller)).body).toEqual({ deleted: true })
    await settled(app)
    await payOutOnSchedule(day, app.services)
    await settled(app)
    expect(await payoutsOf(ledgerAccountId)).toEqual([])
    expect(await balanceNow(db(), ledgerAccountId)).toMatchObject({ balance: 2641 })
    // Not by another bank account that the provider is given on a page of it that was still open, either.
    await db()
      .update(payoutMethods)
      .set({ externalAccountId: 'ba_before' })
      .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
    await syncConnectedAccount(app.services, connectedId)
    await payOutAvailable({ ledgerAccountId }, app.services)
    expect(await payoutsOf(ledgerAccountId)).toEqual([])
    expect((await methodOf(db(), ledgerAccountId))?.problem).toContain('suspended')
    // As docs/operations.md says.
    await db()
      .update(payoutMethods)
      .set({ problem: null })
      .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
    await payOutOnSchedule(day, app.services)
    await settled(app)
    expect(await payoutsOf(ledgerAccountId)).toMatchObject([{ amount: 2641, isAutomatic: true }])
  })

  test('whose way was PayPal, where that is given up, is told that nothing will be sent', async () => {
    const gone = { offersPaypal: false }
    const { id } = byPaypal
    expect(await earningsInTheWay(db(), id, here)).toBeNull()
    const amount = await earningsInTheWay(db(), id, gone)
    expect(amount).toMatch(/^\$/)
    expect(await earningsObstacle(db(), id, gone)).toBe(
      `You have earned ${amount} that were not paid out yet. PayPal is not offered here any more. Set up another way to be paid. Set up how you are paid, so that they can be sent to you, or say that you give them up.`,
    )
    const [said] = await earningsConsequences(db(), id, gone)
    expect(said).toEqual({
      text: `The ${amount} that you earned and that were not paid out yet are lost, unless your payout method is ready first.`,
      stays: false,
    })
  })

  test('gives up what was named, not what was earned since', async () => {
    const seller = await makeSeller(app)
    await sell(app, seller)
    const asked = (more: object) =>
      app.request('/rest/v1/me/deletion', {
        cookie: seller.cookie,
        body: {
          password: seller.password,
          confirmation: 'DELETE',
          membersCourses: 'keep',
          giveUpEarnings: true,
          ...more,
        },
      })
    const { body: told } = await app.request('/rest/v1/me/deletion', { cookie: seller.cookie })
    expect(told).toMatchObject({ earningsToGiveUp: '$26.41', isSuspended: false })
    await sell(app, seller)
    const late = await asked({ earningsGivenUp: told.earningsToGiveUp })
    expect([late.status, late.body.message]).toEqual([
      409,
      'You have earned $52.82 by now that were not paid out yet. Please say again that you give them up.',
    ])
    expect((await asked({ earningsGivenUp: '$52.82' })).status).toBe(200)
  })

  test('is not sent to set up what cannot be set up meanwhile', async () => {
    const seller = await makeSeller(app)
    await sell(app, seller)
    await db()
      .update(users)
      .set({ suspendedAt: sql`now()` })
      .where(eq(users.id, seller.id))
    const { body: told } = await app.request('/rest/v1/me/deletion', { cookie: seller.cookie })
    expect(told).toMatchObject({ earningsToGiveUp: '$26.41', isSuspended: true })
    expect(told.consequences).toContainEqual({
      text: 'The $26.41 that you earned and that were not paid out yet are lost, unless you wait until your account is not suspended any more.',
      stays: false,
    })
    const { status, body } = await leave(seller)
    expect([status, body.message]).toEqual([
      409,
      'You have earned $26.41 that were not paid out yet. While your account is suspended nothing can be set up to send them: wait until that is over, or say that you give them up.',
    ])
  })
})
