// Mail over real SMTP, to a server that is not always in the mood.
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createLog } from './log.ts'
import { startMail } from './mail.ts'

/** Answers to the next messages; then all are taken. */
const refusals: { code: number; text: string }[] = []
const refused: string[] = []
const taken: Email[] = []

let server: SMTPServer
let smtpUrl: string
let app: TestApp

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const refusal = refusals.shift()
        if (refusal) {
          refused.push(session.envelope.rcptTo[0]?.address ?? '')
          done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
          return
        }
        taken.push(await PostalMime.parse(Buffer.concat(chunks)))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  app = await startTestApp({ SMTP_URL: smtpUrl, MAIL_FROM: 'School <school@example.com>' })
})
afterAll(async () => {
  await app?.stop()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
beforeEach(() => {
  for (const list of [refusals, refused, taken]) list.length = 0
})

const message = {
  to: 'ann@example.com',
  subject: 'Größe ⚡',
  text: 'A line.\n.\nA line after a dot alone.',
  html: '<p>Hällo</p>',
}

test('a mail that is refused for the moment is sent again, once', async () => {
  refusals.push({ code: 451, text: 'Try again later' })
  const { email } = await app.signUp({ name: 'Ann Lee' })
  await expect.poll(() => refused, { timeout: 20_000 }).toEqual([email])
  await expect.poll(() => taken.length, { timeout: 20_000 }).toBe(1)
  expect(taken[0]).toMatchObject({
    from: { name: 'School', address: 'school@example.com' },
    to: [{ address: email }],
    subject: 'Welcome to Thunder',
  })
  const waiting = async () => {
    const { rows } = await app.services.pool.query(
      `select attempts from graphile_worker.jobs where task_identifier = 'sendWelcomeMail'`,
    )
    return rows
  }
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
  expect(taken).toHaveLength(1)
})

test('a refusal is an error for who sends', async () => {
  const mail = await startMail({ smtpUrl, from: 'x@example.com', log: createLog('silent') })
  refusals.push({ code: 550, text: 'No such person' })
  try {
    await expect(mail.send(message)).rejects.toThrow(/550 No such person/)
    await mail.send(message)
    expect(taken).toHaveLength(1)
  } finally {
    await mail.stop()
  }
})

test('without a mail server, mails are caught as they were sent', async () => {
  const mail = await startMail({
    from: 'Thunder <hello@thunder.example>',
    log: createLog('silent'),
  })
  try {
    await mail.send(message)
    await mail.send({ ...message, to: 'bob@example.com' })
    expect(mail.outbox?.()).toMatchObject([
      { id: 2, to: 'bob@example.com' },
      { id: 1, from: 'hello@thunder.example', to: 'ann@example.com', subject: 'Größe ⚡' },
    ])
    const [, caught] = mail.outbox?.() ?? []
    expect(caught?.text.trimEnd()).toBe(message.text)
    expect(caught?.html.trimEnd()).toBe(message.html)
  } finally {
    await mail.stop()
  }
})

test('a line break in an address or a subject adds no header and nobody', async () => {
  const mail = await startMail({ from: 'hello@thunder.example', log: createLog('silent') })
  try {
    await mail.send({ ...message, subject: 'Hello\r\nBcc: eve@example.com' })
    const [caught] = mail.outbox?.() ?? []
    expect(caught).toMatchObject({ to: 'ann@example.com' })
    expect(caught?.subject).toMatch(/^Hello\s+Bcc: eve@example\.com$/)
  } finally {
    await mail.stop()
  }
})
