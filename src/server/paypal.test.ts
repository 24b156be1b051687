import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Client, Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { startPayPalSandbox, type PayPalSandbox } from '../sandbox/paypal/sandbox.ts'
import { paypalControl, type PayPalBatch } from '../../test/paypal-sandbox.ts'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { connectPayPal, openPayPal, PayPalHindrance, PayPalRefusal } from './paypal.ts'

let pool: Pool
let nodes: PayPalSandbox[]
let sandbox: PayPalSandbox

beforeAll(async () => {
  const url = new URL(inject('templateUrl'))
  const name = `paypal_${randomUUID().replaceAll('-', '')}`
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  url.pathname = `/${name}`
  pool = new Pool({ connectionString: url.href })
  const options = { pool, secret: 's', appUrl: 'http://localhost:3000', log: createLog('silent') }
  // At once, on an empty database.
  nodes = await Promise.all([startPayPalSandbox(options), startPayPalSandbox(options)])
  const [first] = nodes
  if (!first) throw new Error('no node')
  sandbox = first
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await control('/switches', { apiStatus: 0, apiDelayMs: 0, losesAnswers: false, isEmpty: false })
})

afterAll(async () => {
  for (const node of nodes ?? []) await node.stop()
  await pool?.end()
})

const control = <T>(path: string, body?: object) => paypalControl<T>(sandbox, path, body)

const payoutTo = (email: string, amount = 1_250) => ({
  payoutId: randomUUID(),
  email,
  amount,
  currency: 'usd',
  note: 'Your earnings',
})

async function batchesOf(payoutId: string) {
  const all = await control<PayPalBatch[]>('/batches')
  return all.filter(({ header }) => header.sender_batch_id === payoutId)
}

test('a payout is sent, pending, and then there', async () => {
  const paypal = connectPayPal(sandbox)
  const payout = payoutTo('ada@example.com')
  const { batchId } = await paypal.sendPayout(payout)
  expect(await paypal.payoutState(batchId)).toEqual({
    status: 'pending',
    reason: null,
    isOurs: false,
  })
  expect(await paypal.payoutState(batchId)).toMatchObject({ status: 'paid', fee: 25 })
  expect(await batchesOf(payout.payoutId)).toMatchObject([
    {
      id: batchId,
      items: [
        {
          status: 'SUCCESS',
          sent: { receiver: 'ada@example.com', amount: { value: '12.50', currency: 'USD' } },
        },
      ],
    },
  ])
})

test('20 at once, on two nodes, and once more are one batch with one token for each', async () => {
  const asked = vi.spyOn(globalThis, 'fetch')
  const [one, other] = nodes.map((node) => connectPayPal(node))
  if (!one || !other) throw new Error('two nodes')
  const payout = payoutTo('grace@example.com')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => (turn % 2 ? one : other).sendPayout(payout)),
  )
  answers.push(await one.sendPayout(payout))
  expect(new Set(answers.map(({ batchId }) => batchId)).size).toBe(1)
  const tokens = asked.mock.calls.filter(([url]) => String(url).endsWith('/v1/oauth2/token'))
  expect(tokens).toHaveLength(2)
  expect(await batchesOf(payout.payoutId)).toHaveLength(1)
})

describe('on bad days', () => {
  test('a 500 is no refusal, and the next try sends', async () => {
    const paypal = connectPayPal(sandbox)
    const payout = payoutTo('ada@example.com')
    await control('/switches', { apiStatus: 500 })
    const error: unknown = await paypal.sendPayout(payout).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(PayPalRefusal)
    expect(error).not.toBeInstanceOf(PayPalHindrance)
    expect(await batchesOf(payout.payoutId)).toHaveLength(0)
    await control('/switches', { apiStatus: 0 })
    await paypal.sendPayout(payout)
    expect(await batchesOf(payout.payoutId)).toHaveLength(1)
  })

  test('what was sent although the answer was lost is found again, not sent again', async () => {
    const paypal = connectPayPal(sandbox)
    const payout = payoutTo('ada@example.com')
    await control('/switches', { losesAnswers: true })
    await expect(paypal.sendPayout(payout)).rejects.toThrow('PayPal answered 500')
    await control('/switches', { losesAnswers: false })
    const [sent] = await batchesOf(payout.payoutId)
    expect(await paypal.sendPayout(payout)).toEqual({ batchId: sent?.id })
    expect(await batchesOf(payout.payoutId)).toHaveLength(1)
  })

  test('who is slow is not waited for, and the batch is found the next time', async () => {
    const payout = payoutTo('ada@example.com')
    const patient = connectPayPal(sandbox)
    const hasty = connectPayPal(sandbox)
    // Has its token: what is slow is the payout itself.
    const { batchId } = await hasty.sendPayout(payoutTo('ada@example.com'))
    expect(await hasty.payoutState(batchId)).toMatchObject({ status: 'pending' })
    await control('/switches', { apiDelayMs: 60_000 })
    // Only this one has no time, so that a machine with much to do is not taken for a slow provider.
    const limit = AbortSignal.timeout.bind(AbortSignal)
    const hurried = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit(2_000))
    const error: unknown = await hasty.sendPayout(payout).catch((thrown: unknown) => thrown)
    hurried.mockRestore()
    expect(error).toMatchObject({ name: 'TimeoutError' })
    await control('/switches', { apiDelayMs: 0 })
    await patient.sendPayout(payout)
    expect(await batchesOf(payout.payoutId)).toHaveLength(1)
  })

  test('who is down is no refusal either', async () => {
    const paypal = connectPayPal({ ...sandbox, api: 'http://127.0.0.1:1' })
    const error: unknown = await paypal
      .sendPayout(payoutTo('ada@example.com'))
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
  })

  test('a token that has ended, early or in time, is replaced', async () => {
    const paypal = connectPayPal(sandbox)
    const { batchId } = await paypal.sendPayout(payoutTo('ada@example.com'))
    await control('/end-tokens', {})
    const states = Array.from({ length: 5 }, () => paypal.payoutState(batchId))
    await expect(Promise.all(states)).resolves.toHaveLength(5)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 3_600_000 })
    const asked = vi.spyOn(globalThis, 'fetch')
    expect(await paypal.payoutState(batchId)).toMatchObject({ status: 'paid' })
    // Nobody had to refuse the old one first.
    expect(asked).toHaveBeenCalledTimes(2)
  })

  test('too little money of ours waits for the operator, not for the creator', async () => {
    const paypal = connectPayPal(sandbox)
    const payout = payoutTo('ada@example.com')
    await control('/switches', { isEmpty: true })
    const error: unknown = await paypal.sendPayout(payout).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PayPalHindrance)
    expect(error).toMatchObject({ isOurs: true, message: expect.stringContaining('FUNDS') })
    await control('/switches', { isEmpty: false })
    await paypal.sendPayout(payout)
    expect(await batchesOf(payout.payoutId)).toHaveLength(1)
  })

  test('wrong keys are a matter of the operator, and nobody reads them in the message', async () => {
    const keys = { clientId: 'id-of-thunder', clientSecret: 'secret-of-thunder' }
    const paypal = connectPayPal({ ...sandbox, ...keys })
    const error: unknown = await paypal
      .sendPayout(payoutTo('ada@example.com'))
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PayPalHindrance)
    expect(String(error)).not.toMatch(/of-thunder|ada@/)
  })

  // What the sandbox never says, but an API on a bad day may.
  test.each([
    ['a page of a proxy', 502, '<html>', Error],
    ['too many questions', 429, '{"name":"RATE_LIMIT_REACHED"}', Error],
    ['the same question at the same time', 409, '{"name":"RESOURCE_CONFLICT"}', Error],
    ['a success that says nothing', 201, '{}', Error],
    ['payouts that are not allowed', 403, '{"name":"AUTHORIZATION_ERROR"}', PayPalHindrance],
    [
      'a batch that was sent before, without its address',
      400,
      '{"name":"USER_BUSINESS_ERROR","details":[{"field":"SENDER_BATCH_ID"}]}',
      PayPalHindrance,
    ],
    [
      'a form that we got wrong',
      400,
      '{"name":"VALIDATION_ERROR","details":[{"field":"items[0].amount.value"}]}',
      PayPalHindrance,
    ],
    [
      'an address that is none',
      400,
      '{"name":"VALIDATION_ERROR","details":[{"field":"items[0].receiver"}]}',
      PayPalRefusal,
    ],
  ])('%s', async (_, status, text, kind) => {
    const server = serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) =>
        new URL(request.url).pathname === '/v1/oauth2/token'
          ? Response.json({ access_token: 'token', expires_in: 32_400 })
          : new Response(text, { status }),
    })
    await new Promise((resolve) => server.once('listening', resolve))
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const error: unknown = await connectPayPal({ ...sandbox, api })
      .sendPayout(payoutTo('ada@example.com'))
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(kind)
    expect(error instanceof PayPalRefusal).toBe(kind === PayPalRefusal)
    expect(error instanceof PayPalHindrance).toBe(kind === PayPalHindrance)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('who cannot be paid', () => {
  test('is refused before anything is sent, in words', async () => {
    const paypal = connectPayPal(sandbox)
    const unknown = payoutTo('ada+refuse@example.com')
    const refused = paypal.sendPayout(unknown)
    await expect(refused).rejects.toThrow(
      new PayPalRefusal('There is no PayPal account with this address.'),
    )
    await expect(paypal.sendPayout(payoutTo('no address'))).rejects.toThrow(
      new PayPalRefusal('PayPal does not take this address. Check it for mistakes.'),
    )
    expect(await batchesOf(unknown.payoutId)).toHaveLength(0)
  })

  test.each([
    ['blocked', 'PayPal may not pay out to this account.'],
    ['locked', 'PayPal has locked the account of this address.'],
  ])('%s: said when it ended', async (tag, reason) => {
    const paypal = connectPayPal(sandbox)
    const { batchId } = await paypal.sendPayout(payoutTo(`ada+${tag}@example.com`))
    await paypal.payoutState(batchId)
    const state = await paypal.payoutState(batchId)
    expect(state).toEqual({ status: 'failed', reason, isOurs: false })
  })

  test.each(['unclaimed', 'onhold'])('%s waits, and arrives or comes back', async (tag) => {
    const paypal = connectPayPal(sandbox)
    const [first, second] = await Promise.all(
      [1, 2].map(() => paypal.sendPayout(payoutTo(`ada+${tag}@example.com`))),
    )
    if (!first || !second) throw new Error('two payouts')
    for (let look = 0; look < 3; look++) {
      expect(await paypal.payoutState(first.batchId)).toMatchObject({ status: 'pending' })
    }
    await control(`/batches/${first.batchId}/settle`, { status: 'SUCCESS' })
    expect(await paypal.payoutState(first.batchId)).toMatchObject({ status: 'paid' })
    await control(`/batches/${second.batchId}/settle`, { status: 'RETURNED' })
    expect(await paypal.payoutState(second.batchId)).toEqual({
      status: 'failed',
      reason: 'It was not claimed at PayPal, so it came back.',
      isOurs: false,
    })
  })

  test('what nobody has claimed is taken back once; anything else stays as it is', async () => {
    const paypal = connectPayPal(sandbox)
    const { batchId } = await paypal.sendPayout(payoutTo('ada+unclaimed@example.com'))
    await paypal.takeBack(batchId)
    expect(await paypal.payoutState(batchId)).toMatchObject({
      status: 'pending',
      reason: expect.stringContaining('Nobody has claimed it at PayPal'),
    })
    await Promise.all([paypal.takeBack(batchId), paypal.takeBack(batchId)])
    expect(await paypal.payoutState(batchId)).toMatchObject({ status: 'failed', isOurs: false })
    const { batchId: other } = await paypal.sendPayout(payoutTo('ada@example.com'))
    for (let look = 0; look < 2; look++) await paypal.takeBack(other)
    expect(await paypal.payoutState(other)).toMatchObject({ status: 'paid' })
    await expect(paypal.takeBack('NO-SUCH-BATCH')).rejects.toThrow(PayPalHindrance)
  })

  test.each([
    ['REFUNDED', undefined, 'It was sent back at PayPal.', false],
    ['REVERSED', undefined, 'PayPal took it back.', false],
    ['BLOCKED', undefined, 'PayPal has blocked it.', false],
    ['FAILED', 'RECEIVER_UNCONFIRMED', 'This address has not been confirmed at PayPal.', false],
    [
      'FAILED',
      'INTERNAL_ERROR',
      'PayPal could not send it. That was not your fault: ask for it again later.',
      true,
    ],
    [
      'DENIED',
      'INSUFFICIENT_FUNDS',
      'PayPal could not send it. That was not your fault: ask for it again later.',
      true,
    ],
  ])('%s %s', async (status, problem, reason, isOurs) => {
    const paypal = connectPayPal(sandbox)
    const { batchId } = await paypal.sendPayout(payoutTo('ada@example.com'))
    await control(`/batches/${batchId}/settle`, { status, problem })
    expect(await paypal.payoutState(batchId)).toEqual({ status: 'failed', reason, isOurs })
  })
})

describe('what is offered', () => {
  const open = (env: Record<string, string>) => openPayPal(readConfig(env), async () => sandbox)
  const keys = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret' }

  test('without a key of Stripe our sandbox; with one PayPal, or nothing', async () => {
    expect(await open({})).toMatchObject({ mode: 'sandbox', sandbox })
    expect(await open({ STRIPE_SECRET_KEY: 'sk_test_1' })).toBeNull()
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not from a test'))
    for (const [mode, api] of [
      ['test', 'https://api-m.sandbox.paypal.com/'],
      ['live', 'https://api-m.paypal.com/'],
    ]) {
      const paypal = await open({ STRIPE_SECRET_KEY: `rk_${mode}_1`, ...keys })
      expect(paypal).toMatchObject({ mode, sandbox: null })
      await expect(paypal?.payoutState('1')).rejects.toThrow('not from a test')
      expect(String(asked.mock.lastCall?.[0]).startsWith(String(api))).toBe(true)
    }
    asked.mockRestore()
  })

  test('half of the keys, or keys without real payments, do not start', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_live_1' }
    expect(() => readConfig({ ...stripe, PAYPAL_CLIENT_ID: 'id' })).toThrow(
      'PAYPAL_CLIENT_SECRET is missing: it belongs to PAYPAL_CLIENT_ID. Set both, or none.',
    )
    expect(() => readConfig({ ...stripe, PAYPAL_CLIENT_SECRET: 'hush' })).toThrow(
      'PAYPAL_CLIENT_ID is missing: it belongs to PAYPAL_CLIENT_SECRET. Set both, or none.',
    )
    expect(() => readConfig(keys)).toThrow('PAYPAL_CLIENT_ID needs STRIPE_SECRET_KEY')
  })
})

describe('the operator’s page', () => {
  const open = (path: string, form?: Record<string, string>) =>
    sandbox.pages(
      new Request(`http://localhost:3000/sandbox/paypal${path}`, {
        method: form ? 'POST' : 'GET',
        body: form && new URLSearchParams(form),
      }),
    )

  test('lists payouts and lets them arrive, come back, or fail', async () => {
    const paypal = connectPayPal(sandbox)
    const { batchId } = await paypal.sendPayout(payoutTo('page@example.com', 199))
    const before = await (await open('/dashboard')).text()
    expect(before).toContain(batchId)
    expect(before).toContain('$1.99')
    const answer = await open('/dashboard/return', { id: batchId })
    expect(answer.headers.get('location')).toBe('/sandbox/paypal/dashboard?done=return')
    expect(await paypal.payoutState(batchId)).toMatchObject({ status: 'failed' })
    const again = await open('/dashboard/complete', { id: batchId })
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('It has ended already.')
  })

  test('is nowhere where the public could reach it', async () => {
    const node = await startPayPalSandbox({
      pool,
      secret: 's',
      appUrl: 'https://thunder.example',
      log: createLog('silent'),
    })
    const url = 'https://thunder.example/sandbox/paypal/dashboard'
    expect((await node.pages(new Request(url))).status).toBe(404)
    await node.stop()
  })
})
