import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { GivenUp, laterThanOthers } from '../../server/jobs.ts'
import { type MailGroup, mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { users } from '../accounts/tables.ts'
import { brand } from '../site/brand.ts'
import { addressOf, mayBeMailed, settingsUrl } from './mail-notice.ts'
import { preferencesOf } from './preferences.ts'
import { switchOf, switchWords } from './rules.ts'
import { notifications } from './tables.ts'
import { unsubscribeUrl } from './unsubscribe-token.ts'

/** How many notices a daily mail lists, the newest. */
const listedAtMost = 50

/** How many people's mails are queued by one statement. */
const batch = 10_000

/** A job of each morning: queues a mail for everybody who has notices waiting. */
export async function sendDigests(_payload: unknown, { db }: Services): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await db.execute<{ last: string | null }>(sql`
      with people as (
        select distinct user_id from notifications where digest_due and user_id > ${last}::uuid
         order by user_id limit ${batch}),
      jobs as (
        select array_agg(row('sendDigest', json_build_object('userId', user_id), null, null, 12,
                             'digest ' || user_id, ${laterThanOthers}::int, null)::graphile_worker.job_spec) as jobs
          from people),
      posted as materialized (
        select count(*) from jobs, graphile_worker.add_jobs(jobs.jobs) where jobs.jobs is not null)
      select (select user_id from people order by user_id desc limit 1) as last,
             (select count(*) from posted) as posted`)
    const reached = rows[0]?.last
    if (!reached) return
    last = reached
  }
}

/** What the person was told and waits for the mail, the newest first: all ids, and what the mail lists. */
async function waitingFor(transaction: Transaction, userId: string) {
  const newest = [desc(notifications.createdAt), asc(notifications.id)]
  const due = await transaction
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), eq(notifications.digestDue, true)))
    .orderBy(...newest)
  const ids = due.map(({ id }) => id)
  const listed = await transaction
    .select({
      kind: notifications.kind,
      title: notifications.title,
      message: notifications.message,
      href: notifications.href,
    })
    .from(notifications)
    .where(
      and(eq(notifications.userId, userId), inArray(notifications.id, ids.slice(0, listedAtMost))),
    )
    .orderBy(...newest)
  return { ids, listed }
}
type Waiting = Awaited<ReturnType<typeof waitingFor>>

/** By switch, in the order of the settings. */
function groupsOf({ listed }: Waiting, appUrl: string): MailGroup[] {
  return Object.entries(switchWords).flatMap(([name, { label }]) => {
    const items = listed
      .filter(({ kind }) => switchOf(kind) === name)
      .map((one) => ({ title: one.title, text: one.message, url: addressOf(appUrl, one.href) }))
    return items.length > 0 ? [{ title: label, items }] : []
  })
}

/** Why this comes, and the ways out of it. */
function endOf({ appUrl }: { appUrl: string }, stopUrl: string | null) {
  const settings = { label: 'All notification settings', url: settingsUrl(appUrl) }
  if (stopUrl === null) {
    return {
      reason: `You get this email because this happened before you changed your notification settings at ${appUrl}.`,
      links: [settings],
    }
  }
  return {
    reason: `You get this email because parts of your notification settings at ${appUrl} say “Daily digest”.`,
    links: [{ label: 'Stop the daily email', url: stopUrl }, settings],
  }
}

const counted = (count: number) => (count === 1 ? '1 notification' : `${count} notifications`)

async function mailDigest(
  { mail, config, secret }: Services,
  reader: { id: string; email: string; hasDaily: boolean },
  waiting: Waiting,
) {
  const { appUrl } = config
  const stopUrl = reader.hasDaily
    ? unsubscribeUrl(appUrl, secret, { userId: reader.id, scope: 'daily' })
    : null
  const total = counted(waiting.ids.length)
  const more = waiting.ids.length - waiting.listed.length
  await mail.send({
    id: `<digest-${waiting.ids[0]}@${new URL(appUrl).hostname}>`,
    to: reader.email,
    subject: `${total} for you on ${brand.name}`,
    ...(stopUrl !== null && { unsubscribeUrl: stopUrl }),
    ...mailPage({
      heading: 'What happened since yesterday',
      paragraphs: [`${total}${more > 0 ? `: the newest ${listedAtMost}, and ${more} more` : ''}.`],
      groups: groupsOf(waiting, appUrl),
      action: { label: 'Open your dashboard', url: `${appUrl}/dashboard` },
      ...endOf(config, stopUrl),
    }),
  })
}

/**
 * A job: one mail with everything that waits for this person. Whoever sends holds the lock, and what was
 * sent is marked before the lock goes: nothing is sent twice, unless this process dies between the yes of
 * the mail server and the mark. A mail that is refused for good is marked, too.
 */
export async function sendDigest({ userId }: { userId: string }, services: Services) {
  const refusal = await services.db.transaction(async (transaction) => {
    await transaction.execute(
      sql`select pg_advisory_xact_lock(hashtextextended('digest ' || ${userId}, 0))`,
    )
    const [reader] = await transaction
      .select({ id: users.id, email: users.email, emailVerified: users.emailVerified })
      .from(users)
      .where(eq(users.id, userId))
    const waiting = reader && (await waitingFor(transaction, userId))
    if (!waiting || waiting.ids.length === 0) return null
    const hasDaily = await wantsDaily(transaction, userId)
    const refused = mayBeMailed(services.config, reader)
      ? await mailDigest(services, { ...reader, hasDaily }, waiting).then(() => null, keptForLater)
      : null
    // By their ids: what arrived meanwhile waits for the next mail.
    await markSent(transaction, userId, waiting.ids)
    return refused
  })
  if (refusal) throw refusal
}

/** What was told waits for its mail, also of who has chosen another pace since. */
const wantsDaily = async (transaction: Transaction, userId: string) =>
  Object.values(await preferencesOf(transaction, userId)).some(({ email }) => email === 'daily')

function keptForLater(error: unknown): GivenUp {
  if (error instanceof GivenUp) return error
  throw error
}

async function markSent(transaction: Transaction, userId: string, ids: string[]): Promise<void> {
  // As one parameter: there can be more of them than a statement may have.
  const which = sql`${notifications.id} = any(${sql.param(ids)}::uuid[])`
  const sent = and(eq(notifications.userId, userId), which)
  await transaction.delete(notifications).where(and(sent, eq(notifications.inApp, false)))
  await transaction.update(notifications).set({ digestDue: false }).where(sent)
}
