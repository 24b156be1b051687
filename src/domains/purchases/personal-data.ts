import { and, count, eq, gt, isNotNull, ne, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { keepEvent } from '../webhooks/keep-event.ts'
import { cancelAtProvider, type EndedReason } from './end-purchase.ts'
import { coupons, purchases } from './tables.ts'

const internal = { withheld: 'means nothing outside this database' } as const

export const purchasesData: PersonalData = {
  tables: {
    purchases: personalTable(purchases, {
      about: 'The courses that you bought. Amounts are in minor units, such as cents.',
      rowsOf: ({ id }) => eq(purchases.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        courseId: 'exported',
        courseTitle: 'exported',
        creatorAccountId: internal,
        pricingType: 'exported',
        amount: 'exported',
        currency: 'exported',
        status: 'exported',
        endedReason: 'exported',
        subscriptionId: 'exported',
        currentPeriodStart: 'exported',
        currentPeriodEnd: 'exported',
        cancelAtPeriodEnd: 'exported',
        pastDueSince: 'exported',
        createdAt: 'exported',
        endedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    coupons: personalTable(coupons, {
      about: 'The coupons of your courses.',
      rowsOf: ({ id }) =>
        sql`coupons.course_id in (select c.id from courses c where c.instructor_id = ${id})`,
      columns: {
        id: 'exported',
        courseId: 'exported',
        code: 'exported',
        percentOff: 'exported',
        amountOff: 'exported',
        startsAt: 'exported',
        endsAt: 'exported',
        maxRedemptions: 'exported',
        maxPerPerson: 'exported',
        redemptionsCount: 'exported',
        isActive: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
  },

  async consequences(executor, { id }) {
    const [paid] = await executor
      .select({ all: count(), monthly: count(purchases.subscriptionId) })
      .from(purchases)
      .where(and(eq(purchases.userId, id), ne(purchases.status, 'ended'), gt(purchases.amount, 0)))
    const { all, monthly } = paid ?? { all: 0, monthly: 0 }
    if (all === 0) return []
    const what = all === 1 ? 'the course that you bought' : `the ${all} courses that you bought`
    const bills =
      monthly === 0 ? '' : ' Monthly payments end at once; what is left of a paid month is lost.'
    return [
      { text: `You lose ${what}. Nothing is paid back by itself.${bills}`, stays: false },
      {
        text: 'What you paid stays in the books of the site, as the law asks, without you.',
        stays: true,
      },
    ]
  },

  async leave(transaction, { person }) {
    // Nobody uses them any more; also those of a course that is kept for its members.
    await transaction
      .delete(coupons)
      .where(
        sql`coupons.course_id in (select c.id from courses c where c.instructor_id = ${person.id})`,
      )
    const live = and(eq(purchases.userId, person.id), ne(purchases.status, 'ended'))
    const running = await transaction
      .select({
        id: purchases.id,
        courseId: purchases.courseId,
        subscriptionId: purchases.subscriptionId,
      })
      .from(purchases)
      .where(and(live, isNotNull(purchases.subscriptionId)))
    for (const { id, courseId, subscriptionId } of running) {
      await cancelAtProvider(transaction, subscriptionId!, 'now')
      if (courseId === null) continue
      // Without the person, who is about to be nobody.
      const more = { subscription: { id, reason: 'account_deleted' satisfies EndedReason } }
      await keepEvent(transaction, { type: 'subscription.ended', courseId, more })
    }
    await transaction
      .update(purchases)
      .set({
        status: 'ended',
        endedReason: 'account_deleted',
        endedAt: sql`now()`,
        cancelAtPeriodEnd: false,
        pastDueSince: null,
      })
      .where(live)
    await transaction.update(purchases).set({ userId: null }).where(eq(purchases.userId, person.id))
  },
}
