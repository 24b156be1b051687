import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { isPro } from '../billing/plan.ts'
import { countWhoWouldBeTold } from '../notifications/tell-people.ts'
import type { Audience } from './announcement-rules.ts'

const belongsTo: Record<Audience, SQL> = {
  everybody: sql`true`,
  creators: sql`exists (select 1 from courses c where c.instructor_id = u.id)`,
  pro: sql.raw(isPro('u.id')),
}

/** As a condition about `u`, a row of users: who has an account, has used it, and belongs to the audience. */
export const isAddressed = (audience: Audience): SQL =>
  sql`(u.welcomed_at is not null and u.id <> ${departedUserId} and ${belongsTo[audience]})`

/** How many of an audience would be told now: those who want to know. */
export const countAddressed = (executor: Executor, audience: Audience): Promise<number> =>
  countWhoWouldBeTold(
    executor,
    sql`select u.id as user_id from users u where ${isAddressed(audience)}`,
    'system_announcement',
  )
