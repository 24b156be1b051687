// Uses of coupons. Whoever calls these holds the course already, where it locks the course at all.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { couponRedemptions } from '../payments/tables.ts'
import { coupons } from './tables.ts'

export type CouponRow = typeof coupons.$inferSelect
/** With how many of its uses are not paid yet. */
export type CountedCoupon = CouponRow & { heldCount: number }

/** Of a payment page that is open. */
export const isHeld = isNull(couponRedemptions.purchaseId)

/** Keeps these coupons as they are until the transaction ends. */
export async function lockCoupons(transaction: Transaction, ids: string[]): Promise<void> {
  await transaction
    .select()
    .from(coupons)
    .where(inArray(coupons.id, ids))
    .orderBy(coupons.id)
    .for('no key update')
}

/** How often this person used the coupon, or is about to. */
export function usesOf(
  executor: Executor,
  { couponId, userId }: { couponId: string; userId: string },
): Promise<number> {
  return executor.$count(
    couponRedemptions,
    and(eq(couponRedemptions.couponId, couponId), eq(couponRedemptions.userId, userId)),
  )
}

/** Its uses that are not paid yet. */
export const heldUsesOf = (executor: Executor, couponId: string): Promise<number> =>
  executor.$count(couponRedemptions, and(eq(couponRedemptions.couponId, couponId), isHeld))

const counted = (by: 1 | -1) => ({
  redemptionsCount: sql`${coupons.redemptionsCount} + ${sql.raw(String(by))}`,
})

/** A payment page holds its use until it is paid or closed. */
export async function holdCoupon(
  transaction: Transaction,
  use: { couponId: string; userId: string; checkoutId: string },
): Promise<void> {
  await transaction.update(coupons).set(counted(1)).where(eq(coupons.id, use.couponId))
  await transaction.insert(couponRedemptions).values(use)
}

/**
 * The use became a purchase: the one that the checkout holds, or a new one where nothing had to be paid. Paid
 * after its use was given up, a checkout gets its price anyway, but takes no use that another one has.
 */
export async function redeemCoupon(
  transaction: Transaction,
  use: { couponId: string; userId: string; checkoutId: string | null; purchaseId: string },
): Promise<void> {
  const { couponId, checkoutId, purchaseId } = use
  await lockCoupons(transaction, [couponId])
  if (checkoutId && (await redeemHeld(transaction, checkoutId, purchaseId))) return
  const taken = await transaction
    .update(coupons)
    .set(counted(1))
    .where(
      and(
        eq(coupons.id, couponId),
        sql`(${coupons.maxRedemptions} is null or ${coupons.redemptionsCount} < ${coupons.maxRedemptions})`,
      ),
    )
    .returning({ id: coupons.id })
  if (taken.length > 0) await transaction.insert(couponRedemptions).values(use)
}

/** False when the checkout holds none. */
async function redeemHeld(
  transaction: Transaction,
  checkoutId: string,
  purchaseId: string,
): Promise<boolean> {
  const held = await transaction
    .update(couponRedemptions)
    .set({ purchaseId })
    .where(eq(couponRedemptions.checkoutId, checkoutId))
    .returning({ id: couponRedemptions.id })
  return held.length > 0
}

/** Gives up the use that a checkout held and did not pay for. The coupon is locked before the checkout. */
export async function releaseCoupon(transaction: Transaction, checkoutId: string): Promise<void> {
  const released = await transaction
    .delete(couponRedemptions)
    .where(and(eq(couponRedemptions.checkoutId, checkoutId), isHeld))
    .returning({ couponId: couponRedemptions.couponId })
  for (const { couponId } of released) {
    await transaction.update(coupons).set(counted(-1)).where(eq(coupons.id, couponId))
  }
}
