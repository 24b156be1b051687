import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { askToWait } from './under-way.ts'

/** What was counted under one key. */
interface Counted {
  points: number
  /** Milliseconds since 1970 until which it counts; in PostgreSQL a bigint, and so a text. */
  expire: string
}

interface RateLimit {
  /**
   * Counts one attempt, and answers 0; when there were too many it counts nothing, and answers how many
   * seconds until another is allowed.
   */
  count(key: string): Promise<number>
  /** Seconds until another attempt is allowed; 0 when it is allowed now. Counts nothing. */
  wait(key: string): Promise<number>
  forget(key: string): Promise<void>
  /** Takes one attempt back that was counted and did no harm. */
  giveBack(key: string): Promise<void>
  /** Under which it is counted. */
  nameOf(key: string): string
  /** Seconds until another attempt is allowed, from what was counted. */
  secondsAfter(counted: Counted): number
}

/** How long to wait, for the sentence that says so: '1 minute', '10 minutes', '23 hours'. */
export function waitLabel(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** What limits say of their keys, in their order and by one statement: seconds to wait, and whether anything counts. */
export async function lookAtLimits(
  pool: Pool,
  asked: readonly { limit: RateLimit; key: string }[],
): Promise<{ seconds: number; isCounted: boolean }[]> {
  const { rows } = await pool.query<Counted & { key: string }>({
    // Stryker disable next-line StringLiteral: without a name the same is asked, and planned each time
    name: 'rate limits',
    text: 'select key, points, expire from rate_limits where key = any($1) and expire > $2',
    values: [asked.map(({ limit, key }) => limit.nameOf(key)), Date.now()],
  })
  return asked.map(({ limit, key }) => {
    const counted = rows.find((row) => row.key === limit.nameOf(key))
    const seconds = counted ? limit.secondsAfter(counted) : 0
    if (seconds > 0) askToWait(seconds)
    return { seconds, isCounted: counted !== undefined }
  })
}

/** Counts in turn, until one of them has too many: what is refused by one costs nothing by those after it. */
export async function countInTurn(
  asked: readonly { limit: RateLimit; key: string }[],
): Promise<number> {
  for (const { limit, key } of asked) {
    const seconds = await limit.count(key)
    if (seconds > 0) return seconds
  }
  return 0
}

export interface RateLimits {
  /** Wrong passwords from one address. */
  loginByAddress: RateLimit
  /** Wrong passwords for one account from one address. */
  loginByAccountAndAddress: RateLimit
  /** Wrong passwords for one account, from wherever. */
  loginByAccount: RateLimit
  /** Wrong passwords in a browser that has logged in to the account before. */
  loginByDevice: RateLimit
  /** Wrong one-time codes, tokens and signatures from one address. */
  codesByAddress: RateLimit
  /** The same at the codes of one receiver: few enough that its owner gets one through meanwhile. */
  codesByReceiverAndAddress: RateLimit
  /** Ways through another service or a wallet begun at one address. */
  beginningsByAddress: RateLimit
  /** Mails and text messages asked for from one address. */
  mailByAddress: RateLimit
  /** Mails and text messages of one kind to one recipient, asked for from one address. */
  mailByRecipientAndAddress: RateLimit
  /** The same from wherever: more than any one address may ask for, so that none keeps the owner out alone. */
  mailByRecipient: RateLimit
  /** The same in a browser that has logged in to the recipient's account before. */
  mailByDevice: RateLimit
  signUpByAddress: RateLimit
  /** Sign-ups with one email address, from wherever. */
  signUpByAccount: RateLimit
  /** Passwords typed to delete one account. */
  deletionByAccount: RateLimit
  /** Downloads of everything that one person put in. */
  downloadByAccount: RateLimit
  /** Posts that one person writes, or writes anew. */
  postsByAccount: RateLimit
  /** Comments that one person writes, or writes anew. */
  commentsByAccount: RateLimit
  /** Likes that one person gives or takes back. */
  likesByAccount: RateLimit
  /** Posts and comments that one person reports. */
  reportsByAccount: RateLimit
  /** Wrong coupon codes that one person tries. */
  couponsByAccount: RateLimit
  /** Payment pages that one person asks for. */
  checkoutsByAccount: RateLimit
  /** What became of one payment page, asked of the payment provider. */
  asksByCheckout: RateLimit
  /** Bank accounts, debit cards and PayPal addresses that one person sets up to be paid to. */
  payoutMethodsByAccount: RateLimit
  /** Messages to those who run this, sent from one address without an account. */
  supportByAddress: RateLimit
  /** The same that name one email address, which is written to. */
  supportByRecipient: RateLimit
  /** Messages to those who run this by one person. */
  supportByAccount: RateLimit
}

/** Milliseconds by which clocks of nodes may differ, so that none forgets what another one counts. */
export const mostApart = 60_000

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
    /** Noted by a clock that was ahead: nobody waits much longer than the limit lasts. */
    const isOfTheFuture = (msBeforeNext: number) => msBeforeNext > seconds * 1000 + mostApart
    const own: RateLimit = {
      async count(key) {
        try {
          await limiter.consume(key)
          return 0
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          if (isOfTheFuture(refusal.msBeforeNext)) {
            await limiter.delete(key)
            return own.count(key)
          }
          await limiter.reward(key)
          const wait = Math.ceil(refusal.msBeforeNext / 1000)
          askToWait(wait)
          return wait
        }
      },
      async wait(key) {
        const [look] = await lookAtLimits(pool, [{ limit: own, key }])
        return look!.seconds
      },
      async forget(key) {
        await limiter.delete(key)
      },
      async giveBack(key) {
        await limiter.reward(key)
      },
      nameOf: (key) => `${keyPrefix}:${key}`,
      secondsAfter(counted) {
        const msBeforeNext = Number(counted.expire) - Date.now()
        if (counted.points < points || isOfTheFuture(msBeforeNext)) return 0
        return Math.ceil(msBeforeNext / 1000)
      },
    }
    return own
  }
  return {
    loginByAddress: limit('login-address', 50, 600),
    loginByAccountAndAddress: limit('login-pair', 10, 600),
    loginByAccount: limit('login-account', 100, 3600),
    loginByDevice: limit('login-device', 10, 600),
    codesByAddress: limit('code-address', 120, 600),
    codesByReceiverAndAddress: limit('code-pair', 10, 600),
    beginningsByAddress: limit('login-begin', 600, 600),
    mailByAddress: limit('mail-address', 40, 3600),
    mailByRecipientAndAddress: limit('mail-pair', 5, 900),
    mailByRecipient: limit('mail-recipient', 30, 3600),
    mailByDevice: limit('mail-device', 5, 900),
    signUpByAddress: limit('signup-address', 60, 3600),
    signUpByAccount: limit('signup-account', 20, 3600),
    deletionByAccount: limit('deletion-account', 10, 3600),
    downloadByAccount: limit('download-account', 10, 3600),
    postsByAccount: limit('post-account', 20, 600),
    commentsByAccount: limit('comment-account', 60, 600),
    likesByAccount: limit('like-account', 120, 60),
    reportsByAccount: limit('report-account', 30, 3600),
    couponsByAccount: limit('coupon-account', 10, 600),
    checkoutsByAccount: limit('checkout-account', 60, 600),
    asksByCheckout: limit('checkout-asked', 1, 2),
    payoutMethodsByAccount: limit('payout-method-account', 10, 3600),
    supportByAddress: limit('support-address', 10, 3600),
    supportByRecipient: limit('support-recipient', 3, 3600),
    supportByAccount: limit('support-account', 20, 3600),
  }
}
