import { eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { earningDays, ledgerAccounts, ledgerEntries, ledgerTransactions } from './tables.ts'

const ownAccounts = (userId: string) =>
  sql`(select a.id from ledger_accounts a where a.user_id = ${userId})`

export const ledgerData: PersonalData = {
  tables: {
    ledgerAccounts: personalTable(ledgerAccounts, {
      about: 'The account in which your earnings are kept.',
      rowsOf: ({ id }) => eq(ledgerAccounts.userId, id),
      columns: {
        id: 'exported',
        kind: 'exported',
        userId: { withheld: 'always you' },
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    ledgerTransactions: personalTable(ledgerTransactions, {
      about: 'What moved money of your earnings.',
      rowsOf: ({ id }) => sql`ledger_transactions.id in (
        select e.transaction_id from ledger_entries e where e.account_id in ${ownAccounts(id)})`,
      columns: {
        id: 'exported',
        kind: 'exported',
        source: { withheld: 'the number of a payment of somebody else' },
        paymentId: 'exported',
        payoutId: 'exported',
        occurredAt: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    ledgerEntries: personalTable(ledgerEntries, {
      about:
        'Your earnings in minor units, such as cents: what is credited to you is negative, what is taken from you positive.',
      rowsOf: ({ id }) => sql`ledger_entries.account_id in ${ownAccounts(id)}`,
      columns: {
        id: 'exported',
        transactionId: 'exported',
        accountId: 'exported',
        what: 'exported',
        amount: 'exported',
        currency: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    earningDays: personalTable(earningDays, {
      about: 'What you earned by day and course, in minor units, such as cents.',
      rowsOf: ({ id }) => sql`earning_days.account_id in ${ownAccounts(id)}`,
      columns: {
        accountId: 'exported',
        day: 'exported',
        currency: 'exported',
        courseId: 'exported',
        sales: 'exported',
        gross: 'exported',
        platformFee: 'exported',
        providerFee: 'exported',
        refunded: 'exported',
        disputed: 'exported',
        disputeFee: 'exported',
        paidOut: 'exported',
        payoutFee: 'exported',
        givenUp: 'exported',
      },
      onDeletion: 'anonymised',
    }),
  },
}
