import { eq } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { requireOwnMode } from '../payments/payment-mode.ts'
import type { Creator } from './connect-payout-method.ts'
import { withAccount } from './connected-account.ts'
import { payoutRowsOf } from './payout-setup.ts'
import { connectedAccounts } from './tables.ts'

/** The provider's own pages about a creator: what it still has to know, or what it knows. Good for minutes. */
export async function startOnboarding(
  services: Services,
  creator: Creator & { name: string },
): Promise<{ url: string }> {
  await requireOwnMode(services)
  const { db, config, payments } = services
  const ledgerAccountId = await db.transaction((transaction) =>
    creatorAccount(transaction, creator.id),
  )
  const { method, connected } = await payoutRowsOf(db, creator.id)
  const payee = {
    email: creator.email,
    accountType: method?.accountType,
    firstName: method?.firstName,
    lastName: method?.lastName,
  }
  const page = (onboarding: string) => new URL(`/payments?onboarding=${onboarding}`, config.appUrl)
  return withAccount(services, { ledgerAccountId, payee }, async (account) => {
    await db
      .update(connectedAccounts)
      .set({ adopts: true })
      .where(eq(connectedAccounts.id, account))
    const isComplete = connected?.id === account && connected.currentlyDue.length === 0
    const { url } = await payments.stripe.accountLinks.create({
      account,
      type: isComplete && connected.detailsSubmitted ? 'account_update' : 'account_onboarding',
      return_url: page('done').href,
      refresh_url: page('again').href,
    })
    return { url }
  })
}
