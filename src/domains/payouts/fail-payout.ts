import Stripe from 'stripe'
import type { Services } from '../../server/services.ts'
import type { PayoutFailure } from './payout-refusal.ts'
import { markFailed } from './settle-payout.ts'
import type { payouts } from './tables.ts'

type Payout = typeof payouts.$inferSelect

/** In the log, at which an operator is told to look. */
const unheard = 'a payout to a creator who has left came back: nobody else is told of it'

/**
 * Takes back what was transferred to the creator's account at the provider, then gives it back to the balance.
 * Can be done twice; throws while the provider does not answer, so that nothing is given back that still may go.
 */
export async function failPayout(
  services: Services,
  payout: Payout,
  why: PayoutFailure,
): Promise<void> {
  if (payout.transferId) await takeBack(services, { ...payout, transferId: payout.transferId })
  if (!(await markFailed(services.db, payout, why))) return
  services.log.error({ payoutId: payout.id, problem: why.failure }, unheard)
}

async function takeBack(
  { payments, log }: Services,
  { id, transferId }: Payout & { transferId: string },
): Promise<void> {
  const { transfers } = payments.stripe
  try {
    const { reversed } = await transfers.retrieve(transferId)
    if (reversed) return
    const metadata = { payoutId: id }
    await transfers.createReversal(transferId, { metadata }, { idempotencyKey: `${id} reversal` })
  } catch (error) {
    // A refusal is for the operator, who sees the account there; the creator is owed the money in any case.
    const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors
    const isRefusal =
      error instanceof StripeInvalidRequestError || error instanceof StripePermissionError
    if (!isRefusal) throw error
    log.error(
      { payoutId: id, transferId, problem: error.message },
      'a transfer to a creator could not be reversed: reverse it in the dashboard of the provider',
    )
  }
}
