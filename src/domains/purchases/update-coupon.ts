import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { type CountedCoupon, heldUsesOf } from './hold-coupon.ts'
import type { CouponChange } from './schema.ts'
import { coupons } from './tables.ts'

/** A coupon can be limited further or opened again; what it takes off stays, for who has its code. */
export async function updateCoupon(
  transaction: Transaction,
  { courseId, couponId, ...change }: CouponChange,
): Promise<CountedCoupon | 'gone' | { problem: string }> {
  const which = and(eq(coupons.id, couponId), eq(coupons.courseId, courseId))
  const [before] = await transaction.select().from(coupons).where(which).for('no key update')
  if (!before) return 'gone'
  const { startsAt, redemptionsCount } = before
  if (change.endsAt && startsAt && change.endsAt <= startsAt) {
    return { problem: 'The end must be after the start' }
  }
  const heldCount = await heldUsesOf(transaction, couponId)
  if (change.maxRedemptions && change.maxRedemptions < redemptionsCount) {
    const used = heldCount > 0 ? 'is used, or about to be,' : 'was used'
    return { problem: `It ${used} ${redemptionsCount} times already: choose at least that` }
  }
  if (Object.keys(change).length === 0) return { ...before, heldCount }
  const [changed] = await transaction.update(coupons).set(change).where(which).returning()
  return { ...changed!, heldCount }
}
