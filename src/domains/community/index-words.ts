import { sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'

/** Rows that are looked at in one go, so that few are locked, and not for long. */
const batch = 1000

/**
 * A job, every night: what was written before `community_words` took words apart as it does now is indexed anew, a few
 * rows at a time; what somebody changes at that moment has its new words by that, or is for the next night. Of texts in
 * ASCII nothing has changed.
 */
export async function indexCommunityWords({ db }: Pick<Services, 'db'>): Promise<void> {
  for (const table of ['posts', 'comments']) {
    let after: string | null = null
    do after = await indexFrom(db, table, after)
    while (after !== null)
  }
}

/** The id of the last row that was looked at; null at the end. */
async function indexFrom(
  db: Services['db'],
  name: string,
  after: string | null,
): Promise<string | null> {
  const table = sql.identifier(name)
  const { rows } = await db.execute<{ last: string | null }>(sql`
    with looked_at as materialized (
      select id, content, course_id, search from ${table}
       where ${after === null ? sql`true` : sql`id > ${after}`} order by id limit ${batch}),
    held as (
      select id from ${table}
       where id in (select id from looked_at
                     where content ~ '[^\\x01-\\x7f]'
                       and search is distinct from community_words(content, course_id))
         for no key update skip locked),
    indexed as (
      update ${table} x set search = community_words(x.content, x.course_id)
        from held where x.id = held.id)
    select (array_agg(id order by id desc))[1] as last from looked_at`)
  return rows[0]!.last
}
