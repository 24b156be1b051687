import { eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { challengeEntries, challenges } from './tables.ts'

export const challengesData: PersonalData = {
  tables: {
    challengeEntries: personalTable(challengeEntries, {
      about: 'The challenges and giveaways that you entered with a course.',
      rowsOf: ({ id }) => eq(challengeEntries.userId, id),
      columns: {
        id: 'exported',
        challengeId: 'exported',
        userId: { withheld: 'always you' },
        courseId: 'exported',
        number: 'exported',
        createdAt: 'exported',
      },
      also: {
        challengeTitle: sql`(select h.title from challenges h
                              where h.id = challenge_entries.challenge_id)`,
      },
      // Its line in a list that is frozen stays without the person: the draw could not be repeated else.
      onDeletion: 'anonymised',
    }),
  },
  aboutNobody: [
    { table: challenges, because: 'prizes and their rules; who took part is in the entries' },
  ],

  async consequences(executor, { id }) {
    const { rows } = await executor.execute<{ open: number; frozen: number }>(sql`
      select count(*) filter (where e.number is null and h.status = 'published')::int as open,
             count(e.number)::int as frozen
        from challenge_entries e join challenges h on h.id = e.challenge_id
       where e.user_id = ${id}`)
    const { open = 0, frozen = 0 } = rows[0] ?? {}
    return [
      ...(open > 0
        ? [{ text: 'What you entered in challenges that go on is withdrawn.', stays: false }]
        : []),
      ...(frozen > 0
        ? [
            {
              text: 'Your lines in the lists of past challenges stay, as those of a former creator.',
              stays: true,
            },
          ]
        : []),
    ]
  },

  /** After the person, as whoever enters: a challenge that closes at this moment comes before or after. */
  async leave(transaction, { person }) {
    await transaction.execute(sql`
      select h.id from challenges h
       where h.status in ('published', 'canceled')
         and h.id in (select challenge_id from challenge_entries where user_id = ${person.id})
       order by h.id for no key update`)
    await transaction.execute(sql`
      delete from challenge_entries where user_id = ${person.id} and number is null`)
  },
}
