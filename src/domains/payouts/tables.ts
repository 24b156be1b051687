import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'
import { ledgerAccounts } from '../ledger/tables.ts'

/** A creator's account at the payment provider, as it was when we last asked. Outlives a change of the method. */
export const connectedAccounts = pgTable('connected_accounts', {
  /** 'acct_…' */
  id: text('id').primaryKey(),
  ledgerAccountId: uuid('ledger_account_id')
    .notNull()
    .unique()
    .references(() => ledgerAccounts.id),
  /** The provider knows all that it asked for. */
  detailsSubmitted: boolean('details_submitted').notNull().default(false),
  payoutsEnabled: boolean('payouts_enabled').notNull().default(false),
  /** The provider's word for why not: 'requirements.past_due', 'rejected.fraud' … */
  disabledReason: text('disabled_reason'),
  /** What it still asks for now: 'individual.verification.document' … */
  currentlyDue: text('currently_due').array().notNull().default([]),
  /** Whether a bank account that is there becomes the payout method where there is none. */
  adopts: boolean('adopts').notNull().default(true),
  /** When the provider was last asked. */
  checkedAt: moment('checked_at').notNull().defaultNow(),
  createdAt: createdAt(),
})

/** How a creator wants to be paid. Numbers of accounts and cards are with the provider only. */
export const payoutMethods = pgTable('payout_methods', {
  ledgerAccountId: uuid('ledger_account_id')
    .primaryKey()
    .references(() => ledgerAccounts.id),
  method: text('method', { enum: ['bank_account', 'debit_card', 'paypal'] }).notNull(),
  accountType: text('account_type', { enum: ['individual', 'business'] }).notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  /** The bank's name, or the card's brand; empty with PayPal. */
  label: text('label').notNull().default(''),
  /** Of the bank account or the card; empty with PayPal. */
  last4: text('last4').notNull().default(''),
  /** 'ba_…' or 'card_…' of the connected account. */
  externalAccountId: text('external_account_id'),
  paypalEmail: text('paypal_email'),
  /** A payout came back: nothing is sent there until the creator sets it up again. In words for people. */
  problem: text('problem'),
  /** What is available is paid out by itself. */
  schedule: text('schedule', { enum: ['manual', 'weekly', 'monthly'] })
    .notNull()
    .default('manual'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const payouts = pgTable(
  'payouts',
  {
    id: id(),
    ledgerAccountId: uuid('ledger_account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    method: text('method', { enum: ['bank_account', 'debit_card', 'paypal'] }).notNull(),
    /** For people: 'STRIPE TEST BANK •••• 6789', or the PayPal address. */
    destination: text('destination').notNull(),
    /** Minor units taken from the balance; `fee` of it is PayPal's, the rest arrives. */
    amount: integer('amount').notNull(),
    fee: integer('fee').notNull().default(0),
    currency: text('currency').notNull(),
    /** `requested`: not sent yet. `failed`: it is in the balance again. */
    status: text('status', { enum: ['requested', 'in_transit', 'paid', 'failed'] })
      .notNull()
      .default('requested'),
    /** By the schedule, or because the account was deleted. */
    isAutomatic: boolean('is_automatic').notNull().default(false),
    /** 'acct_…' that the money goes through; null with PayPal. */
    connectedAccountId: text('connected_account_id').references(() => connectedAccounts.id),
    /** 'tr_…' */
    transferId: text('transfer_id').unique(),
    /** 'po_…', or PayPal's batch. */
    providerPayoutId: text('provider_payout_id').unique(),
    /** Why it failed or, while it is on its way, why it does not arrive, in words for people. */
    failure: text('failure'),
    /** The last sale, by available_at and id, that this payout and those before it have paid out. */
    coversUntil: moment('covers_until'),
    coversPaymentId: uuid('covers_payment_id'),
    /** When the provider expects it to arrive. */
    arrivesAt: moment('arrives_at'),
    requestedAt: moment('requested_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    /** When it had arrived, or come back. */
    endedAt: moment('ended_at'),
    /** When the provider was last asked about it. */
    checkedAt: moment('checked_at').notNull().defaultNow(),
  },
  (table) => [
    index('payouts_connected_account').on(table.connectedAccountId),
    index('payouts_account_newest').on(
      table.ledgerAccountId,
      table.requestedAt.desc(),
      table.id.desc(),
    ),
    // One at a time: two clicks, and two nodes, pay once.
    uniqueIndex('payouts_open')
      .on(table.ledgerAccountId)
      .where(sql`status in ('requested', 'in_transit')`),
    index('payouts_checked')
      .on(table.checkedAt)
      .where(sql`status in ('requested', 'in_transit')`),
  ],
)
