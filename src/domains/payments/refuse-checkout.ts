import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { notify } from '../notifications/notify.ts'
import { closeCheckout } from './close-checkout.ts'
import type { PaidCharge } from './paid-charge.ts'
import { inTestMode } from './payment-mode.ts'
import { recordCharge } from './record-charge.ts'
import { paymentProvider } from './tables.ts'
import { testMark } from './test-mode.ts'

const reasons = {
  gone: 'it is not there any more.',
  'bought already': 'you have it already.',
} as const

/** What was paid but cannot be fulfilled any more is paid back in full, and its subscription ends at once. */
export async function refuseCheckout(
  transaction: Transaction,
  refused: {
    /** Null of what was not bought on a payment page: who did that is told in another way. */
    checkoutId: string | null
    userId: string | null
    /** Of the course or the plan, for people. */
    what: string
    reason: keyof typeof reasons
    paid: PaidCharge[]
    subscriptionId: string | null
  },
): Promise<void> {
  const { checkoutId, paid, subscriptionId, what } = refused
  // Before the checkout: who deletes the account takes them in this order.
  const present = await holdPeople(transaction, refused.userId ? [refused.userId] : [])
  const [userId = null] = present
  const chargeIds = paid.map(({ charge }) => charge.id)
  // A later month must not take the place of what is to be paid back already.
  const key = `pay back ${chargeIds.join(' ') || subscriptionId}`
  await enqueue(transaction, 'payBack', { chargeIds, subscriptionId }, key)
  const isNew = checkoutId !== null && (await closeCheckout(transaction, checkoutId, 'refused'))
  for (const one of paid) {
    const facts = { payerId: userId, description: what, checkoutId }
    await recordCharge(transaction, { ...one, about: { kind: 'refused' }, ...facts })
  }
  if (!userId || !isNew || paid.length === 0) return
  const [provider] = await transaction.select({ isTest: inTestMode }).from(paymentProvider)
  await notify(transaction, {
    userId,
    kind: 'payment_refunded',
    title: 'Your payment is on its way back',
    message: `You paid for ${what}, but ${reasons[refused.reason]} You get all of it back; with a card that takes 5 to 10 days.${testMark(provider?.isTest ?? false)}`,
    href: '/billing',
  })
}
