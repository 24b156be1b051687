import { type SQL, sql } from 'drizzle-orm'
import { type LiveEvent, liveEvent } from '../domains/notifications/schema.ts'
import type { Executor } from './db.ts'
import { executePrepared } from './execute-prepared.ts'

/** The channel of PostgreSQL on which every node listens. */
export const eventChannel = 'thunder_events'

/** An event with its place among the others; `horizon` is explained at the table. */
export interface ToldEvent {
  id: number
  horizon: string
  topic: string
  event: LiveEvent
}

/** What is said on the channel. */
export type Told =
  | ToldEvent
  | { endedSession: string }
  | { endedAccess: { userId: string; courseId: string } }
  | { switched: true }

/** An event that is none would end the streams of all who hear it: it is refused where it is said. */
const written = (event: LiveEvent): string => JSON.stringify(liveEvent.parse(event))

export const personTopic = (userId: string) => `person:${userId}`
export const courseTopic = (courseId: string) => `course:${courseId}`

/**
 * Two parts of the WITH of a statement that says each `event` of a query to its `topic`. Kept for who was
 * cut off, and said when the transaction commits; never when it rolls back. The statement has to read `said`.
 */
const saying = (events: SQL): SQL => sql`
  kept as (
    insert into live_events (topic, event)
    select topic, event from (${events}) as events
    returning id, horizon, topic, event),
  said as materialized (
    select pg_notify(${eventChannel},
                     json_build_object('id', id, 'horizon', horizon::text,
                                       'topic', topic, 'event', event)::text)
      from kept)`

/** The same for one event, to all people in column `user_id` of a query. */
export const sayingTo = (people: SQL, event: LiveEvent): SQL =>
  saying(sql`
    select ${personTopic('')}::text || user_id as topic, ${written(event)}::jsonb as event
      from (${people}) as people`)

/** The same for each `event` (jsonb) of a query, to the person `user_id` beside it. */
export const sayingToEach = (events: SQL): SQL =>
  saying(sql`
    select ${personTopic('')}::text || user_id as topic, event from (${events}) as said_to_each`)

/** The same for each `event` (jsonb) of a query, to who follows the `course_id` beside it. */
export const sayingToCourses = (events: SQL): SQL =>
  saying(sql`
    select ${courseTopic('')}::text || course_id as topic, event from (${events}) as said_there`)

/** `besides`: more parts of the same WITH, the last of which has that name. What else is kept costs no statement. */
async function publish(
  executor: Executor,
  topic: string,
  event: LiveEvent,
  besides?: SQL,
): Promise<void> {
  const said = sql`select ${topic}::text as topic, ${written(event)}::jsonb as event`
  await executePrepared(
    executor,
    besides
      ? sql`with ${saying(said)}, ${besides}
            select (select count(*) from said), (select count(*) from besides)`
      : sql`with ${saying(said)} select count(*) from said`,
  )
}

/** To all open pages of one person. */
export const publishToPerson = (
  executor: Executor,
  userId: string,
  event: LiveEvent,
  besides?: SQL,
) => publish(executor, personTopic(userId), event, besides)

/** To all open pages that follow the course, whoever reads them. */
export const publishToCourse = (
  executor: Executor,
  courseId: string,
  event: LiveEvent,
  besides?: SQL,
) => publish(executor, courseTopic(courseId), event, besides)

const say = async (executor: Executor, told: Told) => {
  await executor.execute(sql`select pg_notify(${eventChannel}, ${JSON.stringify(told)})`)
}

/** Has every node read anew what is switched off, when the transaction commits. */
export const tellOfSwitch = (executor: Executor) => say(executor, { switched: true })

/** Ends the streams of this session when the transaction commits. */
export const endStreamsOfSession = (executor: Executor, sessionId: string) =>
  say(executor, { endedSession: sessionId })

/** Ends the streams by which this person follows this course when the transaction commits. */
export const endStreamsOfMember = (
  executor: Executor,
  endedAccess: { userId: string; courseId: string },
) => say(executor, { endedAccess })
