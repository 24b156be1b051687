// Where browsers give numbers for a token, as they do at api.stripe.com: with the publishable key, without us.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { checkKey, parseForm, pretended, refusalAnswer } from '../protocol.ts'
import { Refusal } from '../refusal.ts'
import { wallSeconds, type Store } from '../store.ts'
import { createToken } from './tokens.ts'

/** Tokens that all browsers together get in a minute: anybody may ask, and each is kept for a day. */
const atMost = 300

const asItIs = (body: object, status = 200) =>
  Response.json(body, { status, headers: { 'access-control-allow-origin': '*' } })

const refuse = (refusal: Refusal) => asItIs(refusalAnswer(refusal), refusal.status)

export function tokenDoor({ store, publishableKey }: { store: Store; publishableKey: string }) {
  const app = new Hono()
  const tooLong = new Refusal(413, 'This is too long.', { type: 'invalid_request_error' })
  app.use('/v1/tokens', bodyLimit({ maxSize: 4096, onError: () => refuse(tooLong) }))

  app.options('/v1/tokens', () => {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type',
    }
    return new Response(null, { status: 204, headers })
  })

  app.post('/v1/tokens', async (context) => {
    try {
      checkKey(context.req.header('authorization'), publishableKey)
      await pretended(store)
      const params = parseForm(await context.req.text())
      return asItIs(
        await store.work(async (unit) => {
          const [made] = await unit.query<{ count: number }>(
            `select count(*)::int as count from stripe_sandbox.objects
             where object = 'token' and created > $1`,
            [wallSeconds() - 60],
          )
          if (made && made.count >= atMost) {
            throw new Refusal(429, 'Too many requests. Try again in a minute.', {
              type: 'invalid_request_error',
              code: 'rate_limit',
            })
          }
          return createToken(unit, params)
        }),
      )
    } catch (error) {
      if (error instanceof Refusal) return refuse(error)
      throw error
    }
  })
  return app
}
