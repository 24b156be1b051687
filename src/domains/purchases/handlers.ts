import { api } from '../../server/api.ts'
import type { Services } from '../../server/services.ts'
import { courseAccess } from '../courses/access.ts'
import { ownAddress } from '../payments/own-address.ts'
import { askOfCheckout } from '../payments/ask-of-checkout.ts'
import { startCourseCheckout } from './course-checkout.ts'
import { createCoupon } from './create-coupon.ts'
import { couponsOf, newestCheckout, saleTermsOf } from './queries.ts'
import { quoteOf } from './quote-coupon.ts'
import { cancelRenewal, resumeRenewal } from './set-renewal.ts'
import { tryCoupon } from './try-coupon.ts'
import { updateCoupon } from './update-coupon.ts'

const courseNotFound = { message: 'Course not found' }
const couponNotFound = { message: 'Coupon not found' }
const purchaseNotFound = { message: 'Purchase not found' }
const creatorGone = {
  message: 'The creator of this course has left, so no further months can be paid.',
}
const tooManyCodes = {
  message: 'You have tried many coupon codes. Please wait ten minutes before you try another.',
}
const tooManyCheckouts = {
  message: 'You have started many payments. Please wait a few minutes and try again.',
}

/** A page of the course, or the one that was asked for; null when that is not ours. */
const returnTo = ({ config }: Services, given: string | undefined, usual: string) =>
  ownAddress(config.appUrl, given ?? usual)

export const purchases = {
  courseCheckout: api.purchases.courseCheckout.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const { coupon, invitation } = input
    const course = await courseAccess(services.db, viewer, { courseId: input.course_id })
    if (!course?.canSee) throw errors.NOT_FOUND(courseNotFound)
    if (course.standing === 'instructor') throw errors.OWN_COURSE()
    if (course.standing === 'member') throw errors.ALREADY_ENROLLED()
    const page = `/course/${course.slug}`
    const successUrl = returnTo(services, input.success_url, `${page}?success=true`)
    const cancelUrl = returnTo(services, input.cancel_url, `${page}?canceled=true`)
    if (!successUrl || !cancelUrl) throw errors.FOREIGN_PAGE()
    if ((await services.rateLimits.checkoutsByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY(tooManyCheckouts)
    }
    if (coupon !== undefined) {
      const use = { userId: viewer.id, courseId: course.courseId, code: coupon }
      const found = await tryCoupon(services, use)
      if (found === 'too many') throw errors.TOO_MANY(tooManyCodes)
      if (found === 'wrong') throw errors.INVALID_COUPON()
    }
    const order = { viewer, course, successUrl, cancelUrl, coupon, invitation }
    const started = await startCourseCheckout(services, order)
    if ('url' in started) return started
    if (started.refused === 'INVITATION_CLOSED') throw errors.INVITATION_CLOSED(started)
    if (started.refused === 'NOT_FOUND') throw errors.NOT_FOUND(courseNotFound)
    throw errors[started.refused]()
  }),
  getCourseCheckout: api.purchases.getCourseCheckout.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const course = await courseAccess(services.db, viewer, input)
    if (!course) throw errors.NOT_FOUND(courseNotFound)
    const own = { userId: viewer.id, courseId: course.courseId }
    const newest = await newestCheckout(services.db, own)
    if (newest) return { status: await askOfCheckout(services, newest.id) }
    if (!course.canSee) throw errors.NOT_FOUND(courseNotFound)
    return { status: 'none' }
  }),
  quoteCoupon: api.purchases.quoteCoupon.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const course = await courseAccess(services.db, viewer, input)
    const terms = course?.canSee ? await saleTermsOf(services.db, course.courseId) : null
    if (!course || !terms) throw errors.NOT_FOUND(courseNotFound)
    const use = { userId: viewer.id, courseId: course.courseId, code: input.code }
    const found = await tryCoupon(services, use)
    if (found === 'too many') throw errors.TOO_MANY(tooManyCodes)
    if (found === 'wrong' || terms.pricingType === 'free') throw errors.INVALID_COUPON()
    return quoteOf(terms, found)
  }),
  getCoupons: api.purchases.getCoupons.handler(async ({ context }) => ({
    coupons: await couponsOf(context.services.db, context.course.courseId),
  })),
  createCoupon: api.purchases.createCoupon.handler(async ({ input, context, errors }) => {
    const draft = { ...input, courseId: context.course.courseId }
    const made = await context.services.db.transaction((transaction) =>
      createCoupon(transaction, draft),
    )
    if (made === 'gone') throw errors.NOT_FOUND(courseNotFound)
    if (made === 'too many') throw errors.TOO_MANY_COUPONS()
    if (made === 'taken') throw errors.CODE_TAKEN()
    return made
  }),
  updateCoupon: api.purchases.updateCoupon.handler(async ({ input, context, errors }) => {
    const change = { ...input, courseId: context.course.courseId }
    const changed = await context.services.db.transaction((transaction) =>
      updateCoupon(transaction, change),
    )
    if (changed === 'gone') throw errors.NOT_FOUND(couponNotFound)
    if ('problem' in changed) throw errors.CONFLICT({ message: changed.problem })
    return changed
  }),
  cancelPurchase: api.purchases.cancelPurchase.handler(async ({ input, context, errors }) => {
    const own = { purchaseId: input.purchaseId, userId: context.viewer.id }
    const canceled = await cancelRenewal(context.services, own)
    if (canceled === 'not found') throw errors.NOT_FOUND(purchaseNotFound)
    if (canceled === 'not monthly') throw errors.NOT_MONTHLY()
    return canceled
  }),
  resumePurchase: api.purchases.resumePurchase.handler(async ({ input, context, errors }) => {
    const own = { purchaseId: input.purchaseId, userId: context.viewer.id }
    const resumed = await resumeRenewal(context.services, own)
    if (resumed === 'not found') throw errors.NOT_FOUND(purchaseNotFound)
    if (resumed === 'not monthly') throw errors.NOT_MONTHLY()
    if (resumed === 'creator gone') throw errors.NOT_MONTHLY(creatorGone)
    return resumed
  }),
}
