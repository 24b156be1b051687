import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { changeOfMethod } from './hold-method.ts'
import { standingOf } from './standing.ts'
import { connectedAccounts, payoutMethods } from './tables.ts'

export interface ReadyMethod {
  method: 'bank_account' | 'debit_card' | 'paypal'
  /** For people: 'STRIPE TEST BANK •••• 6789', or the PayPal address. */
  destination: string
  /** Null with PayPal. */
  connectedAccountId: string | null
}

type Method = typeof payoutMethods.$inferSelect

export const destinationOf = ({
  method,
  label,
  last4,
  paypalEmail,
}: Pick<Method, 'method' | 'label' | 'last4' | 'paypalEmail'>): string =>
  method === 'paypal' ? (paypalEmail ?? '') : `${label} •••• ${last4}`.trim()

/**
 * Where money can be sent now, for a transaction that holds the ledger account; `problem` says in words why not,
 * `isPassing` that it is over in a moment. Null when nothing was set up.
 */
export async function readyMethodOf(
  transaction: Transaction,
  ledgerAccountId: string,
): Promise<ReadyMethod | { problem: string; isPassing?: boolean } | null> {
  // At this moment the provider may be told of another bank account.
  const { rows } = await transaction.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(hashtextextended(${changeOfMethod(ledgerAccountId)}, 0)) as free`,
  )
  if (!rows[0]!.free) {
    return {
      problem: 'Your payout method is being changed at this moment. Please try again.',
      isPassing: true,
    }
  }
  const [found] = await transaction
    .select({ method: payoutMethods, connected: connectedAccounts })
    .from(payoutMethods)
    .leftJoin(
      connectedAccounts,
      eq(connectedAccounts.ledgerAccountId, payoutMethods.ledgerAccountId),
    )
    .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
  if (!found) return null
  const { method, connected } = found
  const { standing, explanation } = standingOf(method, connected)
  if (standing !== 'ready') return { problem: explanation }
  return {
    method: method.method,
    destination: destinationOf(method),
    connectedAccountId: method.method === 'paypal' ? null : connected!.id,
  }
}
