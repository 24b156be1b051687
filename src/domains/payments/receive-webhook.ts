import Stripe from 'stripe'
import type { Services } from '../../server/services.ts'
import { keepEvent, noteRepeat } from './keep-event.ts'

/** Bytes that an event may have. */
export const maxWebhook = 1024 * 1024

/** Seconds that a signature may be old: who overheard one cannot send it again tomorrow. */
const tolerance = 300

const refusal = (status: 400 | 404 | 413, code: string, message: string) =>
  Response.json({ code, status, message }, { status })

export const webhookTooLong = () => refusal(413, 'PAYLOAD_TOO_LARGE', 'An event has at most 1 MB.')

/** What the payment provider tells us: verified, noted once, and answered at once. A job applies it. */
export function createWebhookDoor({ db, payments, log, measures }: Services) {
  async function receive(request: Request): Promise<Response> {
    const { webhookSecrets, stripe } = payments
    if (webhookSecrets.length === 0)
      return refusal(404, 'NOT_FOUND', 'No webhook is configured here.')
    const signature = request.headers.get('stripe-signature')
    if (!signature) {
      return refusal(400, 'SIGNATURE_MISSING', 'This event has no signature.')
    }
    const body = Buffer.from(await request.arrayBuffer())
    const event = verified(stripe, body, signature, webhookSecrets)
    if ('problem' in event) {
      log.warn({ problem: event.problem }, 'a webhook was refused')
      return refusal(400, 'SIGNATURE_WRONG', event.problem)
    }
    if (!(await noteRepeat(db, event.id))) {
      await db.transaction((transaction) => keepEvent(transaction, event, 'webhook'))
    }
    return Response.json({ received: true })
  }
  return async (request: Request): Promise<Response> => {
    const answer = await receive(request)
    measures.webhooks.add({ status: answer.status })
    return answer
  }
}

const wrongSignature = 'The signature of this event is wrong.'

type Verified = Stripe.Event | { problem: string }

/** Each endpoint at the provider has a secret of its own; which one sent it, an event does not say. */
function verified(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  secrets: readonly string[],
): Verified {
  let result: Verified = { problem: wrongSignature }
  for (const secret of secrets) {
    const found = verifiedBy(stripe, body, signature, secret)
    if (!('problem' in found)) return found
    // That it is too old says more than that another secret does not fit.
    if (found.problem !== wrongSignature) result = found
  }
  return result
}

function verifiedBy(stripe: Stripe, body: Buffer, signature: string, secret: string): Verified {
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret, tolerance)
    return isEvent(event) ? event : { problem: 'This is no event.' }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'This is no event.' }
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    return {
      problem: error.message.includes('tolerance')
        ? 'The signature of this event is too old.'
        : wrongSignature,
    }
  }
}

/** Whoever signs has our secret; what is signed can still be something else. */
function isEvent(value: unknown): value is Stripe.Event {
  const event = value as Partial<Stripe.Event> | null
  return (
    typeof event?.id === 'string' &&
    /^evt_[A-Za-z0-9_]{1,80}$/.test(event.id) &&
    typeof event.type === 'string' &&
    typeof event.created === 'number' &&
    typeof event.data?.object === 'object' &&
    event.data.object !== null
  )
}
