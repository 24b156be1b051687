import { priceLabel } from '../../courses/rules.ts'
import type { CoursePage } from '../../courses/schema.ts'
import type { Offer } from './offer.ts'
import { priceNow } from './price-now.ts'

/** The price of the public page; with a coupon the one before is struck through. */
export function CoursePrice({ course, offer }: { course: CoursePage; offer: Offer | null }) {
  const look = 'font-display text-4xl font-extrabold tabular-nums'
  if (!offer?.quote) return <p className={look}>{priceLabel(course, 'month')}</p>
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span className={look}>{priceLabel(priceNow(course, offer), 'month')}</span>
      <s className="text-xl text-muted tabular-nums">
        <span className="sr-only">instead of </span>
        {priceLabel(course, 'month')}
      </s>
    </p>
  )
}
