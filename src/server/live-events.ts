import { Client } from 'pg'
import { withoutAccess } from '../domains/courses/access.ts'
import type { Db } from './db.ts'
import { type EventStream, type Pace, startEventStreams, type Viewing } from './event-streams.ts'
import type { FeatureSwitches } from './feature-switches.ts'
import type { Log } from './log.ts'
import { noticeDeath } from './notice-death.ts'
import { allEventsSince, eventsSince, horizonNow, remembered, type Since } from './past-events.ts'
import { eventChannel, type Told, type ToldEvent } from './publish.ts'

/**
 * Milliseconds between looks for what ended unsaid: sessions that expired or went with the account,
 * memberships that went with the course.
 */
const lookEvery = 30_000
/** Streams of one person on one node: pages that are looked at at once, and those that a proxy has not given up yet. */
export const mostStreams = 50
/** Events that the node remembers having heard. */
const mostHeard = 2000

const usualPace: Pace = { perSecond: 10, beatEvery: 20_000 }

/** Events to the people who are looking, over PostgreSQL LISTEN/NOTIFY: every node hears every one. */
export interface LiveEvents {
  /**
   * A stream (text/event-stream) of what happens to the person, and in the course when one is named: who asks
   * has made sure that the person may learn there. It ends when the session or the membership does.
   */
  watch(viewing: Viewing, since: Since): ReadableStream<Uint8Array>
  /** False when the person has as many streams as one may have on a node. */
  mayWatch(userId: string): boolean
  /** Ends the streams on this node whose sessions or memberships are gone. */
  endGoneStreams(): Promise<void>
  openStreams(): number
  /** Ends all streams of this node, for good: their clients go to another one. */
  hangUp(): void
  stop(): Promise<void>
}

interface Place {
  url: string
  db: Db
  log: Log
  /** Read anew when a node says that something was switched. */
  features: FeatureSwitches
}

/** Holds one direct connection; when it breaks, connects again after 1, 2, 5, then each 10 seconds. */
export async function startLiveEvents(
  { url, db, log, features }: Place,
  pace: Pace = usualPace,
): Promise<LiveEvents> {
  const streams = startEventStreams(pace)
  let client: Client | null = null
  let stopped = false
  let isLeaving = false
  let retry: NodeJS.Timeout | undefined
  /** All that ended before this transaction has been heard; null before the first connection. */
  let heardFrom: string | null = null
  let lostAt = 0
  const heard = new Set<number>()

  function hear(told: Told): void {
    if ('endedSession' in told) {
      return streams.endWhere(({ sessionId }) => sessionId === told.endedSession)
    }
    if ('endedAccess' in told) {
      const { userId, courseId } = told.endedAccess
      return streams.endWhere((one) => one.courseId === courseId && one.userId === userId)
    }
    if ('switched' in told) {
      features.read().catch((error: unknown) => log.warn({ err: error }, 'a switch was not read'))
      return
    }
    if (heard.has(told.id)) return
    heard.add(told.id)
    if (heard.size > mostHeard) heard.delete(heard.values().next().value!)
    heardFrom = told.horizon
    streams.tell(told)
  }

  /** What was said while nobody listened. */
  async function makeUp(): Promise<ToldEvent[]> {
    if (heardFrom === null) {
      heardFrom = await horizonNow(db)
      return []
    }
    const { position, horizon, events } = await allEventsSince(db, heardFrom)
    if (events !== null && performance.now() - lostAt < remembered * 1000) return events
    heardFrom = horizon
    streams.resetAll(position)
    return []
  }

  async function listen(): Promise<void> {
    const fresh = new Client({
      connectionString: url,
      application_name: 'thunder events',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: 10_000,
    })
    /** Told after what was missed: who is cut off later goes on after the last. */
    let meanwhile: Told[] | null = []
    fresh.on('notification', ({ payload }) => {
      const told = JSON.parse(payload ?? '{}') as Told
      if (meanwhile) meanwhile.push(told)
      else hear(told)
    })
    fresh.on('error', () => {})
    let isOver = false
    fresh.once('end', () => (isOver = true))
    const leave = () => void fresh.end().catch(() => {})
    try {
      await fresh.connect()
      await noticeDeath(fresh)
      await fresh.query(`listen ${eventChannel}`)
      for (const told of await makeUp()) hear(told)
      // Of an end that is over nothing below would hear.
      if (isOver) throw new Error('the connection of the event listener ended while it made up')
    } catch (error) {
      leave()
      throw error
    }
    if (stopped) return leave()
    for (const told of meanwhile) hear(told)
    meanwhile = null
    // Only now: a connection that fails ends as well, and would be tried again twice.
    fresh.on('end', () => {
      lostAt = performance.now()
      reconnect(0)
    })
    client = fresh
    // Ends that were said while nobody listened are not kept.
    look()
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

  /** Those of these whose session or membership is gone. */
  async function goneOf(some: EventStream[]): Promise<EventStream[]> {
    if (some.length === 0) return []
    const { rows } = await db.$client.query<{ id: string }>(
      'select id from sessions where id = any($1::uuid[]) and expires_at > now()',
      [[...new Set(some.map(({ viewing }) => viewing.sessionId))]],
    )
    const alive = new Set(rows.map(({ id }) => id))
    const memberships = some.flatMap(({ viewing: { userId, courseId } }) =>
      courseId ? [{ userId, courseId }] : [],
    )
    const lost = new Set(
      (await withoutAccess(db, memberships)).map(({ userId, courseId }) => userId + courseId),
    )
    return some.filter(
      ({ viewing: { userId, sessionId, courseId } }) =>
        !alive.has(sessionId) || (courseId !== undefined && lost.has(userId + courseId)),
    )
  }
  async function endGoneStreams(): Promise<void> {
    for (const stream of await goneOf([...streams.all()])) streams.end(stream)
  }
  function look(): void {
    // A connection that is dead without a word ends here. What was switched while it was may be unheard.
    const mine = client
    if (mine) features.read(mine).catch(() => mine.end().catch(() => {}))
    endGoneStreams().catch((error: unknown) =>
      log.warn({ err: error }, 'ended sessions and memberships were not looked for'),
    )
  }

  async function begin(stream: EventStream, since: Since): Promise<void> {
    // What ended since the guard looked was not told to a stream that did not exist.
    const gone = await goneOf([stream])
    if (gone.length > 0) return streams.end(stream)
    streams.begin(stream, await eventsSince(db, streams.topicsOf(stream.viewing), since))
  }

  await listen()
  const looking = setInterval(look, lookEvery)

  return {
    watch(viewing, since) {
      const stream = streams.open(viewing)
      if (isLeaving) {
        streams.end(stream)
        return stream.body
      }
      begin(stream, since).catch((error: unknown) => {
        log.warn({ err: error }, 'an event stream did not begin')
        streams.end(stream)
      })
      return stream.body
    },
    mayWatch: (userId) => streams.countOf(userId) < mostStreams,
    endGoneStreams,
    openStreams: streams.count,
    hangUp() {
      isLeaving = true
      streams.endWhere(() => true)
    },
    async stop() {
      stopped = true
      clearInterval(looking)
      clearTimeout(retry)
      streams.stop()
      await client?.end()
    },
  }
}
