import { and, eq, inArray } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { syncPayout } from './follow-payouts.ts'
import { payoutById } from './settle-payout.ts'
import { payouts } from './tables.ts'

type Payout = typeof payouts.$inferSelect

/**
 * Takes back what was sent to an address that nobody claims it at. PayPal decides: what has been claimed meanwhile has
 * arrived. Whatever comes back is booked as by itself after 30 days.
 */
export async function takeBackPayout(
  services: Services,
  { userId, payoutId }: { userId: string; payoutId: string },
): Promise<Payout | { refused: 'NOT_FOUND' | 'NOT_UNCLAIMED' | 'UNREACHABLE' }> {
  const { db, paypal, log } = services
  const own = db
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, userId))
  const [payout] = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.id, payoutId), inArray(payouts.ledgerAccountId, own)))
  if (!payout) return { refused: 'NOT_FOUND' }
  const { status, method, failure, providerPayoutId } = payout
  // It is over: as it was wanted, or it has arrived.
  if (status === 'failed' || status === 'paid') return payout
  const isUnclaimed = method === 'paypal' && failure !== null && providerPayoutId !== null
  if (!isUnclaimed || !paypal) return { refused: 'NOT_UNCLAIMED' }
  try {
    await paypal.takeBack(providerPayoutId)
    await syncPayout(services, providerPayoutId)
  } catch (error) {
    log.warn({ err: error, payoutId }, 'a payout could not be taken back')
    return { refused: 'UNREACHABLE' }
  }
  return (await payoutById(db, payoutId))!
}
