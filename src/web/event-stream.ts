// The one event stream of this tab, shared by all who follow it.
import type { LiveEvent } from '../domains/notifications/schema.ts'
import { setSignedOut, wasSignedOut } from './signed-out.ts'
import { hasUnsaved, noteWriting } from './unsaved.ts'

/** Seconds to wait before connecting again (spec 1, section 9); the last one repeats. */
const backOff = [1, 2, 5, 10]
/** Seconds after which it is looked again whether somebody has logged in, or has nothing unsaved any more. */
const untilSignedIn = 10
/** Seconds after which a connection counts as a good one. */
const steadyAfter = 10
/** Seconds in which an answer comes, and then at least a sign of life. */
const patience = { answer: 10, life: 45 }
/** Milliseconds of which the server tells what happened without knowing where we were. */
const mostAge = 60_000
/** Events that are remembered, so that none is told twice. */
const mostHad = 200
/** Milliseconds that a page may take from reading its data to following; what is heard meanwhile is news to it. */
const slowestPage = 10_000

interface Follower {
  courseId: string | undefined
  /** Whether it is told what came just before, too, as its page had perhaps been read by then. */
  looksBack: boolean
  onEvent: (event: LiveEvent) => void
  onGap: () => void
}

const followers = new Set<Follower>()
const had = new Set<string>()
let heard: { event: LiveEvent; at: number }[] = []
/** The id of the latest event, while the same things are followed. */
let latest: string | undefined
/** When something was heard last, or the page was asked for. */
let heardAt = 0
let stream: { courseId: string | undefined; closing: AbortController } | undefined
/** The course that may not be followed; its page is being left. */
let refusedCourse: string | undefined

/** Follows until the returned function is called. At most one course at a time: the one that came last. */
export function follow(follower: Follower): () => void {
  if (followers.size === 0) {
    document.addEventListener('visibilitychange', settle)
    document.addEventListener('input', noteWriting)
  }
  followers.add(follower)
  // When a page makes way for another one, the stream goes on.
  queueMicrotask(settle)
  if (follower.looksBack) {
    const since = performance.now() - slowestPage
    queueMicrotask(() => {
      for (const { event, at } of heard) if (at > since) follower.onEvent(event)
    })
  }
  return () => {
    followers.delete(follower)
    if (followers.size === 0) {
      document.removeEventListener('visibilitychange', settle)
      document.removeEventListener('input', noteWriting)
    }
    queueMicrotask(settle)
  }
}

/**
 * Opens, changes or closes the stream. A hidden page holds none: over HTTP/1.1 a browser has six
 * connections for all tabs of a site.
 */
function settle(): void {
  const courses = [...followers].flatMap(({ courseId }) => courseId ?? [])
  if (!courses.includes(refusedCourse ?? '')) refusedCourse = undefined
  const courseId = courses.findLast((course) => course !== refusedCourse)
  const isWanted = followers.size > 0 && !document.hidden
  if (isWanted && stream?.courseId === courseId && stream) return
  if (!isWanted && !stream) return
  stream?.closing.abort()
  // Where one stream was, another one cannot go on.
  if (isWanted && stream) latest = undefined
  stream = isWanted ? { courseId, closing: new AbortController() } : undefined
  if (stream) void stay(courseId, stream.closing.signal)
}

const tellGap = () => followers.forEach(({ onGap }) => onGap())

function hear(piece: string): void {
  const id = /^id: (.*)$/m.exec(piece)?.[1]
  const data = /^data: (.*)$/m.exec(piece)?.[1]
  if (id) latest = id
  if (!data || (id && had.has(id))) return
  if (id) had.add(id)
  if (had.size > mostHad) had.delete(had.values().next().value!)
  const event = JSON.parse(data) as LiveEvent
  const now = performance.now()
  heard = [...heard.filter(({ at }) => now - at < slowestPage), { event, at: now }]
  if (event.type === 'reset') tellGap()
  else for (const { onEvent } of followers) onEvent(event)
}

/**
 * Stays connected until the signal aborts or the session has ended. To look again then leads to /login, which would
 * take what is not saved: where something is, that is said instead.
 */
async function stay(courseId: string | undefined, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const outcome = await connect(courseId, signal)
    if (signal.aborted) return
    if (outcome === 'signed out') {
      setSignedOut(hasUnsaved())
      if (!wasSignedOut()) return tellGap()
      // One after the other: this waits.
      // oxlint-disable-next-line no-await-in-loop
      await pause(untilSignedIn * 1000, signal)
      continue
    }
    if (outcome === 'refused') {
      refusedCourse = courseId
      tellGap()
      return settle()
    }
    if (outcome === 'was steady') failures = 0
    const seconds = backOff[Math.min(failures, backOff.length - 1)] ?? 10
    failures += 1
    await pause(seconds * 1000, signal)
  }
}

type Outcome = 'signed out' | 'refused' | 'lost' | 'was steady'

async function connect(courseId: string | undefined, signal: AbortSignal): Promise<Outcome> {
  const dead = new AbortController()
  const cut = () => dead.abort()
  const expect = (seconds: number) => setTimeout(cut, seconds * 1000)
  // A connection that dies with the network says nothing.
  addEventListener('offline', cut)
  let timer = expect(patience.answer)
  let connectedAt = Number.POSITIVE_INFINITY
  try {
    const query = new URLSearchParams(courseId ? { courseId } : {})
    const age = Math.ceil(performance.now() - heardAt)
    if (!latest && age <= mostAge) query.set('age', String(age))
    const answer = await fetch(`/realtime/v1/events?${query}`, {
      headers: latest ? { 'last-event-id': latest } : {},
      signal: AbortSignal.any([signal, dead.signal]),
    })
    if (answer.status === 401) return 'signed out'
    if (courseId && (answer.status === 403 || answer.status === 404)) return 'refused'
    if (!answer.ok || !answer.body) return 'lost'
    connectedAt = performance.now()
    if ((!latest && age > mostAge) || wasSignedOut()) {
      setSignedOut(false)
      tellGap()
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      clearTimeout(timer)
      timer = expect(patience.life)
      const { done, value } = await reader.read()
      if (done || signal.aborted) break
      heardAt = performance.now()
      const pieces = (rest + value).split('\n\n')
      rest = pieces.pop() ?? ''
      pieces.forEach(hear)
    }
  } catch {
    // The server is away, or the connection broke.
  } finally {
    clearTimeout(timer)
    removeEventListener('offline', cut)
  }
  return performance.now() - connectedAt > steadyAfter * 1000 ? 'was steady' : 'lost'
}

/** Ends early when the network is back. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end, { signal: done.signal })
    signal.addEventListener('abort', end, { signal: done.signal })
  })
}
