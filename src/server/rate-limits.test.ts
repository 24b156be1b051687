// How attempts are counted. What is counted, and what people are told, is tested where it is done.
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openCopy } from '../../test/database-copy.ts'
import { lookAtLimits, openRateLimits, type RateLimits, waitLabel } from './rate-limits.ts'

let pool: Pool
let limits: RateLimits
beforeAll(async () => {
  ;({ pool } = await openCopy())
})
afterAll(() => pool?.end())

const now = Date.parse('2026-01-01T12:00:00Z')
const later = (ms: number) => vi.setSystemTime(now + ms)
beforeEach(async () => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  limits = openRateLimits(pool)
  await pool.query('delete from rate_limits')
})
afterEach(() => {
  vi.useRealTimers()
})

const rows = async () => {
  const found = await pool.query('select key, points, expire::float8 as expire from rate_limits')
  return found.rows
}
/** As if all of these had been made with one that has been. */
const made = (points: number) => pool.query('update rate_limits set points = $1', [points])

/** As many as may be tried, in how many seconds, and the name by which all nodes and versions count. */
const most: Record<keyof RateLimits, [number, number, string]> = {
  loginByAddress: [50, 600, 'login-address'],
  loginByAccountAndAddress: [10, 600, 'login-pair'],
  loginByAccount: [100, 3600, 'login-account'],
  loginByDevice: [10, 600, 'login-device'],
  codesByAddress: [120, 600, 'code-address'],
  codesByReceiverAndAddress: [10, 600, 'code-pair'],
  beginningsByAddress: [600, 600, 'login-begin'],
  mailByAddress: [40, 3600, 'mail-address'],
  mailByRecipientAndAddress: [5, 900, 'mail-pair'],
  mailByRecipient: [30, 3600, 'mail-recipient'],
  mailByDevice: [5, 900, 'mail-device'],
  signUpByAddress: [60, 3600, 'signup-address'],
  signUpByAccount: [20, 3600, 'signup-account'],
  deletionByAccount: [10, 3600, 'deletion-account'],
  downloadByAccount: [10, 3600, 'download-account'],
  postsByAccount: [20, 600, 'post-account'],
  commentsByAccount: [60, 600, 'comment-account'],
  likesByAccount: [120, 60, 'like-account'],
  reportsByAccount: [30, 3600, 'report-account'],
  couponsByAccount: [10, 600, 'coupon-account'],
  checkoutsByAccount: [60, 600, 'checkout-account'],
  asksByCheckout: [1, 2, 'checkout-asked'],
  payoutMethodsByAccount: [10, 3600, 'payout-method-account'],
  supportByAddress: [10, 3600, 'support-address'],
  supportByRecipient: [3, 3600, 'support-recipient'],
  supportByAccount: [20, 3600, 'support-account'],
}

test.each(Object.entries(most))('%s: %j', async (name, [points, seconds, prefix]) => {
  const limit = limits[name as keyof RateLimits]
  const key = `${prefix}:x`
  const expire = now + seconds * 1000
  expect(await limit.count('x')).toBe(0)
  expect(await rows()).toEqual([{ key, points: 1, expire }])

  if (points > 1) {
    await made(points - 1)
    expect(await limit.wait('x')).toBe(0)
    expect(await limit.count('x')).toBe(0)
  }
  for (const ask of [limit.count, limit.wait, limit.count]) expect(await ask('x')).toBe(seconds)
  later(1001)
  for (const ask of [limit.count, limit.wait]) expect(await ask('x')).toBe(seconds - 1)
  // What was refused is not counted.
  expect(await rows()).toEqual([{ key, points, expire }])

  later(seconds * 1000)
  expect(await limit.wait('x')).toBe(0)
  expect(await limit.count('x')).toBe(0)
  expect(await rows()).toEqual([{ key, points: 1, expire: expire + seconds * 1000 }])
})

test('who is counted is nobody else, until forgotten', async () => {
  const limit = limits.asksByCheckout
  await limit.count('x')
  expect([await limit.wait('x'), await limit.wait('y')]).toEqual([2, 0])
  expect(await limit.count('y')).toBe(0)
  await limit.forget('x')
  expect([await limit.wait('x'), await limit.wait('y')]).toEqual([0, 2])
  await limit.forget('y')
  expect(await rows()).toEqual([])
})

test('what is given back counts as if it had not been tried', async () => {
  const limit = limits.codesByAddress
  await limit.count('x')
  await made(120)
  await limit.giveBack('x')
  expect([await limit.count('x'), await limit.count('x')]).toEqual([0, 600])
})

test('several limits are looked at by one statement, each with its own key and number', async () => {
  const { loginByAddress, loginByAccount, loginByDevice } = limits
  await loginByAddress.count('here')
  await made(50)
  await loginByAccount.count('ann')
  const query = vi.spyOn(pool, 'query')
  const looks = await lookAtLimits(pool, [
    { limit: loginByAddress, key: 'here' },
    { limit: loginByAccount, key: 'ann' },
    { limit: loginByAccount, key: 'here' },
    { limit: loginByDevice, key: 'ann' },
  ])
  expect(looks).toEqual([
    { seconds: 600, isCounted: true },
    { seconds: 0, isCounted: true },
    { seconds: 0, isCounted: false },
    { seconds: 0, isCounted: false },
  ])
  expect(query).toHaveBeenCalledTimes(1)
  query.mockRestore()
  later(600_000)
  expect(await lookAtLimits(pool, [{ limit: loginByAddress, key: 'here' }])).toEqual([
    { seconds: 0, isCounted: false },
  ])
})

test('nodes whose clocks differ by no more than a minute count together', async () => {
  const limit = limits.postsByAccount
  await limit.count('x')
  await made(20)
  later(-60_000)
  expect(await limit.wait('x')).toBe(660)
  expect(await limit.count('x')).toBe(660)
})

test('what a clock noted that was ahead keeps nobody away for longer than the limit lasts', async () => {
  const limit = limits.postsByAccount
  await limit.count('x')
  await made(20)
  later(-60_001)
  expect(await limit.wait('x')).toBe(0)
  expect(await limit.count('x')).toBe(0)
  expect(await rows()).toMatchObject([{ points: 1, expire: now - 60_001 + 600_000 }])
})

test('they are counted in a table that is there, and nothing is done in the background', () => {
  const query = vi.fn(async () => ({ rows: [] }))
  const told = Object.create(Pool.prototype, { query: { value: query } }) as Pool
  vi.useFakeTimers()
  openRateLimits(told)
  expect(query).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('when PostgreSQL does not answer that is said, and not that there were too many', async () => {
  const gone = new Pool({ host: '127.0.0.1', port: 1 })
  await expect(openRateLimits(gone).postsByAccount.count('x')).rejects.toThrow('ECONNREFUSED')
  await gone.end()
})

test('nor once it answers again', async () => {
  const query = vi.spyOn(pool, 'query')
  query.mockImplementationOnce(() => Promise.reject(new Error('gone for a moment')) as never)
  await expect(limits.postsByAccount.count('x')).rejects.toThrow('gone for a moment')
  query.mockRestore()
  expect(await limits.postsByAccount.count('x')).toBe(0)
})

test.each([
  [1, '1 minute'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [600, '10 minutes'],
  [7200, '120 minutes'],
  [7201, '3 hours'],
  [86_400, '24 hours'],
])('who has to wait %i seconds reads “%s”', (seconds, words) => {
  expect(waitLabel(seconds)).toBe(words)
})
