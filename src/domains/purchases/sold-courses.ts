import { and, count, eq, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { cancelAtProvider } from './end-purchase.ts'
import { purchases } from './tables.ts'

const liveOf = (courseIds: string[]) =>
  and(inArray(purchases.courseId, courseIds), ne(purchases.status, 'ended'))

/** How many people paid for each of these courses and have it still; courses without any are left out. */
export async function buyersOf(
  executor: Executor,
  courseIds: string[],
): Promise<Map<string, number>> {
  const rows = await executor
    .select({ courseId: purchases.courseId, total: count() })
    .from(purchases)
    .where(and(liveOf(courseIds), gt(purchases.amount, 0), isNotNull(purchases.userId)))
    .groupBy(purchases.courseId)
  return new Map(rows.map(({ courseId, total }) => [courseId!, total]))
}

/** Courses that nobody paid for, and that are held, are about to go: what was given away of them ends. */
export async function endGivenAway(transaction: Transaction, courseIds: string[]): Promise<void> {
  await transaction
    .update(purchases)
    .set({ status: 'ended', endedReason: 'removed', endedAt: sql`now()` })
    .where(liveOf(courseIds))
}

/**
 * The creator leaves these courses, which are held, to their members: who paid once keeps them; no further
 * month is paid. Nobody's account is waited for: whoever leaves at this moment waits for the courses.
 */
export async function stopSelling(transaction: Transaction, courseIds: string[]): Promise<void> {
  const monthly = and(liveOf(courseIds), isNotNull(purchases.subscriptionId))
  const unpaid = await transaction
    .select({ subscriptionId: purchases.subscriptionId })
    .from(purchases)
    .where(and(monthly, eq(purchases.status, 'past_due')))
  for (const { subscriptionId } of unpaid) {
    await cancelAtProvider(transaction, subscriptionId!, 'now')
  }
  const paid = await transaction
    .update(purchases)
    .set({ cancelAtPeriodEnd: true })
    .where(and(monthly, eq(purchases.status, 'active'), eq(purchases.cancelAtPeriodEnd, false)))
    .returning({
      id: purchases.id,
      subscriptionId: purchases.subscriptionId,
      courseTitle: purchases.courseTitle,
    })
  for (const { id, subscriptionId, courseTitle } of paid) {
    await cancelAtProvider(transaction, subscriptionId!, 'period end')
    const buyer = sql`
      select u.id as user_id from purchases p join users u on u.id = p.user_id
       where p.id = ${id} for key share of u skip locked`
    await tellPeople(transaction, buyer, {
      kind: 'creator_left',
      title: 'No Further Payments',
      message: `The creator of “${courseTitle}” has left. Nothing more is charged for it; your access stays until the end of the period that you paid for.`,
      href: '/billing#purchases',
    })
  }
}
