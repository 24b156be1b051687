import { type SQL, sql } from 'drizzle-orm'
import type { Db, Transaction } from '../../server/db.ts'
import { sayingTo } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { notifications } from '../notifications/tables.ts'

const hour = 60 * 60 * 1000

/** Days after its publication until which an announcement is told, if its job is that late. */
export const toldWithin = 7

/** Notices that one statement looks at. */
const batch = 10_000

/** Whoever tells members of this post and whoever takes that back come one after the other, until the transaction ends. */
export const inLineForAnnouncement = (transaction: Transaction, postId: string) =>
  transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('announcement of post ' || ${postId}, 0))`,
  )

/**
 * After the commit, nobody keeps under the bell, nor gets by mail, what was announced by those of the posts `p` that
 * `which` names. To be called before they go. One job at a time: there may be many, and others go on beside them.
 */
export async function takeBackAnnouncements(transaction: Transaction, which: SQL): Promise<void> {
  await transaction.execute(sql`
    select graphile_worker.add_job('takeBackAnnouncement', max_attempts := 12,
                                   queue_name := 'takeBackAnnouncement',
                                   job_key := 'take back announcement ' || p.id,
                                   payload := json_build_object('postId', p.id, 'publishedAt', p.created_at))
      from posts p where p.is_announcement and p.status <> 'scheduled' and ${which}`)
}

/** No id that was made at this time, or later, is smaller. */
const firstIdOf = (time: number) => time.toString(16).padStart(12, '0').padEnd(32, '0')
const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

/**
 * A job: deletes the notices of an announcement, unless its post is shown again. No index knows what notices are
 * about, and who was told may have left the course: all of the time in which it can have been told is looked at,
 * up to an hour after the first of them, as they were made together.
 */
export async function takeBackAnnouncement(
  { postId, publishedAt }: { postId: string; publishedAt: string },
  { db }: Pick<Services, 'db'>,
): Promise<void> {
  const isShown = await db.transaction(async (transaction) => {
    await inLineForAnnouncement(transaction, postId)
    const { rowCount } = await transaction.execute(
      sql`select 1 from posts where id = ${postId} and status = 'published'`,
    )
    return rowCount !== 0
  })
  if (isShown) return
  const published = Date.parse(publishedAt)
  let end = published + toldWithin * 24 * hour + hour
  let last: string | null = firstIdOf(published - hour)
  while (last !== null) {
    // One after the other: each begins where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const looked = await deleteAmong(db, { postId, after: last, end })
    last = looked.last
    if (last !== null && looked.deleted > 0) end = Math.min(end, timeOf(last) + hour)
  }
}

/** Of the next notices after an id: deletes those about the post, and says so to bells. */
async function deleteAmong(
  db: Db,
  { postId, after, end }: { postId: string; after: string; end: number },
): Promise<{ last: string | null; deleted: number }> {
  const { rows } = await db.execute<{ last: string | null; deleted: number }>(sql`
    with looked as (
      select id, kind, href from ${notifications}
       where id > ${after}::uuid and id < ${firstIdOf(end)}::uuid order by id limit ${batch}),
    gone as (
      delete from ${notifications}
       where id in (select id from looked where kind = 'course_announcement'
                       and href like ${`%&post=${postId}`})
      returning user_id, in_app),
    ${sayingTo(sql`select user_id from gone where in_app`, { type: 'notification' })}
    select (select id from looked order by id desc limit 1) as last,
           (select count(*)::int from gone) as deleted, (select count(*) from said) as said`)
  return rows[0]!
}
