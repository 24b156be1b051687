import type { Pool } from 'pg'
import { bellHolds, type BellNotice, unreadCountedTo } from './bell-schema.ts'

/** How many notices a person has not read, in SQL; 10 stands for 10 and more. */
export const unreadOf = (person: string) =>
  `(select count(*)::int from (
      select 1 from notifications
       where user_id = ${person} and not read and in_app limit ${unreadCountedTo}) as unread)`

interface NoticeRow extends Omit<BellNotice, 'createdAt'> {
  createdAt: Date
}

/** The index is "nulls last", so the order must say it too, or it would not be used. */
const newestFirst = 'order by created_at desc nulls last, id desc nulls last'

export const bellText = `
  select id, title, message, type, href, read, created_at as "createdAt", ${unreadOf('$1')} as unread
    from notifications where user_id = $1 and in_app ${newestFirst} limit ${bellHolds}`

/** What is under the bell of a person and how much of everything is unread, as of one moment. */
export async function bellOf(pool: Pool, userId: string) {
  const { rows } = await pool.query<NoticeRow & { unread: number }>({
    name: 'bell-of',
    text: bellText,
    values: [userId],
  })
  return {
    notifications: rows,
    unread: rows[0]?.unread ?? 0,
    now: new Date(),
  }
}

/** How many notices a person has not read; 10 stands for 10 and more. */
export async function unreadNotifications(pool: Pool, userId: string): Promise<number> {
  const { rows } = await pool.query<{ unread: number }>({
    name: 'unread-notifications',
    text: `select ${unreadOf('$1')} as unread`,
    values: [userId],
  })
  return rows[0]!.unread
}
