// What who has no account is mailed: word for word, once, and nothing about what is gone.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { mailsTo, mailTo } from '../../../test/mailbox.ts'
import { sendSupportMail } from './support-mail.ts'

let app: TestApp
let admin: string
beforeAll(async () => {
  app = await startTestApp({ APP_URL: 'http://thunder.test:3000' })
  const person = await makePerson(app.services)
  admin = await sessionCookieOf(app.services, person.id)
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [person.id])
})
afterAll(() => app?.stop())

/** Sends one without an account, and answers its id. */
async function asked(email: string): Promise<string> {
  const { status } = await app.request('/rest/v1/support/requests', {
    body: {
      name: 'Sam Stranger',
      email,
      topic: 'learning',
      subject: 'No sound',
      message: 'The second lesson has no sound.',
    },
  })
  expect(status).toBe(200)
  const { rows } = await app.services.pool.query<{ id: string }>(
    'select id from support_requests where email = $1',
    [email],
  )
  return rows[0]!.id
}

const answer = (id: string, message: string) =>
  app.request(`/rest/v1/admin/support/requests/${id}/messages`, {
    cookie: admin,
    body: { message },
  })
const address = () => `${randomUUID()}@example.com`

test('the mail that a request arrived says what it is about, and how to write again', async () => {
  const email = address()
  const id = await asked(email)
  const mail = await mailTo(app, email, /./)
  expect(mail.subject).toBe('We have received your request to Thunder')
  expect(mail.text.trimEnd()).toBe(
    [
      'Your request has arrived',
      'It is about: Taking a course. A person reads it, and we answer to this address.',
      'To add something, write to us again with the form.',
      'Write to us again: http://thunder.test:3000/support',
      '-- \nSomebody gave this address in the support form at http://thunder.test:3000. If it was not you, ignore this email.',
    ].join('\n\n'),
  )
  expect(mail.headers['message-id']).toBe(`<support-${id}@thunder.test>`)
})

test('the mail with the answer has its paragraphs, and how to answer it', async () => {
  const email = address()
  const id = await asked(email)
  const { body } = await answer(id, 'Hello Sam,\n\n\nplease turn it on.\n \nAda')
  const mail = await mailTo(app, email, /answer/)
  expect(mail.subject).toBe('Our answer to your request: No sound')
  expect(mail.text.trimEnd()).toBe(
    [
      'No sound',
      'Hello Sam,',
      'please turn it on.',
      'Ada',
      'This address is not read. To answer, please write to us again with the form.',
      'Write to us again: http://thunder.test:3000/support',
      '-- \nYou get this email because you asked for support at http://thunder.test:3000.',
    ].join('\n\n'),
  )
  // Each answer is a mail of its own: a mail program would show one of two with the same id.
  expect(mail.headers['message-id']).toBe(`<support-${body.messages[1].id}@thunder.test>`)
})

test('of a request or an answer that is gone meanwhile nothing is mailed', async () => {
  const [one, other] = [address(), address()]
  const requestId = await asked(one)
  const { body } = await answer(await asked(other), 'This is for somebody else.')
  await mailTo(app, one, /received/)
  for (const subject of [/received/, /answer/]) await mailTo(app, other, subject)
  await sendSupportMail({ requestId: randomUUID() }, app.services)
  await sendSupportMail({ requestId, messageId: randomUUID() }, app.services)
  // Nor an answer to somebody else.
  await sendSupportMail({ requestId, messageId: body.messages[1].id }, app.services)
  expect(await mailsTo(app, one)).toHaveLength(1)
  expect(await mailsTo(app, other)).toHaveLength(2)
})
