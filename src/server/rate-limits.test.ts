// How attempts are counted. What is counted, and what people are told, is tested where it is done.
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { openRateLimits, type RateLimits } from './rate-limits.ts'

let app: TestApp
let limits: RateLimits
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  limits = app.services.rateLimits
})
afterAll(() => app?.stop())

/** As many as may be tried, and in how many seconds. */
const most: Record<keyof RateLimits, [number, number]> = {
  loginByAddress: [50, 600],
  loginByAccountAndAddress: [10, 600],
  loginByAccount: [100, 3600],
  loginByDevice: [10, 600],
  codesByAddress: [120, 600],
  mailByAddress: [40, 3600],
  mailByRecipient: [5, 900],
  signUpByAddress: [60, 3600],
  signUpByAccount: [20, 3600],
  deletionByAccount: [10, 3600],
  downloadByAccount: [10, 3600],
  postsByAccount: [20, 600],
  commentsByAccount: [60, 600],
  likesByAccount: [120, 60],
  reportsByAccount: [30, 3600],
  couponsByAccount: [10, 600],
  checkoutsByAccount: [60, 600],
  asksByCheckout: [1, 2],
  payoutMethodsByAccount: [10, 3600],
  supportByAddress: [10, 3600],
  supportByRecipient: [3, 3600],
  supportByAccount: [20, 3600],
}

test.each(Object.entries(most))('%s: %j', async (name, [points, seconds]) => {
  const limit = limits[name as keyof RateLimits]
  const { pool } = app.services
  const before = Date.now()
  expect(await limit.count('x')).toBe(0)
  const { rows: begun } = await pool.query('select points, expire from rate_limits')
  expect(begun).toEqual([{ points: 1, expire: expect.anything() }])
  expect(Number(begun[0].expire)).toBeGreaterThanOrEqual(before + seconds * 1000)
  expect(Number(begun[0].expire)).toBeLessThanOrEqual(Date.now() + seconds * 1000)

  // As if all but the last had been made, and just now, so that nothing is over before the test is.
  const justNow = () =>
    pool.query('update rate_limits set expire = $1', [Date.now() + seconds * 1000])
  await pool.query('update rate_limits set points = $1', [points - 1])
  await justNow()
  expect(await limit.wait('x')).toBe(0)
  expect(await limit.count('x')).toBe(0)
  for (const ask of [limit.count, limit.wait, limit.count]) {
    await justNow()
    const wait = await ask('x')
    expect(wait).toBeGreaterThan(seconds / 2)
    expect(wait).toBeLessThanOrEqual(seconds)
  }
  // What was refused is not counted.
  expect((await pool.query('select points from rate_limits')).rows).toEqual([{ points }])
  expect(await limit.count('y')).toBe(0)
  expect(await limit.wait('never tried')).toBe(0)
  await limit.forget('y')
  await limit.forget('x')
  expect(await limit.wait('x')).toBe(0)
  expect((await pool.query('select 1 from rate_limits')).rows).toEqual([])
})

test('nodes whose clocks differ a little count together', async () => {
  const { pool } = app.services
  const limit = limits.postsByAccount
  for (let attempt = 0; attempt < 20; attempt += 1) expect(await limit.count('x')).toBe(0)
  await pool.query('update rate_limits set expire = expire + 30000')
  expect(await limit.count('x')).toBeGreaterThan(600)
  expect(await limit.wait('x')).toBeGreaterThan(600)
  await limit.forget('x')
})

test('what a clock noted that was ahead keeps nobody away for longer than the limit lasts', async () => {
  const { pool } = app.services
  const limit = limits.postsByAccount
  for (let attempt = 0; attempt <= 20; attempt += 1) await limit.count('x')
  expect(await limit.count('x')).toBeGreaterThan(500)
  await pool.query('update rate_limits set expire = expire + 86400000')
  expect(await limit.wait('x')).toBe(0)
  expect(await limit.count('x')).toBe(0)
  expect((await pool.query('select points from rate_limits')).rows).toEqual([{ points: 1 }])
  await limit.forget('x')
})

test('each counts by itself', async () => {
  for (const limit of Object.values(limits)) await limit.count('same')
  const { rows } = await app.services.pool.query('select points from rate_limits')
  expect(rows).toEqual(Object.keys(most).map(() => ({ points: 1 })))
  await app.services.pool.query('delete from rate_limits')
})

test('when PostgreSQL does not answer that is said, and not that there were too many', async () => {
  const pool = new Pool({ host: '127.0.0.1', port: 1 })
  await expect(openRateLimits(pool).postsByAccount.count('x')).rejects.toThrow('ECONNREFUSED')
  await pool.end()
})
