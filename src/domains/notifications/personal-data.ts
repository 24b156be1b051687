import { eq } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { personTopic } from '../../server/publish.ts'
import { liveEvents, notificationPreferences, notifications } from './tables.ts'

export const notificationsData: PersonalData = {
  tables: {
    notifications: personalTable(notifications, {
      about: 'What you were told under the bell.',
      rowsOf: ({ id }) => eq(notifications.userId, id),
      columns: {
        id: 'exported',
        kind: 'exported',
        href: 'exported',
        inApp: 'exported',
        digestDue: 'exported',
        userId: { withheld: 'always you' },
        title: 'exported',
        message: 'exported',
        type: 'exported',
        read: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    notificationPreferences: personalTable(notificationPreferences, {
      about: 'What you want to be told, and how.',
      rowsOf: ({ id }) => eq(notificationPreferences.userId, id),
      columns: {
        userId: { withheld: 'always you' },
        switch: 'exported',
        inApp: 'exported',
        email: 'exported',
      },
      onDeletion: 'deleted',
    }),
    liveEvents: personalTable(liveEvents, {
      about: 'What your open pages were told in the last hour.',
      rowsOf: ({ id }) => eq(liveEvents.topic, personTopic(id)),
      columns: {
        id: { withheld: 'means nothing outside this database' },
        topic: { withheld: 'always you' },
        event: 'exported',
        xid: { withheld: 'means nothing outside this database' },
        horizon: { withheld: 'means nothing outside this database' },
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },
  // They name the person only in their topic, so they do not go with the account by themselves.
  async leave(transaction, { person }) {
    await transaction.delete(liveEvents).where(eq(liveEvents.topic, personTopic(person.id)))
  },
}
