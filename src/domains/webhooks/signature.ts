// Standard Webhooks: https://www.standardwebhooks.com
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export const makeSecret = () => prefix + randomBytes(32).toString('base64')

interface Signed {
  messageId: string
  body: string
  /** The one of now, and for a day after a change the one before. */
  secrets: string[]
  at: Date
}

/** The headers by which a receiver knows that we sent it, and that it is not sent again by somebody else later. */
export function signatureHeaders({ messageId, body, secrets, at }: Signed) {
  const id = webhookId(messageId)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** The same for each attempt: a receiver that has seen it has had the event. */
export const webhookId = (messageId: string) => `msg_${messageId}`
