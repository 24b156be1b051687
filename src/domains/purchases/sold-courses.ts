import { and, count, eq, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Executor, Transaction } from '../../server/db.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { cancelEachAtProvider } from './end-purchase.ts'
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

/** How many people go on paying for this course each month, whatever it costs others by now. */
export const monthlyPayersOf = (executor: Executor, courseId: string): Promise<number> =>
  executor.$count(
    purchases,
    and(
      liveOf([courseId]),
      gt(purchases.amount, 0),
      isNotNull(purchases.userId),
      isNotNull(purchases.subscriptionId),
      eq(purchases.cancelAtPeriodEnd, false),
    ),
  )

/** Courses that nobody paid for, and that are held, are about to go: what was given away of them ends. */
export async function endGivenAway(transaction: Transaction, courseIds: string[]): Promise<void> {
  await transaction
    .update(purchases)
    .set({ status: 'ended', endedReason: 'course_deleted', endedAt: sql`now()` })
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
  await cancelEachAtProvider(
    transaction,
    unpaid.map(({ subscriptionId }) => subscriptionId!),
    'now',
  )
  const paid = await transaction
    .update(purchases)
    .set({ cancelAtPeriodEnd: true })
    .where(and(monthly, eq(purchases.status, 'active'), eq(purchases.cancelAtPeriodEnd, false)))
    .returning({
      userId: purchases.userId,
      subscriptionId: purchases.subscriptionId,
      courseId: purchases.courseId,
      courseTitle: purchases.courseTitle,
    })
  await cancelEachAtProvider(
    transaction,
    paid.map(({ subscriptionId }) => subscriptionId!),
    'period end',
  )
  // Nobody has the same course twice; who has two of these courses is told of both.
  const alike = Map.groupBy(paid, (one) => `${one.courseId} ${one.courseTitle}`)
  for (const sold of alike.values()) {
    const people = sold.flatMap(({ userId }) => userId ?? [])
    const buyers = sql`
      select u.id as user_id from users u where u.id = any(${sql.param(people)}::uuid[])
         for key share of u skip locked`
    await tellPeople(transaction, buyers, {
      kind: 'creator_left',
      title: 'No Further Payments',
      message: `The creator of ${quoted(sold[0]!.courseTitle)} has left. Nothing more is charged for it; your access stays until the end of the period that you paid for.`,
      href: '/billing#purchases',
    })
  }
}
