import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'

/** Where money is, or whose it is. A creator's account outlives the creator. */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: id(),
    /**
     * `provider`: what the payment provider holds for us. `creator`: what we owe a creator. `platform_fees` and
     * `plan_revenue`: what we earned. `refused_payments`: what was paid for nothing, and goes back.
     * `provider_costs`: fees of the provider that nobody else bears. `paypal`: what PayPal holds for us, below zero
     * when it paid out more than it was given. `given_up`: what creators left behind with their account.
     */
    kind: text('kind', {
      enum: [
        'provider',
        'creator',
        'platform_fees',
        'plan_revenue',
        'refused_payments',
        'provider_costs',
        'paypal',
        'given_up',
      ],
    }).notNull(),
    /** Of a creator; null when the account of the person was deleted. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('ledger_accounts_creator').on(table.userId),
    uniqueIndex('ledger_accounts_kind')
      .on(table.kind)
      .where(sql`kind <> 'creator'`),
  ],
)

/** Something that moved money. Its entries add up to zero; nothing here is ever changed or deleted. */
export const ledgerTransactions = pgTable(
  'ledger_transactions',
  {
    id: id(),
    kind: text('kind', {
      enum: [
        'payment',
        'refund',
        'refund_failed',
        'dispute',
        'dispute_won',
        'payout',
        'payout_failed',
        'given_up',
      ],
    }).notNull(),
    /** What it is about, so that nothing is written twice: 'payment ch_…', 'refund re_…'. */
    source: text('source').notNull().unique(),
    /** The row of `payments` or of `payouts`; none when a balance was given up. No reference: what is here stays. */
    paymentId: uuid('payment_id'),
    payoutId: uuid('payout_id'),
    occurredAt: moment('occurred_at').notNull(),
    /** When it was booked: the day and the month that it counts for, so that no statement ever changes. */
    createdAt: createdAt(),
  },
  (table) => [
    index('ledger_transactions_payment').on(table.paymentId),
    index('ledger_transactions_payout')
      .on(table.payoutId)
      .where(sql`payout_id is not null`),
  ],
)

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: id(),
    transactionId: uuid('transaction_id')
      .notNull()
      .references(() => ledgerTransactions.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    what: text('what', {
      enum: [
        'gross',
        'platform_fee',
        'provider_fee',
        'refund',
        'dispute',
        'dispute_fee',
        'payout',
        'payout_fee',
        'given_up',
      ],
    }).notNull(),
    /** Minor units; a debit is positive, a credit negative. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
  },
  (table) => [
    index('ledger_entries_transaction').on(table.transactionId),
    index('ledger_entries_account').on(table.accountId, table.id.desc()),
  ],
)

const minor = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0)

/**
 * A creator's entries of a day (UTC, when booked) summed by course, kept by a trigger on `ledger_entries`: what is
 * read stays small, however many sales there are. Minor units, each positive as named; what came back is subtracted.
 */
export const earningDays = pgTable(
  'earning_days',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    day: date('day', { mode: 'string' }).notNull(),
    currency: text('currency').notNull(),
    /** All zeros for payouts, and for sales of courses that were deleted before. No reference: what was earned stays. */
    courseId: uuid('course_id').notNull(),
    sales: integer('sales').notNull().default(0),
    gross: minor('gross'),
    platformFee: minor('platform_fee'),
    providerFee: minor('provider_fee'),
    refunded: minor('refunded'),
    disputed: minor('disputed'),
    disputeFee: minor('dispute_fee'),
    paidOut: minor('paid_out'),
    payoutFee: minor('payout_fee'),
    givenUp: minor('given_up'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.day, table.currency, table.courseId] }),
  ],
)
