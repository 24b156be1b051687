import { eq, or } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { forgetInvitation } from '../applications/forget-invitation.ts'
import { courses } from '../courses/tables.ts'
import { withoutLightning } from '../courses/rules.ts'
import { admitStudent } from '../enrollment/admit-student.ts'
import { countKeptUse } from '../invitations/use-invitation.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { couponRedemptions, payments } from '../payments/tables.ts'
import { redeemCoupon } from './hold-coupon.ts'
import { livePurchase, type Purchase } from './live-purchase.ts'
import { purchases } from './tables.ts'

export interface Grant {
  /** Null when nothing had to be paid. */
  checkoutId: string | null
  /** Null when the account was deleted meanwhile. */
  userId: string | null
  /** Null when the course was deleted meanwhile. */
  courseId: string | null
  pricingType: 'one_time' | 'monthly'
  /** What is paid, once or each month, in minor units. */
  amount: number
  currency: string
  couponId: string | null
  invitationId: string | null
  subscription: {
    id: string
    periodStart: Date | null
    periodEnd: Date | null
    cancelAtPeriodEnd: boolean
  } | null
}

export type Granted =
  | { purchaseId: string; creatorAccountId: string; isNew: boolean }
  | { refused: 'gone' | 'bought already' }

/**
 * Paid means enrolled: whoever paid is a member, also of a course that is full or was made a draft meanwhile.
 * Once for each checkout, however often it is called; the caller records the charge in the same transaction.
 */
export async function grantPurchase(transaction: Transaction, grant: Grant): Promise<Granted> {
  const { userId, courseId } = grant
  // Also of a course that is gone by now: it was granted while it was there.
  const before = await purchaseOf(transaction, grant)
  if (before) return known(before)
  // Stryker disable next-line LogicalOperator,ConditionalExpression: of whom or what is not there nothing is found to hold
  if (!userId || !courseId) return { refused: 'gone' }
  const course = await holdBoth(transaction, { userId, courseId })
  if (!course) return { refused: 'gone' }
  const { instructorId, slug, title } = course
  // Two webhooks at once: the second waited for the course until here.
  const meanwhile = await purchaseOf(transaction, grant)
  if (meanwhile) return known(meanwhile)
  if (userId === instructorId || (await livePurchase(transaction, { userId, courseId }))) {
    return { refused: 'bought already' }
  }
  const creatorAccountId = await creatorAccount(transaction, instructorId)
  const { subscription } = grant
  const [made] = await transaction
    .insert(purchases)
    .values({
      userId,
      courseId,
      courseTitle: withoutLightning(title),
      creatorAccountId,
      pricingType: grant.pricingType,
      amount: grant.amount,
      currency: grant.currency,
      subscriptionId: subscription?.id,
      currentPeriodStart: subscription?.periodStart,
      currentPeriodEnd: subscription?.periodEnd,
      cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd,
    })
    .returning({ id: purchases.id })
  const purchaseId = made!.id
  const invitationId =
    grant.invitationId &&
    (await countKeptUse(transaction, { invitationId: grant.invitationId, courseId }))
  if (invitationId) await forgetInvitation(transaction, { userId, courseId })
  await admitStudent(transaction, {
    userId,
    courseId,
    instructorId,
    slug,
    courseTitle: title,
    invitationId: invitationId ?? undefined,
    isPaid: true,
  })
  const { couponId, checkoutId } = grant
  // Stryker disable next-line ConditionalExpression: of no coupon nothing is found to redeem
  if (couponId) await redeemCoupon(transaction, { couponId, userId, checkoutId, purchaseId })
  await publishToPerson(transaction, userId, { type: 'purchase', courseId })
  return { purchaseId, creatorAccountId, isNew: true }
}

const known = ({ id, creatorAccountId }: Purchase): Granted => ({
  purchaseId: id,
  creatorAccountId,
  isNew: false,
})

/** What this checkout was granted with before, also when it has ended since. */
async function purchaseOf(
  transaction: Transaction,
  { checkoutId, subscription }: Grant,
): Promise<Purchase | undefined> {
  if (subscription) {
    const [found] = await transaction
      .select()
      .from(purchases)
      .where(eq(purchases.subscriptionId, subscription.id))
    return found
  }
  // Stryker disable next-line ConditionalExpression: nothing was granted for a checkout without a number
  if (!checkoutId) return undefined
  const [found] = await transaction
    .select({ purchase: purchases })
    .from(purchases)
    .leftJoin(payments, eq(payments.purchaseId, purchases.id))
    .leftJoin(couponRedemptions, eq(couponRedemptions.purchaseId, purchases.id))
    .where(or(eq(payments.checkoutId, checkoutId), eq(couponRedemptions.checkoutId, checkoutId)))
    .limit(1)
  return found?.purchase
}

/** The course, held after its buyer and its creator; null when one of the three is gone. */
async function holdBoth(
  transaction: Transaction,
  { userId, courseId }: { userId: string; courseId: string },
) {
  const facts = {
    instructorId: courses.instructorId,
    slug: courses.slug,
    title: courses.title,
  }
  const which = eq(courses.id, courseId)
  const [seen] = await transaction.select(facts).from(courses).where(which)
  if (!seen) return null
  const present = await holdPeople(transaction, [userId, seen.instructorId])
  const [course] = await transaction.select(facts).from(courses).where(which).for('no key update')
  if (!course || !present.has(userId)) return null
  // Its creator deleted the account, also in this moment.
  return course.instructorId === departedUserId ? null : course
}
