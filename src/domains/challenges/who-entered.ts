import { type SQL, sql } from 'drizzle-orm'

/**
 * The people of these entries, as `tellPeople` wants them. Who is leaving at this moment has the own row locked; to
 * wait for each other would never end.
 */
export const peopleOf = (entries: SQL) => sql`
  select u.id as user_id from users u
   where u.id in (select e.user_id from challenge_entries e where ${entries})
     for key share of u skip locked`
