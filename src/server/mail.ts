import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Log } from './log.ts'

interface Message {
  to: string
  subject: string
  text: string
  html: string
}

export interface CaughtMail extends Message {
  id: number
  from: string
  receivedAt: string
}

export interface Mail {
  /** Resolves when the SMTP server has accepted the message. */
  send(message: Message): Promise<void>
  /** Mails that the embedded catcher holds, newest first; null when a real SMTP server is used. */
  outbox: (() => CaughtMail[]) | null
  stop(): Promise<void>
}

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
    async send(message) {
      await transport.sendMail({ from: options.from, ...message })
    },
    outbox: catcher?.outbox ?? null,
    async stop() {
      transport.close()
      await catcher?.stop()
    },
  }
}
