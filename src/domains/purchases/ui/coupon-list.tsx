import { Form, useNavigation } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { type PricingType, priceLabel } from '../../courses/rules.ts'
import { CopyLink } from '../../invitations/ui/copy-link.tsx'
import { dayLabel } from '../day-label.ts'
import { reducedPrice } from '../rules.ts'
import type { Coupon } from '../schema.ts'
import { type CouponState, couponState } from './coupon-state.ts'
import { reductionLabel } from './reduction-label.ts'

interface PricedCourse {
  id: string
  slug: string
  pricingType: PricingType
  priceAmount: number
}

type CouponListProps = {
  course: PricedCourse
  coupons: Coupon[]
  /** When they were asked for. */
  at: Date
  appUrl: string
}

/** The coupons of a course, each with what it does, what became of it, and its link. */
export function CouponList({ coupons, ...rest }: CouponListProps) {
  return (
    <ul aria-label="Coupons" className="grid divide-y rounded-card border bg-surface">
      {coupons.map((coupon) => (
        <CouponRow key={coupon.id} coupon={coupon} {...rest} />
      ))}
    </ul>
  )
}

const states: Record<CouponState, { label: string; tone: 'success' | 'neutral' | 'warning' }> = {
  active: { label: 'Active', tone: 'success' },
  waiting: { label: 'Not yet', tone: 'warning' },
  over: { label: 'Over', tone: 'neutral' },
  held: { label: 'Taken for now', tone: 'warning' },
  usedUp: { label: 'Used up', tone: 'neutral' },
  off: { label: 'Switched off', tone: 'neutral' },
}

/** '20% off: members pay $23.20'. */
function effectOf(coupon: Coupon, { pricingType, priceAmount }: PricedCourse): string {
  const off = reductionLabel(coupon)
  if (pricingType === 'free') return off
  const reduced = reducedPrice(priceAmount, coupon)
  return reduced === 0
    ? `${off}: members pay nothing`
    : `${off}: members pay ${priceLabel({ pricingType, priceAmount: reduced }, 'month')}`
}

function factsOf({ maxRedemptions, heldCount, maxPerPerson, ...coupon }: Coupon): string {
  const paid = coupon.redemptionsCount - heldCount
  const used = paid.toLocaleString('en-US')
  const most = maxRedemptions === null ? '' : ` of ${maxRedemptions.toLocaleString('en-US')}`
  const { startsAt, endsAt } = coupon
  return [
    maxRedemptions === null && paid === 0
      ? 'not used yet'
      : `used ${used}${most} ${(maxRedemptions ?? paid) === 1 ? 'time' : 'times'}`,
    heldCount > 0 && `${heldCount.toLocaleString('en-US')} on a payment page at this moment`,
    maxPerPerson === 1 ? 'once per person' : `${maxPerPerson} times per person`,
    startsAt !== null && `from ${dayLabel(new Date(startsAt))}`,
    // The last moment of the last day.
    endsAt !== null && `until ${dayLabel(new Date(Date.parse(endsAt) - 1))}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

type CouponRowProps = Omit<CouponListProps, 'coupons'> & { coupon: Coupon }

function CouponRow({ course, coupon, at, appUrl }: CouponRowProps) {
  const { formData } = useNavigation()
  const { label, tone } = states[couponState(coupon, at)]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-mono font-semibold wrap-anywhere">{coupon.code}</span>
          <Badge tone={tone}>{label}</Badge>
        </div>
        <p className="tabular-nums">{effectOf(coupon, course)}</p>
        <p className="text-sm text-muted tabular-nums first-letter:uppercase">{factsOf(coupon)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {coupon.isActive && (
          <CopyLink url={shareLink(appUrl, course.slug, coupon.code)} about={coupon.code} />
        )}
        <Form method="post" replace preventScrollReset>
          <input type="hidden" name="intent" value="switch" />
          <input type="hidden" name="courseId" value={course.id} />
          <input type="hidden" name="couponId" value={coupon.id} />
          <input type="hidden" name="isActive" value={String(!coupon.isActive)} />
          <Button
            type="submit"
            variant="ghost"
            size="sm"
            busy={formData?.get('couponId') === coupon.id}
          >
            {coupon.isActive ? 'Switch Off' : 'Switch On'}
            <span className="sr-only"> {coupon.code}</span>
          </Button>
        </Form>
      </div>
    </li>
  )
}

/** Whoever follows it sees the course with the coupon, also after signing up. */
export const shareLink = (appUrl: string, slug: string, code: string) =>
  `${appUrl}/course/${slug}?coupon=${encodeURIComponent(code)}`
