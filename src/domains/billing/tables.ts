import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
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
