import { and, count, eq } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { checkouts, couponRedemptions } from '../payments/tables.ts'
import { type CouponRow, lockCoupons, usesOf } from './hold-coupon.ts'
import { couponIsOpen } from './rules.ts'
import { coupons } from './tables.ts'

export interface CouponUse {
  userId: string
  courseId: string
  /** In upper case. */
  code: string
}

/** Null for a code that is wrong, of another course, over, or used up: nobody learns which. */
export async function findCoupon(executor: Executor, use: CouponUse): Promise<CouponRow | null> {
  const coupon = await couponByCode(executor, use)
  return coupon && (await isUsable(executor, coupon, use)) ? coupon : null
}

/** The same for who is about to use it: its limits stay as they are until the transaction ends. */
export async function holdUsableCoupon(
  transaction: Transaction,
  use: CouponUse,
): Promise<CouponRow | null> {
  const coupon = await couponByCode(transaction, use)
  if (!coupon) return null
  await lockCoupons(transaction, [coupon.id])
  return findCoupon(transaction, use)
}

async function couponByCode(executor: Executor, { courseId, code }: CouponUse) {
  // What PostgreSQL cannot even compare is no code.
  if (!/^[A-Z0-9-]+$/.test(code)) return null
  const [coupon] = await executor
    .select()
    .from(coupons)
    .where(and(eq(coupons.courseId, courseId), eq(coupons.code, code)))
  return coupon ?? null
}

async function isUsable(
  executor: Executor,
  coupon: CouponRow,
  { userId, courseId }: CouponUse,
): Promise<boolean> {
  // The payment page that this person was sent to already holds a use: it is not another one.
  const [held] = await executor
    .select({ uses: count() })
    .from(couponRedemptions)
    .innerJoin(checkouts, eq(checkouts.id, couponRedemptions.checkoutId))
    .where(
      and(
        eq(couponRedemptions.couponId, coupon.id),
        eq(checkouts.userId, userId),
        eq(checkouts.courseId, courseId),
        eq(checkouts.status, 'open'),
      ),
    )
  const byPerson = await usesOf(executor, { couponId: coupon.id, userId })
  const uses = {
    all: coupon.redemptionsCount - held!.uses,
    byPerson: byPerson - held!.uses,
  }
  return couponIsOpen(coupon, uses, new Date())
}
