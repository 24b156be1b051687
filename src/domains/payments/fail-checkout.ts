import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { quotedTitle } from '../courses/rules.ts'
import { notify } from '../notifications/notify.ts'
import { brand } from '../site/brand.ts'
import { type Checkout, titleOfCheckout } from './checkout-of.ts'
import { closeCheckout } from './close-checkout.ts'
import { applied, ignored, type Outcome } from './outcome.ts'

/** A payment that took days, as from a bank account, did not work in the end: it can be tried again. */
export async function failCheckout(transaction: Transaction, checkout: Checkout): Promise<Outcome> {
  // Before the checkout: who deletes the account takes them in this order.
  const present = await holdPeople(transaction, checkout.userId ? [checkout.userId] : [])
  const title = await titleOfCheckout(transaction, checkout)
  const isNew = await closeCheckout(transaction, checkout.id, 'expired')
  if (!isNew) return ignored('It had ended before')
  const ofCourse = title ? quotedTitle(title) : 'a course'
  for (const userId of present) {
    await notify(transaction, {
      userId,
      kind: 'payment_failed',
      title: 'Your Payment Failed',
      message: `Your bank did not make the payment for ${checkout.kind === 'plan' ? `${brand.name} Pro` : ofCourse}. Nothing was paid, and you can pay again, also in another way.`,
      href: '/billing',
    })
  }
  return applied('The payment failed')
}
