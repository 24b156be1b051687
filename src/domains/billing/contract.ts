import * as z from 'zod'
import { row } from '../../contract-row.ts'
import {
  billingHistory,
  billingHistoryQuery,
  billingPage,
  planCheckout,
  planName,
  portalAddress,
  portalRequest,
  receiptAddress,
  receiptPage,
  receiptRequest,
  receiptsQuery,
  startedCheckout,
  subscriptionRecord,
} from './schema.ts'

const alreadyPro = { status: 409, message: 'You are on Pro already.' } as const
const foreignPage = {
  status: 422,
  message: 'After paying you can return to a page of this site only.',
} as const
const noSubscription = { status: 409, message: 'You have no subscription to Pro.' } as const

export const billing = {
  getUserPlan: row('signedIn', 'POST', '/rest/v1/rpc/get_user_plan', 'My plan', {
    scope: 'profile:read',
  }).output(z.enum(['free', 'pro'])),

  getUserTransactionFee: row(
    'signedIn',
    'POST',
    '/rest/v1/rpc/get_user_transaction_fee',
    'My transaction fee, in percent of a sale',
    { scope: 'sales:read' },
  ).output(z.number()),

  getBilling: row('signedIn', 'GET', '/rest/v1/billing', 'My plan, its payment and my purchases', {
    whileSuspended: true,
  }).output(billingPage),

  /** One record, also without any subscription. */
  getMySubscription: row(
    'signedIn',
    'GET',
    '/rest/v1/stripe_user_subscriptions',
    'My subscription to Pro',
  ).output(z.array(subscriptionRecord)),

  /** Asked again before it is paid, the answer is the same payment page. */
  stripeCheckout: row('signedIn', 'POST', '/functions/v1/stripe-checkout', 'Buy Pro', {
    stoppedBy: 'checkout',
  })
    .errors({
      ALREADY_PRO: alreadyPro,
      PAYMENT_MISSING: {
        status: 409,
        message: 'The last payment for Pro failed. Update your card instead of buying Pro again.',
      },
      PAYMENT_UNDER_WAY: {
        status: 409,
        message:
          'Your payment for Pro is under way: your bank has not confirmed it yet. You have Pro as soon as it has.',
      },
      PRODUCT_NOT_FOUND: { status: 422, message: 'Product not found' },
      FOREIGN_PAGE: foreignPage,
      TOO_MANY: { status: 429 },
    })
    .input(planCheckout)
    .output(startedCheckout),

  stripeBillingHistory: row(
    'signedIn',
    'POST',
    '/functions/v1/stripe-billing-history',
    'My invoices',
    { whileSuspended: true },
  )
    .input(billingHistoryQuery)
    .output(billingHistory),

  getReceipts: row('signedIn', 'GET', '/rest/v1/billing/receipts', 'All my receipts', {
    whileSuspended: true,
  })
    .input(receiptsQuery)
    .output(receiptPage),

  /** The provider's links go out after a month: this is the one that it gives now. */
  getReceipt: row(
    'signedIn',
    'GET',
    '/rest/v1/billing/receipts/{paymentId}/{document}',
    'Where my receipt or invoice is',
    { whileSuspended: true },
  )
    .input(receiptRequest)
    .output(receiptAddress),

  /** The provider's own pages for cards and invoices. */
  stripePortal: row('signedIn', 'POST', '/functions/v1/stripe-portal', 'Change how I pay')
    .errors({
      NO_CUSTOMER: { status: 409, message: 'You have not paid for anything yet.' },
      FOREIGN_PAGE: foreignPage,
    })
    .input(portalRequest)
    .output(portalAddress),

  /** Pro stays until the end of the paid period. Canceling twice is harmless. */
  cancelSubscription: row(
    'signedIn',
    'POST',
    '/rest/v1/billing/subscription/cancel',
    'Cancel Pro at the end of the period',
    { whileSuspended: true },
  )
    .errors({ NO_SUBSCRIPTION: noSubscription })
    .output(subscriptionRecord),

  reactivateSubscription: row(
    'signedIn',
    'POST',
    '/rest/v1/billing/subscription/reactivate',
    'Keep Pro after all',
  )
    .errors({ NO_SUBSCRIPTION: noSubscription })
    .output(subscriptionRecord),

  /** With the sandbox only: a real subscription there, paid with its test card. */
  demoUpgrade: row('signedIn', 'POST', '/rest/v1/billing/demo-upgrade', 'Try Pro in test mode', {
    stoppedBy: 'checkout',
  })
    .errors({ ALREADY_PRO: alreadyPro })
    .input(z.object({ plan: planName }))
    .output(subscriptionRecord),
}
