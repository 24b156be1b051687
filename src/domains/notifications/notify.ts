import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { type Notice, tellPeople } from './tell-people.ts'

/** Tells a person, in the ways that the person chose, as part of the transaction that it tells about. */
export async function notify(
  executor: Executor,
  { userId, ...notice }: Notice & { userId: string },
): Promise<void> {
  // Nobody is told who has left; to the account of those who left something no mail can go.
  const person = sql`
    select u.id as user_id from users u
     where u.id = ${userId} and u.id <> ${departedUserId} for key share`
  await tellPeople(executor, person, notice)
}
