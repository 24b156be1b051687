import { type SQL, sql } from 'drizzle-orm'
import type { LiveEvent } from '../domains/notifications/schema.ts'
import type { Executor } from './db.ts'

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

export const personTopic = (userId: string) => `person:${userId}`
export const courseTopic = (courseId: string) => `course:${courseId}`

/**
 * Two parts of the WITH of a statement that says something about each `topic` of a query. Kept for who was
 * cut off, and said when the transaction commits; never when it rolls back. The statement has to read `said`.
 */
const saying = (topics: SQL, event: LiveEvent): SQL => sql`
  kept as (
    insert into live_events (topic, event)
    select topic, ${JSON.stringify(event)}::jsonb from (${topics}) as topics
    returning id, horizon, topic, event),
  said as materialized (
    select pg_notify(${eventChannel},
                     json_build_object('id', id, 'horizon', horizon::text,
                                       'topic', topic, 'event', event)::text)
      from kept)`

/** The same for all people in column `user_id` of a query. */
export const sayingTo = (people: SQL, event: LiveEvent): SQL =>
  saying(sql`select ${personTopic('')}::text || user_id as topic from (${people}) as people`, event)

async function publish(executor: Executor, topic: string, event: LiveEvent): Promise<void> {
  const topics = sql`select ${topic}::text as topic`
  await executor.execute(sql`with ${saying(topics, event)} select count(*) from said`)
}

/** To all open pages of one person. */
export const publishToPerson = (executor: Executor, userId: string, event: LiveEvent) =>
  publish(executor, personTopic(userId), event)

/** To all open pages that follow the course, whoever reads them. */
export const publishToCourse = (executor: Executor, courseId: string, event: LiveEvent) =>
  publish(executor, courseTopic(courseId), event)

const say = async (executor: Executor, told: Told) => {
  await executor.execute(sql`select pg_notify(${eventChannel}, ${JSON.stringify(told)})`)
}

/** Ends the streams of this session when the transaction commits. */
export const endStreamsOfSession = (executor: Executor, sessionId: string) =>
  say(executor, { endedSession: sessionId })

/** Ends the streams by which this person follows this course when the transaction commits. */
export const endStreamsOfMember = (
  executor: Executor,
  endedAccess: { userId: string; courseId: string },
) => say(executor, { endedAccess })
