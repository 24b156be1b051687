// The door for what the payment provider tells us: what comes in, what is noted, and who may read it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { settled } from '../../../test/settled.ts'
import { createApp } from '../../server/app.ts'
import { createWebhookDoor } from './receive-webhook.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  const person = await makePerson(app.services)
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [person.id])
  admin = await sessionCookieOf(app.services, person.id)
})
afterAll(() => app.stop())

const newId = () => `evt_${randomUUID().replaceAll('-', '')}`

const eventOf = (facts: { id?: string; type?: string; object?: object; created?: number } = {}) =>
  JSON.stringify({
    id: facts.id ?? newId(),
    object: 'event',
    created: facts.created ?? 1_790_000_000,
    type: facts.type ?? 'checkout.session.completed',
    data: { object: facts.object ?? { id: 'cs_unknown', object: 'checkout.session' } },
  })

function signed(payload: string, { secondsAgo = 0, secret = '' } = {}) {
  const { stripe, webhookSecrets } = app.services.payments
  return stripe.webhooks.generateTestHeaderString({
    payload,
    secret: secret || webhookSecrets[0]!,
    timestamp: Math.floor(Date.now() / 1000) - secondsAgo,
  })
}

const send = (payload: string, signature: string | null = signed(payload)) =>
  app.request('/webhooks/stripe', {
    body: payload,
    headers: signature === null ? {} : { 'stripe-signature': signature },
  })

async function kept(id: string) {
  const { rows } = await app.services.pool.query('select * from payment_events where id = $1', [id])
  return rows[0]
}

describe('an event', () => {
  test('is noted once, however often and however many at once it comes', async () => {
    const id = newId()
    const payload = eventOf({ id })
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(payload)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    await settled(app)
    expect(await kept(id)).toMatchObject({
      deliveries: 8,
      source: 'webhook',
      object_id: 'cs_unknown',
      occurred_at: new Date(1_790_000_000_000),
    })
  })

  test('keeps only what it is about', async () => {
    const id = newId()
    const object = { id: 'sub_1', object: 'subscription', customer: 'cus_1', secret: 'Ann Example' }
    await send(eventOf({ id, type: 'something.else', object }))
    const row = await kept(id)
    expect(row).toMatchObject({ object_id: 'sub_1', customer_id: 'cus_1', status: 'ignored' })
    expect(JSON.stringify(row)).not.toContain('Ann Example')
  })

  test('is turned away without a signature, and with a wrong, foreign or old one', async () => {
    const id = newId()
    const payload = eventOf({ id })
    const cases: [string | null, string][] = [
      [null, 'This event has no signature.'],
      ['nonsense', 'The signature of this event is wrong.'],
      [signed(eventOf()), 'The signature of this event is wrong.'],
      [signed(payload, { secret: 'whsec_other' }), 'The signature of this event is wrong.'],
      [signed(payload, { secondsAgo: 301 }), 'The signature of this event is too old.'],
    ]
    for (const [signature, message] of cases) {
      expect(await send(payload, signature)).toMatchObject({ status: 400, body: { message } })
    }
    expect((await send(payload, signed(payload, { secondsAgo: 240 }))).status).toBe(200)
    expect(await kept(id)).toMatchObject({ deliveries: 1 })
  })

  test('that is none is turned away though it is signed', async () => {
    const none = ['', '{', 'null', '[]', '"evt_1"', '{"id":1}', eventOf({ id: 'x' }), '\0\0']
    for (const payload of none) {
      const { status, body } = await send(payload)
      expect({ payload, status }).toEqual({ payload, status: 400 })
      expect(body.message).toBe('This is no event.')
    }
  })

  test('is at most 1 MB long', async () => {
    const body = eventOf({ object: { id: 'cs_1', text: 'x'.repeat(1024 * 1024) } })
    // Without a socket: the server closes one that it does not read to its end.
    const answer = await createApp(app.services).request('/webhooks/stripe', {
      method: 'POST',
      body,
      headers: { 'stripe-signature': signed(body), 'content-length': String(body.length) },
    })
    expect(answer.status).toBe(413)
  })

  test('comes by POST only', async () => {
    expect((await app.request('/webhooks/stripe')).status).toBe(404)
  })
})

test('without a secret there is no door', async () => {
  const { services } = app
  const door = createWebhookDoor({
    ...services,
    payments: { ...services.payments, webhookSecrets: [] },
  })
  const body = eventOf()
  const headers = { 'stripe-signature': signed(body) }
  const request = new Request(`${app.url}/webhooks/stripe`, { method: 'POST', body, headers })
  expect((await door(request)).status).toBe(404)
})

test('each of several endpoints signs with a secret of its own', async () => {
  const { services } = app
  const door = createWebhookDoor({
    ...services,
    payments: { ...services.payments, webhookSecrets: ['whsec_first', 'whsec_second'] },
  })
  const answerTo = async (secret: string, secondsAgo = 0) => {
    const body = eventOf({ type: 'something.else' })
    const headers = { 'stripe-signature': signed(body, { secret, secondsAgo }) }
    const url = `${app.url}/webhooks/stripe`
    const answer = await door(new Request(url, { method: 'POST', body, headers }))
    return { status: answer.status, message: (await answer.json()).message }
  }
  expect(await answerTo('whsec_first')).toMatchObject({ status: 200 })
  expect(await answerTo('whsec_second')).toMatchObject({ status: 200 })
  expect(await answerTo('whsec_first', 600)).toEqual({
    status: 400,
    message: 'The signature of this event is too old.',
  })
  expect(await answerTo('whsec_third')).toEqual({
    status: 400,
    message: 'The signature of this event is wrong.',
  })
})

describe('administrators', () => {
  const list = (query = '') => app.request(`/rest/v1/payment-events${query}`, { cookie: admin })

  test('read page by page what came, newest first, and find one by its id', async () => {
    const made = Array.from({ length: 60 }, newId)
    for (const id of made) {
      await send(eventOf({ id, type: 'something.else', object: { id: `in_${id.slice(4)}` } }))
    }
    const first = await list('?status=ignored')
    expect(first.body.events).toHaveLength(50)
    expect(first.body.events[0]).toMatchObject({ id: made.at(-1), status: 'ignored', attempts: 0 })
    const second = await list(`?status=ignored&cursor=${first.body.nextCursor}`)
    const ids = [...first.body.events, ...second.body.events].map(({ id }) => id)
    expect(ids.slice(0, 60)).toEqual(made.toReversed())
    expect(new Set(ids).size).toBe(ids.length)
    const [wanted] = made
    for (const search of [wanted, ` in_${wanted!.slice(4)} `]) {
      const found = await list(`?search=${encodeURIComponent(search!)}`)
      expect(found.body.events.map(({ id }: { id: string }) => id)).toEqual([wanted])
    }
    expect((await list('?search=%25')).body.events).toEqual([])
    expect((await list(`?search=${'x'.repeat(200)}`)).body.events).toEqual([])
    const tooLong = await list(`?search=${'x'.repeat(201)}`)
    expect([tooLong.status, tooLong.body.message]).toEqual([
      422,
      'Search text can have at most 200 characters',
    ])
    expect(first.body.provider).toMatchObject({
      mode: 'sandbox',
      hasWebhookSecret: true,
      sandboxUrl: '/sandbox/stripe/dashboard',
    })
  })

  test('replay an event', async () => {
    const id = newId()
    await send(eventOf({ id }))
    await settled(app)
    const before = await kept(id)
    const replayed = await app.request(`/rest/v1/payment-events/${id}/replay`, {
      method: 'POST',
      cookie: admin,
    })
    expect(replayed).toMatchObject({ status: 200, body: { id, status: 'waiting', attempts: 0 } })
    await settled(app)
    const after = await kept(id)
    expect(after).toMatchObject({ status: before.status, outcome: before.outcome, attempts: 1 })
    const missing = await app.request(`/rest/v1/payment-events/${newId()}/replay`, {
      method: 'POST',
      cookie: admin,
    })
    expect(missing.status).toBe(404)
  })
})
