import { eq } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import type { PayoutSetup } from './schema.ts'
import { standingOf } from './standing.ts'
import { connectedAccounts, payoutMethods } from './tables.ts'

/** How a person is paid, as it is in our rows; each part null when there is none. */
export async function payoutRowsOf(executor: Executor, userId: string) {
  const [found] = await executor
    .select({
      ledgerAccountId: ledgerAccounts.id,
      method: payoutMethods,
      connected: connectedAccounts,
    })
    .from(ledgerAccounts)
    .leftJoin(payoutMethods, eq(payoutMethods.ledgerAccountId, ledgerAccounts.id))
    .leftJoin(connectedAccounts, eq(connectedAccounts.ledgerAccountId, ledgerAccounts.id))
    .where(eq(ledgerAccounts.userId, userId))
  return found ?? { ledgerAccountId: null, method: null, connected: null }
}

export const paypalGone = {
  standing: 'paused',
  explanation: 'PayPal is not offered here any more. Set up another way to be paid.',
} as const

/** How a person is paid, for the person. */
export async function payoutSetupOf(
  { db, payments, paypal }: Pick<Services, 'db' | 'payments' | 'paypal'>,
  userId: string,
): Promise<PayoutSetup> {
  const { method, connected } = await payoutRowsOf(db, userId)
  const isStranded = method?.method === 'paypal' && !paypal
  return {
    method: method && {
      method: method.method,
      accountType: method.accountType,
      firstName: method.firstName,
      lastName: method.lastName,
      label: method.label,
      last4: method.last4,
      paypalEmail: method.paypalEmail,
      schedule: method.schedule,
    },
    ...(isStranded ? paypalGone : standingOf(method, connected)),
    tokens: payments.tokens,
    offersPaypal: paypal !== null,
    isTestMode: payments.mode !== 'live',
  }
}
