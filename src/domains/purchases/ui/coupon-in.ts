// The coupon that the fields of its form describe.
import type * as z from 'zod'
import { amountIn } from '../../courses/pricing.ts'
import { newCoupon } from '../schema.ts'
import type { CouponFieldName, CouponFields, CouponProblems } from './coupon-form-fields.ts'

/** Where the fields are that a property of a coupon comes from. */
const fieldFor: Record<string, CouponFieldName> = {
  code: 'code',
  percentOff: 'off',
  amountOff: 'off',
  startsAt: 'starts',
  endsAt: 'ends',
  maxRedemptions: 'maxRedemptions',
  maxPerPerson: 'maxPerPerson',
}

const day = 86_400_000

/** Days begin and end at midnight, UTC; the last one is included. */
function momentOf(date: string, days = 0): string | null {
  if (date === '') return null
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(at) ? date : new Date(at + days * day).toISOString()
}

/** The coupon as the API takes it, or what is wrong with which field. */
export function couponIn(
  courseId: string,
  fields: CouponFields,
): { coupon: z.input<typeof newCoupon> } | { problems: CouponProblems } {
  const isAmount = fields.kind === 'amount'
  const coupon = {
    courseId,
    code: fields.code,
    percentOff: isAmount ? null : Number(fields.off.replace(/%$/, '')),
    amountOff: isAmount ? amountIn(fields.off) : null,
    startsAt: momentOf(fields.starts),
    endsAt: momentOf(fields.ends, 1),
    maxRedemptions: fields.maxRedemptions === '' ? null : Number(fields.maxRedemptions),
    maxPerPerson: Number(fields.maxPerPerson),
  }
  const checked = newCoupon.safeParse(coupon)
  if (checked.success) return { coupon }
  const problems: CouponProblems = {}
  for (const { path, message } of checked.error.issues) {
    problems[fieldFor[String(path[0])] ?? 'code'] ??= message
  }
  return { problems }
}
