import { and, inArray, lt, sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { paymentEvents } from './tables.ts'

/** A daily job: what was done long ago. What waits or failed stays until somebody has looked at it. */
export async function prunePaymentEvents({ db }: Pick<Services, 'db'>): Promise<void> {
  await db
    .delete(paymentEvents)
    .where(
      and(
        inArray(paymentEvents.status, ['applied', 'ignored']),
        lt(paymentEvents.receivedAt, sql`now() - interval '90 days'`),
      ),
    )
}
