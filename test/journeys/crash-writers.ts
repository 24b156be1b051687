// People who write all the time, and remember what the server has acknowledged.
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'

export interface Place {
  url: string
  postId: string
  lessonIds: string[]
}

/** Of something that has one value: the last one that was acknowledged, and those sent since. */
interface Register {
  acknowledged: unknown
  sentSince: unknown[]
}

interface Attempt {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  acknowledged: (answer: Record<string, unknown>) => void
}

/** Milliseconds between tries while nobody is there. */
const pause = 50

export interface Writer {
  name: string
  userId: string
  /** By text: the id that the server answered, or null when it did not answer. */
  comments: Map<string, string | null>
  likes: Register
  /** By lesson: true for complete. */
  completions: Map<string, Register>
  positions: Map<string, Register>
}

export interface Tally {
  acknowledged: number
  /** When the newest acknowledged request was sent, by `performance.now()`. */
  sent: number
  /** Requests that broke off, or met nobody. */
  broken: number
  /** What was answered otherwise than with success, with how often. */
  refused: Map<string, number>
}

const newRegister = (): Register => ({ acknowledged: undefined, sentSince: [] })

/** Somebody who has written nothing yet. */
export const newWriter = (name: string, userId: string): Writer => ({
  name,
  userId,
  comments: new Map(),
  likes: newRegister(),
  completions: new Map(),
  positions: new Map(),
})

export const newTally = (): Tally => ({ acknowledged: 0, sent: 0, broken: 0, refused: new Map() })

const registerOf = (registers: Map<string, Register>, key: string) => {
  const known = registers.get(key) ?? newRegister()
  registers.set(key, known)
  return known
}

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)]!

function setting(register: Register, value: unknown): () => void {
  register.sentSince.push(value)
  return () => {
    // Who waits for each answer knows that what was sent before came before.
    register.acknowledged = value
    register.sentSince = []
  }
}

function nextAttempt(writer: Writer, { postId, lessonIds }: Place): Attempt {
  const lessonId = pick(lessonIds)
  switch (randomInt(4)) {
    case 0: {
      const text = `comment ${randomUUID()}`
      writer.comments.set(text, null)
      return {
        method: 'POST',
        path: '/rest/v1/comments',
        body: { postId, content: text },
        acknowledged: ({ id }) => writer.comments.set(text, String(id)),
      }
    }
    case 1: {
      const liked = randomInt(2) === 1
      return {
        method: 'PUT',
        path: `/rest/v1/posts/${postId}/like`,
        body: { liked },
        acknowledged: setting(writer.likes, liked),
      }
    }
    case 2: {
      const done = randomInt(2) === 1
      return {
        method: done ? 'PUT' : 'DELETE',
        path: `/rest/v1/lessons/${lessonId}/completion`,
        acknowledged: setting(registerOf(writer.completions, lessonId), done),
      }
    }
    default: {
      const seconds = randomInt(3600)
      return {
        method: 'PUT',
        path: `/rest/v1/lessons/${lessonId}/position`,
        body: { seconds },
        acknowledged: setting(registerOf(writer.positions, lessonId), seconds),
      }
    }
  }
}

/** One request after the other, until it is told to end. */
export async function writeOn(
  writer: Writer,
  cookie: string,
  place: Place,
  { tally, ending }: { tally: Tally; ending: AbortSignal },
): Promise<void> {
  while (!ending.aborted) {
    const { method, path, body, acknowledged } = nextAttempt(writer, place)
    const sent = performance.now()
    const answer = await fetch(place.url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (!answer || typeof text !== 'string') {
      tally.broken += 1
      await delay(pause)
    } else if (answer.ok) {
      acknowledged(JSON.parse(text))
      tally.acknowledged += 1
      tally.sent = Math.max(tally.sent, sent)
    } else {
      const said = `${answer.status} ${text}`
      tally.refused.set(said, (tally.refused.get(said) ?? 0) + 1)
      await delay(pause)
    }
  }
}

const fits = ({ acknowledged, sentSince }: Register, stored: unknown) =>
  stored === acknowledged || sentSince.includes(stored)

/** Everything that was acknowledged and is not there, or is there twice; and counters that do not count. */
export async function findLosses(
  database: Client,
  writers: Writer[],
  { postId }: Place,
): Promise<string[]> {
  const read = async (statement: string, values: unknown[]) =>
    (await database.query(statement, values)).rows as Record<string, string | number>[]
  const losses: string[] = []
  for (const { name, userId, comments, likes, completions, positions } of writers) {
    const stored = await read('select id, content from comments where user_id = $1', [userId])
    const byText = Map.groupBy(stored, ({ content }) => content)
    for (const [text, id] of comments) {
      const rows = byText.get(text) ?? []
      if (rows.length > 1) losses.push(`${name}: ${text} is there ${rows.length} times`)
      if (id !== null && rows[0]?.id !== id) losses.push(`${name}: ${text} was acknowledged`)
    }
    const liked = await read('select 1 from post_likes where user_id = $1 and post_id = $2', [
      userId,
      postId,
    ])
    if (!fits(likes, liked.length > 0) && !(likes.acknowledged === undefined && !liked.length)) {
      losses.push(`${name}: the like should be ${likes.acknowledged}`)
    }
    const done = await read('select lesson_id from lesson_completions where user_id = $1', [userId])
    const complete = new Set(done.map((row) => row.lesson_id))
    for (const [lessonId, register] of completions) {
      const isThere = complete.has(lessonId)
      if (!fits(register, isThere) && !(register.acknowledged === undefined && !isThere)) {
        losses.push(`${name}: lesson ${lessonId} should be ${register.acknowledged}`)
      }
    }
    const places = await read(
      'select lesson_id, seconds from lesson_positions where user_id = $1',
      [userId],
    )
    const at = new Map(places.map((row) => [row.lesson_id, Number(row.seconds)]))
    for (const [lessonId, register] of positions) {
      const isThere = at.get(lessonId)
      if (!fits(register, isThere)) {
        losses.push(`${name}: lesson ${lessonId} is at ${isThere}, not ${register.acknowledged}`)
      }
    }
  }
  const [counts] = await read(
    `select p.comments_count, p.likes_count,
            (select count(*)::int from comments c where c.post_id = p.id) as comments,
            (select count(*)::int from post_likes l where l.post_id = p.id) as likes
       from posts p where p.id = $1`,
    [postId],
  )
  const { comments_count, likes_count, comments, likes } = counts!
  if (comments_count !== comments) losses.push(`${comments_count} of ${comments} comments counted`)
  if (likes_count !== likes) losses.push(`${likes_count} of ${likes} likes counted`)
  return losses
}
