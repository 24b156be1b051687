import { eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdSaleTerms } from './queries.ts'
import type { CountedCoupon } from './hold-coupon.ts'
import { couponLimits } from './rules.ts'
import type { NewCoupon } from './schema.ts'
import { coupons } from './tables.ts'

/** In a transaction, so that the number of coupons is exact. The guard has looked whose course it is. */
export async function createCoupon(
  transaction: Transaction,
  draft: NewCoupon,
): Promise<CountedCoupon | 'gone' | 'too many' | 'taken'> {
  const { courseId } = draft
  if (!(await holdSaleTerms(transaction, courseId))) return 'gone'
  const before = await transaction.$count(coupons, eq(coupons.courseId, courseId))
  if (before >= couponLimits.perCourse) return 'too many'
  const [made] = await transaction.insert(coupons).values(draft).onConflictDoNothing().returning()
  return made ? { ...made, heldCount: 0 } : 'taken'
}
