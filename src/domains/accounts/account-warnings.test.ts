// What the owner of an account is told when something about its safety changed.
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import { jobsDone, mailTo, startSmsGateway } from '../../../test/mailbox.ts'
import type { SecurityEvent } from '../../server/auth/hooks.ts'
import { postText, postWarning } from './send-account-mail.ts'

let app: TestApp
let gateway: Awaited<ReturnType<typeof startSmsGateway>>
const number = '+4915112345678'
beforeAll(async () => {
  gateway = await startSmsGateway()
  app = await startTestApp({ SMS_WEBHOOK_URL: gateway.url })
})
afterAll(async () => {
  await app?.stop()
  await gateway?.stop()
})

const said: Record<SecurityEvent, string> = {
  'password-changed': 'Your password was changed',
  'password-removed':
    'Your password was removed, because your address was proved by email only now',
  'ways-in-removed':
    'Your other ways to log in were removed, because your address was proved by email only now',
  'two-step-on': 'Two-step verification was turned on',
  'two-step-off': 'Two-step verification was turned off',
  'passkey-added': 'A passkey was added to your account',
  'passkey-removed': 'A passkey was removed from your account',
  'identity-linked': 'Another way to log in was connected to your account',
  'identity-removed': 'A way to log in was removed from your account',
  'telephone-connected': 'A telephone number was connected to your account',
  'telephone-removed': 'The telephone number was removed from your account',
  'token-made': 'An access token was made for your account',
  'token-revoked': 'An access token of your account was revoked',
  'webhook-added': 'A webhook was added to your account',
  'webhook-moved': 'A webhook of your account has another address now',
}

test.each(Object.entries(said))('%s: “%s”', async (event, words) => {
  const { id, email, name } = await makePerson(app.services)
  const { db, secret } = app.services
  await postWarning(db, secret, id, event as SecurityEvent)
  const mail = await mailTo(app, email, new RegExp(`^${words}$`))
  expect(mail.text).toContain(`Hello ${name}, this is to let you know.`)
})

test.each(Object.keys(said))('%s: says what a new password does not end', async (event) => {
  const { id, email } = await makePerson(app.services)
  const { db, secret } = app.services
  await postWarning(db, secret, id, event as SecurityEvent)
  const { text } = await mailTo(app, email, new RegExp(`^${said[event as SecurityEvent]}$`))
  expect(text).toContain('reset your password now')
  const addsWayIn = ['passkey-added', 'identity-linked', 'telephone-connected'].includes(event)
  expect(text.includes('remove it under Account & Security')).toBe(addsWayIn)
  expect(text.includes('write to support@thunder.example at once')).toBe(event === 'two-step-on')
  expect(text.includes('delete the webhook under Developers')).toBe(event.startsWith('webhook-'))
})

test('what waits in the queue tells neither whom it is for nor what it says', async () => {
  const { db, secret } = app.services
  const { id, email, name } = await makePerson(app.services)
  await db.transaction(async (transaction) => {
    await postWarning(transaction, secret, id, 'password-changed')
    await postText(transaction as unknown as typeof db, secret, {
      to: number,
      text: 'code 048213, not to be read',
    })
    const { rows } = await transaction.execute<{ payload: object }>(
      // Those of this transaction: `created_at` is its beginning.
      sql`select payload from graphile_worker._private_jobs where created_at = now()`,
    )
    const waiting = JSON.stringify(rows)
    expect(rows).toHaveLength(2)
    for (const word of [email, name, 'password', number, 'code', 'to be read']) {
      expect(waiting).not.toContain(word)
    }
  })
  expect(await gateway.textTo(number)).toBe('code 048213, not to be read')
  await mailTo(app, email, /^Your password was changed$/)
  await jobsDone(app)
})

test('nobody is told about an account that is gone', async () => {
  const { db, pool, secret } = app.services
  const waiting = async () => {
    const { rows } = await pool.query(
      `select count(*)::int as total from graphile_worker.jobs where task_identifier = 'sendAccountMail'`,
    )
    return rows[0].total as number
  }
  await expect.poll(waiting).toBe(0)
  await postWarning(db, secret, randomUUID(), 'password-changed')
  expect(await waiting()).toBe(0)
})
