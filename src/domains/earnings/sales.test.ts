// The list of a creator's sales and the file of it: where pages end, and every cell.
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { paymentDisputes, paymentRefunds, payments } from '../payments/tables.ts'
import { payouts } from '../payouts/tables.ts'
import { purchases } from '../purchases/tables.ts'
import type { Sale } from './schema.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db

async function someCreator() {
  const { id } = await makePerson(app.services)
  const accountId = await db().transaction((transaction) => creatorAccount(transaction, id))
  return { id, accountId, cookie: await sessionCookieOf(app.services, id) }
}
type Creator = Awaited<ReturnType<typeof someCreator>>

/** Sales for $10, all of them at one moment; answers with their ids as they are listed. */
async function sellMany({ accountId }: Creator, count: number): Promise<string[]> {
  const { rows } = await db().execute<{ id: string }>(sql`
    insert into payments (charge_id, kind, creator_account_id, description, currency, gross,
                          fee_percent, platform_fee, provider_fee, paid_at, available_at)
    select gen_random_uuid(), 'course', ${accountId}, 'Knots', 'usd', 1000, 5, 50, 59,
           '2025-01-01T00:00Z', '2025-01-03T00:00Z'
      from generate_series(1, ${count}) returning id`)
  return rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
}

const pageOf = async ({ cookie }: Creator, query = '') => {
  const { body } = await app.request(`/rest/v1/sales${query}`, { cookie })
  return {
    ids: (body.sales as Sale[]).map(({ id }) => id),
    cursor: body.nextCursor as string | null,
  }
}

const fileOf = ({ cookie }: Creator) =>
  fetch(`${app.url}/rest/v1/sales/export`, { headers: { cookie } })

const titles =
  'Sale,Paid (UTC),Booked (UTC),Course,Buyer,Email,Kind,Currency,Gross,Platform fee,Platform fee (percent),Card fee,Refunded,Disputed,Dispute fee,Net,State,Available (UTC)'

test('a page has 25 sales, and there is a next one only when there are more', async () => {
  const creator = await someCreator()
  const ids = await sellMany(creator, 25)
  expect(await pageOf(creator)).toEqual({ ids, cursor: null })
  const all = [...ids, ...(await sellMany(creator, 1))].toSorted().toReversed()
  const first = await pageOf(creator)
  expect(first).toEqual({ ids: all.slice(0, 25), cursor: expect.any(String) })
  expect(await pageOf(creator, `?cursor=${first.cursor}`)).toEqual({
    ids: all.slice(25),
    cursor: null,
  })
})

test('the file has all sales, also when there are more than are read at once', async () => {
  const creator = await someCreator()
  const ids = await sellMany(creator, 1001)
  const [first, ...lines] = (await (await fileOf(creator)).text()).trim().split('\r\n')
  expect(first).toBe(titles)
  expect(lines.map((line) => line.split(',')[0])).toEqual(ids)
})

test('the file of who never sold anything has its titles, and a name', async () => {
  const file = await fileOf(await someCreator())
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="sales.csv"',
    'cache-control': 'private, no-store',
  })
  expect(await file.text()).toBe(`${titles}\r\n`)
})

test('the file says of each sale what became of it, in cells of its own', async () => {
  const creator = await someCreator()
  const { accountId: creatorAccountId } = creator
  const buyer = await makePerson(app.services, { name: 'Bo Buyer' })
  const facts = { kind: 'course', creatorAccountId, currency: 'usd', feePercent: 5 } as const
  const [sold] = await db()
    .insert(payments)
    .values({
      ...facts,
      chargeId: `ch_${randomUUID()}`,
      payerId: buyer.id,
      description: 'Knots',
      gross: 2900,
      platformFee: 145,
      providerFee: 114,
      refunded: 1000,
      paidAt: new Date('2025-01-02T03:04:05.678Z'),
      createdAt: new Date('2025-01-02T03:04:06Z'),
      availableAt: new Date('2025-01-04T00:00Z'),
    })
    .returning()
  const { id: paymentId, availableAt } = sold!
  const back = { amount: 1000, platformFee: 50, status: 'succeeded' } as const
  await db()
    .insert(paymentRefunds)
    .values({ id: `re_${randomUUID()}`, paymentId, ...back })
  await db().insert(payouts).values({
    ledgerAccountId: creatorAccountId,
    method: 'bank_account',
    destination: 'A bank',
    amount: 1691,
    currency: 'usd',
    status: 'paid',
    coversUntil: availableAt,
    coversPaymentId: paymentId,
  })
  const [purchase] = await db()
    .insert(purchases)
    .values({
      courseTitle: 'Ropes, and more',
      creatorAccountId,
      pricingType: 'monthly',
      amount: 5000,
      currency: 'usd',
    })
    .returning()
  const [taken] = await db()
    .insert(payments)
    .values({
      ...facts,
      chargeId: `ch_${randomUUID()}`,
      purchaseId: purchase!.id,
      description: 'Ropes, and more',
      gross: 5000,
      platformFee: 250,
      providerFee: 175,
      dispute: 'open',
      paidAt: new Date('2025-02-01T00:00Z'),
      createdAt: new Date('2025-02-01T00:00:01Z'),
      availableAt: new Date('2025-02-03T00:00Z'),
    })
    .returning()
  await db()
    .insert(paymentDisputes)
    .values({
      id: `dp_${randomUUID()}`,
      paymentId: taken!.id,
      amount: 5000,
      fee: 1500,
      platformFee: 250,
      status: 'open',
    })
  expect((await (await fileOf(creator)).text()).split('\r\n')).toEqual([
    titles,
    `${taken!.id},2025-02-01T00:00:00.000Z,2025-02-01T00:00:01.000Z,"Ropes, and more",,,first month,USD,50.00,0.00,5,1.75,0.00,50.00,15.00,-16.75,disputed,2025-02-03T00:00:00.000Z`,
    `${paymentId},2025-01-02T03:04:05.678Z,2025-01-02T03:04:06.000Z,Knots,Bo Buyer,${buyer.email},one-time,USD,29.00,0.95,5,1.14,10.00,0.00,0.00,16.91,paid out,2025-01-04T00:00:00.000Z`,
    '',
  ])
})
