import { and, eq, notInArray } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { cancelAtProvider } from '../purchases/end-purchase.ts'
import { planGrants, planSubscriptions } from './tables.ts'

export const billingData: PersonalData = {
  tables: {
    planGrants: personalTable(planGrants, {
      about: 'Pro that was given to you.',
      rowsOf: ({ id }) => eq(planGrants.userId, id),
      columns: {
        userId: { withheld: 'always you' },
        reason: 'exported',
        until: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    planSubscriptions: personalTable(planSubscriptions, {
      about: 'Your subscriptions to Pro.',
      rowsOf: ({ id }) => eq(planSubscriptions.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        customerId: 'exported',
        plan: 'exported',
        status: 'exported',
        currentPeriodStart: 'exported',
        currentPeriodEnd: 'exported',
        cancelAtPeriodEnd: 'exported',
        cardBrand: 'exported',
        cardLast4: 'exported',
        startedAt: 'exported',
        endedAt: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
  },

  async consequences(executor, { id }) {
    const live = await executor.$count(planSubscriptions, runningOf(id))
    if (live === 0) return []
    return [
      {
        text: 'Your subscription to Pro ends at once. What is left of the paid period is not paid back.',
        stays: false,
      },
    ]
  },

  async leave(transaction, { person }) {
    const running = await transaction
      .select({ id: planSubscriptions.id })
      .from(planSubscriptions)
      .where(runningOf(person.id))
    for (const { id } of running) await cancelAtProvider(transaction, id, 'now')
    // Of the card that paid nothing stays.
    await transaction
      .update(planSubscriptions)
      .set({ userId: null, cardBrand: null, cardLast4: null })
      .where(eq(planSubscriptions.userId, person.id))
  },
}

const runningOf = (userId: string) =>
  and(
    eq(planSubscriptions.userId, userId),
    notInArray(planSubscriptions.status, ['canceled', 'incomplete_expired']),
  )
