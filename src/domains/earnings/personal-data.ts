import { eq } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { refundRequests } from './tables.ts'

export const earningsData: PersonalData = {
  tables: {
    refundRequests: personalTable(refundRequests, {
      about:
        'The sales that you paid back, or wanted to. Amounts are in minor units, such as cents.',
      rowsOf: ({ id }) => eq(refundRequests.requestedBy, id),
      columns: {
        id: 'exported',
        paymentId: 'exported',
        requestedBy: { withheld: 'always you' },
        amount: 'exported',
        status: 'exported',
        refusal: 'exported',
        refundId: 'exported',
        tooPoorAt: { withheld: 'about our own balance at the payment provider' },
        createdAt: 'exported',
        endedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
  },
}
