// What the clock begins each minute mends and counts anew what tests set up: in a test it comes between any two steps.
import { parseCrontab } from 'graphile-worker'
import type { Client, Pool } from 'pg'
import { schedule } from '../src/jobs.ts'

const names = parseCrontab(schedule).map(({ identifier }) => identifier)

/** The queue begins only what is later than the last time that it noted. */
const noteLast = (database: Client | Pool, time: 'now()' | `now() + interval '1 day'`) =>
  database.query(
    `insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
     select name, now(), ${time} from unnest($1::text[]) name
     on conflict (identifier) do update set last_execution = excluded.last_execution`,
    [names],
  )

/** From here on the clock begins no job, until another node starts. */
export const holdSchedule = (database: Client | Pool) =>
  noteLast(database, `now() + interval '1 day'`)

/** The clock begins jobs as it does in the product. */
export const followSchedule = (database: Client | Pool) => noteLast(database, 'now()')
