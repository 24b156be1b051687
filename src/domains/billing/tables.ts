import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'

/** Pro without a subscription, given by an administrator. */
export const planGrants = pgTable('plan_grants', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Why, in the administrator's words. */
  reason: text('reason').notNull().default(''),
  /** Null means for good. */
  until: moment('until'),
  createdAt: createdAt(),
})

/** Subscriptions to Pro, as the payment provider says they are. */
export const planSubscriptions = pgTable(
  'plan_subscriptions',
  {
    /** 'sub_…' */
    id: text('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    customerId: text('customer_id').notNull(),
    plan: text('plan', { enum: ['monthly', 'annual'] }).notNull(),
    /** In the provider's words: active, trialing, past_due, canceled, incomplete … */
    status: text('status').notNull(),
    currentPeriodStart: moment('current_period_start'),
    currentPeriodEnd: moment('current_period_end'),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    /** The card that pays, or the account; both null when there is none, the digits also of what has none. */
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('plan_subscriptions_user').on(table.userId, table.startedAt.desc()),
    index('plan_subscriptions_live')
      .on(table.userId)
      .where(sql`status in ('active', 'trialing')`),
  ],
)
