import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue, laterThanOthers } from '../../server/jobs.ts'
import { publishToPerson } from '../../server/publish.ts'
import { quotedTitle } from '../courses/rules.ts'
import { dischargeStudent } from '../enrollment/discharge-student.ts'
import { notify } from '../notifications/notify.ts'
import { keepEvent } from '../webhooks/keep-event.ts'
import { type HeldPurchase, holdPurchase } from './hold-purchase.ts'
import type { Purchase } from './live-purchase.ts'
import { purchases } from './tables.ts'

export type EndedReason = NonNullable<Purchase['endedReason']>

interface End {
  reason: EndedReason
  /** When the provider ended it; a subscription that still runs there is canceled by a job. */
  endedThere?: Date
}

/** Why it ended, for who had bought it; nothing where another notice says it. */
const why: Partial<Record<EndedReason, (course: string) => string>> = {
  canceled: (course) => `The period that you paid for ${course} is over, and your access with it.`,
  payment_failed: (course) =>
    `The payment for ${course} is still missing, so your access has ended. Nothing more is charged.`,
  refunded: (course) => `Your payment for ${course} was paid back, so your access has ended.`,
  dispute_lost: (course) =>
    `Your bank took the payment for ${course} back, so your access has ended.`,
}

/** Ends a purchase and the enrollment that came with it; nothing happens to one that has ended. */
export async function endPurchase(
  transaction: Transaction,
  { purchaseId, ...end }: End & { purchaseId: string },
): Promise<void> {
  await endHeldPurchase(transaction, await holdPurchase(transaction, purchaseId), end)
}

/** The same for one that `holdPurchase` holds. */
export async function endHeldPurchase(
  transaction: Transaction,
  { purchase, course }: HeldPurchase,
  { reason, endedThere }: End,
): Promise<void> {
  if (purchase.status === 'ended') return
  await transaction
    .update(purchases)
    .set({
      status: 'ended',
      endedReason: reason,
      endedAt: endedThere ?? new Date(),
      cancelAtPeriodEnd: false,
      pastDueSince: null,
    })
    .where(eq(purchases.id, purchase.id))
  if (purchase.subscriptionId && !endedThere) {
    await cancelAtProvider(transaction, purchase.subscriptionId, 'now')
  }
  const { userId } = purchase
  if (course && purchase.subscriptionId) {
    await keepEvent(transaction, {
      type: 'subscription.ended',
      courseId: course.id,
      personId: userId,
      more: { subscription: { id: purchase.id, reason } },
    })
  }
  if (course && userId) {
    const { id: courseId, instructorId } = course
    await dischargeStudent(transaction, { userId, courseId, instructorId })
    await publishToPerson(transaction, userId, { type: 'purchase', courseId })
  }
  const message = why[reason]?.(quotedTitle(purchase.courseTitle))
  if (!message || !userId) return
  // A draft has no page for who is not in it.
  const wayBack = course?.status === 'published' ? `/course/${course.slug}` : null
  await notify(transaction, {
    userId,
    kind: 'purchase_ended',
    title: 'Your Access Has Ended',
    message: wayBack ? `${message} What you completed is kept, in case you come back.` : message,
    href: wayBack ?? '/billing#purchases',
  })
}

/** A job: what ends with us ends at the provider, also when it is down at the moment. */
export async function cancelAtProvider(
  transaction: Transaction,
  subscriptionId: string,
  when: 'now' | 'period end',
): Promise<void> {
  await enqueue(
    transaction,
    'cancelSubscription',
    { subscriptionId, when },
    keyOf(subscriptionId, when),
  )
}

/** The same for the subscriptions of many, in one statement. */
export async function cancelEachAtProvider(
  transaction: Transaction,
  subscriptionIds: string[],
  when: 'now' | 'period end',
): Promise<void> {
  const jobs = subscriptionIds.map((subscriptionId) => ({
    key: keyOf(subscriptionId, when),
    payload: { subscriptionId, when },
  }))
  await transaction.execute(sql`
    select count(*) from graphile_worker.add_jobs(array(
      select row('cancelSubscription', job -> 'payload', null, null, 12, job ->> 'key',
                 ${laterThanOthers}::int, null)::graphile_worker.job_spec
        from json_array_elements(${JSON.stringify(jobs)}::json) job))`)
}

/** It goes on after all: what waits to end it with its month does not. */
export async function keepAtProvider(transaction: Transaction, subscriptionId: string) {
  await transaction.execute(
    sql`select graphile_worker.remove_job(${keyOf(subscriptionId, 'period end')})`,
  )
}

/** Which wish to end it with its month is not carried out yet, nor taken back; each time it is wished is another one. */
export async function waitingEndOf(
  transaction: Transaction,
  subscriptionId: string,
): Promise<string | null> {
  const { rows } = await transaction.execute<{ wish: string }>(sql`
    select id || ' ' || revision as wish from graphile_worker.jobs
     where key = ${keyOf(subscriptionId, 'period end')}`)
  return rows[0]?.wish ?? null
}

const keyOf = (subscriptionId: string, when: 'now' | 'period end') =>
  `cancel ${subscriptionId} ${when}`
