// What the clock begins mends and counts anew what tests set up: in a test it comes between any two steps.
import type { Client, Pool } from 'pg'
import { schedule } from '../src/schedule.ts'

type Database = Pick<Client | Pool, 'query'>

const lines = schedule.split('\n')
const namesIn = (some: string[]) => some.map((line) => line.split(' ')[5]!)
const onceADay = lines.filter((line) => /^\d+ \d+ /.test(line))

/** The queue begins only what is later than the last time that it noted. */
const noteLast = (database: Database, names: string[], isHeld: boolean) =>
  database.query(
    `insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
     select name, now(), now() + make_interval(days => $2) from unnest($1::text[]) name
     on conflict (identifier) do update set last_execution = excluded.last_execution`,
    [names, isHeld ? 1 : 0],
  )

/** From here on the clock begins no job, until another node starts. */
export const holdSchedule = (database: Database) => noteLast(database, namesIn(lines), true)

/** The same for those of once a day: the rest is a part of what people see. */
export const holdNightly = (database: Database) => noteLast(database, namesIn(onceADay), true)

/** The clock begins jobs as it does in the product. */
export const followSchedule = (database: Database) => noteLast(database, namesIn(lines), false)
