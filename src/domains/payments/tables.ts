import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { courses } from '../courses/tables.ts'
import { courseInvitations } from '../invitations/tables.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { coupons, purchases } from '../purchases/tables.ts'

/** Who somebody is at the payment provider. */
export const paymentCustomers = pgTable('payment_customers', {
  /** 'cus_…' */
  id: text('id').primaryKey(),
  /** Null when the account was deleted: what still arrives is about nobody. */
  userId: uuid('user_id')
    .unique()
    .references(() => users.id, { onDelete: 'set null' }),
  createdAt: createdAt(),
})

/** A payment page that somebody was sent to, and with what terms. Its id is the provider's idempotency key. */
export const checkouts = pgTable(
  'checkouts',
  {
    id: id(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    kind: text('kind', { enum: ['course', 'plan'] }).notNull(),
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'set null' }),
    plan: text('plan', { enum: ['monthly', 'annual'] }),
    pricingType: text('pricing_type', { enum: ['one_time', 'monthly'] }),
    /** Minor units, after the coupon. */
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    couponId: uuid('coupon_id').references(() => coupons.id, { onDelete: 'set null' }),
    invitationId: uuid('invitation_id').references(() => courseInvitations.id, {
      onDelete: 'set null',
    }),
    successUrl: text('success_url').notNull(),
    cancelUrl: text('cancel_url').notNull(),
    /** `refused`: it was paid, but could not be fulfilled any more, and was paid back. */
    status: text('status', { enum: ['open', 'paid', 'expired', 'refused'] })
      .notNull()
      .default('open'),
    /** 'cs_…'; null until the provider has answered. */
    sessionId: text('session_id').unique(),
    url: text('url'),
    /** From then on nobody can pay there any more. */
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // Two clicks and two tabs lead to one payment page.
    uniqueIndex('checkouts_open_course')
      .on(table.userId, table.courseId)
      .where(sql`status = 'open' and kind = 'course'`),
    uniqueIndex('checkouts_open_plan')
      .on(table.userId)
      .where(sql`status = 'open' and kind = 'plan'`),
    index('checkouts_course').on(table.courseId),
    index('checkouts_open')
      .on(table.expiresAt)
      .where(sql`status = 'open'`),
    index('checkouts_user').on(table.userId, table.createdAt.desc()),
    index('checkouts_coupon')
      .on(table.couponId)
      .where(sql`coupon_id is not null`),
    index('checkouts_invitation')
      .on(table.invitationId)
      .where(sql`invitation_id is not null`),
  ],
)

/** Uses of coupons, one for each checkout. A checkout under way holds its use until it is paid or expires. */
export const couponRedemptions = pgTable(
  'coupon_redemptions',
  {
    id: id(),
    couponId: uuid('coupon_id')
      .notNull()
      .references(() => coupons.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for 100 %: nothing was paid. */
    checkoutId: uuid('checkout_id')
      .unique()
      .references(() => checkouts.id),
    purchaseId: uuid('purchase_id').references(() => purchases.id),
    createdAt: createdAt(),
  },
  (table) => [
    index('coupon_redemptions_coupon_user').on(table.couponId, table.userId),
    index('coupon_redemptions_user').on(table.userId),
    index('coupon_redemptions_purchase').on(table.purchaseId),
  ],
)

/** Money that arrived: one row for each charge that succeeded. */
export const payments = pgTable(
  'payments',
  {
    id: id(),
    /** 'ch_…' */
    chargeId: text('charge_id').notNull().unique(),
    /** `refused`: for what could not be had any more; all of it is paid back. */
    kind: text('kind', { enum: ['course', 'plan', 'refused'] }).notNull(),
    checkoutId: uuid('checkout_id').references(() => checkouts.id),
    purchaseId: uuid('purchase_id').references(() => purchases.id),
    subscriptionId: text('subscription_id').references(() => planSubscriptions.id),
    payerId: uuid('payer_id').references(() => users.id, { onDelete: 'set null' }),
    creatorAccountId: uuid('creator_account_id').references(() => ledgerAccounts.id),
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'set null' }),
    /** For receipts: the title of the course, or of the plan. */
    description: text('description').notNull(),
    currency: text('currency').notNull(),
    /** Minor units, like the amounts below. */
    gross: integer('gross').notNull(),
    /** Percent of gross at the moment of the sale. */
    feePercent: integer('fee_percent').notNull(),
    platformFee: integer('platform_fee').notNull(),
    providerFee: integer('provider_fee').notNull(),
    refunded: integer('refunded').notNull().default(0),
    dispute: text('dispute', { enum: ['open', 'won', 'lost'] }),
    invoiceId: text('invoice_id'),
    /** Pages of the provider. */
    receiptUrl: text('receipt_url'),
    invoicePdf: text('invoice_pdf'),
    paidAt: moment('paid_at').notNull(),
    /** From then on the provider lets us pay it out. */
    availableAt: moment('available_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('payments_payer').on(table.payerId, table.paidAt.desc(), table.id.desc()),
    index('payments_creator').on(table.creatorAccountId, table.paidAt.desc(), table.id.desc()),
    index('payments_creator_available').on(table.creatorAccountId, table.availableAt, table.id),
    index('payments_course').on(table.courseId, table.paidAt.desc()),
    index('payments_purchase').on(table.purchaseId, table.paidAt.desc()),
    index('payments_subscription').on(table.subscriptionId),
    index('payments_checkout').on(table.checkoutId),
  ],
)

export const paymentRefunds = pgTable(
  'payment_refunds',
  {
    /** 're_…' */
    id: text('id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    /** Minor units. */
    amount: integer('amount').notNull(),
    /** What of our fee the creator has back by it. */
    platformFee: integer('platform_fee').notNull(),
    status: text('status', { enum: ['pending', 'succeeded', 'failed'] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('payment_refunds_payment').on(table.paymentId)],
)

export const paymentDisputes = pgTable(
  'payment_disputes',
  {
    /** 'dp_…' */
    id: text('id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    /** Minor units. */
    amount: integer('amount').notNull(),
    /** Of the provider, in minor units. */
    fee: integer('fee').notNull(),
    /** What of our fee the creator has back by it. */
    platformFee: integer('platform_fee').notNull(),
    status: text('status', { enum: ['open', 'won', 'lost'] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('payment_disputes_payment').on(table.paymentId)],
)

/**
 * What the provider told us, each once. Only what it is about is kept: the state is asked for anew when it
 * is applied, so the order of arrival does not matter.
 */
export const paymentEvents = pgTable(
  'payment_events',
  {
    /** 'evt_…' */
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    /** 'cs_…', 'sub_…', 'in_…', 'ch_…' … */
    objectId: text('object_id').notNull(),
    customerId: text('customer_id'),
    /** When it happened there. */
    occurredAt: moment('occurred_at').notNull(),
    /** How we came to know of it first. */
    source: text('source', { enum: ['webhook', 'reconciler'] }).notNull(),
    /** How often the webhook brought it. */
    deliveries: integer('deliveries').notNull().default(0),
    status: text('status', { enum: ['waiting', 'applied', 'ignored', 'failed'] })
      .notNull()
      .default('waiting'),
    /** What it did, in words. */
    outcome: text('outcome').notNull().default(''),
    attempts: integer('attempts').notNull().default(0),
    receivedAt: moment('received_at').notNull().defaultNow(),
    appliedAt: moment('applied_at'),
  },
  (table) => [
    index('payment_events_newest').on(table.receivedAt.desc(), table.id.desc()),
    index('payment_events_status').on(table.status, table.receivedAt.desc(), table.id.desc()),
    index('payment_events_object').on(table.objectId),
  ],
)

/** What we know of the provider: one row. */
export const paymentProvider = pgTable('payment_provider', {
  id: integer('id').primaryKey(),
  /** Of the money in this database, see payment-mode.ts; null until a start has said it. */
  mode: text('mode', { enum: ['sandbox', 'test', 'live'] }),
  isReachable: boolean('is_reachable').notNull().default(true),
  checkedAt: moment('checked_at').notNull().defaultNow(),
  /** Every event before this moment was compared. */
  comparedUntil: moment('compared_until'),
  /** Events that the reconciler found and no webhook had brought. */
  repaired: integer('repaired').notNull().default(0),
})
