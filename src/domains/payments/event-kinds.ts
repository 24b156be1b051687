// Which events of the provider mean something to us. An operator chooses the same ones for the webhook.

/** The provider lists at most 20 kinds at once: see `kindsAtOnce`. */
export const eventKinds = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
  'customer.updated',
  'customer.deleted',
  'account.updated',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
] as const

export const kindsAtOnce = 20

const known: ReadonlySet<string> = new Set(eventKinds)

export const concernsUs = (type: string) => known.has(type)

/** What an object is, by the beginning of its id. */
export function objectKind(id: string) {
  if (id.startsWith('cs_')) return 'checkout'
  if (id.startsWith('sub_')) return 'subscription'
  if (id.startsWith('in_')) return 'invoice'
  if (id.startsWith('ch_') || id.startsWith('py_')) return 'charge'
  if (id.startsWith('re_') || id.startsWith('pyr_')) return 'refund'
  if (id.startsWith('dp_') || id.startsWith('du_')) return 'dispute'
  if (id.startsWith('acct_')) return 'account'
  if (id.startsWith('po_')) return 'payout'
  return id.startsWith('cus_') ? 'customer' : 'other'
}
