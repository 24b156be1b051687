import { sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import {
  earningsConsequences,
  earningsObstacle,
  holdEarnings,
  leaveEarnings,
  moreThanGivenUp,
} from './leave-earnings.ts'
import { connectedAccounts, payoutMethods, payouts } from './tables.ts'

const internal = { withheld: 'means nothing outside this database' } as const
const isOwn = (userId: string) =>
  sql`ledger_account_id in (select a.id from ledger_accounts a where a.user_id = ${userId})`

export const payoutsData: PersonalData = {
  tables: {
    payoutMethods: personalTable(payoutMethods, {
      about: 'How you are paid. Numbers of accounts and cards are with the payment provider only.',
      rowsOf: ({ id }) => isOwn(id),
      columns: {
        ledgerAccountId: internal,
        method: 'exported',
        accountType: 'exported',
        firstName: 'exported',
        lastName: 'exported',
        label: 'exported',
        last4: 'exported',
        externalAccountId: internal,
        paypalEmail: 'exported',
        problem: 'exported',
        schedule: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: { kept: 'until everything that was earned has been paid out' },
    }),
    connectedAccounts: personalTable(connectedAccounts, {
      about: 'Your account at the payment provider, through which you are paid.',
      rowsOf: ({ id }) => isOwn(id),
      columns: {
        id: 'exported',
        ledgerAccountId: internal,
        detailsSubmitted: 'exported',
        payoutsEnabled: 'exported',
        disabledReason: 'exported',
        currentlyDue: 'exported',
        adopts: 'exported',
        checkedAt: 'exported',
        createdAt: 'exported',
      },
      onDeletion: { kept: 'until everything that was earned has been paid out' },
    }),
    payouts: personalTable(payouts, {
      about: 'What you were paid. Amounts are in minor units, such as cents.',
      rowsOf: ({ id }) => isOwn(id),
      columns: {
        id: 'exported',
        ledgerAccountId: internal,
        method: 'exported',
        destination: 'exported',
        amount: 'exported',
        fee: 'exported',
        currency: 'exported',
        status: 'exported',
        isAutomatic: 'exported',
        connectedAccountId: 'exported',
        transferId: 'exported',
        providerPayoutId: 'exported',
        failure: 'exported',
        coversUntil: internal,
        coversPaymentId: internal,
        arrivesAt: 'exported',
        requestedAt: 'exported',
        sentAt: 'exported',
        endedAt: 'exported',
        checkedAt: internal,
      },
      onDeletion: 'anonymised',
    }),
  },

  consequences: (executor, { id }, here) => earningsConsequences(executor, id, here),

  hold: (transaction, { person }) => holdEarnings(transaction, person.id),

  obstacle: (executor, { person, givesUpEarnings, ...leaving }) =>
    givesUpEarnings
      ? moreThanGivenUp(executor, person.id, leaving)
      : earningsObstacle(executor, person.id, leaving),

  leave: (transaction, { person, ...leaving }) => leaveEarnings(transaction, person.id, leaving),
}
