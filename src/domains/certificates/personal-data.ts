import { count, eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { defaultHeading, departedCreator } from './rules.ts'
import { certificates, credentialKeys, revokedCredentials } from './tables.ts'

export const certificatesData: PersonalData = {
  tables: {
    certificates: personalTable(certificates, {
      about: 'Your certificates; credential is the signed badge.',
      rowsOf: ({ id }) => eq(certificates.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        courseId: 'exported',
        learnerName: 'exported',
        courseTitle: 'exported',
        creatorName: 'exported',
        creatorId: { withheld: 'an id of somebody else' },
        look: 'exported',
        credential: 'exported',
        issuedAt: 'exported',
        revokedAt: 'exported',
        revokedReason: 'exported',
        revokedBy: { withheld: 'says who else did something' },
      },
      onDeletion: 'deleted',
    }),
  },
  aboutNobody: [
    { table: credentialKeys, because: 'the keys of the installation' },
    { table: revokedCredentials, because: 'ids, of which nothing leads to a person any more' },
  ],

  async consequences(executor, { id }) {
    const [had] = await executor
      .select({ total: count() })
      .from(certificates)
      .where(eq(certificates.userId, id))
    const total = had?.total ?? 0
    if (total === 0) return []
    const text =
      total === 1
        ? 'Your certificate goes: its page is not found any more.'
        : `Your ${total} certificates go: their pages are not found any more.`
    return [{ text, stays: false }]
  },

  /** Those of learners stay, without the name and the words of who taught. Their badges never had it. */
  async leave(transaction, { person: { id } }) {
    await transaction.execute(sql`
      select id from certificates where creator_id = ${id} order by id for no key update`)
    await transaction.execute(sql`
      update certificates
         set creator_name = ${departedCreator},
             look = look || jsonb_build_object(
               'heading', ${defaultHeading}::text, 'words', '', 'signatory', ${departedCreator}::text)
       where creator_id = ${id}`)
  },
}
