// Which money a database has, and what starts on it with other keys.
import { execFile } from 'node:child_process'
import { Writable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { copyOfTemplate } from '../../../test/database-copy.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { makePayment, makePurchase, makeSoldCourse } from '../../../test/sold-course.ts'
import { jobs } from '../../jobs.ts'
import { openDatabase } from '../../server/db.ts'
import { createLog } from '../../server/log.ts'
import type { Services } from '../../server/services.ts'
import { planOf } from '../billing/plan.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { payoutMethods, payouts } from '../payouts/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { paymentEvents, payments, paymentProvider } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const live = 'sk_live_x'
const testing = 'sk_test_x'

/** Whether a node of these keys starts on the database, and what it says where it does not. */
async function starts(STRIPE_SECRET_KEY = '', DATABASE_URL = app.databaseUrl) {
  const node = await startTestApp({ DATABASE_URL, STRIPE_SECRET_KEY, JOBS: 'off' }).catch(
    (error: Error) => error.message,
  )
  if (typeof node === 'string') return node
  await node.stop()
  return 'it starts'
}

const modeOf = async () => (await db().select().from(paymentProvider))[0]!.mode
const set = (mode: (typeof paymentProvider.$inferInsert)['mode']) =>
  db().update(paymentProvider).set({ mode })

async function somePayment() {
  const sold = await makeSoldCourse(app.services)
  return makePayment(app.services, await makePurchase(app.services, sold))
}

async function someAccount() {
  const { id } = await makePerson(app.services)
  return db().transaction((transaction) => creatorAccount(transaction, id))
}

/** What is there of money, each alone; answers with how to take it away. */
const money: Record<string, () => Promise<() => Promise<unknown>>> = {
  'a payment': async () => {
    const { id } = await somePayment()
    return () => db().delete(payments).where(eq(payments.id, id))
  },
  Pro: async () => {
    const { id: userId } = await makePerson(app.services)
    const row = {
      customerId: 'cus_x',
      plan: 'annual',
      status: 'active',
      startedAt: new Date(),
    } as const
    await db()
      .insert(planSubscriptions)
      .values({ id: 'sub_x', userId, ...row })
    return () => db().delete(planSubscriptions)
  },
  'a payout method': async () => {
    await app.services.pool.query(
      `insert into payout_methods (ledger_account_id, method, account_type, first_name, last_name, paypal_email)
       values ($1, 'paypal', 'individual', 'Ada', 'Long', 'ada@example.com')`,
      [await someAccount()],
    )
    return () => db().delete(payoutMethods)
  },
  'a payout': async () => {
    await app.services.pool.query(
      `insert into payouts (ledger_account_id, method, destination, amount, fee, currency)
       values ($1, 'paypal', 'ada@example.com', 2000, 0, 'usd')`,
      [await someAccount()],
    )
    return () => db().delete(payouts)
  },
}

const refusals = {
  sandbox:
    /^The money in this database is of the sandbox, but STRIPE_SECRET_KEY is a live key: .*\nLeave STRIPE_SECRET_KEY out again, or use another database\. .*npm run payment-mode -- live/,
  test: /^The money in this database is of Stripe’s test mode, but STRIPE_SECRET_KEY is a live key: .*\nSet the test key again, /,
  live: /^The money in this database is real, but there is no STRIPE_SECRET_KEY: .*\nSet the live key again, .*payment-mode -- sandbox/,
}

describe('a database', () => {
  test('remembers from its first start which money it has', async () => {
    expect(await modeOf()).toBe('sandbox')
  })

  test('without any money takes other keys', async () => {
    for (const [key, mode] of [
      [testing, 'test'],
      [live, 'live'],
      ['', 'sandbox'],
    ] as const) {
      expect(await starts(key)).toBe('it starts')
      expect(await modeOf()).toBe(mode)
    }
  })

  test.each(Object.keys(money))('with %s of the sandbox takes no live key', async (what) => {
    const takeAway = await money[what]!()
    expect(await starts(live)).toMatch(refusals.sandbox)
    expect(await modeOf()).toBe('sandbox')
    expect(await starts()).toBe('it starts')
    await takeAway()
    expect(await starts(live)).toBe('it starts')
    await set('sandbox')
  })

  test('with money of one mode takes the keys of no other', async () => {
    const { id } = await somePayment()
    await set('test')
    expect(await starts(live)).toMatch(refusals.test)
    expect(await starts(testing)).toBe('it starts')
    await set('live')
    // As where the file with the keys was lost.
    expect(await starts()).toMatch(refusals.live)
    expect(await starts(testing)).toMatch(/but STRIPE_SECRET_KEY is a test key/)
    expect(await starts('rk_live_x')).toBe('it starts')
    await set('sandbox')
    await db().delete(payments).where(eq(payments.id, id))
  })

  test('from before this was kept goes on as it starts', async () => {
    const { id } = await somePayment()
    await set(null)
    expect(await starts(live)).toBe('it starts')
    expect(await modeOf()).toBe('live')
    expect(await starts()).toMatch(refusals.live)
    await set('sandbox')
    await db().delete(payments).where(eq(payments.id, id))
  })

  test('from before this was kept is not the sandbox’s when its payments are not, and the other way round', async () => {
    const { id, chargeId } = await somePayment()
    await set(null)
    expect(await starts()).toMatch(
      /^The money in this database is not of the sandbox, but there is no STRIPE_SECRET_KEY: .*\nSet STRIPE_SECRET_KEY again, .*payment-mode -- sandbox/,
    )
    expect(await modeOf()).toBeNull()
    await app.services.pool.query(
      `insert into stripe_sandbox.objects (id, object, created, links, data) values ($1, 'charge', 0, '{}', '{}')`,
      [chargeId],
    )
    expect(await starts(live)).toMatch(refusals.sandbox)
    expect(await modeOf()).toBeNull()
    expect(await starts()).toBe('it starts')
    expect(await modeOf()).toBe('sandbox')
    await app.services.pool.query('delete from stripe_sandbox.objects where id = $1', [chargeId])
    await db().delete(payments).where(eq(payments.id, id))
  })

  test('on which two nodes of other keys start at once, with money, takes one of them', async () => {
    const { id } = await somePayment()
    await set(null)
    const said = await Promise.all([starts(live), starts(), starts(live), starts()])
    const refused = expect.stringMatching(/^The money in this database/)
    const [withKey, without] =
      (await modeOf()) === 'live' ? ['it starts', refused] : [refused, 'it starts']
    expect(said).toEqual([withKey, without, withKey, without])
    await set('sandbox')
    await db().delete(payments).where(eq(payments.id, id))
  })

  test('on which nodes of the same keys start at once takes all of them', async () => {
    const DATABASE_URL = await copyOfTemplate()
    expect(await Promise.all([1, 2, 3].map(() => starts('', DATABASE_URL)))).toEqual(
      [1, 2, 3].map(() => 'it starts'),
    )
    const { db: fresh, pool } = openDatabase(DATABASE_URL, createLog('silent'))
    expect(await fresh.select().from(paymentProvider)).toMatchObject([{ mode: 'sandbox' }])
    await pool.end()
  })
})

test('a start says in the log in which mode payments are made', async () => {
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const node = await startTestApp(
    { DATABASE_URL: app.databaseUrl, JOBS: 'off' },
    createLog('info', { to }),
  )
  await node.stop()
  expect(lines.join('')).toContain('payments are made in the sandbox: no money moves')
})

describe('a node that was started before with other keys', () => {
  afterEach(() => set('sandbox'))

  test('sells nothing more', async () => {
    const { buyer, course } = await makeSoldCourse(app.services)
    const cookie = await sessionCookieOf(app.services, buyer.id)
    const buy = async () =>
      (
        await app.request('/functions/v1/course-checkout', {
          body: { course_id: course.id },
          cookie,
        })
      ).status
    await set('live')
    expect(await buy()).toBe(500)
    await set('sandbox')
    expect(await buy()).toBe(200)
  })

  test('gives Pro away no more', async () => {
    const { id } = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, id)
    const upgrade = async () =>
      (await app.request('/rest/v1/billing/demo-upgrade', { body: { plan: 'monthly' }, cookie }))
        .status
    await set('live')
    expect(await upgrade()).toBe(500)
    expect(await planOf(db(), id)).toBe('free')
    await set('sandbox')
    expect(await upgrade()).toBe(200)
    expect(await planOf(db(), id)).toBe('pro')
  })

  test('ends nothing that its provider does not know', async () => {
    const sold = await makeSoldCourse(app.services)
    const cookie = await sessionCookieOf(app.services, sold.buyer.id)
    const { id } = await makePurchase(app.services, sold, { subscriptionId: 'sub_live' })
    await db().insert(planSubscriptions).values({
      id: 'sub_live_plan',
      userId: sold.buyer.id,
      customerId: 'cus_live',
      plan: 'annual',
      status: 'active',
      startedAt: new Date(),
    })
    await set('live')
    const calls = [
      `/rest/v1/purchases/${id}/cancel`,
      `/rest/v1/purchases/${id}/resume`,
      '/rest/v1/billing/subscription/cancel',
      '/rest/v1/billing/subscription/reactivate',
    ]
    for (const path of calls) {
      expect((await app.request(path, { method: 'POST', cookie })).status).toBe(500)
    }
    const [purchase] = await db().select().from(purchases).where(eq(purchases.id, id))
    expect(purchase).toMatchObject({ status: 'active' })
    expect(await planOf(db(), sold.buyer.id)).toBe('pro')
    await db().delete(planSubscriptions).where(eq(planSubscriptions.id, 'sub_live_plan'))
  })

  test('keeps no account of its provider as where a creator is paid', async () => {
    const { id } = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, id)
    const given = {
      method: 'paypal',
      paypalEmail: 'ada@example.com',
      accountType: 'individual',
      firstName: 'Ada',
      lastName: 'Long',
    }
    const connect = async () =>
      (await app.request('/rest/v1/payout-setup', { method: 'PUT', body: given, cookie })).status
    const before = await db().$count(payoutMethods)
    await set('live')
    expect(await connect()).toBe(500)
    expect(
      (await app.request('/rest/v1/payout-setup/onboarding', { method: 'POST', cookie })).status,
    ).toBe(500)
    expect(await db().$count(payoutMethods)).toBe(before)
    await set('sandbox')
    expect(await connect()).toBe(200)
  })

  test('leaves what the provider told to the others', async () => {
    await db().insert(paymentEvents).values({
      id: 'evt_live',
      type: 'checkout.session.completed',
      objectId: 'cs_live_1',
      occurredAt: new Date(),
      source: 'webhook',
    })
    const work = () => jobs.applyPaymentEvent({ eventId: 'evt_live' }, app.services)
    const isIt = eq(paymentEvents.id, 'evt_live')
    const status = async () => (await db().select().from(paymentEvents).where(isIt))[0]!.status
    await set('live')
    await expect(work()).rejects.toThrow(/^this node takes sandbox payments, but .* restart it$/)
    expect(await status()).toBe('waiting')
    await set('sandbox')
    await work()
    expect(await status()).toBe('ignored')
  })

  test.each([
    'closeCheckouts',
    'reconcilePayments',
    'cancelSubscription',
    'refundCharge',
    'refundSale',
    'payBack',
    'tellCustomer',
    'deleteCustomer',
    'checkConnectedAccounts',
    'sendPayout',
    'followPayouts',
    'payOutOnSchedule',
    'payOutAvailable',
    'deleteConnectedAccount',
  ] as const)('leaves the job %s to the others', async (name) => {
    await set('live')
    const job: (payload: never, services: Services) => Promise<void> = jobs[name]
    await expect(job({} as never, app.services)).rejects.toThrow(/restart it$/)
  })
})

/** npm run payment-mode, as a process of its own. */
function command(mode: string) {
  const { dataDir } = app.services.config
  const env = { PATH: process.env.PATH, DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir }
  const typed = ['src/operation/command.ts', 'payment-mode', mode]
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, typed, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: (stdout + stderr).trim() }),
    )
  })
}

test('the operator can say that a database with money is used in another mode', async () => {
  await somePayment()
  expect(await starts(live)).toMatch(refusals.sandbox)
  expect(await command('live')).toEqual({
    code: 0,
    said: 'The payment mode of this database is live; it was sandbox.\nRestart every Thunder on it, with the keys of that mode. Balances are paid out in it.',
  })
  expect(await starts(live)).toBe('it starts')
  expect(await starts()).toMatch(refusals.live)
  expect(await modeOf()).toBe('live')
  await set('sandbox')
}, 120_000)
