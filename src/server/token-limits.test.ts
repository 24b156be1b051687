import { expect, test, vi } from 'vitest'
import { createTokenLimits, limitHeaders, tokenQuota } from './token-limits.ts'

test('a window is a minute from its first request, for each token', () => {
  let now = 1_000_000
  const limits = createTokenLimits(() => now)
  const count = (times: number, token = 'a') => {
    let last = limits.count(token)
    for (let done = 1; done < times; done++) last = limits.count(token)
    return last
  }
  expect(count(tokenQuota)).toEqual({ allowed: true, remaining: 0, seconds: 60 })
  now += 59_001
  expect(count(1)).toEqual({ allowed: false, remaining: 0, seconds: 1 })
  expect(count(1, 'b')).toEqual({ allowed: true, remaining: tokenQuota - 1, seconds: 60 })
  now += 999
  expect(count(1)).toEqual({ allowed: true, remaining: tokenQuota - 1, seconds: 60 })
})

test('a window is no second longer where the clock counts in parts of milliseconds', () => {
  expect(createTokenLimits(() => 120_480.44900439492).count('a').seconds).toBe(60)
})

test('a clock that is set back makes no minute longer', () => {
  const limits = createTokenLimits()
  limits.count('a')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 24 * 60 * 60 * 1000 })
  try {
    expect(limits.count('a').seconds).toBeLessThanOrEqual(60)
  } finally {
    vi.useRealTimers()
  }
})

test('says when to come back only to who has to wait', () => {
  expect(limitHeaders({ allowed: true, remaining: 5, seconds: 7 })).toEqual({
    'ratelimit-policy': '"default";q=600;w=60',
    ratelimit: '"default";r=5;t=7',
  })
  expect(limitHeaders({ allowed: false, remaining: 0, seconds: 7 })).toMatchObject({
    'retry-after': '7',
  })
})
