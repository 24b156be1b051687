import { APIError } from 'better-auth/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import { codeIn, jobsDone, mailTo } from '../../../test/mailbox.ts'
import type { Services } from '../../server/services.ts'
import { askForMail } from './ask-for-mail.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** The queue takes no account mails until the answer is called. */
async function closeQueue(): Promise<() => Promise<unknown>> {
  const { pool } = app.services
  await pool.query(`
    create function refuse_mails() returns trigger language plpgsql as $$
      begin raise exception 'the queue is closed'; end $$`)
  await pool.query(`
    create trigger refuse_mails before insert on graphile_worker._private_jobs for each row
      when (new.payload ->> 'sealed' is not null) execute function refuse_mails()`)
  return () => pool.query('drop function refuse_mails() cascade')
}

test('what the library refuses is not tried again; what failed is', async () => {
  const path = '/email-otp/send-verification-otp'
  const asked = { path, body: { email: 'nowhere', type: 'sign-in' } }
  expect(await askForMail(asked, app.services)).toBeUndefined()
  const failing = (status: 'BAD_REQUEST' | 'INTERNAL_SERVER_ERROR') => {
    const sendVerificationOTP = async () => {
      throw new APIError(status)
    }
    const auth = { api: { sendVerificationOTP } } as unknown as Services['auth']
    return askForMail(asked, { ...app.services, auth })
  }
  expect(await failing('BAD_REQUEST')).toBeUndefined()
  await expect(failing('INTERNAL_SERVER_ERROR')).rejects.toThrow()
})

test('the code that was mailed is the one that opens the account', async () => {
  const { email } = await makePerson(app.services)
  await app.request('/auth/v1/email-otp/send-verification-otp', {
    body: { email, type: 'forget-password' },
  })
  const otp = codeIn((await mailTo(app, email, /is your Thunder code/)).subject)
  await jobsDone(app)
  const answer = await app.request('/auth/v1/email-otp/reset-password', {
    body: { email, otp, password: 'battery staple' },
  })
  expect(answer.status).toBe(200)
})

test.each([
  ['/request-password-reset', {}, /^Reset your password$/],
  ['/sign-in/magic-link', {}, /^Your log-in link/],
  ['/email-otp/send-verification-otp', { type: 'sign-in' }, /is your Thunder code/],
])('%s: what could not be put in the queue is tried again', async (path, more, subject) => {
  const { email } = await makePerson(app.services)
  const openQueue = await closeQueue()
  const { status } = await app.request(`/auth/v1${path}`, { body: { email, ...more } })
  expect(status).toBe(200)
  const failed = async () => {
    const { rows } = await app.services.pool.query(
      `select last_error from graphile_worker.jobs where task_identifier = 'askForMail' and last_error is not null`,
    )
    return rows
  }
  await expect.poll(failed).toHaveLength(1)
  await openQueue()
  await app.services.pool.query(
    `update graphile_worker._private_jobs set run_at = now() where attempts > 0`,
  )
  await mailTo(app, email, subject)
})
