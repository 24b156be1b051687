import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

interface RateLimit {
  /**
   * Counts one attempt, and answers 0; when there were too many it counts nothing, and answers how many
   * seconds until another is allowed.
   */
  count(key: string): Promise<number>
  /** For an attempt that need not have been counted. */
  takeBack(key: string): Promise<void>
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
  /** Sign-ups with one e-mail address, from wherever. */
  signUpByAccount: RateLimit
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
      async count(key) {
        try {
          await limiter.consume(key)
          return 0
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          await limiter.reward(key)
          return Math.ceil(refusal.msBeforeNext / 1000)
        }
      },
      async takeBack(key) {
        await limiter.reward(key)
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
    signUpByAccount: limit('signup-account', 20, 3600),
  }
}
