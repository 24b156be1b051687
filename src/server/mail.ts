import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { GivenUp } from './jobs.ts'
import type { Log } from './log.ts'

interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** Sent twice with the same id, mail programs show it once. */
  id?: string
  /** Takes a POST that stops such mails without another question (RFC 8058). */
  unsubscribeUrl?: string
}

export interface CaughtMail {
  id: number
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** By their names in lower case. */
  headers: Record<string, string>
  receivedAt: string
}

export interface Mail {
  /**
   * Resolves when the SMTP server has accepted the message.
   * @throws {GivenUp} when it never will: the address or the message was refused for good.
   */
  send(message: Message): Promise<void>
  /** Mails that the embedded catcher holds, newest first; null when a real SMTP server is used. */
  outbox: (() => CaughtMail[]) | null
  stop(): Promise<void>
}

/** What nodemailer knows about a refusal. */
type SmtpError = { code?: string; command?: string; responseCode?: number }

/** How many caught mails are kept in memory. */
const keptMails = 200

/** An SMTP server on loopback that accepts everything and delivers nothing. */
async function startCatcher(log: Log) {
  const caught: CaughtMail[] = []
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: 1024 * 1024,
    async onData(stream, _session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const mail = await PostalMime.parse(Buffer.concat(chunks))
      caught.unshift({
        id: ++count,
        from: mail.from?.address ?? '',
        to: mail.to?.map((to) => to.address).join(', ') ?? '',
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
        headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
        receivedAt: new Date().toISOString(),
      })
      caught.length = Math.min(caught.length, keptMails)
      done()
    },
  })
  server.on('error', (error) =>
    log.warn({ error: error.message }, 'the mail catcher had a problem'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    outbox: () => caught,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/**
 * A 5xx to the receiver or the message is final (RFC 5321, section 4.2.1). One to our log-in or our sender
 * is a mistake in the configuration, which somebody will mend, and 4xx is for the moment.
 */
function refusedForGood(error: unknown): GivenUp | null {
  const { command, responseCode = 0, code } = error as SmtpError
  if (code === 'EENVELOPE' && command === 'API') {
    return new GivenUp('A mail was given up: its address cannot be one.', { cause: error })
  }
  if (responseCode < 500 || !/^(RCPT TO|DATA)$/.test(command ?? '')) return null
  return new GivenUp(`A mail was given up: the server refused it for good (${responseCode}).`, {
    cause: error,
  })
}

const unsubscribing = (url: string | undefined) =>
  url && { 'list-unsubscribe': `<${url}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }

/** Mail always crosses real SMTP: to `smtpUrl`, or to the embedded catcher that /outbox shows. */
export async function startMail(options: {
  smtpUrl?: string
  from: string
  log: Log
}): Promise<Mail> {
  const catcher = options.smtpUrl ? null : await startCatcher(options.log)
  const transport = createTransport({
    url: options.smtpUrl ?? catcher?.url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return {
    async send({ id, unsubscribeUrl, ...message }) {
      // Accounts without an e-mail address have a stand-in that no mail server could ever serve.
      if (message.to.endsWith('.invalid')) return
      const headers = unsubscribing(unsubscribeUrl) || undefined
      await transport
        .sendMail({ from: options.from, ...message, messageId: id, headers })
        .catch((error: unknown) => {
          throw refusedForGood(error) ?? error
        })
    },
    outbox: catcher?.outbox ?? null,
    async stop() {
      transport.close()
      await catcher?.stop()
    },
  }
}
