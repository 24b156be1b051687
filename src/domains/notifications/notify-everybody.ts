import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { type Notice, tellPeople } from './tell-people.ts'

/** Tells everybody who has an account and has used it; answers how many wanted to know. */
export function notifyEverybody(executor: Executor, notice: Notice): Promise<number> {
  const everybody = sql`
    select u.id as user_id from users u
     where u.welcomed_at is not null and u.id <> ${departedUserId}
     order by u.id for key share`
  return tellPeople(executor, everybody, notice)
}
