// Pure decisions about prices, coupons and purchases.

export const couponLimits = {
  code: { least: 6, most: 40 },
  perCourse: 100,
  redemptions: 100_000,
} as const

/** Minutes for which a payment page stays open, and holds its seat and its coupon. */
export const checkoutMinutes = 30

/** Days without a payment after which a monthly course ends, if the provider has not ended it before. */
const graceDays = 21

export interface Reduction {
  percentOff: number | null
  amountOff: number | null
}

/** The least that can be paid, in minor units. */
const leastPayable = 50

/**
 * The price with a coupon, in minor units; never negative. What is too little to be paid by card is given
 * away.
 */
export function reducedPrice(price: number, { percentOff, amountOff }: Reduction): number {
  const off = percentOff === null ? (amountOff ?? 0) : Math.round((price * percentOff) / 100)
  const reduced = Math.max(0, price - off)
  return reduced < leastPayable ? 0 : reduced
}

interface CouponLimits {
  isActive: boolean
  startsAt: Date | null
  endsAt: Date | null
  maxRedemptions: number | null
  maxPerPerson: number
}

/** Whether a coupon can be used once more, by somebody who used it `byPerson` times. */
export function couponIsOpen(
  { isActive, startsAt, endsAt, maxRedemptions, maxPerPerson }: CouponLimits,
  uses: { all: number; byPerson: number },
  now: Date,
): boolean {
  if (!isActive || (startsAt && startsAt > now) || (endsAt && endsAt <= now)) return false
  return uses.byPerson < maxPerPerson && (maxRedemptions === null || uses.all < maxRedemptions)
}

/** Codes are compared in upper case, without what surrounds them. */
export const normalCode = (code: string) => code.trim().toUpperCase()

const day = 24 * 60 * 60 * 1000

/** Until when access stays without a payment, at the latest. */
export const graceEnd = (missingSince: Date) => new Date(missingSince.getTime() + graceDays * day)

/** Milliseconds from its beginning for which nobody is charged for a period, and some more: an hour, says the provider. */
const draftTime = 2 * 60 * 60 * 1000

interface Renewal {
  since: Date | null
  periodStart: Date | null
  periodEnd: Date | null
  /** Of the newest payment. */
  paidAt: Date | null
  isCanceled: boolean
}

/**
 * Whether the present period of what renews may be unpaid still, as far as we know: one that was renewed a moment ago, or
 * of whose renewal nobody has told us yet. The first one is paid before it counts. Who cancels then loses it at once; of
 * what is canceled already no further one begins.
 */
export function mayBeUnpaid(
  { since, periodStart, periodEnd, paidAt, isCanceled }: Renewal,
  now = new Date(),
): boolean {
  if (isCanceled) return false
  const isOver = periodEnd !== null && periodEnd <= now
  const start = isOver ? periodEnd : periodStart
  if (!start || (paidAt && paidAt >= start)) return false
  if (isOver) return true
  if (!since || start <= since || start > now) return false
  return now.getTime() - start.getTime() < draftTime
}

/** What a subscription at the provider means for what was bought; null when nothing was paid yet. */
export function standingOf(status: string): 'active' | 'past_due' | 'ended' | null {
  if (status === 'active' || status === 'trialing') return 'active'
  if (status === 'past_due') return 'past_due'
  // `unpaid`: the provider has given up, but leaves it to us to cancel.
  return ['canceled', 'unpaid', 'incomplete_expired'].includes(status) ? 'ended' : null
}

/** Days before the end of that time on which the last warning comes. */
const warningDays = 3

/** Whose payment is missing since then has to be warned, or to end. */
export const overdueAt = (now: Date) => ({
  warnedBefore: new Date(now.getTime() - (graceDays - warningDays) * day),
  endedBefore: new Date(now.getTime() - graceDays * day),
})
