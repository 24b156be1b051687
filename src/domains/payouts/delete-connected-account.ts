import type { Services } from '../../server/services.ts'
import { isAccountGone } from './connected-account.ts'

/** A job: the provider forgets somebody who has left, and to whom nothing more is paid. Can be done twice. */
export async function deleteConnectedAccount(
  { accountId }: { accountId: string },
  { payments }: Services,
): Promise<void> {
  await payments.stripe.accounts.del(accountId).catch((error: unknown) => {
    if (!isAccountGone(error)) throw error
  })
}
