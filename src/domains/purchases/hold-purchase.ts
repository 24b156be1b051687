import { eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { courses } from '../courses/tables.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import type { Purchase } from './live-purchase.ts'
import { purchases } from './tables.ts'

export interface HeldPurchase {
  purchase: Purchase
  /** Null when it was deleted. */
  course: Pick<
    typeof courses.$inferSelect,
    'id' | 'slug' | 'title' | 'status' | 'instructorId'
  > | null
}

/**
 * A purchase with its people and its course, all of which stay as they are until the transaction ends. A caller
 * that holds the course already has held its people before.
 */
export async function holdPurchase(
  transaction: Transaction,
  purchaseId: string,
): Promise<HeldPurchase> {
  const which = eq(purchases.id, purchaseId)
  const [seen] = await transaction
    .select({
      userId: purchases.userId,
      creatorId: ledgerAccounts.userId,
      instructorId: courses.instructorId,
    })
    .from(purchases)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, purchases.creatorAccountId))
    .leftJoin(courses, eq(courses.id, purchases.courseId))
    .where(which)
  const { userId, creatorId, instructorId } = seen!
  await holdPeople(
    transaction,
    [userId, creatorId, instructorId].flatMap((id) => id ?? []),
  )
  const itsCourse = transaction.select({ id: purchases.courseId }).from(purchases).where(which)
  const [course] = await transaction
    .select({
      id: courses.id,
      slug: courses.slug,
      title: courses.title,
      status: courses.status,
      instructorId: courses.instructorId,
    })
    .from(courses)
    .where(inArray(courses.id, itsCourse))
    .for('no key update')
  const [purchase] = await transaction.select().from(purchases).where(which).for('update')
  return { purchase: purchase!, course: course ?? null }
}
