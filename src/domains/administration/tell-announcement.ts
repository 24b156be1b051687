import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { sayingTo } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { isAddressed } from './announcement-audience.ts'
import { announcements } from './tables.ts'

/** People of one transaction: what it stores and queues for them takes a moment, and locks nobody for long. */
const batch = 1000

const beforeEverybody = '00000000-0000-0000-0000-000000000000'

export const queueTelling = (transaction: Transaction, announcementId: string) =>
  enqueue(transaction, 'tellAnnouncement', { announcementId }, `announcement ${announcementId}`)

/** A job: tells the next people, and queues itself for those after them, in one transaction. */
export async function tellAnnouncement(
  { announcementId }: { announcementId: string },
  { db }: Pick<Services, 'db'>,
): Promise<void> {
  await db.transaction(async (transaction) => {
    if (await tellNextPeople(transaction, announcementId)) {
      await queueTelling(transaction, announcementId)
    }
  })
}

/**
 * Tells the people of the audience who come next by their ids, as each of them chose; whoever signed up after
 * the announcement is not among them. Where it stopped is stored with what it did, so that nobody is told twice
 * or passed by, whoever calls this, and however often. Answers whether there may be more.
 */
export async function tellNextPeople(
  transaction: Transaction,
  announcementId: string,
): Promise<boolean> {
  // One at a time. Not by a lock of the row: that comes after those of people, for who deletes an account
  // locks that first, and then the rows of what was announced by it.
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('announcement ' || ${announcementId}, 0))`,
  )
  const [announcement] = await transaction
    .select()
    .from(announcements)
    .where(and(eq(announcements.id, announcementId), isNull(announcements.finishedAt)))
  if (!announcement) return false
  const { audience, title, message, href, toldUpTo } = announcement
  const waiting = sql`
    ${isAddressed(audience)} and u.id > ${toldUpTo ?? beforeEverybody}::uuid
    and u.created_at <= (select a.created_at from announcements a where a.id = ${announcementId})`
  const { rows } = await transaction.execute<{ last: string | null; found: number }>(sql`
    select (array_agg(id order by id desc))[1] as last, count(*)::int as found
      from (select u.id from users u where ${waiting} order by u.id limit ${batch}) as next`)
  const { last, found } = rows[0]!
  const next = sql`
    select u.id as user_id from users u where ${waiting} and u.id <= ${last}::uuid
     order by u.id for key share`
  const told = await tellPeople(transaction, next, {
    kind: 'system_announcement',
    title,
    message,
    href: href || undefined,
  })
  const hasMore = found === batch
  await transaction
    .update(announcements)
    .set({
      toldCount: sql`${announcements.toldCount} + ${told}`,
      // An id of somebody stays no longer than it is needed.
      toldUpTo: hasMore ? last : null,
      finishedAt: hasMore ? null : sql`now()`,
    })
    .where(eq(announcements.id, announcementId))
  await sayProgress(transaction)
  return hasMore
}

/** To the open pages of administrators, who may look at the list. */
async function sayProgress(executor: Executor): Promise<void> {
  const administrators = sql`select id as user_id from users where role = 'admin'`
  await executor.execute(
    sql`with ${sayingTo(administrators, { type: 'announcement' })} select count(*) from said`,
  )
}
