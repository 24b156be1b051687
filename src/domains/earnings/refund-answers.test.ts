// What becomes of a refund by what the provider answers, each answer made by hand; and of one whose creator leaves.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { bookOldSale } from '../../../test/old-sale.ts'
import type { Services } from '../../server/services.ts'
import { notifications } from '../notifications/tables.ts'
import { payments } from '../payments/tables.ts'
import { refundSale, resumeRefunds } from './refund-job.ts'
import { refundRequests } from './tables.ts'

let app: TestApp
/** With the provider below. */
let services: Services

interface Asked {
  call: string
  key: string | undefined
  form: Record<string, string>
}

/** A payment provider that says what a test tells it to. */
const provider = {
  asked: [] as Asked[],
  /** The refunds of any charge, newest first; null when it knows no charge. */
  refunds: [] as object[] | null,
  answer: { status: 200, body: { id: 're_new', object: 'refund' } as object },
}
const noSuchCharge = {
  status: 404,
  body: {
    error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such charge' },
  },
}
function answerTo(call: string) {
  if (call.startsWith('POST /v1/refunds')) return provider.answer
  const { refunds: data } = provider
  if (data === null) return noSuchCharge
  return call.startsWith('GET /v1/refunds')
    ? { status: 200, body: { object: 'list', url: '/v1/refunds', has_more: false, data } }
    : { status: 200, body: { object: 'charge', customer: null } }
}
const server = createServer((request, response) => {
  void (async () => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const call = `${request.method} ${request.url}`
    const key = request.headers['idempotency-key'] as string | undefined
    provider.asked.push({ call, key, form: Object.fromEntries(new URLSearchParams(text)) })
    const { status, body } = answerTo(call)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })()
})

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const here = { host: '127.0.0.1', port, protocol: 'http' as const }
  const stripe = new Stripe('sk_test_1', { ...here, maxNetworkRetries: 0, telemetry: false })
  services = { ...app.services, payments: { ...app.services.payments, stripe } }
})
beforeEach(() => {
  provider.asked = []
  provider.refunds = []
  provider.answer = { status: 200, body: { id: 're_new', object: 'refund' } }
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app?.stop()
})

const db = () => app.services.db

/** A sale for $40, which its creator wants to pay back. */
async function asked(amount = 1500) {
  const creator = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, creator.id)
  const { id: courseId } = await makeCourse(app.services, creator)
  const facts = { email: creator.email, courseId, at: new Date('2026-01-10T12:00Z') }
  await bookOldSale(app.services, facts)
  const [sale] = await db().select().from(payments).where(eq(payments.courseId, courseId))
  const ask = (wish: { amount: number; requestId?: string } = { amount }) =>
    app.request(`/rest/v1/sales/${sale!.id}/refunds`, { body: wish, cookie })
  const first = await ask()
  const isOfSale = eq(refundRequests.paymentId, sale!.id)
  const request = async () => (await db().select().from(refundRequests).where(isOfSale))[0]!
  const requestId = (await request()).id
  return {
    creator,
    sale: sale!,
    requestId,
    first,
    ask,
    request,
    pay: () => refundSale({ requestId }, services),
    notices: () => db().select().from(notifications).where(eq(notifications.userId, creator.id)),
  }
}
type Scene = Awaited<ReturnType<typeof asked>>

/** What open pages of the creator were told. */
async function toldTo({ creator }: Scene) {
  const { rows } = await db().execute<{ type: string }>(sql`
    select event->>'type' as type from live_events where topic = ${`person:${creator.id}`}`)
  return rows.map(({ type }) => type)
}

const callsOf = () => provider.asked.map(({ call }) => call)

const refusing = (status: number, error: object) => {
  provider.answer = { status, body: { error } }
}

describe('a refund that is asked for', () => {
  test('waits for one job, and another one does not get by; open pages hear of it', async () => {
    const there = await asked()
    expect([there.first.status, there.first.body.refund]).toEqual([
      200,
      { id: there.requestId, amount: 1500, status: 'waiting', refusal: null },
    ])
    const second = await there.ask()
    expect([second.status, second.body.code, second.body.message]).toEqual([
      409,
      'NOT_REFUNDABLE',
      'A refund of this sale is under way already.',
    ])
    expect(await toldTo(there)).toEqual(['earnings'])
    expect(await jobsOf(there)).toEqual([`refund request ${there.requestId}`])
  })

  test('is put in the queue again while it waits, and only then', async () => {
    const scenes = [await asked(), await asked(), await asked()]
    await scenes[2]!.pay()
    await app.services.pool.query('delete from graphile_worker._private_jobs')
    await resumeRefunds(app.services)
    await resumeRefunds(app.services)
    expect(await Promise.all(scenes.map(jobsOf))).toEqual([
      [`refund request ${scenes[0]!.requestId}`],
      [`refund request ${scenes[1]!.requestId}`],
      [],
    ])
  })

  /** The keys of the jobs for it. */
  async function jobsOf({ requestId }: Scene) {
    const { rows } = await app.services.pool.query<{ key: string }>(
      `select j.key from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'refundSale' and payload->>'requestId' = $1`,
      [requestId],
    )
    return rows.map(({ key }) => key)
  }
})

describe('the provider pays back', () => {
  test('what was asked for, with a key and a note that later tries know it by', async () => {
    const there = await asked()
    const { chargeId: charge } = there.sale
    await there.pay()
    expect(provider.asked).toEqual([
      { call: `GET /v1/refunds?charge=${charge}&limit=100`, key: undefined, form: {} },
      {
        call: 'POST /v1/refunds',
        key: `refund request ${there.requestId}`,
        form: {
          charge,
          amount: '1500',
          reason: 'requested_by_customer',
          'metadata[refundRequestId]': there.requestId,
        },
      },
      { call: `GET /v1/charges/${charge}`, key: undefined, form: {} },
    ])
    expect(await there.request()).toMatchObject({
      status: 'done',
      refundId: 're_new',
      refusal: null,
      endedAt: expect.any(Date),
    })
    expect(await there.notices()).toEqual([])
    expect(await toldTo(there)).toEqual(['earnings', 'earnings'])
  })

  test('once: a try that comes when the key is forgotten finds what an earlier one did', async () => {
    const there = await asked()
    provider.refunds = [
      { id: 're_of_others', metadata: null },
      { id: 're_of_another_wish', metadata: { refundRequestId: randomUUID() } },
      { id: 're_ours', metadata: { refundRequestId: there.requestId } },
    ]
    await there.pay()
    expect(await there.request()).toMatchObject({ status: 'done', refundId: 're_ours' })
    expect(callsOf()).not.toContain('POST /v1/refunds')
  })

  test('nothing more when the request has ended, or never was', async () => {
    const there = await asked()
    await there.pay()
    provider.asked = []
    await there.pay()
    await refundSale({ requestId: randomUUID() }, services)
    expect(provider.asked).toEqual([])
    expect(await toldTo(there)).toEqual(['earnings', 'earnings'])
  })
})

describe('the provider refuses', () => {
  const wrong = 'invalid_request_error'
  const decides = 'The bank of the buyer is deciding about this payment.'

  test.each<[code: string | undefined, status: number, type: string, refusal: string]>([
    ['charge_already_refunded', 400, wrong, 'It has been paid back in full already.'],
    ['charge_disputed', 400, wrong, decides],
    ['refund_disputed_payment', 400, wrong, decides],
    ['charge_not_refundable', 400, wrong, 'The bank of the buyer takes no refund of this payment.'],
    ['something_new', 400, wrong, 'As the provider says it.'],
    [undefined, 400, wrong, 'As the provider says it.'],
    ['expired_or_canceled_card', 402, 'card_error', 'As the provider says it.'],
  ])('%s: the creator is told why, and the charge is looked up', async (...row) => {
    const [code, status, type, refusal] = row
    const there = await asked()
    refusing(status, { type, code, message: 'As the provider says it.' })
    const error = vi.spyOn(app.services.log, 'error')
    await there.pay()
    expect(error.mock.calls).toEqual([])
    error.mockRestore()
    expect(await there.request()).toMatchObject({
      status: 'refused',
      refusal,
      refundId: null,
      endedAt: expect.any(Date),
    })
    expect(callsOf()).toContain(`GET /v1/charges/${there.sale.chargeId}`)
    expect(await there.notices()).toMatchObject([
      {
        kind: 'refund_refused',
        title: 'A Refund Was Refused',
        message: `$15.00 for “Knots of old” were not paid back. ${refusal} Test mode: no money moved.`,
        href: '/payments',
      },
    ])
    expect(await toldTo(there)).toContain('earnings')
  })

  test.each([
    ['when it is to pay back', []],
    ['as soon as it is asked', null],
  ])('as it does not know the charge, %s: there is nothing to look up', async (_when, refunds) => {
    const there = await asked()
    provider.refunds = refunds
    provider.answer = noSuchCharge
    await there.pay()
    expect(await there.request()).toMatchObject({
      status: 'refused',
      refusal: 'The payment provider does not know this payment.',
    })
    expect(callsOf()).not.toContain(`GET /v1/charges/${there.sale.chargeId}`)
  })
})

describe('what another try can mend', () => {
  const poor = 'our balance is too low for a refund'

  test.each<[code: string, status: number, type: string, said: string[]]>([
    ['balance_insufficient', 400, 'invalid_request_error', [poor]],
    ['insufficient_funds', 400, 'invalid_request_error', [poor]],
    ['something_broke', 500, 'api_error', []],
    ['lock_timeout', 429, 'invalid_request_error', []],
  ])('%s: waits, and the operator hears when we are too poor', async (...row) => {
    const [code, status, type, said] = row
    const there = await asked()
    refusing(status, { type, code, message: 'Not now.' })
    const error = vi.spyOn(app.services.log, 'error')
    await expect(there.pay()).rejects.toThrow('Not now.')
    const told = said.map((words) => [
      { err: expect.any(Stripe.errors.StripeError), refund: there.requestId },
      words,
    ])
    expect(error.mock.calls).toEqual(told)
    error.mockRestore()
    expect(await there.request()).toMatchObject({ status: 'waiting', endedAt: null })
    expect(await there.notices()).toEqual([])
    expect(await toldTo(there)).toEqual(['earnings'])
  })

  test('has the same key again, and another one after a refusal, which the provider would repeat for a day', async () => {
    const there = await asked()
    const tries = async (code: string, status: number) => {
      refusing(status, { type: 'invalid_request_error', code, message: 'Not now.' })
      await expect(there.pay()).rejects.toThrow('Not now.')
    }
    await tries('lock_timeout', 429)
    await tries('balance_insufficient', 400)
    await tries('lock_timeout', 429)
    await tries('insufficient_funds', 400)
    provider.answer = { status: 200, body: { id: 're_new', object: 'refund' } }
    await there.pay()
    expect(await there.request()).toMatchObject({ status: 'done', refundId: 're_new' })
    const keys = provider.asked.flatMap(({ call, key }) =>
      call === 'POST /v1/refunds' ? [key] : [],
    )
    const first = `refund request ${there.requestId}`
    const second = keys[2]
    expect(keys).toEqual([first, first, second, second, expect.stringContaining(`${first} `)])
    expect(new Set(keys).size).toBe(3)
  })
})

test('a wish that was refused is over: with another amount it is told so, and nothing is asked for', async () => {
  const there = await asked()
  refusing(400, { type: 'invalid_request_error', code: 'charge_disputed', message: 'Disputed.' })
  await there.pay()
  expect(await there.request()).toMatchObject({ status: 'refused' })
  const { status, body } = await there.ask({ amount: 700, requestId: there.requestId })
  expect([status, body.refund]).toMatchObject([200, { status: 'refused', amount: 1500 }])
  expect(await there.request()).toMatchObject({ status: 'refused', amount: 1500 })
  // Another wish is asked for.
  const another = randomUUID()
  const next = await there.ask({ amount: 700, requestId: another })
  expect(next.body.refund).toMatchObject({ id: another, status: 'waiting' })
  // The first one once more: the sale says which one it tells of.
  const first = await there.ask({ amount: 800, requestId: there.requestId })
  expect([first.status, first.body.refund]).toMatchObject([200, { id: another, amount: 700 }])
})

describe('a creator who leaves', () => {
  const going = ({ creator }: Scene): [string, string] => [
    'select from users where id = $1 for update',
    creator.id,
  ]
  /** Whoever has it is not waited for. */
  const isFree = (table: 'payments' | 'refund_requests', id: string) => () =>
    app.services.pool.query(`select from ${table} where id = $1 for update nowait`, [id])

  test('and one who asks for a refund do not wait for each other', async () => {
    const there = await asked()
    await there.pay()
    const [answer] = await behindChange(
      app.services,
      going(there),
      [there.ask],
      isFree('payments', there.sale.id),
    )
    expect(answer!.status).toBe(200)
  })

  test('and a refund that ends do not wait for each other', async () => {
    const there = await asked()
    refusing(400, { type: 'invalid_request_error', message: 'No.' })
    const free = isFree('refund_requests', there.requestId)
    await behindChange(app.services, going(there), [there.pay], free)
    expect(await there.notices()).toHaveLength(1)
  })

  test('is told once when two workers have the same request', async () => {
    const there = await asked()
    refusing(400, { type: 'invalid_request_error', message: 'No.' })
    await behindChange(app.services, going(there), [there.pay, there.pay])
    expect(await there.notices()).toHaveLength(1)
    expect((await toldTo(there)).filter((type) => type === 'earnings')).toHaveLength(2)
  })

  test.each([
    ['refused', { status: 400, body: { error: { type: 'invalid_request_error', message: 'No' } } }],
    ['done', { status: 200, body: { id: 're_new', object: 'refund' } }],
  ])('has a refund that is %s after all, and nobody is told', async (status, answer) => {
    const there = await asked()
    const isIt = eq(refundRequests.id, there.requestId)
    await db().update(refundRequests).set({ requestedBy: null }).where(isIt)
    const events = async () => (await db().execute(sql`select from live_events`)).rowCount
    const before = await events()
    provider.answer = answer
    await there.pay()
    expect(await there.request()).toMatchObject({ status, endedAt: expect.any(Date) })
    expect(await there.notices()).toEqual([])
    expect(await events()).toBe(before)
  })

  test('at the moment after asking has no sale any more', async () => {
    const there = await asked()
    await there.pay()
    const [answer] = await behindChange(
      app.services,
      [
        // What is asked last waits for the table.
        `lock table payment_disputes in access exclusive mode;
         update ledger_accounts set user_id = null where id = '${there.sale.creatorAccountId}'`,
      ],
      [there.ask],
    )
    expect([answer!.status, answer!.body.message]).toEqual([404, 'Sale not found'])
  })
})
