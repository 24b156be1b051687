import type { Coupon } from '../schema.ts'

export type CouponState = 'active' | 'off' | 'waiting' | 'over' | 'held' | 'usedUp'

/** Why a code works at this moment, or does not. */
export function couponState(coupon: Coupon, now: Date): CouponState {
  const { isActive, startsAt, endsAt, maxRedemptions, redemptionsCount, heldCount } = coupon
  if (!isActive) return 'off'
  if (endsAt !== null && new Date(endsAt) <= now) return 'over'
  if (maxRedemptions !== null && redemptionsCount >= maxRedemptions) {
    return heldCount > 0 ? 'held' : 'usedUp'
  }
  return startsAt !== null && new Date(startsAt) > now ? 'waiting' : 'active'
}
