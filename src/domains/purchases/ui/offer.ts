// A coupon in the address of the course page, and what it makes of the price.
import { ORPCError, safe } from '@orpc/client'
import type { ApiClient } from '../../../server/contract-calls.ts'
import type { CoursePage } from '../../courses/schema.ts'
import { couponLimits, normalCode } from '../rules.ts'
import type { CouponQuote } from '../schema.ts'

export interface Offer {
  code: string
  /** Null for visitors, whose coupon is looked at when they are signed in, and where there is a problem. */
  quote: CouponQuote | null
  problem: string | null
}

const failed = 'Failed to check this coupon. Please try again.'

/** The coupon with which a course page is visited; null without one, and where there is nothing to pay. */
export async function readOffer(
  calls: ApiClient,
  course: CoursePage,
  given: string | null,
): Promise<Offer | null> {
  const code = normalCode(given ?? '').slice(0, couponLimits.code.most)
  if (code === '' || course.pricingType === 'free' || course.purchase) return null
  if (course.standing === 'visitor') return { code, quote: null, problem: null }
  if (course.standing !== 'signedIn') return null
  const [error, quote] = await safe(calls.purchases.quoteCoupon({ slug: course.slug, code }))
  if (!error) return { code, quote, problem: null }
  const isRefusal = error instanceof ORPCError && error.status < 500
  return { code, quote: null, problem: isRefusal ? error.message : failed }
}

interface Kept {
  /** Its code. */
  coupon?: string
  /** The code of the invitation by which somebody came. */
  invitation?: string | null
}

/** The course page with the coupon and the invitation still in its address. */
export function coursePath(slug: string, { coupon, invitation }: Kept): string {
  const query = new URLSearchParams({
    ...(coupon && { coupon }),
    ...(invitation && { invitation }),
  })
  return query.size > 0 ? `/course/${slug}?${query}` : `/course/${slug}`
}
