// A course that is sold, and rows about it that are there without the way to them.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { courses } from '../src/domains/courses/tables.ts'
import { creatorAccount } from '../src/domains/ledger/accounts.ts'
import { payments } from '../src/domains/payments/tables.ts'
import { purchases } from '../src/domains/purchases/tables.ts'
import type { Services } from '../src/server/services.ts'
import { makeCourse, makePerson } from './factories.ts'

export type PurchaseRow = typeof purchases.$inferSelect

/** A course for $29, its creator, and somebody else. */
export async function makeSoldCourse(services: Services) {
  const creator = await makePerson(services)
  const buyer = await makePerson(services)
  const course = await makeCourse(services, creator, { title: 'Knots' })
  const price = { pricingType: 'one_time' as const, priceAmount: 2900 }
  await services.db.update(courses).set(price).where(eq(courses.id, course.id))
  return { creator, buyer, course }
}
export type SoldCourse = Awaited<ReturnType<typeof makeSoldCourse>>

/** Monthly with the id of a subscription. */
export async function makePurchase(
  { db }: Services,
  { creator, buyer, course }: SoldCourse,
  more: Partial<PurchaseRow> = {},
): Promise<PurchaseRow> {
  return db.transaction(async (transaction) => {
    const [purchase] = await transaction
      .insert(purchases)
      .values({
        userId: buyer.id,
        courseId: course.id,
        courseTitle: 'Knots',
        creatorAccountId: await creatorAccount(transaction, creator.id),
        pricingType: more.subscriptionId ? 'monthly' : 'one_time',
        amount: 2900,
        currency: 'usd',
        ...more,
      })
      .returning()
    return purchase!
  })
}

/** $29 that were paid for it. */
export async function makePayment(
  { db }: Services,
  purchase: PurchaseRow | null,
  more: Partial<typeof payments.$inferInsert> = {},
) {
  const paidAt = more.paidAt ?? new Date()
  const [payment] = await db
    .insert(payments)
    .values({
      chargeId: `ch_${randomUUID()}`,
      kind: 'course',
      description: 'Knots',
      purchaseId: purchase?.id,
      creatorAccountId: purchase?.creatorAccountId,
      courseId: purchase?.courseId,
      payerId: purchase?.userId,
      currency: 'usd',
      gross: 2900,
      feePercent: 5,
      platformFee: 145,
      providerFee: 114,
      paidAt,
      availableAt: paidAt,
      ...more,
    })
    .returning()
  return payment!
}
