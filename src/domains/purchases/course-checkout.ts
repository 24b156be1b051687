import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { approvedApplication } from '../applications/queries.ts'
import type { CourseAccess } from '../courses/access.ts'
import { withoutLightning } from '../courses/rules.ts'
import { admitStudent } from '../enrollment/admit-student.ts'
import { isEnrolled } from '../enrollment/queries.ts'
import { holdInvitation } from '../invitations/use-invitation.ts'
import { isFresh, newCheckout, openCheckoutOf } from '../payments/new-checkout.ts'
import { type CheckoutDecision, startCheckout } from '../payments/start-checkout.ts'
import { holdUsableCoupon } from './find-coupon.ts'
import { grantPurchase } from './grant-purchase.ts'
import { hasSeat } from './has-seat.ts'
import { holdCoupon } from './hold-coupon.ts'
import { livePurchase } from './live-purchase.ts'
import { holdSaleTerms } from './queries.ts'
import { reducedPrice } from './rules.ts'

interface CourseOrder {
  viewer: Viewer
  course: CourseAccess
  successUrl: string
  cancelUrl: string
  /** A code; known to be right a moment ago. */
  coupon?: string
  /** The code of the link that the person came by. */
  invitation?: string
}

type Refused =
  | 'NOT_FOUND'
  | 'ALREADY_ENROLLED'
  | 'FREE_COURSE'
  | 'APPLICATION_REQUIRED'
  | 'COURSE_FULL'
  | 'PAYMENT_UNDER_WAY'
  | 'INVALID_COUPON'

type Refusal = { refused: Refused } | { refused: 'INVITATION_CLOSED'; message: string }

type Ended =
  | Refusal
  /** In the course already: there is nothing to pay. */
  | { url: string }

/**
 * Where this person pays for this course; for who owes nothing the course itself. The price is the course's
 * own. Asked again it is the same payment page, until what is bought or its price changes.
 */
export const startCourseCheckout = (services: Services, order: CourseOrder): Promise<Ended> =>
  startCheckout<Ended>(services, order.viewer, async (transaction) => {
    const decision = await decide(transaction, order)
    return decision === 'joined'
      ? { url: `${services.config.appUrl}/course/${order.course.slug}/dashboard` }
      : decision
  })

async function decide(
  transaction: Transaction,
  order: CourseOrder,
): Promise<CheckoutDecision<Refusal> | 'joined'> {
  const { viewer, course, coupon: code } = order
  const { courseId, instructorId } = course
  const own = { userId: viewer.id, courseId }
  await holdPeople(transaction, [viewer.id, instructorId])
  const terms = await holdSaleTerms(transaction, courseId)
  // An administrator sees drafts, but nobody buys them.
  if (terms?.status !== 'published' || terms.instructorId !== instructorId) {
    return { refused: 'NOT_FOUND' }
  }
  if (await isEnrolled(transaction, own)) return { refused: 'ALREADY_ENROLLED' }
  if (await livePurchase(transaction, own)) {
    await admitStudent(transaction, {
      ...own,
      instructorId,
      slug: terms.slug,
      courseTitle: terms.title,
      isPaid: true,
    })
    return 'joined'
  }
  if (terms.pricingType === 'free') return { refused: 'FREE_COURSE' }
  const application = terms.applicationRequired
    ? await approvedApplication(transaction, own)
    : undefined
  if (application === null) return { refused: 'APPLICATION_REQUIRED' }
  const open = await openCheckoutOf(transaction, own)
  const { studentsCount } = terms
  // Before the invitation is looked at: without it there would be no room either.
  if (!open && !(await hasSeat(transaction, { ...own, instructorId, studentsCount }))) {
    return { refused: 'COURSE_FULL' }
  }
  const invitation = await holdInvitation(transaction, { courseId, code: order.invitation })
  if (invitation?.closed) return { refused: 'INVITATION_CLOSED', message: invitation.closed }
  // Stryker disable next-line ConditionalExpression: without a code no coupon is found
  const coupon = code === undefined ? null : await holdUsableCoupon(transaction, { ...own, code })
  if (code !== undefined && !coupon) return { refused: 'INVALID_COUPON' }
  const bought = {
    pricingType: terms.pricingType,
    amount: coupon ? reducedPrice(terms.priceAmount, coupon) : terms.priceAmount,
    currency: terms.currency,
    couponId: coupon?.id ?? null,
    // Who says nothing else still comes by what the application came by.
    invitationId: invitation?.id ?? application?.invitationId ?? null,
  }
  const name = withoutLightning(terms.title)
  if (open) {
    const isSame = Object.entries(bought).every(
      ([key, value]) => open[key as keyof typeof bought] === value,
    )
    return isSame && isFresh(open, new Date()) ? { checkoutId: open.id, name } : { outdated: open }
  }
  if (bought.amount === 0) {
    const granted = await grantPurchase(transaction, {
      ...own,
      ...bought,
      checkoutId: null,
      subscription: null,
    })
    return 'refused' in granted ? { refused: 'NOT_FOUND' } : 'joined'
  }
  const { successUrl, cancelUrl } = order
  const draft = { ...own, ...bought, kind: 'course', successUrl, cancelUrl } as const
  // The course is held: nobody else makes one of this person for it.
  const checkoutId = (await newCheckout(transaction, draft))!
  if (coupon) await holdCoupon(transaction, { couponId: coupon.id, userId: viewer.id, checkoutId })
  return { checkoutId, name }
}
