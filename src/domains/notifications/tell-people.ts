import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { laterThanOthers } from '../../server/jobs.ts'
import { sayingTo } from '../../server/publish.ts'
import { type NoticeKind, type NoticeKindName, noticeKinds } from './kinds.ts'
import { defaultPreferences, type Preference } from './rules.ts'

export interface Notice {
  kind: NoticeKindName
  title: string
  message: string
  /** A path of this site where it can be looked at. */
  href?: string
  /**
   * How `href` begins when it is about the same thing: who has not read an earlier notice of this kind
   * about it is not told again.
   */
  sameAs?: string
}

const always: Preference = { inApp: true, email: 'at_once' }

/** What each of these people chose for this kind, by `people`, an earlier part of the WITH. */
function wishesAbout(kind: NoticeKindName): SQL {
  const { switch: name, mail }: NoticeKind = noticeKinds[kind]
  const usual = name ? defaultPreferences[name] : always
  const pace = mail ? sql`coalesce(p.email, ${usual.email}::text)` : sql`'off'`
  return sql`
      select people.user_id, coalesce(p.in_app, ${usual.inApp}::boolean) as in_app, ${pace} as pace
        from people left join notification_preferences p
          on p.user_id = people.user_id and p.switch = ${name}::text`
}

const isWanted = sql`(in_app or pace <> 'off')`

/** How many of these people would be told something of this kind. */
export async function countWhoWouldBeTold(
  executor: Executor,
  people: SQL,
  kind: NoticeKindName,
): Promise<number> {
  const { rows } = await executor.execute<{ people: number }>(sql`
    with people as (${people}), wishes as (${wishesAbout(kind)})
    select count(*)::int as people from wishes where ${isWanted}`)
  return rows[0]!.people
}

/**
 * The one place where an event becomes notices and mails, each in the way that the person chose. `people`
 * is a query of their ids, `user_id`, each once. One statement, however many they are: nothing of it
 * comes into this process. Answers how many were told.
 */
export async function tellPeople(
  executor: Executor,
  people: SQL,
  { kind, title, message, href, sameAs }: Notice,
): Promise<number> {
  const { type }: NoticeKind = noticeKinds[kind]
  const unlessUnread =
    sameAs === undefined
      ? sql``
      : sql`
       where not exists (select 1 from notifications n
                          where n.user_id = people.user_id and not n.read and n.in_app
                            and n.kind = ${kind}::text and starts_with(n.href, ${sameAs}::text))
         and not exists (select 1 from notifications n
                          where n.user_id = people.user_id and n.digest_due and not n.read
                            and n.kind = ${kind}::text and starts_with(n.href, ${sameAs}::text))`
  const { rows } = await executor.execute<{ told: number }>(sql`
    with people as (${people}),
    wishes as (${wishesAbout(kind)}${unlessUnread}),
    told as (
      insert into notifications (user_id, kind, title, message, type, href, in_app, digest_due)
      select user_id, ${kind}::text, ${title}::text, ${message}::text, ${type}::text,
             ${href ?? null}::text, in_app, pace = 'daily'
        from wishes where ${isWanted}
      returning id, user_id, in_app),
    mails as (
      select array_agg(row('sendNoticeMail', json_build_object('notificationId', told.id), null, null,
                           12, null, ${laterThanOthers}::int, null)::graphile_worker.job_spec) as jobs
        from told join wishes using (user_id) where wishes.pace = 'at_once'),
    posted as materialized (
      select count(*) from mails, graphile_worker.add_jobs(mails.jobs) where mails.jobs is not null),
    ${sayingTo(sql`select user_id from told where in_app`, { type: 'notification' })}
    select (select count(*)::int from told) as told,
           (select count(*) from posted) as posted, (select count(*) from said) as said`)
  return rows[0]!.told
}
