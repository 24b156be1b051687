// What streams were told in the last hour, for those that were cut. Why `horizon`: notifications/tables.ts.
import type { Db } from './db.ts'
import type { ToldEvent } from './publish.ts'

/** Where a stream goes on: after what it was told last, or this many milliseconds ago. */
export type Since = { lastEventId: string } | { age: number } | null

/** Events that are told again one by one; with more, looking at everything again is quicker. */
const most = 100
/** The same for a node, whose streams share them. */
const mostOfNode = 2000
/** Seconds; younger than what pruneLiveEvents removes. */
export const remembered = 50 * 60
/** Milliseconds for transactions that began before they were looked for. */
const slack = 2000

/** A position that is no event: everything before this transaction had ended at this second. */
const positionPattern = /^x(\d{1,19})\.(\d{1,12})$/
const eventIdPattern = /^\d{1,18}$/

interface Past {
  /** Where to go on after these. */
  position: string
  /** Null when it is not known what was missed. */
  events: ToldEvent[] | null
}

type Row = {
  now_horizon: string
  now_second: string
  id: string | null
  horizon: string
  topic: string
  event: ToldEvent['event']
}

async function read(db: Db, condition: string, values: unknown[], limit = most) {
  const { rows } = await db.$client.query<Row>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as now_horizon,
            floor(extract(epoch from now()))::text as now_second,
            e.id, e.horizon::text as horizon, e.topic, e.event
       from (values (1)) as one
       left join lateral (select * from live_events where ${condition} order by id limit ${limit + 1}) e
         on true`,
    values,
  )
  const { now_horizon, now_second } = rows[0]!
  const events = rows.flatMap(({ id, horizon, topic, event }) =>
    id === null ? [] : [{ id: Number(id), horizon, topic, event }],
  )
  return {
    horizon: now_horizon,
    second: Number(now_second),
    position: `x${now_horizon}.${now_second}`,
    events: events.length > limit ? null : events,
  }
}

/** What these topics brought since then. A position among others' events is no position. */
export async function eventsSince(db: Db, topics: string[], since: Since): Promise<Past> {
  if (since && 'age' in since) {
    return read(db, `topic = any($1) and created_at > now() - $2 * interval '1 millisecond'`, [
      topics,
      since.age + slack,
    ])
  }
  const nothing = () => read(db, 'false', [])
  if (!since) return nothing()
  const { lastEventId } = since
  const [, horizon, second] = positionPattern.exec(lastEventId) ?? []
  if (horizon) {
    const past = await read(db, 'topic = any($1) and xid >= $2::xid8', [topics, horizon])
    return past.second - Number(second) > remembered ? { ...past, events: null } : past
  }
  const { rows } = eventIdPattern.test(lastEventId)
    ? await db.$client.query<{ horizon: string }>(
        `select horizon::text as horizon from live_events
          where id = $1 and topic = any($2) and created_at > now() - $3 * interval '1 second'`,
        [lastEventId, topics, remembered],
      )
    : { rows: [] }
  if (!rows[0]) return { ...(await nothing()), events: null }
  return read(db, 'topic = any($1) and xid >= $2::xid8 and id <> $3', [
    topics,
    rows[0].horizon,
    lastEventId,
  ])
}

/** What all topics brought since this transaction, for a node that could not listen. */
export const allEventsSince = (db: Db, horizon: string) =>
  read(db, 'xid >= $1::xid8', [horizon], mostOfNode)

/** The transaction before which everything has ended. */
export const horizonNow = async (db: Db) => (await read(db, 'false', [])).horizon
