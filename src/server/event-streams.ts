// The open event streams of this node: who follows what, and the pace at which they are told.
import type { LiveEvent } from '../domains/notifications/schema.ts'
import { courseTopic, personTopic, type ToldEvent } from './publish.ts'

/** Whose stream it is, and which course it follows. */
export interface Viewing {
  userId: string
  sessionId: string
  courseId?: string
}

export interface Pace {
  /** Events that a client gets in a second, at most. */
  perSecond: number
  /** Milliseconds between signs of life, which proxies and clients wait for. */
  beatEvery: number
}

/** Different events that may wait for a client; with one more, it is told to look at everything again. */
const mostWaiting = 100
/** Pieces that a client may leave unread before what follows waits. */
const mostUnread = 16
/** Beats are spread over so many turns: thousands of writes at once would hold everything else up. */
const turns = 20
/** Milliseconds between looks at clients for which something waits. */
const lookEvery = 50

/** One piece of a stream; the same bytes for everybody who gets it. */
interface Piece {
  id: string | number
  json: string
  /** A later piece about the same takes its place while it waits. */
  about: string
  bytes: Uint8Array
}

const encoder = new TextEncoder()
const beat = encoder.encode(': \n\n')
const reset: LiveEvent = { type: 'reset' }

/** Equal events are told once; of counts the last one says it all. */
const aboutOf = (event: LiveEvent, json: string) =>
  event.type === 'likes' ? `likes of ${event.commentId ?? event.postId}` : json

function pieceOf(id: string | number, event: LiveEvent): Piece {
  const json = JSON.stringify(event)
  const bytes = encoder.encode(`id: ${id}\nevent: message\ndata: ${json}\n\n`)
  return { id, json, about: aboutOf(event, json), bytes }
}

const aboutReset = pieceOf(0, reset).about

export interface EventStream {
  readonly viewing: Viewing
  readonly body: ReadableStream<Uint8Array>
  /** Null once the stream has ended. */
  controller: ReadableStreamDefaultController<Uint8Array> | null
  /** False until what it has missed is known: everything waits for that. */
  isReady: boolean
  /** By what they say: equal ones are told once. Null when nothing waits. */
  waiting: Map<string, Piece> | null
  /** When it was told something, as often as a second allows; null when never. */
  toldAt: number[] | null
  /** Read from the table: the listener may still bring them. */
  replayed: Set<number> | null
  /** True when a whole turn went by in which the client read nothing. */
  isStuck: boolean
  readonly turn: number
}

/** Known to the web server as a visitor who went away, which it does not make a fuss of. */
const gaveUpReading = () =>
  Object.assign(new Error('the client does not read'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })

export function startEventStreams(pace: Pace) {
  const byTopic = new Map<string, Set<EventStream>>()
  const byTurn = Array.from({ length: turns }, () => new Set<EventStream>())
  /** For whom something waits. */
  const behind = new Set<EventStream>()
  let catchingUp: NodeJS.Timeout | undefined
  let opened = 0
  let turn = 0

  const topicsOf = ({ userId, courseId }: Viewing) =>
    courseId ? [personTopic(userId), courseTopic(courseId)] : [personTopic(userId)]

  function leave(stream: EventStream): void {
    stream.controller = null
    stream.waiting = null
    byTurn[stream.turn]!.delete(stream)
    behind.delete(stream)
    for (const topic of topicsOf(stream.viewing)) {
      const streams = byTopic.get(topic)
      streams?.delete(stream)
      if (streams?.size === 0) byTopic.delete(topic)
    }
  }

  /** Its topics are followed from now on, but nothing is told before `begin`. */
  function open(viewing: Viewing): EventStream {
    let controller: EventStream['controller'] = null
    const body = new ReadableStream<Uint8Array>(
      { start: (own) => void (controller = own), cancel: () => leave(stream) },
      { highWaterMark: mostUnread },
    )
    const stream: EventStream = {
      viewing,
      body,
      controller,
      isReady: false,
      waiting: null,
      toldAt: null,
      replayed: null,
      isStuck: false,
      turn: opened++ % turns,
    }
    byTurn[stream.turn]!.add(stream)
    for (const topic of topicsOf(viewing)) {
      const streams = byTopic.get(topic)
      if (streams) streams.add(stream)
      else byTopic.set(topic, new Set([stream]))
    }
    return stream
  }

  /** What was missed comes first; null when that is not known. */
  function begin(
    stream: EventStream,
    past: { position: string; events: ToldEvent[] | null },
  ): void {
    if (!stream.controller) return
    const meanwhile = stream.waiting
    stream.waiting = null
    stream.isReady = true
    if (past.events === null) push(stream, pieceOf(past.position, reset))
    else if (past.events.length > 0) {
      stream.replayed = new Set(past.events.map(({ id }) => id))
      for (const { id, event } of past.events) push(stream, pieceOf(id, event))
    } else {
      // Where to go on from when nothing was told yet.
      stream.controller.enqueue(encoder.encode(`id: ${past.position}\n\n`))
    }
    for (const piece of meanwhile?.values() ?? []) {
      if (!stream.replayed?.delete(Number(piece.id))) push(stream, piece)
    }
  }

  function mayBeTold({ controller, toldAt }: EventStream, now: number): boolean {
    if (!controller || !((controller.desiredSize ?? 0) > 0)) return false
    return !toldAt || toldAt.length < pace.perSecond || now - toldAt[0]! >= 1000
  }
  function tellNow(stream: EventStream, { bytes }: Piece, now: number): void {
    stream.controller?.enqueue(bytes)
    const times = (stream.toldAt ??= [])
    times.push(now)
    if (times.length > pace.perSecond) times.shift()
  }

  function push(stream: EventStream, piece: Piece): void {
    if (!stream.waiting && stream.isReady) {
      const now = performance.now()
      if (mayBeTold(stream, now)) return tellNow(stream, piece, now)
    }
    const waiting = (stream.waiting ??= new Map())
    // Who looks at everything again sees this as well.
    if (waiting.has(aboutReset)) waiting.set(aboutReset, pieceOf(piece.id, reset))
    else if (waiting.size >= mostWaiting && !waiting.has(piece.about)) {
      waiting.clear()
      waiting.set(aboutReset, pieceOf(piece.id, reset))
    } else if (waiting.get(piece.about)?.json !== piece.json) {
      // To the end: who is cut off goes on from the last id, and has been told everything before it.
      waiting.delete(piece.about)
      waiting.set(piece.about, piece)
    }
    if (stream.isReady) {
      behind.add(stream)
      catchingUp ??= setInterval(catchUp, lookEvery)
    }
  }

  function catchUp(): void {
    const now = performance.now()
    for (const stream of behind) {
      for (const [about, piece] of stream.waiting ?? []) {
        if (!mayBeTold(stream, now)) break
        stream.waiting!.delete(about)
        tellNow(stream, piece, now)
      }
      if (stream.waiting?.size) continue
      stream.waiting = null
      behind.delete(stream)
    }
    if (behind.size > 0) return
    clearInterval(catchingUp)
    catchingUp = undefined
  }

  function end(stream: EventStream): void {
    const { controller } = stream
    leave(stream)
    controller?.close()
  }

  function* all(): Generator<EventStream> {
    for (const streams of byTurn) yield* streams
  }

  const beating = setInterval(() => {
    for (const stream of byTurn[turn++ % turns]!) {
      const { controller, isStuck } = stream
      const reads = (controller?.desiredSize ?? 0) > 0
      if (!reads && isStuck) {
        leave(stream)
        controller?.error(gaveUpReading())
      }
      stream.isStuck = !reads
      // Long ago by now, as far as the listener is concerned.
      if (stream.isReady) stream.replayed = null
      if (reads) controller?.enqueue(beat)
    }
  }, pace.beatEvery / turns)

  return {
    open,
    begin,
    end,
    all,
    topicsOf,
    tell({ id, topic, event }: ToldEvent): void {
      const streams = byTopic.get(topic)
      if (!streams) return
      const piece = pieceOf(id, event)
      for (const stream of streams) if (!stream.replayed?.delete(id)) push(stream, piece)
    },
    /** All of them are to look at everything again. */
    resetAll(position: string): void {
      const piece = pieceOf(position, reset)
      for (const stream of all()) push(stream, piece)
    },
    endWhere(isMeant: (viewing: Viewing) => boolean): void {
      for (const stream of all()) if (isMeant(stream.viewing)) end(stream)
    },
    count: () => byTurn.reduce((sum, streams) => sum + streams.size, 0),
    countOf: (userId: string) => byTopic.get(personTopic(userId))?.size ?? 0,
    stop(): void {
      clearInterval(beating)
      clearInterval(catchingUp)
      for (const stream of all()) end(stream)
    },
  }
}
