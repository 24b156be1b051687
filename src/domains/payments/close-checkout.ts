import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { lockCoupons, releaseCoupon } from '../purchases/hold-coupon.ts'
import { checkouts } from './tables.ts'

/** What a checkout can still become: money that arrives late counts also when nobody expected it any more. */
const before = {
  paid: ['open', 'expired'],
  expired: ['open'],
  refused: ['open', 'expired', 'paid'],
} as const

/**
 * Ends a checkout and tells the person's pages. Unless it was paid, its coupon's use is free again; its seat
 * is in any case. False when it had ended so, or better, before.
 */
export async function closeCheckout(
  transaction: Transaction,
  checkoutId: string,
  status: 'paid' | 'expired' | 'refused',
): Promise<boolean> {
  const [found] = await transaction
    .select({ couponId: checkouts.couponId })
    .from(checkouts)
    .where(eq(checkouts.id, checkoutId))
  if (found?.couponId) await lockCoupons(transaction, [found.couponId])
  const [closed] = await transaction
    .update(checkouts)
    .set({ status })
    .where(and(eq(checkouts.id, checkoutId), inArray(checkouts.status, [...before[status]])))
    .returning({ userId: checkouts.userId, courseId: checkouts.courseId })
  if (!closed) return false
  if (status !== 'paid') await releaseCoupon(transaction, checkoutId)
  const { userId, courseId } = closed
  if (userId && courseId) {
    await publishToPerson(transaction, userId, { type: 'checkout', courseId })
  }
  return true
}
