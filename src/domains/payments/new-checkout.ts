import { and, eq } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { checkoutMinutes } from '../purchases/rules.ts'
import type { Checkout } from './checkout-of.ts'
import { checkouts } from './tables.ts'

/** Minutes in which a failed try can be repeated as the same one. */
const retryMinutes = 5

const checkoutEnd = () => new Date(Date.now() + (checkoutMinutes + retryMinutes) * 60_000)

/**
 * Whether people can still be sent to the payment page of this checkout, or the provider can still be asked
 * for it.
 */
export function isFresh({ status, sessionId, expiresAt }: Checkout, now: Date): boolean {
  const minutesLeft = (expiresAt.getTime() - now.getTime()) / 60_000
  return status === 'open' && minutesLeft > (sessionId ? 1 : checkoutMinutes)
}

/** The open checkout of this person for this course, or for Pro. */
export async function openCheckoutOf(
  executor: Executor,
  which: { userId: string; courseId: string } | { userId: string; kind: 'plan' },
): Promise<Checkout | null> {
  const about =
    'courseId' in which
      ? and(eq(checkouts.kind, 'course'), eq(checkouts.courseId, which.courseId))
      : eq(checkouts.kind, which.kind)
  const [row] = await executor
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.userId, which.userId), eq(checkouts.status, 'open'), about))
  return row ?? null
}

/** Null when this person has an open one already. */
export async function newCheckout(
  transaction: Transaction,
  terms: Omit<typeof checkouts.$inferInsert, 'status' | 'expiresAt'>,
): Promise<string | null> {
  const [made] = await transaction
    .insert(checkouts)
    .values({ ...terms, expiresAt: checkoutEnd() })
    .onConflictDoNothing()
    .returning({ id: checkouts.id })
  return made?.id ?? null
}
