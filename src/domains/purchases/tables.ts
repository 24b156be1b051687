import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { ledgerAccounts } from '../ledger/tables.ts'

/** Price reductions that a creator gives out by a code. */
export const coupons = pgTable(
  'coupons',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** Upper case. */
    code: text('code').notNull(),
    /** One of these two: whole percent, or minor units. Of a monthly course each month's price is lower. */
    percentOff: integer('percent_off'),
    amountOff: integer('amount_off'),
    startsAt: moment('starts_at'),
    endsAt: moment('ends_at'),
    maxRedemptions: integer('max_redemptions'),
    maxPerPerson: integer('max_per_person').notNull().default(1),
    /** Rows of coupon_redemptions: those that are paid, and those that a checkout under way holds. */
    redemptionsCount: integer('redemptions_count').notNull().default(0),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('coupons_course_code').on(table.courseId, table.code),
    check('coupons_one_reduction', sql`(percent_off is null) <> (amount_off is null)`),
    check(
      'coupons_within_limit',
      sql`max_redemptions is null or redemptions_count <= max_redemptions`,
    ),
  ],
)

/** What somebody bought: the right to a course. It outlives the course and the account. */
export const purchases = pgTable(
  'purchases',
  {
    id: id(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'set null' }),
    /** As it was when it was bought. */
    courseTitle: text('course_title').notNull(),
    creatorAccountId: uuid('creator_account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    pricingType: text('pricing_type', { enum: ['one_time', 'monthly'] }).notNull(),
    /** What is paid, once or each month, in minor units; 0 with a coupon for everything. */
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    /** `past_due` is monthly only: the last payment failed, and the provider goes on trying. */
    status: text('status', { enum: ['active', 'past_due', 'ended'] })
      .notNull()
      .default('active'),
    endedReason: text('ended_reason', {
      enum: [
        'canceled',
        'payment_failed',
        'refunded',
        'dispute_lost',
        'removed',
        'account_deleted',
        'course_deleted',
      ],
    }),
    /** At the provider; of a monthly one only. */
    subscriptionId: text('subscription_id').unique(),
    currentPeriodStart: moment('current_period_start'),
    currentPeriodEnd: moment('current_period_end'),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    /** Since when the payment is missing. */
    pastDueSince: moment('past_due_since'),
    createdAt: createdAt(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    // Nobody owns the same course twice.
    uniqueIndex('purchases_live')
      .on(table.userId, table.courseId)
      .where(sql`status <> 'ended'`),
    index('purchases_user_newest').on(table.userId, table.createdAt.desc(), table.id.desc()),
    index('purchases_course').on(table.courseId, table.status),
    index('purchases_past_due')
      .on(table.pastDueSince)
      .where(sql`status = 'past_due'`),
    index('purchases_creator').on(table.creatorAccountId, table.createdAt.desc()),
  ],
)
