import { eq } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { notifications } from './tables.ts'

export const notificationsData: PersonalData = {
  tables: {
    notifications: personalTable(notifications, {
      about: 'What you were told under the bell.',
      rowsOf: ({ id }) => eq(notifications.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        title: 'exported',
        message: 'exported',
        type: 'exported',
        read: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },
}
