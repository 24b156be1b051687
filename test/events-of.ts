// What an open page of a person hears, without the page.
import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { sessions } from '../src/domains/accounts/tables.ts'
import type { LiveEvent } from '../src/domains/notifications/schema.ts'
import type { Services } from '../src/server/services.ts'

/** One piece of an event stream; without `event` it only says where to go on from. */
export interface StreamPiece {
  id?: string
  event?: LiveEvent
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function* bytesOf(reader: Reader): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Reads text/event-stream. Leaving the loop closes the stream. */
export async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  reader: Reader = body.getReader(),
): AsyncGenerator<StreamPiece> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of bytesOf(reader)) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const id = /^id: (.*)$/m.exec(part)?.[1]
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (id !== undefined || data !== undefined) {
        yield { id, event: data === undefined ? undefined : (JSON.parse(data) as LiveEvent) }
      }
    }
  }
}

export async function sessionIdOf({ db }: Services, userId: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const [session] = await db
    .insert(sessions)
    .values({ token, userId, expiresAt: sql`now() + interval '1 day'` })
    .returning({ id: sessions.id })
  return session!.id
}

interface Listening {
  next(): Promise<IteratorResult<LiveEvent, undefined>>
  return(value?: unknown): Promise<IteratorResult<LiveEvent, undefined>>
  [Symbol.asyncIterator](): Listening
}

/** Listens from the moment that this is answered; `return` ends it at once. */
export async function eventsOf(
  services: Services,
  userId: string,
  signal?: AbortSignal,
): Promise<Listening> {
  const sessionId = await sessionIdOf(services, userId)
  const body = services.events.watch({ userId, sessionId }, null)
  const reader = body.getReader()
  const pieces = piecesOf(body, reader)
  await pieces.next()
  signal?.addEventListener('abort', () => void reader.cancel())
  const events = (async function* () {
    for await (const { event } of pieces) if (event) yield event
    return undefined
  })()
  const listening: Listening = {
    next: () => events.next(),
    async return() {
      // A generator alone would first wait for the event that is being waited for.
      await reader.cancel()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => listening,
  }
  return listening
}
