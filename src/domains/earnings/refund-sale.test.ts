// A creator pays a sale back: what is refused, and what follows from it.
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import {
  closeDispute,
  disputeAtProvider,
  payHere,
  refundAtProvider,
  switches,
} from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { postTransaction } from '../ledger/post-transaction.ts'
import { payoutEntries } from '../ledger/rules.ts'
import { notifications } from '../notifications/tables.ts'
import { payments } from '../payments/tables.ts'
import { payouts } from '../payouts/tables.ts'
import { balanceNow } from './balance-now.ts'
import { refundSale, resumeRefunds } from './refund-job.ts'
import { askForRefund } from './refund-sale.ts'
import { refundRequests } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  if (!app) return
  // Whatever happened: it adds up.
  await checkLedger(app.services)
  await app.stop()
})

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

/** Of $29: our 5 % are 145, the card costs 2.9 % and 30 cents. */
const [gross, ours, card] = [2900, 145, 114]

async function sale() {
  const creator = await someone()
  const course = await makeCourse(app.services, creator)
  const price = { pricingType: 'one_time', priceAmount: gross } as const
  await app.services.db.update(courses).set(price).where(eq(courses.id, course.id))
  const buyer = await someone()
  const { body } = await app.request('/functions/v1/course-checkout', {
    body: { course_id: course.id },
    cookie: buyer.cookie,
  })
  await payHere(app, body.url)
  await settled(app)
  const [paid] = await app.services.db
    .select({ id: payments.id, chargeId: payments.chargeId })
    .from(payments)
    .where(eq(payments.payerId, buyer.id))
  const isMember = async () => {
    const own = and(eq(enrollments.userId, buyer.id), eq(enrollments.courseId, course.id))
    return (await app.services.db.$count(enrollments, own)) === 1
  }
  expect(await isMember()).toBe(true)
  return { creator, buyer, saleId: paid!.id, chargeId: paid!.chargeId, isMember }
}

const refund = (who: Someone, saleId: string, amount: number, requestId?: string) =>
  app.request(`/rest/v1/sales/${saleId}/refunds`, {
    body: { amount, requestId },
    cookie: who.cookie,
  })

const seen = async (who: Someone, saleId: string) =>
  (await app.request(`/rest/v1/sales/${saleId}`, { cookie: who.cookie })).body

async function balanceOf({ id }: Someone) {
  return app.services.db.transaction(async (transaction) =>
    balanceNow(transaction, await creatorAccount(transaction, id)),
  )
}

async function lastNotice({ id }: Someone, kind: string) {
  const rows = await app.services.db
    .select({ title: notifications.title, message: notifications.message })
    .from(notifications)
    .where(and(eq(notifications.userId, id), eq(notifications.kind, kind)))
  return rows.at(-1) ?? null
}

const refundsAt = async (chargeId: string) =>
  (await app.services.payments.stripe.refunds.list({ charge: chargeId })).data.map(
    ({ amount }) => amount,
  )

describe('a creator pays a sale back', () => {
  test('a part, then the rest: access stays, then ends; the fee comes back in proportion', async () => {
    const { creator, buyer, saleId, chargeId, isMember } = await sale()
    const asked = await refund(creator, saleId, 1000)
    expect([asked.status, asked.body.refund, asked.body.refundable]).toEqual([
      200,
      { id: expect.any(String), amount: 1000, status: 'waiting', refusal: null },
      0,
    ])
    await settled(app)
    expect(await seen(creator, saleId)).toMatchObject({
      refunded: 1000,
      refundable: 1900,
      platformFee: 95,
      refund: { amount: 1000, status: 'done', refusal: null },
    })
    expect(await isMember()).toBe(true)
    expect((await balanceOf(creator)).balance).toBe(gross - ours - card - 1000 + 50)
    expect((await lastNotice(buyer, 'payment_refunded'))?.message).toContain('$10.00 of $29.00')

    const tooMuch = await refund(creator, saleId, 1901)
    expect([tooMuch.status, tooMuch.body.message]).toEqual([
      422,
      'At most $19.00 can be paid back.',
    ])
    expect((await refund(creator, saleId, 1900)).status).toBe(200)
    await settled(app)
    expect(await seen(creator, saleId)).toMatchObject({
      state: 'refunded',
      refundable: 0,
      refund: { amount: 1900, status: 'done' },
    })
    expect(await isMember()).toBe(false)
    expect(await refundsAt(chargeId)).toHaveLength(2)
    // The card fee is gone.
    expect((await balanceOf(creator)).balance).toBe(0 - card)
    const again = await refund(creator, saleId, 1)
    expect([again.status, again.body.message]).toEqual([
      409,
      'This sale has been paid back in full.',
    ])
  })

  test('two at once pay back once', async () => {
    const { creator, saleId, chargeId } = await sale()
    const answers = await Promise.all([
      refund(creator, saleId, 500),
      refund(creator, saleId, 500),
      refund(creator, saleId, 500),
    ])
    await settled(app)
    const taken = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(await refundsAt(chargeId)).toHaveLength(taken.length)
    for (const { status, body } of refused) {
      expect([status, body.message]).toEqual([409, 'A refund of this sale is under way already.'])
    }
    // The same job once more, as after a crash, pays nothing back.
    const [request] = await app.services.db
      .select()
      .from(refundRequests)
      .where(eq(refundRequests.paymentId, saleId))
    const open = { status: 'waiting', refundId: null, endedAt: null } as const
    const isIt = eq(refundRequests.id, request!.id)
    await app.services.db.update(refundRequests).set(open).where(isIt)
    await refundSale({ requestId: request!.id }, app.services)
    expect(await refundsAt(chargeId)).toHaveLength(taken.length)
    const [ended] = await app.services.db.select().from(refundRequests).where(isIt)
    expect(ended).toMatchObject({ status: 'done', refundId: request!.refundId })
  })

  test('is done once for one wish, also when its answer was lost and it is sent again', async () => {
    const { creator, saleId, chargeId } = await sale()
    const wish = randomUUID()
    expect((await refund(creator, saleId, 500, wish)).status).toBe(200)
    // While it waits, and when it is done.
    expect((await refund(creator, saleId, 500, wish)).status).toBe(200)
    await settled(app)
    const again = await refund(creator, saleId, 500, wish)
    expect([again.status, again.body.refunded]).toEqual([200, 500])
    await settled(app)
    expect(await refundsAt(chargeId)).toHaveLength(1)

    const other = await refund(creator, saleId, 700, wish)
    expect([other.status, other.body.message]).toEqual([
      409,
      'This refund was asked for before, of another amount. $5.00 of this sale were paid back. Look at the sale before you pay back more.',
    ])
    // Another wish for as much is one.
    expect((await refund(creator, saleId, 500, randomUUID())).status).toBe(200)
    await settled(app)
    expect(await refundsAt(chargeId)).toHaveLength(2)
  })

  test('a wish belongs to its sale: with the same id, those of two sales do not mix, also at once', async () => {
    const [one, two] = [await sale(), await sale()]
    const wish = randomUUID()
    const answers = await Promise.all(
      [one, two].map(({ creator, saleId }) => refund(creator, saleId, 500, wish)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await settled(app)
    const done = [...(await refundsAt(one.chargeId)), ...(await refundsAt(two.chargeId))]
    expect(done).toHaveLength(1)
    expect((await refund(one.creator, one.saleId, 500, 'no id')).status).toBe(422)
  })

  test('is done by the seller only, and with a sum', async () => {
    const { creator, buyer, saleId, chargeId } = await sale()
    for (const other of [buyer, await someone()]) {
      const { status, body } = await refund(other, saleId, 100)
      expect([status, body.message]).toEqual([404, 'Sale not found'])
    }
    for (const amount of [0, -5, 1.5, 3_000_000_000]) {
      expect((await refund(creator, saleId, amount)).status).toBe(422)
    }
    expect((await refund(creator, crypto.randomUUID(), 100)).status).toBe(404)
    expect(await refundsAt(chargeId)).toEqual([])
  })

  test('not while a bank decides, and not what the bank has taken', async () => {
    const { creator, saleId, chargeId } = await sale()
    const { id } = await disputeAtProvider(app, chargeId)
    await settled(app)
    const open = await refund(creator, saleId, 100)
    expect([open.status, open.body.code]).toEqual([409, 'NOT_REFUNDABLE'])
    expect(open.body.message).toContain('The bank of the buyer is deciding')
    await closeDispute(app, id, false)
    await settled(app)
    const lost = await refund(creator, saleId, 100)
    expect(lost.body.message).toBe('The bank has given this payment back to the buyer.')
  })

  test('after the money was paid out the balance is below zero', async () => {
    const { creator, saleId } = await sale()
    const amount = gross - ours - card
    await app.services.db.transaction(async (transaction) => {
      const creatorAccountId = await creatorAccount(transaction, creator.id)
      const [payout] = await transaction
        .insert(payouts)
        .values({
          ledgerAccountId: creatorAccountId,
          method: 'bank_account',
          destination: 'A bank',
          amount,
          currency: 'usd',
          status: 'paid',
          endedAt: new Date(),
        })
        .returning({ id: payouts.id })
      await postTransaction(transaction, {
        kind: 'payout',
        source: `payout ${payout!.id}`,
        payoutId: payout!.id,
        currency: 'usd',
        creatorAccountId,
        occurredAt: new Date(),
        entries: payoutEntries('provider', { amount, fee: 0 }),
      })
    })
    expect((await balanceOf(creator)).balance).toBe(0)
    expect((await refund(creator, saleId, gross)).status).toBe(200)
    await settled(app)
    expect((await balanceOf(creator)).balance).toBe(0 - (gross - ours))
  })
})

describe('the provider does not do it', () => {
  afterEach(() => switches(app, { apiStatus: 0, dropPercent: 0 }))

  test('it is down: nothing is lost, and it is done when it is back', async () => {
    const { creator, saleId, chargeId, isMember } = await sale()
    await switches(app, { apiStatus: 500 })
    const { status, body } = await refund(creator, saleId, gross)
    expect([status, body.refund.status]).toEqual([200, 'waiting'])
    const [request] = await app.services.db
      .select({ id: refundRequests.id })
      .from(refundRequests)
      .where(eq(refundRequests.paymentId, saleId))
    await expect(refundSale({ requestId: request!.id }, app.services)).rejects.toThrow()
    expect((await seen(creator, saleId)).refund.status).toBe('waiting')
    expect((await refund(creator, saleId, 1)).status).toBe(409)
    await switches(app, { apiStatus: 0 })
    await resumeRefunds(app.services)
    await settled(app)
    expect(await seen(creator, saleId)).toMatchObject({
      state: 'refunded',
      refund: { status: 'done' },
    })
    expect(await refundsAt(chargeId)).toEqual([gross])
    expect(await isMember()).toBe(false)
  })

  test('it refuses, as what is there is not what we knew: said in words, and looked up', async () => {
    const { creator, saleId, chargeId } = await sale()
    const { id: creatorId } = creator
    // Both before we hear of the other one.
    await switches(app, { dropPercent: 100 })
    await refundAtProvider(app, chargeId)
    expect(await askForRefund(app.services, { creatorId, saleId, amount: 900 })).toBe('asked')
    await settled(app)
    expect(await seen(creator, saleId)).toMatchObject({
      state: 'refunded',
      refunded: gross,
      refund: {
        amount: 900,
        status: 'refused',
        refusal: 'It has been paid back in full already.',
      },
    })
    expect(await lastNotice(creator, 'refund_refused')).toMatchObject({
      title: 'A Refund Was Refused',
      message: expect.stringMatching(
        /^\$9\.00 for “.+” were not paid back\. It has been paid back in full already\. Test mode: no money moved\.$/,
      ),
    })
  })
})
