// What crosses the wire about plans and their payment. Forms and handlers share it.
import * as z from 'zod'
import { minorUnits, placeInList, timestamp, uuid } from '../../fields.ts'

/** Seconds since 1970, as payment providers count time. */
const unixSeconds = z.number().int()

/** A page of ours: its path, or its whole address. Anything else is refused, so that nobody is led elsewhere. */
const returnPage = z
  .string('The return page must be an address')
  .max(2000, 'This address is too long')

export const planCheckout = z.object({
  price_id: z.string('Choose a plan').max(100, 'There is no such plan'),
  mode: z.literal('subscription', 'Plans are paid as a subscription').default('subscription'),
  success_url: returnPage.optional(),
  cancel_url: returnPage.optional(),
  /** Accepted and not used: what we need to know we know ourselves. */
  metadata: z.record(z.string().max(40), z.string().max(500)).optional(),
})

export const startedCheckout = z.object({
  /** Of the payment page. */
  url: z.string(),
  sessionId: z.string(),
})

/** The view stripe_user_subscriptions (spec 1, section 3; spec 2, section 3). */
export const subscriptionRecord = z.object({
  customer_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  /** 'inactive' without any. */
  subscription_status: z.string(),
  price_id: z.enum(['pro_monthly', 'pro_annual']).nullable(),
  current_period_start: unixSeconds.nullable(),
  current_period_end: unixSeconds.nullable(),
  cancel_at_period_end: z.boolean(),
  /** Of a card; else the bank, or the kind of payment. */
  payment_method_brand: z.string().nullable(),
  payment_method_last4: z.string().nullable(),
})
export type SubscriptionRecord = z.output<typeof subscriptionRecord>

export const planName = z.enum(['monthly', 'annual'], 'Choose Monthly or Annual')

const receipt = z.object({
  id: z.uuid(),
  amount: minorUnits,
  refunded: minorUnits,
  currency: z.string(),
  paidAt: timestamp,
  /** Pages of ours, which lead to the provider's. */
  receiptUrl: z.string().nullable(),
  invoicePdf: z.string().nullable(),
})

const purchasedCourse = z.object({
  id: z.uuid(),
  /** Null when the course is gone. */
  courseId: z.uuid().nullable(),
  title: z.string(),
  /** Null when the course is gone, or its purchase has ended and nobody new may see it. */
  slug: z.string().nullable(),
  pricingType: z.enum(['one_time', 'monthly']),
  /** Once or each month. */
  amount: minorUnits,
  currency: z.string(),
  status: z.enum(['active', 'past_due', 'ended']),
  endedReason: z.string().nullable(),
  currentPeriodEnd: timestamp.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  /** Whether further months can be paid: not once the creator of the course has left. */
  canRenew: z.boolean(),
  /** Whether the present period may be unpaid still, as in its first hour: then canceling ends it at once. */
  mayBeUnpaid: z.boolean(),
  /** Whether others join the course without paying by now. */
  isFree: z.boolean(),
  /** Whether the person is in the course now; who left may come back without paying again. */
  isMember: z.boolean(),
  boughtAt: timestamp,
  /** Newest first, at most 12. */
  receipts: z.array(receipt),
  hasMoreReceipts: z.boolean(),
})
export type PurchasedCourse = z.output<typeof purchasedCourse>

/** Everything on the billing page but its history, which the provider is asked for. */
export const billingPage = z.object({
  plan: z.enum(['free', 'pro']),
  /** Pro that an administrator gave: there is nothing to cancel. */
  isGranted: z.boolean(),
  subscription: subscriptionRecord,
  /** Whether the present period of Pro may be unpaid still, as in its first hour: then canceling ends it at once. */
  mayBeUnpaid: z.boolean(),
  /** What became of the payment page for Pro that was opened last; `open`: it is not known yet. */
  checkout: z.enum(['none', 'open', 'paid', 'expired', 'refused']),
  /** Payments are not real here: the sandbox, or the provider's test keys. */
  isTest: z.boolean(),
  /** The provider is the sandbox: Pro can be tried with one click. */
  hasDemoUpgrade: z.boolean(),
  /** Courses that the person bought: those that are paid monthly still, then others of the newest 50. */
  purchases: z.array(purchasedCourse),
  hasMorePurchases: z.boolean(),
})
export type BillingPage = z.output<typeof billingPage>

export const billingHistoryQuery = z.object({
  customer_id: z.string('The customer is missing').max(100, 'This is no customer'),
})

export const billingHistory = z.object({
  invoices: z.array(
    z.object({
      id: z.string(),
      amount: minorUnits,
      currency: z.string(),
      /** 'paid', or anything else: shown as Pending. */
      status: z.string(),
      created: unixSeconds,
      description: z.string(),
      invoice_pdf: z.string().nullable(),
    }),
  ),
  /** Older ones are not listed. */
  has_more: z.boolean(),
})
export type BillingHistory = z.output<typeof billingHistory>

export const receiptsQuery = z.object({ cursor: placeInList.optional() })

/** All that was paid, newest first: courses and Pro. */
export const receiptPage = z.object({
  receipts: z.array(receipt.extend({ description: z.string() })),
  nextCursor: z.string().nullable(),
})
export type ReceiptPage = z.output<typeof receiptPage>

export const receiptRequest = z.object({
  paymentId: uuid('The payment'),
  document: z.enum(['receipt', 'invoice'], 'Ask for a receipt or an invoice'),
})

export const receiptAddress = z.object({ url: z.string() })

export const portalRequest = z.object({
  /** Where the portal leads back to; the billing page by default. */
  return_url: returnPage.optional(),
  /** Straight to changing the card. */
  flow: z.enum(['payment_method_update']).optional(),
})

export const portalAddress = z.object({ url: z.string() })
