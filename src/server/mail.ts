import { createTransport } from 'nodemailer'
import type { Pool } from 'pg'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { hasMailbox } from '../domains/accounts/shown-email.ts'
import { type CaughtMail, type CaughtMails, openCaughtMails } from './caught-mails.ts'
import { GivenUp } from './jobs.ts'
import type { Log } from './log.ts'
import type { Measures } from './measures.ts'

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

export interface Mail {
  /**
   * Resolves when the SMTP server has accepted the message.
   * @throws {GivenUp} when it never will: the address or the message was refused for good.
   */
  send(message: Message): Promise<void>
  /** Mails that the embedded catchers of all nodes hold, newest first; null when a real SMTP server is used. */
  outbox: (() => Promise<CaughtMail[]>) | null
  stop(): Promise<void>
}

/** What became of a mail: what failed is tried again, what was refused never is. */
export const mailOutcomes = ['sent', 'failed', 'refused'] as const

/** What nodemailer knows about a refusal. */
type SmtpError = { code?: string; command?: string; responseCode?: number }

/** An SMTP server on loopback that accepts everything and delivers nothing. */
async function startCatcher(caught: CaughtMails, log: Log) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: 1024 * 1024,
    onData(stream, _session, done) {
      keep(stream).then(() => done(), done)
    },
  })
  async function keep(stream: AsyncIterable<Buffer>): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const mail = await PostalMime.parse(Buffer.concat(chunks))
    await caught.keep({
      from: mail.from?.address ?? '',
      to: mail.to?.map((to) => to.address).join(', ') ?? '',
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html ?? '',
      headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    })
  }
  server.on('error', (error) =>
    log.warn({ error: error.message }, 'the mail catcher had a problem'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    outbox: caught.all,
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
  /** Where mails are kept without `smtpUrl`. */
  pool: Pool
  measures?: Measures
}): Promise<Mail> {
  const catcher = options.smtpUrl
    ? null
    : await startCatcher(await openCaughtMails(options.pool), options.log)
  const transport = createTransport({
    url: options.smtpUrl ?? catcher?.url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return {
    async send({ id, unsubscribeUrl, ...message }) {
      // Accounts without an email address have a stand-in that no mail server could ever serve.
      if (!hasMailbox(message.to)) return
      const headers = unsubscribing(unsubscribeUrl) || undefined
      const note = (outcome: (typeof mailOutcomes)[number]) =>
        options.measures?.mails.add({ outcome })
      await transport
        .sendMail({ from: options.from, ...message, messageId: id, headers })
        .catch((error: unknown) => {
          const refused = refusedForGood(error)
          note(refused ? 'refused' : 'failed')
          throw refused ?? error
        })
      note('sent')
    },
    outbox: catcher?.outbox ?? null,
    async stop() {
      transport.close()
      await catcher?.stop()
    },
  }
}
