import { and, count, desc, eq, getTableColumns, gt, ne } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import { checkouts, couponRedemptions } from '../payments/tables.ts'
import { type CountedCoupon, isHeld } from './hold-coupon.ts'
import { coupons } from './tables.ts'

const saleTerms = {
  slug: courses.slug,
  title: courses.title,
  instructorId: courses.instructorId,
  status: courses.status,
  pricingType: courses.pricingType,
  priceAmount: courses.priceAmount,
  currency: courses.currency,
  applicationRequired: courses.applicationRequired,
  studentsCount: courses.studentsCount,
}

/** For what a course is sold now. */
export async function saleTermsOf(executor: Executor, courseId: string) {
  const [row] = await executor.select(saleTerms).from(courses).where(eq(courses.id, courseId))
  return row ?? null
}

/** The same for who buys it: it stays so until the transaction ends, and nobody else gets its last seat. */
export async function holdSaleTerms(transaction: Transaction, courseId: string) {
  const [row] = await transaction
    .select(saleTerms)
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
  return row ?? null
}

/** Seats of the course that payment pages of other people hold now. */
export function heldSeats(
  executor: Executor,
  { courseId, userId }: { courseId: string; userId: string },
): Promise<number> {
  return executor.$count(
    checkouts,
    and(
      eq(checkouts.courseId, courseId),
      eq(checkouts.status, 'open'),
      gt(checkouts.expiresAt, new Date()),
      ne(checkouts.userId, userId),
    ),
  )
}

/** The payment page of this course that this person was sent to last. */
export async function newestCheckout(
  executor: Executor,
  { userId, courseId }: { userId: string; courseId: string },
) {
  const [row] = await executor
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), eq(checkouts.courseId, courseId)))
    .orderBy(desc(checkouts.createdAt), desc(checkouts.id))
    .limit(1)
  return row ?? null
}

/** Each with its uses that payment pages hold now. */
export function couponsOf(executor: Executor, courseId: string): Promise<CountedCoupon[]> {
  return executor
    .select({ ...getTableColumns(coupons), heldCount: count(couponRedemptions.id) })
    .from(coupons)
    .leftJoin(couponRedemptions, and(eq(couponRedemptions.couponId, coupons.id), isHeld))
    .where(eq(coupons.courseId, courseId))
    .groupBy(coupons.id)
    .orderBy(desc(coupons.createdAt), desc(coupons.id))
}
