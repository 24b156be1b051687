import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { isApproved } from '../applications/queries.ts'
import type { CourseAccess } from '../courses/access.ts'
import { withoutLightning } from '../courses/rules.ts'
import { admitStudent } from '../enrollment/admit-student.ts'
import { studentLimit } from '../enrollment/enroll-student.ts'
import { isEnrolled } from '../enrollment/queries.ts'
import { holdInvitation } from '../invitations/use-invitation.ts'
import { giveUpCheckout } from '../payments/give-up-checkout.ts'
import type { Checkout } from '../payments/checkout-of.ts'
import { isFresh, newCheckout, openCheckoutOf } from '../payments/new-checkout.ts'
import { openSession } from '../payments/open-session.ts'
import { holdUsableCoupon } from './find-coupon.ts'
import { grantPurchase } from './grant-purchase.ts'
import { holdCoupon } from './hold-coupon.ts'
import { livePurchase } from './live-purchase.ts'
import { askOfCheckout, isFilledIn } from '../payments/ask-of-checkout.ts'
import { heldSeats, holdSaleTerms } from './queries.ts'
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

type Decision =
  | Refusal
  /** In the course already: there is nothing to pay. */
  | 'joined'
  /** An open payment page with other terms, or without time. */
  | { outdated: Checkout }
  /** With the page where the person was sent before, if any. */
  | { checkoutId: string; title: string; sessionId: string | null }

/** How often it is decided anew because the world changed while the provider was asked. */
const tries = 4

/**
 * Where this person pays for this course; for who owes nothing the course itself. The price is the course's
 * own. Asked again it is the same payment page, until what is bought or its price changes.
 */
export async function startCourseCheckout(
  services: Services,
  order: CourseOrder,
): Promise<Refusal | { url: string }> {
  const { viewer, course } = order
  let givenUp: string | null = null
  for (let round = 0; round < tries; round += 1) {
    const decision = await services.db.transaction((transaction) => decide(transaction, order))
    if (decision === 'joined') {
      return { url: `${services.config.appUrl}/course/${course.slug}/dashboard` }
    }
    if ('refused' in decision) return decision
    if ('outdated' in decision) {
      const { outdated } = decision
      // It could not be given up: what was paid there takes a bank some days.
      if (outdated.id === givenUp) return { refused: 'PAYMENT_UNDER_WAY' }
      givenUp = outdated.id
      await giveUpCheckout(services, outdated)
      continue
    }
    const { checkoutId, title, sessionId } = decision
    // Who comes back may have paid a moment ago.
    if ((await askOfCheckout(services, checkoutId)) !== 'open') continue
    if (sessionId && (await isFilledIn(services, sessionId))) {
      return { refused: 'PAYMENT_UNDER_WAY' }
    }
    const session = await openSession(services, { checkoutId, person: viewer, name: title })
    if (session) return { url: session.url }
  }
  throw new Error(`the checkout of course ${course.courseId} found no rest`)
}

async function decide(transaction: Transaction, order: CourseOrder): Promise<Decision> {
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
  if (terms.applicationRequired && !(await isApproved(transaction, own))) {
    return { refused: 'APPLICATION_REQUIRED' }
  }
  const invitation = await holdInvitation(transaction, { courseId, code: order.invitation })
  if (invitation?.closed) return { refused: 'INVITATION_CLOSED', message: invitation.closed }
  const coupon = code === undefined ? null : await holdUsableCoupon(transaction, { ...own, code })
  if (code !== undefined && !coupon) return { refused: 'INVALID_COUPON' }
  const bought = {
    pricingType: terms.pricingType,
    amount: coupon ? reducedPrice(terms.priceAmount, coupon) : terms.priceAmount,
    currency: terms.currency,
    couponId: coupon?.id ?? null,
    invitationId: invitation?.id ?? null,
  }
  const title = withoutLightning(terms.title)
  const open = await openCheckoutOf(transaction, own)
  if (open) {
    const isSame = Object.entries(bought).every(
      ([key, value]) => open[key as keyof typeof bought] === value,
    )
    return isSame && isFresh(open, new Date())
      ? { checkoutId: open.id, title, sessionId: open.sessionId }
      : { outdated: open }
  }
  const limit = await studentLimit(transaction, course)
  const taken = terms.studentsCount + (await heldSeats(transaction, own))
  if (limit !== null && taken >= limit) return { refused: 'COURSE_FULL' }
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
  return { checkoutId, title, sessionId: null }
}
