import { EventPublisher } from '@orpc/server'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import type { LiveEvent } from '../domains/notifications/schema.ts'
import type { Executor } from './db.ts'
import type { Log } from './log.ts'

const channel = 'thunder_events'

/** Milliseconds between looks for sessions that ended unsaid: they expired, or went with the account. */
const lookEvery = 30_000

type Told = { userId: string; event: LiveEvent } | { endedSession: string }

/** Events to the people who are looking, over PostgreSQL LISTEN/NOTIFY: every node hears every one. */
export interface LiveEvents {
  /** Part of the transaction: sent when it commits, never when it rolls back. */
  publish(executor: Executor, userId: string, event: LiveEvent): Promise<void>
  subscribe(userId: string, signal?: AbortSignal): AsyncGenerator<LiveEvent>
  /** Ends when the session does: nothing is told to somebody who is signed out. */
  watch(viewer: { id: string; sessionId: string }, signal?: AbortSignal): AsyncGenerator<LiveEvent>
  /** Part of the transaction, like `publish`: the streams of this session end when it commits. */
  endStreams(executor: Executor, sessionId: string): Promise<void>
  /** Ends the streams on this node whose sessions are gone. */
  endStreamsOfGoneSessions(): Promise<void>
  stop(): Promise<void>
}

/** Holds one direct connection; when it breaks, connects again after 1, 2, 5, then each 10 seconds. */
export async function startLiveEvents(url: string, log: Log): Promise<LiveEvents> {
  const publisher = new EventPublisher<Record<string, LiveEvent>>()
  /** By session; aborting ends a stream. */
  const streams = new Map<string, Set<AbortController>>()
  let client: Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const fresh = new Client({ connectionString: url, keepAlive: true })
    fresh.on('notification', ({ payload }) => {
      const told = JSON.parse(payload ?? '{}') as Told
      if ('endedSession' in told) endStreamsHere(told.endedSession)
      else publisher.publish(told.userId, told.event)
    })
    fresh.on('error', () => {})
    const leave = () => void fresh.end().catch(() => {})
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
    } catch (error) {
      leave()
      throw error
    }
    if (stopped) return leave()
    // Only now: a connection that fails ends as well, and would be tried again twice.
    fresh.on('end', () => reconnect(0))
    client = fresh
    // What was said while nobody listened is lost.
    lookForGoneSessions()
  }
  function reconnect(attempt: number): void {
    if (stopped) return
    client = null
    const delay = [1, 2, 5, 10][Math.min(attempt, 3)]! * 1000
    retry = setTimeout(() => {
      listen().then(
        () => log.info('the event listener is connected again'),
        () => reconnect(attempt + 1),
      )
    }, delay)
  }
  function endStreamsHere(sessionId: string): void {
    for (const stream of streams.get(sessionId) ?? []) stream.abort()
  }
  async function endStreamsOfGoneSessions(): Promise<void> {
    if (!client || streams.size === 0) return
    const open = [...streams.keys()]
    const { rows } = await client.query<{ id: string }>(
      'select id from sessions where id = any($1::uuid[]) and expires_at > now()',
      [open],
    )
    const alive = new Set(rows.map(({ id }) => id))
    for (const sessionId of open) if (!alive.has(sessionId)) endStreamsHere(sessionId)
  }
  function lookForGoneSessions(): void {
    endStreamsOfGoneSessions().catch((error: unknown) =>
      log.warn({ err: error }, 'ended sessions were not looked for'),
    )
  }
  const tell = async (executor: Executor, told: Told) => {
    await executor.execute(sql`select pg_notify(${channel}, ${JSON.stringify(told)})`)
  }
  await listen()
  const looking = setInterval(lookForGoneSessions, lookEvery)

  return {
    publish: (executor, userId, event) => tell(executor, { userId, event }),
    subscribe: (userId, signal) => publisher.subscribe(userId, { signal }),
    async *watch({ id, sessionId }, signal) {
      const stream = new AbortController()
      const streamsOfSession = streams.get(sessionId) ?? new Set()
      streams.set(sessionId, streamsOfSession.add(stream))
      const either = signal ? AbortSignal.any([signal, stream.signal]) : stream.signal
      try {
        yield* publisher.subscribe(id, { signal: either })
      } catch (error) {
        if (!stream.signal.aborted) throw error
      } finally {
        streamsOfSession.delete(stream)
        if (streamsOfSession.size === 0) streams.delete(sessionId)
      }
    },
    endStreams: (executor, endedSession) => tell(executor, { endedSession }),
    endStreamsOfGoneSessions,
    async stop() {
      stopped = true
      clearInterval(looking)
      clearTimeout(retry)
      await client?.end()
    },
  }
}
