import { EventPublisher } from '@orpc/server'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import type { LiveEvent } from '../domains/notifications/schema.ts'
import type { Executor } from './db.ts'
import type { Log } from './log.ts'

const channel = 'thunder_events'

/** Events to the people who are looking, over PostgreSQL LISTEN/NOTIFY: every node hears every one. */
export interface LiveEvents {
  /** Part of the transaction: sent when it commits, never when it rolls back. */
  publish(executor: Executor, userId: string, event: LiveEvent): Promise<void>
  subscribe(userId: string, signal?: AbortSignal): AsyncGenerator<LiveEvent>
  stop(): Promise<void>
}

/** Holds one direct connection; when it breaks, connects again after 1, 2, 5, then each 10 seconds. */
export async function startLiveEvents(url: string, log: Log): Promise<LiveEvents> {
  const publisher = new EventPublisher<Record<string, LiveEvent>>()
  let client: Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const fresh = new Client({ connectionString: url, keepAlive: true })
    fresh.on('notification', ({ payload }) => {
      const { userId, event } = JSON.parse(payload ?? '{}') as { userId: string; event: LiveEvent }
      publisher.publish(userId, event)
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
  await listen()

  return {
    async publish(executor, userId, event) {
      await executor.execute(
        sql`select pg_notify(${channel}, ${JSON.stringify({ userId, event })})`,
      )
    },
    subscribe: (userId, signal) => publisher.subscribe(userId, { signal }),
    async stop() {
      stopped = true
      clearTimeout(retry)
      await client?.end()
    },
  }
}
