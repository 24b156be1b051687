import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { noteCounterChecks } from '../courses/note-counter-checks.ts'

/** Rows that are looked at in one go. */
const batch = 5000

interface Counter {
  /** Row `x` of this table keeps the number in this column. */
  table: 'posts' | 'comments' | 'poll_options'
  column: string
  /** What it should be. */
  counted: SQL
  /** The row that puts everybody in line who changes what is counted. */
  held: SQL
}

const itself = (table: 'posts' | 'comments') => sql`
  select id from ${sql.identifier(table)} where id = x.id`
const itsPost = sql`select id from posts where id = x.post_id`

const counters: Record<string, Counter> = {
  posts_likes_count: {
    table: 'posts',
    column: 'likes_count',
    counted: sql`select count(*) from post_likes l where l.post_id = x.id`,
    held: itself('posts'),
  },
  posts_comments_count: {
    table: 'posts',
    column: 'comments_count',
    counted: sql`select count(*) from comments c where c.post_id = x.id and c.status = 'published'`,
    held: itself('posts'),
  },
  comments_likes_count: {
    table: 'comments',
    column: 'likes_count',
    counted: sql`select count(*) from comment_likes l where l.comment_id = x.id`,
    held: itself('comments'),
  },
  comments_replies_count: {
    table: 'comments',
    column: 'replies_count',
    counted: sql`select count(*) from comments c where c.thread_id = x.id and c.status = 'published'`,
    held: itsPost,
  },
  poll_options_votes_count: {
    table: 'poll_options',
    column: 'votes_count',
    counted: sql`select count(*) from poll_votes v where v.option_id = x.id`,
    held: sql`select post_id from polls where post_id = x.post_id`,
  },
}

/**
 * A job: counts anew what is kept beside posts, comments and the answers of polls, and mends what differs.
 * It only reads, some rows at a time, and locks nothing but what is wrong.
 */
export async function recountCommunity(services: Services): Promise<void> {
  const differences: Record<string, string[]> = {}
  for (const [name, counter] of Object.entries(counters)) {
    differences[name] = []
    let after: string | null = null
    do {
      const { wrong, last } = await nextWrong(services.db, counter, after)
      for (const id of wrong) {
        if (await mend(services.db, counter, id)) differences[name].push(id)
      }
      after = last
    } while (after !== null)
  }
  await noteCounterChecks(services, differences)
}

/** How many rows have a wrong counter, by counter. It only reads. */
export async function countWrongInCommunity(db: Db): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, counter] of Object.entries(counters)) {
    found[name] = 0
    let after: string | null = null
    do {
      const { wrong, last } = await nextWrong(db, counter, after)
      found[name] += wrong.length
      after = last
    } while (after !== null)
  }
  return found
}

/** A change and its count commit together, so one statement never sees one without the other. */
async function nextWrong(
  db: Db,
  { table, column, counted }: Counter,
  after: string | null,
): Promise<{ wrong: string[]; last: string | null }> {
  const { rows } = await db.execute<{ wrong: string[]; last: string | null }>(sql`
    select (array_agg(id order by id desc))[1] as last,
           coalesce(array_agg(id) filter (where kept <> counted), '{}') as wrong
      from (select x.id, x.${sql.identifier(column)} as kept, (${counted}) as counted
              from (select * from ${sql.identifier(table)}
                     where ${after === null ? sql`true` : sql`id > ${after}`}
                     order by id limit ${batch}) x) looked_at`)
  return rows[0]!
}

async function mend(
  db: Db,
  { table, column, counted, held }: Counter,
  id: string,
): Promise<boolean> {
  const name = sql.identifier(column)
  return db.transaction(async (transaction) => {
    await transaction.execute(sql`
      select 1 from ${sql.identifier(table)} x, lateral (${held} for no key update) held
       where x.id = ${id}`)
    const { rows } = await transaction.execute(sql`
      update ${sql.identifier(table)} x set ${name} = (${counted})
       where x.id = ${id} and x.${name} <> (${counted}) returning x.id`)
    return rows.length > 0
  })
}
