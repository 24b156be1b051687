import { and, eq, lte, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { isPro } from '../billing/plan.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { hashOfEntries } from './draw.ts'
import { challengePath } from './rules.ts'
import { challenges } from './tables.ts'

/** A job at the end of a challenge: does nothing when it is canceled, closed already, or goes on. */
export async function closeChallenge(
  { challengeId }: { challengeId: string },
  { db }: Pick<Services, 'db'>,
): Promise<void> {
  await db.transaction((transaction) => closeNow(transaction, challengeId))
}

/** A job, every minute: what is over although its own job died with its process, or gave up. */
export async function closeOverdueChallenges(services: Pick<Services, 'db'>): Promise<void> {
  const overdue = await services.db
    .select({ challengeId: challenges.id })
    .from(challenges)
    .where(and(eq(challenges.status, 'published'), lte(challenges.closesAt, sql`now()`)))
    .orderBy(challenges.closesAt)
    .limit(100)
  for (const challenge of overdue) await closeChallenge(challenge, services)
}

async function dropWhatDoesNotCount(
  transaction: Transaction,
  challengeId: string,
  { title, slug }: { title: string; slug: string },
): Promise<void> {
  const dropped = await transaction.execute<{ userId: string }>(sql`
    delete from challenge_entries e
     where e.challenge_id = ${challengeId}
       and not exists (
         select 1 from users u join courses c on c.id = e.course_id and c.instructor_id = u.id
          where u.id = e.user_id and u.suspended_at is null and c.suspended_at is null
            and c.status = 'published' and ${sql.raw(isPro('u.id'))})
    returning e.user_id as "userId"`)
  if (dropped.rows.length === 0) return
  const ids = dropped.rows.map(({ userId }) => userId)
  const people = sql`
    select u.id as user_id from users u
     where u.id = any(${sql.param(ids)}::uuid[]) for key share of u skip locked`
  await tellPeople(transaction, people, {
    kind: 'challenge_dropped',
    title: `Your entry does not count: ${title}`,
    message:
      'At the end its course was not published, you were not on Pro, or one of them was suspended.',
    href: challengePath(slug),
  })
}

/** Drops what does not count, numbers the rest in the order of their ids, and publishes the list's hash. */
async function closeNow(transaction: Transaction, challengeId: string): Promise<void> {
  const [held] = await transaction
    .select({ title: challenges.title, slug: challenges.slug })
    .from(challenges)
    .where(
      and(
        eq(challenges.id, challengeId),
        eq(challenges.status, 'published'),
        lte(challenges.closesAt, sql`clock_timestamp()`),
      ),
    )
    .for('no key update')
  if (!held) return
  await dropWhatDoesNotCount(transaction, challengeId, held)
  const { rows } = await transaction.execute<{ id: string; number: number }>(sql`
    update challenge_entries e set number = n.number
      from (select id, row_number() over (order by id)::int as number
              from challenge_entries where challenge_id = ${challengeId}) n
     where n.id = e.id returning e.id, e.number`)
  const entries = rows.toSorted((one, other) => one.number - other.number)
  await transaction
    .update(challenges)
    .set({
      status: 'closed',
      entriesHash: hashOfEntries(entries),
      closedAt: sql`clock_timestamp()`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(eq(challenges.id, challengeId))
}
