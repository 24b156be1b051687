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

/** Of the enrollment `e` of a statement: nobody pays for it monthly. */
export const isForGood = sql`not exists (
  select 1 from purchases p
   where p.user_id = e.user_id and p.course_id = e.course_id
     and p.status <> 'ended' and p.subscription_id is not null)`

/** Of the enrollment `e` of a statement: it is paid for monthly, and goes with the present month. */
export const isCanceledAlready = sql`exists (
  select 1 from purchases p
   where p.user_id = e.user_id and p.course_id = e.course_id
     and p.status = 'active' and p.subscription_id is not null and p.cancel_at_period_end)`

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
    .select(payer)
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
    .returning(payer)
  await cancelEachAtProvider(
    transaction,
    paid.map(({ subscriptionId }) => subscriptionId!),
    'period end',
  )
  await tellPayers(
    transaction,
    unpaid,
    'Nothing more is charged for it, nor the month that is not paid yet; your access ends now.',
  )
  await tellPayers(
    transaction,
    paid,
    'Nothing more is charged for it; your access stays until the end of the period that you paid for.',
  )
}

const payer = {
  userId: purchases.userId,
  subscriptionId: purchases.subscriptionId,
  courseId: purchases.courseId,
  courseTitle: purchases.courseTitle,
}

async function tellPayers(
  transaction: Transaction,
  payers: Pick<typeof purchases.$inferSelect, keyof typeof payer>[],
  whatFollows: string,
): Promise<void> {
  // Nobody has the same course twice; who has two of these courses is told of both.
  const alike = Map.groupBy(payers, (one) => `${one.courseId} ${one.courseTitle}`)
  for (const sold of alike.values()) {
    const people = sold.flatMap(({ userId }) => userId ?? [])
    const buyers = sql`
      select u.id as user_id from users u where u.id = any(${sql.param(people)}::uuid[])
         for key share of u skip locked`
    await tellPeople(transaction, buyers, {
      kind: 'no_further_payments',
      title: 'No Further Payments',
      message: `The creator of ${quoted(sold[0]!.courseTitle)} has left. ${whatFollows}`,
      href: '/billing#purchases',
    })
  }
}
