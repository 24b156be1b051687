import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { payments } from '../payments/tables.ts'

/** A creator's wish to pay a sale back. */
export const refundRequests = pgTable(
  'refund_requests',
  {
    id: id(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    requestedBy: uuid('requested_by').references(() => users.id, { onDelete: 'set null' }),
    /** Minor units. */
    amount: integer('amount').notNull(),
    /** `done`: the provider has taken it on; what becomes of it is in `payment_refunds`. */
    status: text('status', { enum: ['waiting', 'done', 'refused'] })
      .notNull()
      .default('waiting'),
    /** Why the provider refused it, in words for people. */
    refusal: text('refusal'),
    /** 're_…' */
    refundId: text('refund_id'),
    /** When the provider last refused it because we had too little there. */
    tooPoorAt: moment('too_poor_at'),
    createdAt: createdAt(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('refund_requests_payment').on(table.paymentId, table.createdAt.desc()),
    index('refund_requests_person').on(table.requestedBy),
    // One at a time for each sale: two clicks pay back once.
    uniqueIndex('refund_requests_waiting')
      .on(table.paymentId)
      .where(sql`status = 'waiting'`),
  ],
)
