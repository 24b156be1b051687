import type { Log } from './log.ts'

/** One short message to one telephone. */
export interface Sms {
  /** Resolves when the gateway has taken the message; throws otherwise, so that the job tries again. */
  send(message: { to: string; text: string }): Promise<void>
}

/**
 * Messages go to `SMS_WEBHOOK_URL` as JSON (`to`, `text`), where the operator's gateway takes them. Without
 * one they are written to the log, which is enough to try the product on one's own machine.
 */
export function openSms(webhookUrl: string | undefined, log: Log): Sms {
  if (!webhookUrl) {
    return {
      async send({ to, text }) {
        log.info({ to, text }, 'a text message (no SMS_WEBHOOK_URL is set)')
      },
    }
  }
  return {
    async send(message) {
      const response = await fetch(webhookUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
        // A code goes to the gateway that was set, and nowhere else.
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      })
      if (!response.ok) throw new Error(`The SMS gateway answered ${response.status}.`)
    },
  }
}
