// The sandbox against Stripe's own SDK: how it speaks. What it says about money is in payments.test.ts.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sdkOf, startStandaloneSandbox } from '../../../test/standalone-sandbox.ts'
import type { StripeSandbox } from './sandbox.ts'

let stand: Awaited<ReturnType<typeof startStandaloneSandbox>>
let sandbox: StripeSandbox
let second: StripeSandbox
let stripe: Stripe
let receiver: Server
let received: { event: Stripe.Event; at: number }[] = []
/** What the receiver answers to the next webhooks; then 200. */
let answers: number[] = []
/** Tells who waits that something arrived. */
let arrived = () => {}

/** Waits until the webhooks that were received are what is wanted. */
async function untilReceived(isEnough: () => boolean) {
  while (!isEnough()) {
    await new Promise<void>((resolve) => {
      arrived = resolve
    })
  }
}

const heard = (type: string, id: string) =>
  received.filter(
    ({ event }) => event.type === type && (event.data.object as { id?: string }).id === id,
  )

async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(Stripe.errors.StripeError)
  return error as Stripe.errors.StripeError
}

beforeAll(async () => {
  // Two nodes that start at once.
  stand = await startStandaloneSandbox(2)
  ;({ sandbox, stripe } = stand)
  second = stand.others[0] as StripeSandbox
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const header = String(request.headers['stripe-signature'])
      const event = stripe.webhooks.constructEvent(body, header, sandbox.webhookSecret)
      const status = answers.shift() ?? 200
      received.push({ event, at: Date.now() })
      response.writeHead(status).end()
      arrived()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
})

afterAll(async () => {
  await stand.stop()
  receiver.closeAllConnections()
  receiver.close()
})

const hook = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/stripe`

test('events wait for somebody to hear them, and are signed as Stripe signs', async () => {
  const customer = await stripe.customers.create({ name: 'Ada', metadata: { a: '1' } })
  expect(await stand.control('/idle')).toEqual({ pending: 1, retrying: 0 })
  sandbox.deliverTo(hook())
  second.deliverTo(hook())
  await untilReceived(() => heard('customer.created', customer.id).length > 0)
  await stripe.customers.update(customer.id, { name: 'Ada L.', metadata: { a: '', b: '2' } })
  await untilReceived(() => heard('customer.updated', customer.id).length > 0)
  const event = heard('customer.updated', customer.id)[0]?.event
  if (!event) throw new Error('no event')
  expect(event.data.previous_attributes).toEqual({ name: 'Ada', metadata: { a: '1' } })
  expect((event.data.object as Stripe.Customer).metadata).toEqual({ b: '2' })
  const kept = await stripe.events.retrieve(event.id)
  expect(kept).toMatchObject({ type: 'customer.updated', data: event.data })
})

describe('idempotency', () => {
  test('the same key answers the same, and another node knows it', async () => {
    const options = { idempotencyKey: 'one' }
    const first = await stripe.customers.create({ name: 'Once' }, options)
    const again = await sdkOf(second).customers.create({ name: 'Once' }, options)
    expect(again).toEqual(first)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    const other = await refusalOf(stripe.customers.create({ name: 'Other' }, options))
    expect(other.type).toBe('StripeIdempotencyError')
  })

  test('twenty at once on two nodes have one effect', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        sdkOf(place % 2 ? sandbox : second).customers.create(
          { name: 'Together', email: 'together@example.com' },
          { idempotencyKey: 'twenty' },
        ),
      ),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    const { data } = await stripe.customers.list({ email: 'together@example.com' })
    expect(data).toHaveLength(1)
  })

  test('what was refused for its parameters may be asked again', async () => {
    const options = { idempotencyKey: 'mistaken' }
    const unknown = { nmae: 'x' } as Stripe.CustomerCreateParams
    await refusalOf(stripe.customers.create(unknown, options))
    expect(await stripe.customers.create({ name: 'x' }, options)).toMatchObject({ name: 'x' })
  })
})

test('refusals have the shape of Stripe', async () => {
  const key = await refusalOf(sdkOf(sandbox, 'sk_test_wrong').customers.list())
  expect(key).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
  const gone = await refusalOf(stripe.customers.retrieve('cus_none'))
  expect(gone).toMatchObject({ code: 'resource_missing', statusCode: 404, param: 'id' })
  const unknown = { items: [{ prize: 'x' }] } as unknown as Stripe.SubscriptionCreateParams
  const { id } = await stripe.customers.create({})
  const deep = await refusalOf(stripe.subscriptions.create({ ...unknown, customer: id }))
  expect(deep).toMatchObject({ code: 'parameter_unknown', param: 'items[0][prize]' })
  const none = await refusalOf(stripe.prices.create({ currency: 'usd', unit_amount: 1 }))
  expect(none).toMatchObject({ type: 'StripeInvalidRequestError', param: 'product' })
  const missing = await refusalOf(stripe.paymentMethods.attach('pm_card_visa', {} as never))
  expect(missing).toMatchObject({ code: 'parameter_missing', param: 'customer' })
  const path = await refusalOf(stripe.quotes.list())
  expect(path.message).toContain('Unrecognized request URL (GET: /v1/quotes)')
  expect(path.requestId).toMatch(/^req_/)
})

test('lists come in pages, forwards and backwards, and by time', async () => {
  const ids: string[] = []
  for (let place = 0; place < 5; place += 1) {
    const { id } = await stripe.customers.create({ email: 'pages@example.com' })
    ids.unshift(id)
  }
  const email = 'pages@example.com'
  const first = await stripe.customers.list({ email, limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.has_more).toBe(true)
  const all = await stripe.customers.list({ email, limit: 2 }).autoPagingToArray({ limit: 100 })
  expect(all.map(({ id }) => id)).toEqual(ids)
  const back = await stripe.customers.list({ email, limit: 2, ending_before: ids[3] })
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 3))
  const later = Math.floor(Date.now() / 1000) + 60
  expect((await stripe.customers.list({ email, created: { gte: later } })).data).toEqual([])
  const recent = { types: ['customer.created'], created: { gte: later - 600 }, limit: 100 }
  const events = await stripe.events.list(recent)
  const named = events.data.map(({ data }) => (data.object as Stripe.Customer).id)
  expect(named.filter((id) => ids.includes(id))).toEqual(ids)
})

test('ids are replaced by what they stand for, along a path', async () => {
  const { id } = await stripe.customers.create({ name: 'Wide' })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: id })
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: card.id } })
  const wide = await stripe.customers.retrieve(id, {
    expand: ['invoice_settings.default_payment_method', 'subscriptions'],
  })
  expect(wide).toMatchObject({
    invoice_settings: { default_payment_method: { id: card.id, card: { last4: '4242' } } },
    subscriptions: { object: 'list', data: [] },
  })
  const list = await stripe.paymentMethods.list({ customer: id, expand: ['data.customer'] })
  expect(list.data[0]?.customer).toMatchObject({ id, name: 'Wide' })
  const wrong = await refusalOf(stripe.customers.retrieve(id, { expand: ['nothing'] }))
  expect(wrong.message).toContain('cannot be expanded')
})

describe('switches', () => {
  test('drop, repeat and delay webhooks', async () => {
    await stand.control('/switches', { dropPercent: 100 })
    const lost = await stripe.customers.create({ name: 'Lost' })
    await stand.control('/switches', { dropPercent: 0, repeat: 2, shuffle: true })
    const thrice = await stripe.customers.create({ name: 'Thrice' })
    await untilReceived(() => heard('customer.created', thrice.id).length === 3)
    // What was heard is noted a moment later.
    await expect.poll(() => stand.control('/idle')).toEqual({ pending: 0, retrying: 0 })
    await stand.control('/switches', { repeat: 0, shuffle: false, delayMs: 3_600_000 })
    const late = await stripe.customers.create({ name: 'Late' })
    expect(await stand.control('/idle')).toEqual({ pending: 1, retrying: 0 })
    await stand.control('/switches', { delayMs: 0 })
    await untilReceived(() => heard('customer.created', late.id).length === 1)
    expect(heard('customer.created', lost.id)).toEqual([])
    // Lost on the way, but it happened.
    const { data } = await stripe.events.list({ type: 'customer.created', limit: 3 })
    expect(data.map((event) => (event.data.object as Stripe.Customer).id)).toEqual([
      late.id,
      thrice.id,
      lost.id,
    ])
  })

  test('what was not heard is sent again', async () => {
    answers = [500, 302]
    const { id } = await stripe.customers.create({ name: 'Again' })
    await untilReceived(() => heard('customer.created', id).length === 3)
  })

  test('the API fails without effect, or answers late', async () => {
    await stand.control('/switches', { apiStatus: 500 })
    const failed = await refusalOf(stripe.customers.create({ email: 'never@example.com' }))
    expect(failed).toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
    await stand.control('/switches', { apiStatus: 0, apiDelayMs: 400 })
    const params = { email: 'slow@example.com' }
    const options = { idempotencyKey: 'slow', timeout: 100 }
    const slow = await refusalOf(stripe.customers.create(params, options))
    expect(slow.type).toBe('StripeConnectionError')
    await stand.control('/switches', { apiDelayMs: 0 })
    const made = await stripe.customers.create(params, { idempotencyKey: 'slow' })
    const { data } = await stripe.customers.list({ email: 'slow@example.com' })
    expect(data.map(({ id }) => id)).toEqual([made.id])
    expect((await stripe.customers.list({ email: 'never@example.com' })).data).toEqual([])
  })
})

test('it ends at once, though a receiver does not answer', async () => {
  const deaf = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => deaf.once('listening', resolve))
  const other = await startStandaloneSandbox()
  const called = new Promise((resolve) => deaf.once('request', resolve))
  other.sandbox.deliverTo(`http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`)
  await other.stripe.customers.create({})
  await called
  // Would wait ten seconds for the answer.
  const began = Date.now()
  await other.stop()
  expect(Date.now() - began).toBeLessThan(9500)
  deaf.closeAllConnections()
  deaf.close()
})

test('its levers want the key', async () => {
  const response = await fetch(`http://${sandbox.host}:${sandbox.port}/_sandbox/idle`)
  expect(response.status).toBe(401)
  await expect(stand.control('/switches', { speed: 1 })).rejects.toThrow('The input is not valid')
})

test('an endpoint of one’s own hears what it asked for', async () => {
  const own = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => own.once('listening', resolve))
  const endpoint = await stripe.webhookEndpoints.create({
    url: `http://127.0.0.1:${(own.address() as AddressInfo).port}/own`,
    enabled_events: ['customer.deleted'],
  })
  const heardThere = new Promise<Stripe.Event>((resolve) => {
    own.once('request', (request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        response.end()
        const header = String(request.headers['stripe-signature'])
        resolve(stripe.webhooks.constructEvent(body, header, endpoint.secret ?? ''))
      })
    })
  })
  expect(endpoint.secret).toMatch(/^whsec_/)
  const kept = await stripe.webhookEndpoints.retrieve(endpoint.id)
  expect(JSON.stringify(kept)).not.toContain(endpoint.secret)
  const { id } = await stripe.customers.create({})
  await stripe.customers.del(id)
  expect(await heardThere).toMatchObject({ type: 'customer.deleted', data: { object: { id } } })
  await stripe.webhookEndpoints.del(endpoint.id)
  own.closeAllConnections()
  own.close()
})
