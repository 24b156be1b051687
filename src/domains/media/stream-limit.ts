// On how many devices an account plays films at once. A device is a log-in: the tabs of a browser are one.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import type { Viewer } from '../../server/viewer.ts'
import { deviceName } from '../accounts/device-name.ts'
import { sessions, users } from '../accounts/tables.ts'
import { accessIn, accessQuery, type AccessRow, type CourseAccess } from '../courses/access.ts'
import { playingStreams } from './tables.ts'

/** Seconds after its last sign of life for which a stream keeps its place. */
export const streamLife = 45
/** Seconds after which a sign of life is written down again: players send one every five. */
const streamRenewal = 10
/** Minutes for which a browser whose stream was ended gets nothing before it asks by name. */
const endingHolds = 15

/** What a clock that was ahead has noted is no sign of life. */
const isLive = (s: string) =>
  `(${s}.ended_at is null and abs(extract(epoch from clock_timestamp() - ${s}.seen_at)) < ${streamLife})`
const wasEnded = (s: string) =>
  `coalesce(${s}.ended_at > clock_timestamp() - interval '${endingHolds} minutes', false)`

/** What is free for everybody counts for nobody, nor what a course shows to those who run it. */
export const countsAsStream = ({ standing, isPreview }: CourseAccess) =>
  standing === 'member' && !isPreview

/**
 * Two parts of the WITH of a statement, after its `asked` of people and their sessions: the stream of each browser as
 * it was, and its sign of life. A stream that lapsed or was ended is not brought back: that asks for a place again.
 */
export const keepingStream = `
  stream as (
    select asked.n, s.id, case when s.ended_at is not null then 'ended'
                               when ${isLive('s')} then 'kept' else 'lapsed' end as state,
           s.ended_by as "endedBy"
      from asked join playing_streams s on s.session_id = asked.session and s.user_id = asked.person),
  sign_of_life as (
    update playing_streams s set seen_at = clock_timestamp()
      from asked
     where s.session_id = asked.session and s.user_id = asked.person and ${isLive('s')}
       and s.seen_at < clock_timestamp() - interval '${streamRenewal} seconds')`

type Browser = { userId: string; sessionId: string }

/** For what was asked of this browser's stream: 'fading' is kept, and should be told so. */
type StreamState = 'kept' | 'fading' | 'ended' | 'none'

interface PlayRow extends AccessRow {
  stream: StreamState
  others: number
}

export interface PlayAccess {
  course: CourseAccess
  stream: StreamState
  /** Streams of this person in other browsers. */
  others: number
}

/** `courseAccess` of a film, and in the same statement whether this browser has a place to play it. */
export async function playAccess(
  db: Db,
  viewer: Viewer | null,
  mediaId: string,
): Promise<PlayAccess | null> {
  const query = accessQuery({ mediaId }, { parameter: '$2', person: '$1' })
  if (!query) return null
  const { rows } = await db.$client.query<PlayRow>({
    name: 'play-access',
    text: `select ${query.columns},
                  coalesce((select case when ${wasEnded('s')} then 'ended'
                                        when not ${isLive('s')} then 'none'
                                        when s.seen_at < clock_timestamp() - interval '${streamRenewal * 2} seconds'
                                        then 'fading' else 'kept' end
                              from playing_streams s
                             where s.user_id = $1 and s.session_id = $3), 'none') as "stream",
                  (select count(*)::int from playing_streams s
                    where s.user_id = $1 and s.session_id <> $3 and ${isLive('s')}) as "others"
             from courses c where c.id = ${query.course}`,
    values: [viewer?.id ?? null, query.key, viewer?.sessionId ?? null],
  })
  const row = rows[0]
  const course = row && accessIn(row, viewer)
  return course ? { course, stream: row.stream, others: row.others } : null
}

/** A sign of life of whoever fetches a stream without telling where they are in it. */
export async function renewStream(db: Db, { userId, sessionId }: Browser): Promise<void> {
  await db.$client.query(
    `update playing_streams s set seen_at = clock_timestamp()
      where s.session_id = $1 and s.user_id = $2 and ${isLive('s')}`,
    [sessionId, userId],
  )
}

export interface OtherStream {
  id: string
  device: string
  since: Date
}

type Claim = Browser & {
  limit: number
  /** The stream to end when there is no place otherwise. */
  insteadOf?: string
}

/**
 * Takes a place for the stream of this browser, or says who has them all; null when its session has ended. The
 * person's row keeps devices that begin at once in line, so that the limit is exact.
 */
export function claimStream(
  db: Db,
  { userId, sessionId, limit, insteadOf }: Claim,
): Promise<{ streamId: string } | { others: OtherStream[] } | null> {
  return db.transaction(async (transaction) => {
    await transaction
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, userId))
      .for('no key update')
    const [session] = await transaction
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
      .for('key share')
    if (!session) return null
    const known = await transaction
      .select({
        id: playingStreams.id,
        sessionId: playingStreams.sessionId,
        startedAt: playingStreams.startedAt,
        userAgent: sessions.userAgent,
        isLive: sql<boolean>`${sql.raw(isLive('playing_streams'))}`,
      })
      .from(playingStreams)
      .innerJoin(sessions, eq(sessions.id, playingStreams.sessionId))
      .where(eq(playingStreams.userId, userId))
      .orderBy(playingStreams.startedAt, playingStreams.id)
    const own = known.find((stream) => stream.sessionId === sessionId)
    const others = known.filter((stream) => stream.isLive && stream !== own)
    const refused = {
      others: others.map((stream) => ({
        id: stream.id,
        device: deviceName(stream.userAgent),
        since: stream.startedAt,
      })),
    }
    if (own?.isLive) {
      const now = sql`clock_timestamp()`
      await transaction
        .update(playingStreams)
        .set({ seenAt: now })
        .where(and(eq(playingStreams.id, own.id), eq(playingStreams.userId, userId)))
      return { streamId: own.id }
    }
    const tooMany = others.length - limit + 1
    const chosen = others.find(({ id }) => id === insteadOf)
    if (tooMany > 0 && !chosen) return refused
    await transaction
      .delete(playingStreams)
      .where(and(eq(playingStreams.sessionId, sessionId), eq(playingStreams.userId, userId)))
    const [made] = await transaction
      .insert(playingStreams)
      .values({
        userId,
        sessionId,
        startedAt: sql`clock_timestamp()`,
        seenAt: sql`clock_timestamp()`,
      })
      .returning({ id: playingStreams.id })
    const streamId = made!.id
    if (tooMany > 0 && chosen) {
      // More than one where the limit was lowered meanwhile: the oldest go with it.
      const ended = [chosen, ...others.filter((stream) => stream !== chosen)].slice(0, tooMany)
      const ids = ended.map(({ id }) => id)
      await transaction
        .update(playingStreams)
        .set({ endedAt: sql`clock_timestamp()`, endedBy: streamId })
        .where(and(inArray(playingStreams.id, ids), eq(playingStreams.userId, userId)))
      for (const id of ids) {
        const event = { type: 'streamEnded', streamId: id, endedBy: streamId } as const
        await publishToPerson(transaction, userId, event)
      }
    }
    return { streamId }
  })
}
