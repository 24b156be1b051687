import { eq, or, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { webhookAttempts, webhookEndpoints, webhookMessages } from './tables.ts'

const toOwnEndpoint = (userId: string) =>
  sql`webhook_messages.endpoint_id in (select e.id from webhook_endpoints e where e.user_id = ${userId})`

export const webhooksData: PersonalData = {
  tables: {
    webhooks: personalTable(webhookEndpoints, {
      about: 'The addresses at which programs of yours are told what happens in your courses.',
      rowsOf: ({ id }) => eq(webhookEndpoints.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        courseId: 'exported',
        url: 'exported',
        description: 'exported',
        events: 'exported',
        status: 'exported',
        sealedSecret: { withheld: 'is a secret, shown in the settings' },
        sealedFormerSecret: { withheld: 'is a secret' },
        formerUntil: 'exported',
        failingSince: 'exported',
        restsUntil: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),

    webhookEvents: personalTable(webhookMessages, {
      about:
        'Events of the last 30 days that were sent to your webhooks, and those about you that were sent to programs of creators whose courses you take.',
      rowsOf: ({ id }) => or(toOwnEndpoint(id), eq(webhookMessages.aboutId, id))!,
      columns: {
        id: 'exported',
        endpointId: 'exported',
        type: 'exported',
        aboutId: { withheld: 'may be somebody else' },
        data: { withheld: 'says what your data says elsewhere, or names somebody else' },
        status: 'exported',
        failures: 'exported',
        nextAttemptAt: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),

    webhookAttempts: personalTable(webhookAttempts, {
      about: 'Each attempt to send these events to your webhooks.',
      rowsOf: ({ id }) =>
        sql`webhook_attempts.message_id in
            (select webhook_messages.id from webhook_messages where ${toOwnEndpoint(id)})`,
      columns: {
        id: 'exported',
        messageId: 'exported',
        status: 'exported',
        milliseconds: 'exported',
        answer: 'exported',
        problem: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },

  // The own endpoints go with the account.
  async leave(transaction, { person }) {
    await transaction.delete(webhookMessages).where(eq(webhookMessages.aboutId, person.id))
  },
}
