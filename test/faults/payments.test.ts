// The payment provider is slow, fails, hangs or is gone: who pays is told, and has bought once.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkLedger } from '../../src/domains/ledger/check-ledger.ts'
import { reconcilePayments } from '../../src/domains/payments/reconcile.ts'
import { openPayments } from '../../src/server/stripe.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { startLine, type Trouble } from '../cut-line.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { payHere } from '../sandbox.ts'
import { settled } from '../settled.ts'
import { patience } from '../patience.ts'
import { faultLimits, startLoad } from './load.ts'

vi.setConfig(faultLimits)

let app: TestApp
let line: Awaited<ReturnType<typeof startLine>>
beforeAll(async () => {
  app = await startTestApp()
  const { payments, config } = app.services
  const sandbox = payments.sandbox!
  line = await startLine(`http://${sandbox.host}:${sandbox.port}`)
  const through = { ...sandbox, port: Number(new URL(line.url).port) }
  // Browsers and webhooks reach the provider as ever; what we ask it goes through the line.
  payments.stripe = (await openPayments(config, async () => through)).stripe
})
afterAll(async () => {
  await app?.stop()
  await line?.cut()
})

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function makeBuyer() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Buyer = Awaited<ReturnType<typeof makeBuyer>>

async function soldCourse() {
  const course = await makeCourse(app.services, await makePerson(app.services))
  await query(
    `update courses set pricing_type = 'one_time', price_amount = 2900 where id = $1`,
    course.id,
  )
  return course
}

const buy = (course: { id: string }, { cookie }: Buyer) =>
  app.request('/functions/v1/course-checkout', { body: { course_id: course.id }, cookie })

/** All that there must be exactly one of. */
const standing = (course: { id: string }, buyer: Buyer) =>
  query(
    `select (select count(*)::int from enrollments where user_id = $1 and course_id = $2) as members,
            (select count(*)::int from payments where payer_id = $1 and course_id = $2) as payments,
            (select count(*)::int from ledger_transactions t join payments p on p.id = t.payment_id
              where p.payer_id = $1 and p.course_id = $2) as movements,
            (select count(*)::int from notifications
              where user_id = $1 and kind = 'payment_received') as receipts,
            (select string_agg(status, ' ') from purchases
              where user_id = $1 and course_id = $2) as purchases`,
    buyer.id,
    course.id,
  )
const once = { members: 1, payments: 1, movements: 1, receipts: 1, purchases: 'active' }

const failing =
  'HTTP/1.1 500 Internal Server Error\r\nconnection: close\r\ncontent-type: application/json\r\n' +
  'content-length: 45\r\n\r\n{"error":{"type":"api_error","message":"no"}}'
const unreachable =
  'Unable to connect to the payment service. Please check your internet connection and try again.'
const failed = 'Server error occurred. Please try again later.'

const inTrouble = (trouble: Trouble) => ({
  begin: async () => line.trouble(trouble),
  heal: async () => line.trouble('none'),
})

test.each([
  ['is slow', null, inTrouble({ later: 150 })],
  ['answers 500', failed, inTrouble({ answers: failing })],
  ['hangs', unreachable, inTrouble('hangs')],
  ['is gone', unreachable, { begin: () => line.cut(), heal: () => line.mend() }],
])('a payment provider that %s', async (_name, words, { begin, heal }) => {
  const load = await startLoad(app)
  const course = await soldCourse()
  const buyers = await Promise.all([makeBuyer(), makeBuyer(), makeBuyer()])
  const [paid, ...others] = buyers
  const page = await buy(course, paid!)
  expect(page.status).toBe(200)
  await load.acknowledges(20)

  await begin()
  // The provider takes the money and tells us, but cannot be asked what it means.
  expect(await payHere(app, page.body.url)).toMatchObject({ status: 303 })
  const asking = Promise.all(others.map((buyer) => buy(course, buyer)))
  await load.acknowledges(60)
  const answers = await asking
  if (words) {
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      others.map(() => [503, words]),
    )
    expect(await standing(course, paid!)).toMatchObject([{ payments: 0 }])
  }
  await heal()

  for (const buyer of others) {
    const again = await buy(course, buyer)
    expect(again.status).toBe(200)
    expect(await payHere(app, again.body.url)).toMatchObject({ status: 303 })
  }
  // As each minute; what waits for its next try is tried now.
  await vi.waitFor(async () => {
    await reconcilePayments({ onItsWay: 0 }, app.services)
    await query(
      'update graphile_worker._private_jobs set run_at = now() where run_at > now() and attempts > 0',
    )
    for (const buyer of buyers) expect(await standing(course, buyer)).toEqual([once])
  }, patience)
  await settled(app)
  for (const buyer of buyers) expect(await standing(course, buyer)).toEqual([once])
  const sums = await query(
    'select currency, sum(amount)::int as sum from ledger_entries group by 1',
  )
  expect(sums).toEqual([{ currency: 'usd', sum: 0 }])
  await checkLedger(app.services)
  await load.end()
})
