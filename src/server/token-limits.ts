import { LRUCache } from 'lru-cache'

/** Requests that one token may make in a window, on each node. */
export const tokenQuota = 600
const windowSeconds = 60

/** Tokens that are remembered; of more than these in one minute, the least used begin anew. */
const mostRemembered = 50_000

export interface TokenCount {
  allowed: boolean
  remaining: number
  /** Until the quota is whole again. */
  seconds: number
}

/**
 * Counts requests of personal access tokens in the memory of this node: to count them in PostgreSQL would cost every
 * request a write. Not by the clock: set back by a day, it would let a minute last that long.
 */
export function createTokenLimits(now: () => number = () => performance.now()) {
  const windows = new LRUCache<string, { endsAt: number; used: number }>({ max: mostRemembered })
  return {
    count(tokenId: string): TokenCount {
      // Whole milliseconds: sums of their parts may come out as a second more.
      const time = Math.floor(now())
      let window = windows.get(tokenId)
      if (!window || window.endsAt <= time) {
        window = { endsAt: time + windowSeconds * 1000, used: 0 }
        windows.set(tokenId, window)
      }
      window.used += 1
      return {
        allowed: window.used <= tokenQuota,
        remaining: Math.max(0, tokenQuota - window.used),
        seconds: Math.ceil((window.endsAt - time) / 1000),
      }
    },
  }
}

export type TokenLimits = ReturnType<typeof createTokenLimits>

/** As in draft-ietf-httpapi-ratelimit-headers-10. */
export const limitHeaders = ({ allowed, remaining, seconds }: TokenCount) => ({
  'ratelimit-policy': `"default";q=${tokenQuota};w=${windowSeconds}`,
  ratelimit: `"default";r=${remaining};t=${seconds}`,
  ...(allowed ? {} : { 'retry-after': String(seconds) }),
})
