import type { CouponRow } from './hold-coupon.ts'
import { reducedPrice } from './rules.ts'

/** What the course costs with this coupon; of a monthly one each month. */
export function quoteOf(
  { priceAmount, currency }: { priceAmount: number; currency: string },
  { code, percentOff, amountOff }: CouponRow,
) {
  const amount = reducedPrice(priceAmount, { percentOff, amountOff })
  return { code, percentOff, amountOff, priceAmount, amount, currency }
}
