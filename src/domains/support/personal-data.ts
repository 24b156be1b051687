import { and, count, eq, isNull, or, sql } from 'drizzle-orm'
import { type PersonalData, type Person, personalTable } from '../../server/personal-data.ts'
import { supportMessages, supportRequests } from './tables.ts'

/**
 * Also what was sent with this address before there was an account, or while signed out: where it was
 * proved to be this person's, so that nobody reads a stranger's letters by signing up with the address.
 */
const requestsOf = ({ id, email }: Person) =>
  or(
    eq(supportRequests.userId, id),
    and(
      isNull(supportRequests.userId),
      sql`lower(support_requests.email) = lower(${email})`,
      sql`exists (select 1 from users u where u.id = ${id} and u.email_verified)`,
    ),
  )!

export const supportData: PersonalData = {
  tables: {
    supportRequests: personalTable(supportRequests, {
      about: 'What you asked those who run this site.',
      rowsOf: requestsOf,
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        name: 'exported',
        email: 'exported',
        topic: 'exported',
        subject: 'exported',
        priority: 'exported',
        status: 'exported',
        createdAt: 'exported',
        lastMessageAt: 'exported',
      },
      onDeletion: 'deleted',
    }),

    supportMessages: personalTable(supportMessages, {
      about:
        'What was written in these requests, by you and to you; as an administrator, your answers.',
      rowsOf: (person) =>
        or(
          eq(supportMessages.authorId, person.id),
          sql`support_messages.request_id in
              (select support_requests.id from support_requests where ${requestsOf(person)})`,
        )!,
      columns: {
        id: 'exported',
        requestId: 'exported',
        authorId: { withheld: 'names who of the team answered' },
        fromTeam: 'exported',
        body: 'exported',
        createdAt: 'exported',
      },
      // Those of one's own requests go; answers to others stay, without saying by whom.
      onDeletion: 'anonymised',
    }),
  },

  async consequences(executor, person) {
    const [sent] = await executor
      .select({ total: count() })
      .from(supportRequests)
      .where(requestsOf(person))
    const total = sent?.total ?? 0
    if (total === 0) return []
    const what =
      total === 1 ? 'Your request for support is' : `Your ${total} requests for support are`
    return [{ text: `${what} deleted, with the answers.`, stays: false }]
  },

  async leave(transaction, { person }) {
    await transaction.delete(supportRequests).where(requestsOf(person))
  },
}
