import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

interface RateLimit {
  /** Seconds until another attempt is allowed; 0 when one is allowed now. Counts nothing. */
  wait(key: string): Promise<number>
  /** Counts one attempt; answers like `wait`. */
  count(key: string): Promise<number>
  forget(key: string): Promise<void>
}

export interface RateLimits {
  /** Wrong passwords from one address. */
  loginByAddress: RateLimit
  /** Wrong passwords for one account from one address. */
  loginByAccountAndAddress: RateLimit
  /** Wrong passwords for one account, from wherever. */
  loginByAccount: RateLimit
  signUpByAddress: RateLimit
}

/** Attempts are counted in PostgreSQL, so that every node sees the same numbers. */
export function openRateLimits(pool: Pool): RateLimits {
  const limit = (keyPrefix: string, points: number, seconds: number): RateLimit => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration: seconds,
      clearExpiredByTimeout: false,
    })
    return {
      async wait(key) {
        const state = await limiter.get(key)
        return state && state.consumedPoints >= points ? Math.ceil(state.msBeforeNext / 1000) : 0
      },
      async count(key) {
        try {
          await limiter.consume(key)
          return 0
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1000)
          throw refusal
        }
      },
      async forget(key) {
        await limiter.delete(key)
      },
    }
  }
  return {
    loginByAddress: limit('login-address', 50, 600),
    loginByAccountAndAddress: limit('login-pair', 10, 600),
    loginByAccount: limit('login-account', 100, 3600),
    signUpByAddress: limit('signup-address', 60, 3600),
  }
}
