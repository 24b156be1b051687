import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { shownEmail } from '../accounts/shown-email.ts'
import type { ChosenEventType, WebhookEventType } from './events.ts'

export interface HappenedInCourse {
  type: ChosenEventType
  courseId: string
  /** Who did it, or whom it happened to. */
  personId?: string | null
  /** What the event says beside its course and person: a value, or a query of one (jsonb). */
  more?: object | SQL
}

/** These are about learners: creators who try their own courses are none. */
const ofLearners: ChosenEventType[] = ['enrollment.created', 'enrollment.ended', 'lesson.completed']

const isQuery = (more: object | SQL): more is SQL => 'queryChunks' in more

/** A job that delivers what waits for an endpoint. One of an endpoint works at a time, whichever node has it. */
export const deliveryJob = (endpointId: SQL, runAt: SQL = sql`now()`): SQL => sql`
  graphile_worker.add_job('deliverWebhooks', json_build_object('endpointId', ${endpointId}),
                          queue_name := 'webhooks ' || ${endpointId}, max_attempts := 12,
                          run_at := ${runAt})`

/**
 * Parts of the WITH of a statement that keeps an event for each endpoint that wants it, and queues its
 * delivery; the statement has to read `besides`. Where nobody wants it, that is one look into an index.
 */
export function keepingEvent({ type, courseId, personId, more = {} }: HappenedInCourse): SQL {
  const email = type === 'enrollment.created' ? sql`, 'email', ${sql.raw(shownEmail('p'))}` : sql``
  const said = isQuery(more) ? more : sql`${JSON.stringify(more)}::jsonb`
  const notTheCreator = ofLearners.includes(type)
    ? sql`and c.instructor_id <> ${personId}::uuid`
    : sql``
  return sql`
    webhooks_kept as (
      insert into webhook_messages (endpoint_id, type, about_id, data)
      select e.id, ${type}::text, p.id,
             jsonb_build_object('course', jsonb_build_object('id', c.id, 'slug', c.slug, 'title', c.title))
             || case when p.id is null then '{}'::jsonb
                     else jsonb_build_object('person', jsonb_build_object(
                            'id', p.id, 'name', p.name, 'username', p.username ${email})) end
             || coalesce((${said}), '{}'::jsonb)
        from webhook_endpoints e
        join courses c on c.instructor_id = e.user_id
        join users o on o.id = e.user_id and o.suspended_at is null
        left join users p on p.id = ${personId ?? null}::uuid
       where c.id = ${courseId}::uuid and e.status = 'active' and ${type}::text = any(e.events)
         and (e.course_id is null or e.course_id = c.id) ${notTheCreator}
         -- One that is being deleted is waited for, and then not there.
         for key share of e
      returning endpoint_id),
    besides as materialized (
      select ${deliveryJob(sql`endpoint_id`)} from webhooks_kept)`
}

/** The same in a statement of its own. */
export async function keepEvent(executor: Executor, event: HappenedInCourse): Promise<void> {
  await executor.execute(sql`with ${keepingEvent(event)} select count(*) from besides`)
}

/** Keeps something for one endpoint, whatever it has chosen. Answers its id; null when it is not this person's. */
export async function keepForEndpoint(
  executor: Executor,
  { endpointId, userId }: { endpointId: string; userId: string },
  { type, data }: { type: WebhookEventType; data: object },
): Promise<string | null> {
  const { rows } = await executor.execute<{ id: string }>(sql`
    with kept as (
      insert into webhook_messages (endpoint_id, type, data)
      select e.id, ${type}::text, ${JSON.stringify(data)}::jsonb from webhook_endpoints e
       where e.id = ${endpointId}::uuid and e.user_id = ${userId}::uuid and e.status <> 'disabled'
         for key share of e
      returning id, endpoint_id),
    besides as materialized (select ${deliveryJob(sql`endpoint_id`)} from kept)
    select id, (select count(*) from besides) from kept`)
  return rows[0]?.id ?? null
}

/** Has delivered what waits for an endpoint, now or at a time. */
export async function queueDelivery(
  executor: Executor,
  endpointId: string,
  runAt?: Date,
): Promise<void> {
  const at = runAt ? sql`${runAt.toISOString()}::timestamptz` : undefined
  await executor.execute(sql`select ${deliveryJob(sql`${endpointId}::uuid`, at)}`)
}
