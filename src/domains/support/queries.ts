// All that is read about support requests.
import type { Pool } from 'pg'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import { shownEmail } from '../accounts/shown-email.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import { requestsPerPage, type RequestStatus } from './rules.ts'
import type {
  OwnRequestPageRow,
  OwnRequestRow,
  OwnThreadRow,
  QueuedThreadRow,
  QueuePageRow,
} from './schema.ts'

const columns = `r.id, r.topic, r.subject, r.priority, r.status, r.created_at as "createdAt",
  r.last_message_at as "lastMessageAt"`

const withWriter = `${columns}, r.name,
  ${shownEmail('r')} as email,
  r.user_id is not null as "hasAccount"`

const place = `(extract(epoch from r.last_message_at) * 1000000)::bigint::text as place`

/** Microseconds, as PostgreSQL keeps them: a Date would lose three digits. */
const momentOf = (parameter: string) =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`

/** Those of one person, in which something happened last first; null for a cursor of no page. */
export async function ownRequests(
  pool: Pool,
  userId: string,
  cursor: string | undefined,
): Promise<OwnRequestPageRow | null> {
  const from = cursor === undefined ? null : readPageCursor(cursor)
  if (cursor !== undefined && !from) return null
  const after = from ? `and (r.last_message_at, r.id) < (${momentOf('$2')}, $3::uuid)` : ''
  const { rows } = await pool.query<OwnRequestRow & { place: string }>({
    text: `select ${columns}, ${place} from support_requests r
            where r.user_id = $1 ${after}
            order by r.last_message_at desc, r.id desc limit ${requestsPerPage + 1}`,
    values: [userId, ...(from ? [from.time, from.id] : [])],
  })
  const requests = rows.slice(0, requestsPerPage)
  const last = rows.length > requests.length ? requests.at(-1) : undefined
  return {
    requests,
    nextCursor: last ? pageCursor({ time: last.place, id: last.id }) : null,
  }
}

/** One of this person's own with all that was written; null when there is none. */
export async function ownThread(
  pool: Pool,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<OwnThreadRow | null> {
  const { rows } = await pool.query<OwnRequestRow>(
    `select ${columns} from support_requests r where r.id = $1 and r.user_id = $2`,
    [requestId, userId],
  )
  if (!rows[0]) return null
  const { rows: messages } = await pool.query<OwnThreadRow['messages'][number]>(
    `select m.id, m.from_team as "fromTeam", m.body, m.created_at as "createdAt"
       from support_messages m where m.request_id = $1 order by m.id`,
    [requestId],
  )
  return { ...rows[0], messages }
}

const waitingCursor = (priority: boolean, rest: string) => `${priority ? 1 : 0}-${rest}`

/**
 * Waiting: those with priority first, then who waits longest. The others: those of last first. Null for a
 * cursor of no page.
 */
export async function queueOf(
  pool: Pool,
  { status, cursor }: { status: RequestStatus; cursor?: string },
): Promise<QueuePageRow | null> {
  const [, first, rest] = cursor === undefined ? [] : (/^([01])-(.+)$/.exec(cursor) ?? [])
  const from = rest ? readPageCursor(rest) : null
  if (cursor !== undefined && !from) return null
  const isQueue = status === 'waiting'
  const isPast = isQueue
    ? `and (r.priority < $4::boolean
            or (r.priority = $4::boolean and (r.last_message_at, r.id) > (${momentOf('$2')}, $3::uuid)))`
    : `and (r.last_message_at, r.id) < (${momentOf('$2')}, $3::uuid)`
  const order = isQueue
    ? 'r.priority desc, r.last_message_at, r.id'
    : 'r.last_message_at desc, r.id desc'
  const values = from ? [from.time, from.id, ...(isQueue ? [first === '1'] : [])] : []
  const { rows } = await pool.query<QueuePageRow['requests'][number] & { place: string }>({
    text: `select ${withWriter}, ${place} from support_requests r
            where r.status = $1 ${from ? isPast : ''}
            order by ${order} limit ${requestsPerPage + 1}`,
    values: [status, ...values],
  })
  const { rows: counted } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from support_requests where status = 'waiting'`,
  )
  const requests = rows.slice(0, requestsPerPage)
  const last = rows.length > requests.length ? requests.at(-1) : undefined
  return {
    requests,
    waitingCount: counted[0]!.waiting,
    nextCursor: last
      ? waitingCursor(last.priority, pageCursor({ time: last.place, id: last.id }))
      : null,
  }
}

/** For administrators: one request with all that was written, and by whom. */
export async function queuedThread(pool: Pool, requestId: string): Promise<QueuedThreadRow | null> {
  const { rows } = await pool.query<Omit<QueuedThreadRow, 'messages'>>(
    `select ${withWriter}, ${shownUsername('u')} as username
       from support_requests r left join users u on u.id = r.user_id where r.id = $1`,
    [requestId],
  )
  if (!rows[0]) return null
  const { rows: messages } = await pool.query<QueuedThreadRow['messages'][number]>(
    `select m.id, m.from_team as "fromTeam", m.body, m.created_at as "createdAt",
            u.name as "authorName"
       from support_messages m left join users u on u.id = m.author_id
      where m.request_id = $1 order by m.id`,
    [requestId],
  )
  return { ...rows[0], messages }
}
