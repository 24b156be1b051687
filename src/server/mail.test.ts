// Mail over real SMTP, to a server that is not always in the mood.
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { GivenUp } from './jobs.ts'
import { createLog } from './log.ts'
import { startMail } from './mail.ts'
import { outbox } from './outbox.ts'

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
  app = await startTestApp({
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'School <school@example.com>',
    EMAIL_CONFIRMATION: 'off',
  })
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

const openMail = (options: { smtpUrl?: string; from: string }) =>
  startMail({ ...options, log: createLog('silent'), pool: app.services.pool })

const waitingJobs = async () => {
  const { rows } = await app.services.pool.query(
    `select task_identifier from graphile_worker.jobs where task_identifier = 'sendWelcomeMail'`,
  )
  return rows
}

test('a mail that is refused for the moment is sent again, once', async () => {
  refusals.push({ code: 451, text: 'Try again later' })
  const { email } = await app.signUp({ name: 'Ann Lee' })
  await expect.poll(() => refused).toEqual([email])
  await expect.poll(() => taken.length).toBe(1)
  expect(taken[0]).toMatchObject({
    from: { name: 'School', address: 'school@example.com' },
    to: [{ address: email }],
    subject: 'Welcome to Thunder',
  })
  await expect.poll(waitingJobs).toEqual([])
  expect(taken).toHaveLength(1)
})

test('a mail that is refused for good is given up, and the log says so without the address', async () => {
  const warn = vi.spyOn(app.services.log, 'warn')
  refusals.push({ code: 550, text: 'No such person' })
  const { email } = await app.signUp({ name: 'Bob Lee' })
  await expect.poll(() => refused).toEqual([email])
  await expect.poll(waitingJobs).toEqual([])
  expect(warn.mock.calls).toEqual([
    [{ job: 'sendWelcomeMail' }, 'A mail was given up: the server refused it for good (550).'],
  ])
  warn.mockRestore()
  expect(taken).toEqual([])
})

describe('who sends hears', () => {
  const send = async (code: number) => {
    const mail = await openMail({ smtpUrl, from: 'x@example.com' })
    refusals.push({ code, text: 'No' })
    try {
      return await mail.send(message).catch((error: unknown) => error)
    } finally {
      await mail.stop()
    }
  }

  test.each([550, 552, 554])('that %d is final', async (code) => {
    expect(await send(code)).toBeInstanceOf(GivenUp)
  })

  test.each([421, 450, 451, 452])('that %d is not', async (code) => {
    const error = await send(code)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(GivenUp)
  })

  test('that a log-in which the server does not want can still be mended', async () => {
    const picky = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth, _session, done) =>
        done(Object.assign(new Error('Wrong password'), { responseCode: 535 })),
    })
    await new Promise<void>((resolve) => picky.listen(0, '127.0.0.1', resolve))
    const { port } = picky.server.address() as AddressInfo
    const mail = await openMail({
      smtpUrl: `smtp://us:wrong@127.0.0.1:${port}`,
      from: 'x@example.com',
    })
    const error = await mail.send(message).catch((refusal: unknown) => refusal)
    await mail.stop()
    await new Promise<void>((resolve) => picky.close(() => resolve()))
    expect(error).toMatchObject({ responseCode: 535 })
    expect(error).not.toBeInstanceOf(GivenUp)
  })

  test('that an address which cannot be one is final', async () => {
    const mail = await openMail({ smtpUrl, from: 'x@example.com' })
    const error = await mail
      .send({ ...message, to: 'ann\r\n@example.com>' })
      .catch((refusal: unknown) => refusal)
    await mail.stop()
    expect(error === undefined || error instanceof GivenUp).toBe(true)
  })
})

test('without a mail server, mails are caught as they were sent', async () => {
  const mail = await openMail({
    from: 'Thunder <hello@thunder.example>',
  })
  try {
    await mail.send(message)
    await mail.send({ ...message, to: 'bob@example.com' })
    expect(await mail.outbox?.()).toMatchObject([
      { id: 2, to: 'bob@example.com' },
      { id: 1, from: 'hello@thunder.example', to: 'ann@example.com', subject: 'Größe ⚡' },
    ])
    const [, caught] = (await mail.outbox?.()) ?? []
    expect(caught?.text.trimEnd()).toBe(message.text)
    expect(caught?.html.trimEnd()).toBe(message.html)
  } finally {
    await mail.stop()
  }
})

test('without a mail server, each node shows what any of them has caught, also after its end', async () => {
  const from = 'hello@thunder.example'
  const [one, other] = await Promise.all([openMail({ from }), openMail({ from })])
  try {
    await one.send({ ...message, to: 'cleo@example.com' })
    await one.stop()
    await other.send({ ...message, to: 'dora@example.com' })
    const receivers = (await other.outbox!()).map(({ to }) => to)
    expect(receivers.slice(0, 2)).toEqual(['dora@example.com', 'cleo@example.com'])
  } finally {
    await other.stop()
  }
})

test('caught mails go after a day, and when there are 200 newer ones', async () => {
  const mail = await openMail({ from: 'hello@thunder.example' })
  const { pool } = app.services
  try {
    await mail.send({ ...message, to: 'old@example.com' })
    await pool.query(`update caught_mails.mails set received_at = now() - interval '25 hours'`)
    await mail.send(message)
    expect((await mail.outbox!()).map(({ to }) => to)).toEqual([message.to])
    await pool.query(`select setval('caught_mails.mails_id_seq',
                        nextval('caught_mails.mails_id_seq') + 198)`)
    await mail.send({ ...message, to: 'last@example.com' })
    expect((await mail.outbox!()).map(({ to }) => to)).toEqual(['last@example.com'])
  } finally {
    await mail.stop()
  }
})

test('the page of caught mails may show each in a frame, and nobody may frame the page', async () => {
  const caught = { ...message, id: 1, from: 'hello@thunder.example', headers: {}, receivedAt: '' }
  const pages = outbox(async () => [caught])
  const policyOf = async (path: string) =>
    (await pages.request(path)).headers.get('content-security-policy')?.split('; ')
  expect(await (await pages.request('/')).text()).toContain('src="/outbox/1"')
  expect(await policyOf('/')).toEqual(
    expect.arrayContaining(["default-src 'none'", "frame-src 'self'", "frame-ancestors 'none'"]),
  )
  expect(await policyOf('/1')).toEqual(
    expect.arrayContaining(["default-src 'none'", 'sandbox', "frame-ancestors 'self'"]),
  )
})

test('a line break in an address or a subject adds no header and nobody', async () => {
  const mail = await openMail({ from: 'hello@thunder.example' })
  try {
    await mail.send({ ...message, subject: 'Hello\r\nBcc: eve@example.com' })
    const [caught] = (await mail.outbox?.()) ?? []
    expect(caught).toMatchObject({ to: 'ann@example.com' })
    expect(caught?.subject).toMatch(/^Hello\s+Bcc: eve@example\.com$/)
  } finally {
    await mail.stop()
  }
})
