import { sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'

/** How many notices are kept for a person beside those of the last two days; the bell shows the latest 50 of them. */
const keptNotices = 200

/**
 * A job of each night: removes the oldest notices of people who have many, but none whose mail may still be tried;
 * those of more than a year, and what waited for a mail that never went.
 */
export async function trimNotices(_payload: unknown, { db }: Services): Promise<void> {
  await db.execute(sql`
    delete from notifications n
     using (select user_id from notifications
             group by user_id having count(*) > ${keptNotices}) as many,
           lateral (select k.created_at, k.id from notifications k where k.user_id = many.user_id
                     order by k.created_at desc nulls last, k.id desc nulls last
                     offset ${keptNotices - 1} limit 1) as last
     where n.user_id = many.user_id and not n.digest_due
       and n.created_at < now() - interval '2 days'
       and (n.created_at, n.id) < (last.created_at, last.id)`)
  await db.execute(sql`
    delete from notifications
     where created_at < now() - interval '1 year'
        or (not in_app and created_at < now() - interval '30 days')`)
}
