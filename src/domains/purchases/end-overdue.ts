import { and, asc, eq, lte } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import { isFirstTime } from '../../server/first-time.ts'
import type { Services } from '../../server/services.ts'
import { notify } from '../notifications/notify.ts'
import { dayLabel } from './day-label.ts'
import { endHeldPurchase } from './end-purchase.ts'
import { holdPurchase } from './hold-purchase.ts'
import { graceEnd, overdueAt } from './rules.ts'
import { purchases } from './tables.ts'

/**
 * A job, daily: what was not paid for as long as grace lasts ends, should the provider not have given up
 * before. Some days earlier the person is told.
 */
export async function endOverdue({ db }: Services, now = new Date()): Promise<void> {
  const overdue = await db
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        eq(purchases.status, 'past_due'),
        lte(purchases.pastDueSince, overdueAt(now).warnedBefore),
      ),
    )
    .orderBy(asc(purchases.id))
  for (const { id } of overdue) {
    await db.transaction(async (transaction) => {
      const held = await holdPurchase(transaction, id)
      const { userId, courseTitle, pastDueSince: since } = held.purchase
      // Paid, or ended, a moment ago.
      if (!since) return
      if (since <= overdueAt(now).endedBefore) {
        await endHeldPurchase(transaction, held, { reason: 'payment_failed' })
        return
      }
      const key = `${userId} ${id} ${since.toISOString()}`
      if (!userId || !(await isFirstTime(transaction, 'last-warning', key))) return
      await notify(transaction, {
        userId,
        kind: 'payment_failed',
        title: 'Your Access Is About to End',
        message: `The monthly payment for ${quoted(courseTitle)} is still missing. Your access ends on ${dayLabel(graceEnd(since))}, unless it is paid before: please check your card.`,
        href: '/billing#purchases',
      })
    })
  }
}
