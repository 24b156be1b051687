import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { transactionFeePercent } from './plan.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const call = (name: string, cookie?: string) =>
  app.request(`/rest/v1/rpc/${name}`, { method: 'POST', body: {}, cookie })

test('a newcomer is on the free plan and pays 5 % of a sale', async () => {
  const { id } = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, id)
  expect(await call('get_user_plan', cookie)).toMatchObject({ status: 200, body: 'free' })
  expect(await call('get_user_transaction_fee', cookie)).toMatchObject({ status: 200, body: 5 })
})

test('strangers have neither a plan nor a fee', async () => {
  for (const name of ['get_user_plan', 'get_user_transaction_fee']) {
    const { status, body } = await call(name)
    expect([name, status, body.message]).toEqual([name, 401, 'User must be authenticated'])
  }
})

test('Pro pays no fee', () => {
  expect(transactionFeePercent('pro')).toBe(0)
})
