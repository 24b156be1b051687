import { eq } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { idempotencyKeys, personalTokens } from './tables.ts'

const alwaysYou = { withheld: 'always you' } as const
const internal = { withheld: 'means nothing outside this database' } as const

export const tokensData: PersonalData = {
  tables: {
    accessTokens: personalTable(personalTokens, {
      about: 'The access tokens with which your programs call the API.',
      rowsOf: ({ id }) => eq(personalTokens.userId, id),
      columns: {
        id: internal,
        userId: alwaysYou,
        name: 'exported',
        tokenHash: { withheld: 'opens the account' },
        ending: 'exported',
        scopes: 'exported',
        expiresAt: 'exported',
        lastUsedAt: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    requestsDoneOnce: personalTable(idempotencyKeys, {
      about: 'Requests that your programs asked to be done once, kept for a day.',
      rowsOf: ({ id }) => eq(idempotencyKeys.userId, id),
      columns: {
        userId: alwaysYou,
        key: 'exported',
        requestHash: internal,
        attempt: internal,
        startedAt: 'exported',
        doneAt: 'exported',
        answer: { withheld: 'a copy of what is in the other parts' },
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },
}
