// How PayPal's API speaks: OAuth, JSON, errors. The part of it that pays out.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Log } from '../../server/log.ts'
import { giveToken, isGoodToken, tokenSeconds } from './access-token.ts'
import { cancelItem, createBatch, showBatch } from './batches.ts'
import { notFound, Refusal } from './refusal.ts'
import type { Store } from './store.ts'
import { readSwitches } from './switches.ts'

interface Keys {
  clientId: string
  clientSecret: string
}

function answerOf({ status, code, message, details }: Refusal) {
  const body = {
    name: code,
    message,
    debug_id: randomBytes(7).toString('hex').slice(0, 13),
    information_link: 'https://developer.paypal.com/docs/api/payments.payouts-batch/#errors',
    details,
    links: [],
  }
  return Response.json(body, { status })
}

export function createProtocol(options: { store: Store; keys: Keys; secret: string; log: Log }) {
  const { store, keys, secret, log } = options
  const basic = `Basic ${Buffer.from(`${keys.clientId}:${keys.clientSecret}`).toString('base64')}`
  const app = new Hono()

  app.onError((error) => {
    if (error instanceof Refusal) return answerOf(error)
    log.error({ err: error }, 'a call of the PayPal sandbox failed')
    return answerOf(new Refusal(500, 'INTERNAL_SERVICE_ERROR', 'An internal error has occurred.'))
  })
  app.notFound(() => answerOf(notFound()))
  app.use(bodyLimit({ maxSize: 1024 * 1024 }))

  app.use('/v1/*', async (context, next) => {
    const { apiStatus, apiDelayMs, losesAnswers } = await readSwitches(store)
    if (apiStatus) throw new Refusal(apiStatus, 'SERVICE_UNAVAILABLE', 'It was told to fail.')
    await next()
    // After the effect: the caller that gives up does not know of it.
    if (apiDelayMs) await pause(apiDelayMs, undefined, { ref: false })
    if (losesAnswers && context.req.path !== '/v1/oauth2/token') {
      context.res = answerOf(
        new Refusal(500, 'INTERNAL_SERVICE_ERROR', 'An internal error has occurred.'),
      )
    }
  })

  app.post('/v1/oauth2/token', async (context) => {
    if (context.req.header('authorization') !== basic) {
      const wrong = {
        error: 'invalid_client',
        error_description: 'Client Authentication failed',
      }
      return context.json(wrong, 401)
    }
    const form = new URLSearchParams(await context.req.text())
    if (form.get('grant_type') !== 'client_credentials') {
      return context.json({ error: 'unsupported_grant_type' }, 400)
    }
    const { generation } = await readSwitches(store)
    return context.json({
      scope: 'https://uri.paypal.com/payments/payouts',
      access_token: giveToken(secret, generation),
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: tokenSeconds,
    })
  })

  app.use('/v1/payments/*', async (context, next) => {
    const { generation } = await readSwitches(store)
    const token = context.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
    if (!isGoodToken(secret, generation, token)) {
      return context.json(
        { error: 'invalid_token', error_description: 'Token signature verification failed' },
        401,
      )
    }
    return next()
  })

  app.post('/v1/payments/payouts', async (context) => {
    const body: unknown = await context.req.json().catch(() => null)
    return context.json(await createBatch(store, body, new URL(context.req.url).origin), 201)
  })

  app.get('/v1/payments/payouts/:id', async (context) =>
    context.json(await showBatch(store, context.req.param('id'), new URL(context.req.url).origin)),
  )

  app.post('/v1/payments/payouts-item/:id/cancel', async (context) =>
    context.json(await cancelItem(store, context.req.param('id'), new URL(context.req.url).origin)),
  )
  return app
}
