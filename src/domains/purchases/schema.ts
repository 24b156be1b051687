// What crosses the wire about buying courses. Forms and handlers share it.
import * as z from 'zod'
import { inMinorUnits, minorUnits, slug, timestamp, uuid } from '../../fields.ts'
import { invitationCode } from '../invitations/invitation-code.ts'
import { couponLimits, normalCode } from './rules.ts'

const returnPage = z
  .string('The return page must be an address')
  .max(2000, 'This address is too long')

/** What somebody typed; nothing but a comparison is made with it. */
const typedCode = z
  .string('Enter the coupon code')
  .max(100, 'This is no coupon code')
  .transform(normalCode)

const notUsed = { description: 'Accepted and not used: title and price are the course’s own.' }

export const courseCheckout = z.object({
  course_id: uuid('The course'),
  course_title: z.string().max(500).meta(notUsed).optional(),
  price: z.number().meta(notUsed).optional(),
  success_url: returnPage.optional(),
  cancel_url: returnPage.optional(),
  coupon: typedCode.optional(),
  invitation: invitationCode.optional(),
})

export const startedCourseCheckout = z.object({
  /** Of the payment page, or of the course when there is nothing to pay. */
  url: z.string(),
})

export const couponQuestion = z.object({ slug, code: typedCode })

/** The price with the coupon. */
export const couponQuote = z.object({
  code: z.string(),
  percentOff: z.number().int().nullable(),
  amountOff: minorUnits.nullable(),
  /** Before and after. */
  priceAmount: minorUnits,
  amount: minorUnits,
  currency: z.string(),
})
export type CouponQuote = z.output<typeof couponQuote>

const wholeNumber = (name: string, most: number) =>
  z
    .number(`${name} must be a number`)
    .int(`${name} must be a whole number`)
    .min(1, `${name} must be at least 1`)
    .max(most, `${name} can be at most ${most.toLocaleString('en-US')}`)

const moment = (name: string) =>
  z.iso
    .datetime({ offset: true, error: `${name} is no date` })
    .transform((value) => new Date(value))

export const newCoupon = z
  .object({
    courseId: uuid('The course'),
    code: z
      .string('Enter a code')
      .transform(normalCode)
      .pipe(
        z
          .string()
          .regex(/^[A-Z0-9-]*$/, 'A code has letters, digits and hyphens')
          .min(
            couponLimits.code.least,
            `A code needs at least ${couponLimits.code.least} characters`,
          )
          .max(
            couponLimits.code.most,
            `A code can have at most ${couponLimits.code.most} characters`,
          ),
      ),
    percentOff: wholeNumber('The percentage', 100).nullable().default(null),
    amountOff: inMinorUnits(
      z
        .number('Enter an amount')
        .int('The amount must be a whole number of cents')
        .min(1, 'Enter an amount')
        .max(1_000_000, 'The amount can be at most $10,000'),
    )
      .nullable()
      .default(null),
    startsAt: moment('The start').nullable().default(null),
    endsAt: moment('The end').nullable().default(null),
    maxRedemptions: wholeNumber('The number of uses', couponLimits.redemptions)
      .nullable()
      .default(null),
    maxPerPerson: wholeNumber('The number of uses for each person', 100).default(1),
  })
  .refine((coupon) => (coupon.percentOff === null) !== (coupon.amountOff === null), {
    message: 'Choose a percentage or an amount',
    path: ['percentOff'],
  })
  .refine(({ startsAt, endsAt }) => !startsAt || !endsAt || startsAt < endsAt, {
    message: 'The end must be after the start',
    path: ['endsAt'],
  })

export type NewCoupon = z.output<typeof newCoupon>

export const couponChange = z.object({
  courseId: uuid('The course'),
  couponId: uuid('The coupon'),
  isActive: z.boolean('Say whether the coupon can be used').optional(),
  endsAt: moment('The end').nullable().optional(),
  maxRedemptions: wholeNumber('The number of uses', couponLimits.redemptions).nullable().optional(),
})

export type CouponChange = z.output<typeof couponChange>

export const coupon = z.object({
  id: z.uuid(),
  code: z.string(),
  percentOff: z.number().int().nullable(),
  amountOff: minorUnits.nullable(),
  startsAt: timestamp.nullable(),
  endsAt: timestamp.nullable(),
  maxRedemptions: z.number().int().nullable(),
  maxPerPerson: z.number().int(),
  /** Paid ones and those of payment pages that are open now. */
  redemptionsCount: z.number().int(),
  /** Those of them that are not paid yet. */
  heldCount: z.number().int(),
  isActive: z.boolean(),
  createdAt: timestamp,
})
export type Coupon = z.output<typeof coupon>

export const couponList = z.object({ coupons: z.array(coupon) })

/** What became of the newest payment page of a course that this person was sent to. */
export const courseCheckoutState = z.object({
  /** `none`: there was none. `refused`: paid, but paid back, because it could not be fulfilled any more. */
  status: z.enum(['none', 'open', 'paid', 'expired', 'refused']),
})

/** What the viewer bought of a course and has now, whether they are in it or not. */
export const coursePurchase = z.object({
  pricingType: z.enum(['one_time', 'monthly']),
  /** Once or each month. */
  amount: minorUnits,
  status: z.enum(['active', 'past_due', 'ended']),
  currentPeriodEnd: timestamp.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  /** Whether further months can be paid: not once the creator of the course has left. */
  canRenew: z.boolean(),
  /** Whether the present period may be unpaid still, as in its first hour: then canceling ends it at once. */
  mayBeUnpaid: z.boolean(),
})
export type CoursePurchase = z.output<typeof coursePurchase>

export const ownPurchase = z.object({ purchaseId: uuid('The purchase') })

export const purchaseState = z.object({
  id: z.uuid(),
  status: z.enum(['active', 'past_due', 'ended']),
  cancelAtPeriodEnd: z.boolean(),
  currentPeriodEnd: timestamp.nullable(),
})
