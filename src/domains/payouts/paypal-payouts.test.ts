// Being paid through PayPal, from a sale to the money's arrival or return, through both sandboxes.
import { and, desc, eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import {
  completeAtPayPal,
  failAtPayPal,
  paypalBatches,
  paypalSwitches,
  returnUnclaimed,
} from '../../../test/paypal-sandbox.ts'
import { payHere, releaseFunds } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { courses } from '../courses/tables.ts'
import { earningsOf } from '../earnings/earnings-of.ts'
import { statementOf } from '../earnings/statement.ts'
import { checkLedger, ledgerDifferences } from '../ledger/check-ledger.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import { givenUpEntries, payoutEntries } from '../ledger/rules.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { payments } from '../payments/tables.ts'
import { followArrived, followPayouts } from './follow-payouts.ts'
import { payOutAvailable } from './pay-out-on-schedule.ts'
import { enqueueSending } from './request-payout.ts'
import { markPaid } from './settle-payout.ts'
import { payouts } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await paypalSwitches(app, { apiStatus: 0, losesAnswers: false, isEmpty: false })
})
afterAll(async () => {
  if (!app) return
  await checkLedger(app.services)
  await app.stop()
})

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

/** Who sold a course for $100, whose money is there. */
async function earner(): Promise<Someone> {
  const creator = await someone()
  await sell(creator)
  return creator
}

async function sell(creator: Someone) {
  const buyer = await someone()
  const course = await makeCourse(app.services, creator)
  await app.services.db
    .update(courses)
    .set({ pricingType: 'one_time', priceAmount: 10_000 })
    .where(eq(courses.id, course.id))
  const { body } = await app.request('/functions/v1/course-checkout', {
    body: { course_id: course.id },
    cookie: buyer.cookie,
  })
  await payHere(app, body.url)
  await settled(app)
  const [payment] = await app.services.db
    .select({ chargeId: payments.chargeId })
    .from(payments)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, payments.creatorAccountId))
    .where(eq(ledgerAccounts.userId, creator.id))
    .orderBy(desc(payments.id))
  await releaseFunds(app, payment!.chargeId)
  await settled(app)
}

const setUp = (creator: Someone, paypalEmail: string) =>
  app.request('/rest/v1/payout-setup', {
    method: 'PUT',
    body: {
      method: 'paypal',
      accountType: 'individual',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: '',
      paypalEmail,
    },
    cookie: creator.cookie,
  })

const askFor = (creator: Someone, amount: number) =>
  app.request('/rest/v1/payouts', { body: { amount }, cookie: creator.cookie })

const available = async (creator: Someone) =>
  (await earningsOf(app.services.db, creator.id)).available

async function payoutById(id: string) {
  const [row] = await app.services.db.select().from(payouts).where(eq(payouts.id, id))
  return row!
}

/** Until the job has done what it can. */
const becomes = (id: string, status: string) =>
  expect.poll(async () => (await payoutById(id)).status).toBe(status)

/** It is time to ask PayPal about it. */
async function follow(id: string) {
  await app.services.db
    .update(payouts)
    .set({ checkedAt: new Date(Date.now() - 2 * 3_600_000), sentAt: new Date(0) })
    .where(eq(payouts.id, id))
  await followPayouts(app.services)
}

async function told(creator: Someone, kind: 'payout_paid' | 'payout_failed' | 'payout_attention') {
  const own = and(eq(notifications.userId, creator.id), eq(notifications.kind, kind))
  return app.services.db.select().from(notifications).where(own)
}

test('PayPal’s 2 % are borne by the creator: what arrives is the rest', async () => {
  const creator = await earner()
  expect(await setUp(creator, 'ada@example.com')).toMatchObject({
    status: 200,
    body: { standing: 'ready', offersPaypal: true, method: { paypalEmail: 'ada@example.com' } },
  })
  const before = await available(creator)
  const { status, body: payout } = await askFor(creator, 5_100)
  expect(status).toBe(200)
  expect(payout).toMatchObject({ amount: 5_100, fee: 100, destination: 'ada@example.com' })
  expect(await available(creator)).toBe(before - 5_100)
  await becomes(payout.id, 'in_transit')
  const [batch] = await paypalBatches(app)
  expect(batch).toMatchObject({
    header: { sender_batch_id: payout.id },
    items: [{ sent: { receiver: 'ada@example.com', amount: { value: '50.00', currency: 'USD' } } }],
  })
  await follow(payout.id)
  expect((await payoutById(payout.id)).status).toBe('in_transit')
  await follow(payout.id)
  expect((await payoutById(payout.id)).status).toBe('paid')
  expect(await told(creator, 'payout_paid')).toHaveLength(1)
})

test('sent although the answer was lost: one batch, and it arrives', async () => {
  const creator = await earner()
  await setUp(creator, 'grace@example.com')
  await paypalSwitches(app, { losesAnswers: true })
  const { body: payout } = await askFor(creator, 1_000)
  const sent = async () =>
    (await paypalBatches(app)).filter(({ header }) => header.sender_batch_id === payout.id)
  await expect.poll(sent).toHaveLength(1)
  expect((await payoutById(payout.id)).status).toBe('requested')
  await paypalSwitches(app, { losesAnswers: false })
  // The job's next try is there in some seconds; this one is at once.
  await app.services.pool.query(
    `update graphile_worker._private_jobs set run_at = now() where key = $1 and locked_at is null`,
    [`payout ${payout.id}`],
  )
  await becomes(payout.id, 'in_transit')
  expect(await sent()).toHaveLength(1)
})

/** As if all of it had been earned in courses. */
async function rich(cents = 3_000_000) {
  const creator = await earner()
  await setUp(creator, 'rich@example.com')
  const { db } = app.services
  const [account] = await db
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, creator.id))
  const id = randomUUID()
  // What was given up is the other way round a present.
  await db.transaction((transaction) =>
    postTransaction(transaction, {
      kind: 'given_up',
      source: `given up ${id}`,
      occurredAt: new Date(),
      currency: 'usd',
      creatorAccountId: account!.id,
      entries: givenUpEntries(-cents),
    }),
  )
  return { creator, ledgerAccountId: account!.id }
}

describe('more than PayPal sends at once', () => {
  test('is refused in words, up to there it goes', async () => {
    const { creator } = await rich()
    expect(await askFor(creator, 2_040_001)).toMatchObject({
      status: 422,
      body: {
        code: 'TOO_MUCH',
        message:
          'You can pay out at most $20,400.00 at once. PayPal sends $20,000.00 at most, and the rest is for its fee.',
      },
    })
    const { body: payout } = await askFor(creator, 2_040_000)
    expect(payout).toMatchObject({ amount: 2_040_000, fee: 40_000 })
    await becomes(payout.id, 'in_transit')
    const [batch] = await paypalBatches(app)
    expect(batch!.items).toMatchObject([{ sent: { amount: { value: '20000.00' } } }])
  })

  test('is paid out by itself in parts', async () => {
    const { creator, ledgerAccountId } = await rich()
    await app.request('/rest/v1/payout-setup/schedule', {
      method: 'PATCH',
      body: { schedule: 'weekly' },
      cookie: creator.cookie,
    })
    const before = await available(creator)
    await payOutAvailable({ ledgerAccountId }, app.services)
    expect(await available(creator)).toBe(before - 2_040_000)
  })

  /** By a version without the limit. */
  async function askedForBefore() {
    const { creator, ledgerAccountId } = await rich()
    const before = await available(creator)
    const of = { amount: 2_550_000, fee: 50_000, currency: 'usd' }
    const ask = () =>
      app.services.db.transaction(async (transaction) => {
        const [row] = await transaction
          .insert(payouts)
          .values({ ledgerAccountId, method: 'paypal', destination: 'rich@example.com', ...of })
          .returning()
        await postTransaction(transaction, {
          kind: 'payout',
          source: `payout ${row!.id}`,
          payoutId: row!.id,
          occurredAt: new Date(),
          currency: 'usd',
          creatorAccountId: ledgerAccountId,
          entries: payoutEntries('paypal', of),
        })
        await enqueueSending(transaction, row!.id)
        return row!
      })
    return { creator, before, ask }
  }

  test('and was asked for before there was a limit, comes back and is asked for in parts', async () => {
    const { creator, before, ask } = await askedForBefore()
    const payout = await ask()
    await becomes(payout.id, 'failed')
    const failure = 'PayPal sends $20,000.00 at most at once: ask for it in parts.'
    expect((await payoutById(payout.id)).failure).toBe(failure)
    expect(await available(creator)).toBe(before)
    const [notice] = await told(creator, 'payout_failed')
    expect(notice!.message).toContain(`${failure} The money is in your balance again.`)
    expect((await askFor(creator, 2_040_000)).status).toBe(200)
  })

  const payoutsPath = '/v1/payments/payouts'
  const linkOf = (path: string) => ({
    name: 'USER_BUSINESS_ERROR',
    details: [{ field: 'SENDER_BATCH_ID', link: [{ href: `https://paypal.example${path}` }] }],
  })
  test.each<[string, Record<string, [number, object]>]>([
    [
      'says that it has it already, and not where',
      { [payoutsPath]: [400, { name: 'USER_BUSINESS_ERROR' }] },
    ],
    [
      'leads to what it does not show',
      {
        [payoutsPath]: [400, linkOf(`${payoutsPath}/SENT`)],
        [`${payoutsPath}/SENT`]: [
          400,
          { name: 'VALIDATION_ERROR', details: [{ field: 'items[0].amount' }] },
        ],
      },
    ],
    [
      'does not know our keys any more',
      {
        [payoutsPath]: [401, { error: 'invalid_token' }],
        '/v1/oauth2/token': [401, { error: 'invalid_client' }],
      },
    ],
    ['does not let us pay out', { [payoutsPath]: [403, { name: 'AUTHORIZATION_ERROR' }] }],
    ['finds too little money', { [payoutsPath]: [422, { name: 'INSUFFICIENT_FUNDS' }] }],
  ])('and may have been sent before, waits while PayPal %s', async (_, answers) => {
    const { creator, before, ask } = await askedForBefore()
    const { fetch: real } = globalThis
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...asked) => {
      const answer = answers[new URL(String(asked[0])).pathname]
      return answer ? Response.json(answer[1], { status: answer[0] }) : real(...asked)
    })
    const payout = await ask()
    const triedAt = async () => (await payoutById(payout.id)).checkedAt
    await expect.poll(triedAt).not.toEqual(payout.checkedAt)
    expect(await payoutById(payout.id)).toMatchObject({ status: 'requested', failure: null })
    expect(await available(creator)).toBe(before - 2_550_000)
    expect(await told(creator, 'payout_failed')).toEqual([])
  })

  test('PayPal does not take', async () => {
    await expect(
      app.services.paypal!.sendPayout({
        payoutId: randomUUID(),
        email: 'rich@example.com',
        amount: 2_000_001,
        currency: 'usd',
        note: 'Too much',
      }),
    ).rejects.toThrow('VALIDATION_ERROR')
  })
})

test('what PayPal did not keep of its 2 % is the creator’s again, once', async () => {
  const { creator } = await rich()
  const before = await available(creator)
  const { body: payout } = await askFor(creator, 510_000)
  expect(payout).toMatchObject({ amount: 510_000, fee: 10_000 })
  await becomes(payout.id, 'in_transit')
  for (let look = 0; look < 3; look++) await follow(payout.id)
  // $5,000.00 arrived, and PayPal kept $20.00.
  expect(await payoutById(payout.id)).toMatchObject({ status: 'paid', amount: 502_000, fee: 2_000 })
  expect(await available(creator)).toBe(before - 502_000)
  const [notice] = await told(creator, 'payout_paid')
  expect(notice!.message).toBe(
    '$5,000.00 has arrived at rich@example.com. PayPal kept $80.00 less than expected; it is in your balance again. Test mode: no money moved.',
  )
  const { rows } = await app.services.pool.query(
    `select a.kind, sum(e.amount)::int as amount from ledger_entries e
       join ledger_accounts a on a.id = e.account_id
       join ledger_transactions t on t.id = e.transaction_id
      where t.payout_id = $1 group by a.kind order by a.kind`,
    [payout.id],
  )
  expect(rows).toEqual([
    { kind: 'creator', amount: 502_000 },
    { kind: 'paypal', amount: -502_000 },
  ])
  const month = (await payoutById(payout.id)).endedAt!.toISOString().slice(0, 7)
  const statement = await statementOf(app.services.db, creator.id, month)
  expect(statement!.sums).toMatchObject({ paidOut: 500_000, payoutFee: 2_000 })
  expect(statement!.lines.map(({ what, left }) => [what, left])).toContainEqual([
    'Fee that PayPal did not keep: payout to rich@example.com',
    8_000,
  ])

  // What comes back later is all that it took in the end.
  await failAtPayPal(app, (await payoutById(payout.id)).providerPayoutId!, 'REVERSED')
  await app.services.db
    .update(payouts)
    .set({ checkedAt: new Date(0) })
    .where(eq(payouts.id, payout.id))
  await followArrived(app.services)
  expect((await payoutById(payout.id)).status).toBe('failed')
  expect(await available(creator)).toBe(before)
  const found = await ledgerDifferences(app.services.db)
  expect(Object.values(found).flat()).toEqual([])
})

test('a fee of which PayPal says later that it kept less is the creator’s again, once', async () => {
  const { creator } = await rich()
  const before = await available(creator)
  const { body: payout } = await askFor(creator, 510_000)
  await becomes(payout.id, 'in_transit')
  const sent = await payoutById(payout.id)
  await completeAtPayPal(app, sent.providerPayoutId!)
  // As by a version that did not ask.
  await markPaid(app.services.db, sent)
  expect(await payoutById(payout.id)).toMatchObject({ status: 'paid', fee: 10_000 })
  for (let look = 0; look < 3; look += 1) {
    await app.services.db
      .update(payouts)
      .set({ checkedAt: new Date(0) })
      .where(eq(payouts.id, payout.id))
    await followArrived(app.services)
  }
  const now = await payoutById(payout.id)
  expect(now).toMatchObject({ status: 'paid', amount: 502_000, fee: 2_000 })
  expect(await available(creator)).toBe(before - 502_000)
  const notices = await told(creator, 'payout_paid')
  expect(notices.map(({ title }) => title).toSorted()).toEqual([
    'A Fee Was Lower',
    'Payout Arrived',
  ])
  expect(Object.values(await ledgerDifferences(app.services.db)).flat()).toEqual([])
})

test('a fee that comes back is left of the newest sale, which is not paid out as a whole then', async () => {
  const { creator } = await rich(600_000)
  await sell(creator)
  const { body: payout } = await askFor(creator, await available(creator))
  await becomes(payout.id, 'in_transit')
  const sent = await payoutById(payout.id)
  await completeAtPayPal(app, sent.providerPayoutId!)
  await markPaid(app.services.db, sent)
  const { coversPaymentId } = await payoutById(payout.id)
  expect(coversPaymentId).not.toBeNull()
  await app.services.db
    .update(payouts)
    .set({ checkedAt: new Date(0) })
    .where(eq(payouts.id, payout.id))
  await followArrived(app.services)
  expect(await available(creator)).toBeGreaterThan(0)
  expect((await payoutById(payout.id)).coversPaymentId).not.toBe(coversPaymentId)
})

test('a fee that comes back after another payout belongs to the newest sale, and changes no older payout', async () => {
  const { creator } = await rich(600_000)
  const { body: first } = await askFor(creator, 510_000)
  await becomes(first.id, 'in_transit')
  const sent = await payoutById(first.id)
  await completeAtPayPal(app, sent.providerPayoutId!)
  await markPaid(app.services.db, sent)
  await sell(creator)
  const { body: second } = await askFor(creator, await available(creator))
  await becomes(second.id, 'in_transit')
  const covers = async () => ({
    first: (await payoutById(first.id)).coversPaymentId,
    second: (await payoutById(second.id)).coversPaymentId,
  })
  const before = await covers()
  await app.services.db
    .update(payouts)
    .set({ checkedAt: new Date(0) })
    .where(eq(payouts.id, first.id))
  await followArrived(app.services)
  expect(await payoutById(first.id)).toMatchObject({ fee: 2_000 })
  expect(await available(creator)).toBe(8_000)
  const after = await covers()
  expect(after.first).toBe(before.first)
  // The newest sale is not paid out: it is what is left in the balance.
  expect(after.second).not.toBe(before.second)
})

test('not our creator’s fault: it waits, and goes when there is money', async () => {
  const creator = await earner()
  await setUp(creator, 'ida@example.com')
  const before = await available(creator)
  await paypalSwitches(app, { isEmpty: true })
  const { body: payout } = await askFor(creator, 1_000)
  await expect
    .poll(async () => {
      const { checkedAt, requestedAt } = await payoutById(payout.id)
      return checkedAt > requestedAt
    })
    .toBe(true)
  // Also the job itself: what one is about is not followed.
  await settled(app)
  expect(await payoutById(payout.id)).toMatchObject({ status: 'requested', failure: null })
  expect(await available(creator)).toBe(before - 1_000)
  await paypalSwitches(app, { isEmpty: false })
  await follow(payout.id)
  await becomes(payout.id, 'in_transit')
})

test.each([
  ['is refused at once', 'ada+refuse@example.com', 'There is no PayPal account with this address.'],
  ['is locked', 'ada+locked@example.com', 'PayPal has locked the account of this address.'],
])('an address that %s: the money is back, and another one is asked for', async (...given) => {
  const [, email, reason] = given
  const creator = await earner()
  await setUp(creator, email)
  const before = await available(creator)
  const { body: payout } = await askFor(creator, 2_000)
  if (email.includes('locked')) {
    await becomes(payout.id, 'in_transit')
    await follow(payout.id)
    await follow(payout.id)
  }
  await becomes(payout.id, 'failed')
  expect((await payoutById(payout.id)).failure).toBe(reason)
  expect(await available(creator)).toBe(before)
  const [notice] = await told(creator, 'payout_failed')
  expect(notice?.message).toContain(reason)
  expect(await askFor(creator, 2_000)).toMatchObject({ status: 409, body: { code: 'NOT_READY' } })
  expect((await setUp(creator, 'ada@example.com')).body.standing).toBe('ready')
  const again = await askFor(creator, 2_000)
  expect(again.status).toBe(200)
  await becomes(again.body.id, 'in_transit')
})

test('that nobody claims: the creator is told once, and takes it back', async () => {
  const creator = await earner()
  await setUp(creator, 'ada+unclaimed@example.com')
  const before = await available(creator)
  const takeBack = (id: string, { cookie }: Someone = creator) =>
    app.request(`/rest/v1/payouts/${id}/take-back`, { method: 'POST', cookie })
  const { body: payout } = await askFor(creator, 3_000)
  await becomes(payout.id, 'in_transit')
  expect(await takeBack(payout.id)).toMatchObject({ status: 409, body: { code: 'NOT_UNCLAIMED' } })
  for (let look = 0; look < 4; look++) await follow(payout.id)
  const words = 'Nobody has claimed it at PayPal: the address may be wrong'
  const notices = await told(creator, 'payout_attention')
  const unclaimed = notices.filter(({ title }) => title === 'Payout Not Claimed')
  expect(unclaimed.map(({ message }) => message)).toEqual([expect.stringContaining(words)])
  const { body: list } = await app.request('/rest/v1/payouts', { cookie: creator.cookie })
  expect(list.payouts).toMatchObject([
    { status: 'in_transit', failure: expect.stringContaining(words) },
  ])

  // Nobody else's to take, and not while PayPal does not answer.
  expect((await takeBack(payout.id, await someone())).status).toBe(404)
  await paypalSwitches(app, { apiStatus: 500 })
  expect((await takeBack(payout.id)).status).toBe(503)
  await paypalSwitches(app, { apiStatus: 0 })
  expect((await payoutById(payout.id)).status).toBe('in_transit')

  const tries = await Promise.all([takeBack(payout.id), takeBack(payout.id)])
  expect(tries.map(({ status }) => status)).toEqual([200, 200])
  expect((await takeBack(payout.id)).body).toMatchObject({
    status: 'failed',
    failure: 'It was not claimed at PayPal, so it came back.',
  })
  expect(await available(creator)).toBe(before)
  expect(await told(creator, 'payout_failed')).toHaveLength(1)
  expect((await setUp(creator, 'ada@example.com')).body.standing).toBe('ready')
})

test('that is claimed after all has arrived, and is not taken back', async () => {
  const creator = await earner()
  await setUp(creator, 'ada+unclaimed@example.com')
  const { body: payout } = await askFor(creator, 3_000)
  await becomes(payout.id, 'in_transit')
  for (let look = 0; look < 2; look++) await follow(payout.id)
  expect((await payoutById(payout.id)).failure).not.toBeNull()
  await completeAtPayPal(app, (await payoutById(payout.id)).providerPayoutId!)
  const { status, body } = await app.request(`/rest/v1/payouts/${payout.id}/take-back`, {
    method: 'POST',
    cookie: creator.cookie,
  })
  expect([status, body]).toMatchObject([200, { status: 'paid', failure: null }])
})

test('not claimed for 30 days, or denied for our sake: back in the balance, once', async () => {
  const creator = await earner()
  await setUp(creator, 'ada+unclaimed@example.com')
  const before = await available(creator)
  const { body: first } = await askFor(creator, 3_000)
  await becomes(first.id, 'in_transit')
  for (let look = 0; look < 3; look++) await follow(first.id)
  expect((await payoutById(first.id)).status).toBe('in_transit')
  await returnUnclaimed(app, (await payoutById(first.id)).providerPayoutId!)
  await follow(first.id)
  await follow(first.id)
  expect(await available(creator)).toBe(before)
  expect(await told(creator, 'payout_failed')).toHaveLength(1)

  await setUp(creator, 'ada@example.com')
  const { body: second } = await askFor(creator, 3_000)
  await becomes(second.id, 'in_transit')
  await failAtPayPal(app, (await payoutById(second.id)).providerPayoutId!, 'DENIED')
  await follow(second.id)
  expect((await payoutById(second.id)).status).toBe('failed')
  expect(await available(creator)).toBe(before)
  const { body: setup } = await app.request('/rest/v1/payout-setup', { cookie: creator.cookie })
  // Nothing is wrong with the address.
  expect(setup.standing).toBe('ready')
})
