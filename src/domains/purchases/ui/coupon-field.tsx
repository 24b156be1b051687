import { Tag } from 'lucide-react'
import { Form, Link, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import type { CoursePage } from '../../courses/schema.ts'
import { couponLimits } from '../rules.ts'
import type { CouponQuote } from '../schema.ts'
import { coursePath, type Offer } from './offer.ts'
import { reductionLabel } from './reduction-label.ts'

type CouponFieldProps = {
  course: CoursePage
  offer: Offer | null
  /** The code of the invitation by which the person comes, which stays in the address. */
  invitation: string | null
}

/** 'Have a coupon?' beside the button: a form that puts the code into the address. */
export function CouponField({ course, offer, invitation }: CouponFieldProps) {
  return offer?.quote ? (
    <AppliedCoupon course={course} quote={offer.quote} invitation={invitation} />
  ) : (
    <EnterCoupon key={offer?.code} course={course} offer={offer} invitation={invitation} />
  )
}

type AppliedCouponProps = Omit<CouponFieldProps, 'offer'> & { quote: CouponQuote }

function AppliedCoupon({ course, quote, invitation }: AppliedCouponProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-success-soft px-3.5 py-2 text-sm">
      <output className="flex min-w-0 items-center gap-2">
        <Tag size={16} className="shrink-0 text-success" aria-hidden />
        <span className="min-w-0 wrap-anywhere">
          <span className="font-semibold">{quote.code}</span>: {reductionLabel(quote)}
          {course.pricingType === 'monthly' && ' every month'}
        </span>
      </output>
      <Link
        to={coursePath(course.slug, { invitation })}
        replace
        preventScrollReset
        className="inline-flex min-h-6 items-center font-semibold underline underline-offset-4"
      >
        Remove<span className="sr-only"> the coupon</span>
      </Link>
    </div>
  )
}

function EnterCoupon({ course, offer, invitation }: CouponFieldProps) {
  const { location } = useNavigation()
  const busy = location?.search.includes('coupon=') ?? false
  return (
    <details open={offer !== null} className="group">
      <summary className="flex min-h-6 w-fit cursor-pointer items-center gap-2 rounded-control text-sm font-semibold text-primary underline underline-offset-4">
        Have a coupon?
      </summary>
      <Form action={`/course/${course.slug}`} replace preventScrollReset className="mt-3">
        {invitation !== null && <input type="hidden" name="invitation" value={invitation} />}
        <Field label="Coupon code" error={offer?.problem}>
          <div className="flex gap-2">
            <CodeInput code={offer?.code} />
            <Button type="submit" variant="secondary" busy={busy} busyText="Applying...">
              Apply
            </Button>
          </div>
        </Field>
      </Form>
    </details>
  )
}

function CodeInput({ code }: { code: string | undefined }) {
  return (
    <Input
      name="coupon"
      defaultValue={code}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={couponLimits.code.most}
      className="uppercase"
    />
  )
}
