import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { slug, uuid } from '../../fields.ts'
import {
  coupon,
  couponChange,
  couponList,
  couponQuestion,
  couponQuote,
  courseCheckout,
  courseCheckoutState,
  newCoupon,
  ownPurchase,
  purchaseState,
  startedCourseCheckout,
} from './schema.ts'

/** The same words for a wrong code, one of another course, one that is over and one that is used up. */
const invalidCoupon = {
  status: 422,
  message: 'This coupon code is not valid for this course.',
} as const
const tooMany = { status: 429 } as const
const foreignPage = {
  status: 422,
  message: 'After paying you can return to a page of this site only.',
} as const
const notMonthly = {
  status: 409,
  message: 'This is not a monthly course that is still running.',
} as const

export const purchases = {
  /** Asked again before it is paid, the answer is the same payment page. */
  courseCheckout: row('signedIn', 'POST', '/functions/v1/course-checkout', 'Buy a course', {
    stoppedBy: 'checkout',
  })
    .errors({
      OWN_COURSE: { status: 409, message: 'This is your own course.' },
      ALREADY_ENROLLED: { status: 409, message: 'You are in this course already.' },
      FREE_COURSE: { status: 409, message: 'This course is free: join it without paying.' },
      APPLICATION_REQUIRED: {
        status: 403,
        message: 'This course can be joined only with an application that its instructor approved.',
      },
      COURSE_FULL: {
        status: 403,
        message:
          'This course has reached its maximum enrollment limit (25 students for free instructors)',
      },
      PAYMENT_UNDER_WAY: {
        status: 409,
        message:
          'Your payment for this course is under way: your bank has not confirmed it yet. You are in the course as soon as it has.',
      },
      INVALID_COUPON: invalidCoupon,
      INVITATION_CLOSED: { status: 410 },
      FOREIGN_PAGE: foreignPage,
      TOO_MANY: tooMany,
    })
    .input(courseCheckout)
    .output(startedCourseCheckout),

  /** For the page that a payment returns to; asks the provider when we do not know yet. */
  getCourseCheckout: row(
    'signedIn',
    'GET',
    '/rest/v1/courses/{slug}/checkout',
    'What became of my payment?',
  )
    .input(z.object({ slug }))
    .output(courseCheckoutState),

  quoteCoupon: row(
    'signedIn',
    'POST',
    '/rest/v1/courses/{slug}/coupon-quote',
    'The price with a coupon',
  )
    .errors({ INVALID_COUPON: invalidCoupon, TOO_MANY: tooMany })
    .input(couponQuestion)
    .output(couponQuote),

  getCoupons: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/coupons',
    'Coupons of my course',
    { scope: 'sales:read' },
  )
    .input(z.object({ courseId: uuid('The course') }))
    .output(couponList),

  createCoupon: row('instructor', 'POST', '/rest/v1/courses/{courseId}/coupons', 'Make a coupon', {
    scope: 'sales:write',
  })
    .errors({
      CODE_TAKEN: { status: 409, message: 'This course has a coupon with this code already.' },
      TOO_MANY_COUPONS: { status: 409, message: 'A course can have at most 100 coupons.' },
    })
    .input(newCoupon)
    .output(coupon),

  updateCoupon: row(
    'instructor',
    'PATCH',
    '/rest/v1/courses/{courseId}/coupons/{couponId}',
    'Change or switch off a coupon',
    { scope: 'sales:write' },
  )
    .input(couponChange)
    .output(coupon),

  /** The membership stays until the end of the paid period. Canceling twice is harmless. */
  cancelPurchase: row(
    'signedIn',
    'POST',
    '/rest/v1/purchases/{purchaseId}/cancel',
    'Cancel a monthly course at the end of the period',
    { whileSuspended: true },
  )
    .errors({ NOT_MONTHLY: notMonthly })
    .input(ownPurchase)
    .output(purchaseState),

  resumePurchase: row(
    'signedIn',
    'POST',
    '/rest/v1/purchases/{purchaseId}/resume',
    'Keep a monthly course after all',
  )
    .errors({ NOT_MONTHLY: notMonthly })
    .input(ownPurchase)
    .output(purchaseState),
}
