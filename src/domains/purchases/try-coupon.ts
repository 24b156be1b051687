import type { Services } from '../../server/services.ts'
import { inTurns } from '../../server/turns.ts'
import { type CouponUse, findCoupon } from './find-coupon.ts'
import type { CouponRow } from './hold-coupon.ts'

// One after the other for each person, so that many wrong ones at once count as many.
const turns = inTurns(1)

/**
 * The coupon by the code that somebody typed. Wrong codes are counted, also those of a course's own
 * instructor; after too many nobody is told any more whether the next one is right.
 */
export async function tryCoupon(
  { db, rateLimits }: Pick<Services, 'db' | 'rateLimits'>,
  use: CouponUse,
): Promise<CouponRow | 'wrong' | 'too many'> {
  const { couponsByAccount } = rateLimits
  const done = await turns.take(use.userId)
  try {
    if ((await couponsByAccount.wait(use.userId)) > 0) return 'too many'
    const coupon = await findCoupon(db, use)
    if (coupon) return coupon
    await couponsByAccount.count(use.userId)
    return 'wrong'
  } finally {
    done()
  }
}
