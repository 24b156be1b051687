// How Stripe's API speaks: form bodies, keys, idempotency, expansion, errors.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { parse } from 'qs'
import type { Log } from '../../server/log.ts'
import { expand } from './expand.ts'
import { readParams, type Group } from './params.ts'
import { Refusal } from './refusal.ts'
import type { Route } from './route.ts'
import { apiVersion, newId, type Store, type Unit } from './store.ts'
import { readSwitches } from './switches.ts'

interface Answer {
  status: number
  body: string
  isReplay?: boolean
}

/** As Stripe words it. */
export const refusalAnswer = (refusal: Refusal) => ({
  error: { message: refusal.message, ...refusal.answer },
})

const refused = (refusal: Refusal): Answer => ({
  status: refusal.status,
  body: JSON.stringify(refusalAnswer(refusal), null, 2),
})

export const parseForm = (text: string) =>
  parse(text, { depth: 14, arrayLimit: 1000, parameterLimit: 20_000 }) as Group

const fingerprint = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('base64url')

/** @throws Refusal 401 */
export function checkKey(header: string | undefined, secretKey: string) {
  const given = header?.startsWith('Bearer ')
    ? header.slice(7)
    : header?.startsWith('Basic ')
      ? Buffer.from(header.slice(6), 'base64').toString().replace(/:$/, '')
      : null
  if (!given) {
    throw new Refusal(401, 'You did not provide an API key.', { type: 'invalid_request_error' })
  }
  if (given !== secretKey) {
    throw new Refusal(401, `Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`, {
      type: 'invalid_request_error',
    })
  }
}

/** @throws Refusal when the API is said to be down */
export async function pretended(store: Store) {
  const switches = await readSwitches(store)
  if (switches.apiStatus) {
    throw new Refusal(switches.apiStatus, 'An unknown error occurred.', { type: 'api_error' })
  }
  return switches
}

export function createProtocol(options: {
  store: Store
  routes: Route[]
  secretKey: string
  log: Log
}) {
  const { store, routes, secretKey, log } = options
  const app = new Hono<{ Variables: { answer: Answer } }>()

  async function answerOf(
    unit: Unit,
    call: { route: Route; id: string; part: string; params: Group },
  ): Promise<Answer> {
    const { expand: asked, ...params } = call.params
    const paths = readParams(asked === undefined ? {} : { expand: asked }, { expand: 'texts' })
    const [, , answer] = call.route
    const result = await answer({ unit, params, id: call.id, part: call.part })
    if (result instanceof Refusal) return refused(result)
    const shown = await expand(unit, result, paths.expand ?? [])
    return { status: 200, body: JSON.stringify(shown, null, 2) }
  }

  /** The first answer to this key, again; the work and its answer are kept together. */
  async function once(
    unit: Unit,
    key: string,
    request: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const [before] = await unit.query<{ request: string; status: number; answer: string }>(
      'select request, status, answer from stripe_sandbox.idempotency where key = $1',
      [key],
    )
    if (before && before.request !== request) {
      throw new Refusal(
        400,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        { type: 'idempotency_error' },
      )
    }
    if (before) return { status: before.status, body: before.answer, isReplay: true }
    const answer = await work()
    await unit.query(
      `insert into stripe_sandbox.idempotency (key, request, status, answer) values ($1, $2, $3, $4)`,
      [key, request, answer.status, answer.body],
    )
    return answer
  }

  app.use(
    bodyLimit({
      maxSize: 1024 * 1024,
      onError: (context) => context.json({ error: { type: 'invalid_request_error' } }, 413),
    }),
  )

  for (const route of routes) {
    const [method, path] = route
    app.on(method, path, async (context) => {
      checkKey(context.req.header('authorization'), secretKey)
      const switches = await pretended(store)
      const url = new URL(context.req.url)
      const text = method === 'POST' ? await context.req.text() : url.search.slice(1)
      const account = context.req.header('stripe-account') ?? null
      const { id = '', part = '' } = context.req.param() as Record<string, string | undefined>
      const call = { route, id, part, params: parseForm(text) }
      const key = method === 'POST' ? context.req.header('idempotency-key') : undefined
      const perform = (unit: Unit) => answerOf(unit, call)
      const answer =
        method === 'GET'
          ? await store.look(perform, { account })
          : await store.work(
              (unit) =>
                key
                  ? once(
                      unit,
                      `${account ?? ''} ${key}`,
                      fingerprint(method, url.pathname, text),
                      () => perform(unit),
                    )
                  : perform(unit),
              { account },
            )
      // After the effect: the caller that gives up does not know of it.
      if (switches.apiDelayMs) await pause(switches.apiDelayMs, undefined, { ref: false })
      return send(answer)
    })
  }

  app.notFound((context) =>
    send(
      refused(
        new Refusal(404, `Unrecognized request URL (${context.req.method}: ${context.req.path}).`, {
          type: 'invalid_request_error',
        }),
      ),
    ),
  )
  app.onError((error) => {
    if (error instanceof Refusal) return send(refused(error))
    log.error({ err: error }, 'a call of the Stripe sandbox failed')
    return send(refused(new Refusal(500, 'An unknown error occurred.', { type: 'api_error' })))
  })
  return app
}

function send({ status, body, isReplay }: Answer) {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'request-id': newId('req_'),
      'stripe-version': apiVersion,
      ...(isReplay ? { 'idempotent-replayed': 'true' } : {}),
    },
  })
}
