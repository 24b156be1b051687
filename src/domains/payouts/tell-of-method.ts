import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { notify } from '../notifications/notify.ts'

/** By mail, too: whoever got into the account could have done it. */
export async function tellOfMethod(
  transaction: Transaction,
  userId: string,
  { title, message }: { title: string; message: string },
): Promise<void> {
  await notify(transaction, {
    userId,
    kind: 'payout_attention',
    title,
    message: `${message} If this was not you, change your password and look at how you are paid.`,
    href: '/payments',
  })
  await publishToPerson(transaction, userId, { type: 'earnings' })
}
