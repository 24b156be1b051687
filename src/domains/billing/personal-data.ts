import { eq } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { planGrants } from './tables.ts'

export const billingData: PersonalData = {
  tables: {
    planGrants: personalTable(planGrants, {
      about: 'Pro that was given to you.',
      rowsOf: ({ id }) => eq(planGrants.userId, id),
      columns: {
        userId: { withheld: 'always you' },
        reason: 'exported',
        until: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },
}
