import type * as z from 'zod'
import type { positionSave, SavedPosition } from '../schema.ts'
import { secondsSince } from './seconds-since.ts'

type Body = Omit<z.input<typeof positionSave>, 'lessonId'>
type Stretch = { from: number; to: number }

/** What the server does not know yet. */
export type Unsaved = {
  /** Of which video: another one of the lesson is nothing that it is true of. */
  video: string
  /** Where the person is, in seconds. */
  seconds: number
  /** Where the server thinks that they are. */
  savedSeconds: number
  /** How long ago the person was there. */
  secondsAgo: number
  /** Where it may think so as well: told since, and no answer came. */
  told: number[]
  played: Stretch[]
  /** How long the video is, once its end was reached. */
  endedAt: number | null
}

type Listener = {
  onSaved: (answer: SavedPosition) => void
  /** Another device was there later than this one, and is here by now. */
  onOvertaken: (seconds: number) => void
  /** To be kept for another visit, as the server could not be reached; null when nothing is left to say. */
  keep: (unsaved: Unsaved | null) => void
  /** The lesson has another video by now. */
  onReplaced: () => void
}

/** The server takes as many at once. */
const mostStretches = 20
/** Seconds until the next try, without any news from the player. */
const waits = [5, 10, 20, 40, 60]
/** Milliseconds after which nobody waits for an answer any longer. */
const patience = 15_000
/** Places without an answer that are remembered: well over half an hour of playing. */
const mostTold = 500
/** Seconds after which it is said how long ago the person was there. */
const late = 10
/** Seconds that a page may take from being read to being shown: what was answered in that time is newer. */
const slowestPage = 30

/**
 * Tells the server where a person is in a video of a lesson and what was played. One request after the
 * other; what came meanwhile goes with the next one, and what was not answered is told again. Not
 * through the API client: a page that goes away needs `keepalive`.
 */
export function createPositionSaver(lessonId: string, video: string, savedAtFirst: number) {
  let listener: Listener | null = null
  let saved = rounded(savedAtFirst)
  let wanted = saved
  /** How long ago the person was there. */
  let wantedFor = secondsSince()
  /** How long ago the server said where they are. */
  let heardFor = secondsSince()
  /** Places that the server may have stored: they were sent, and no answer came. */
  let told: number[] = []
  /** Each stretch stays until an answer that accepts it. */
  let played: Stretch[] = []
  let endedAt: number | null = null
  /** Seconds of playing in one report; fewer after one that said more than can have been. */
  let most = Number.POSITIVE_INFINITY
  let sending = 0
  let failures = 0
  let isScheduled = false
  let isLeaving = false
  let isStopped = false
  /** Of a video that the lesson has no more, nothing is told. */
  let isReplaced = false
  let retry: ReturnType<typeof setTimeout> | undefined

  const hasNews = () => !isReplaced && (wanted !== saved || played.length > 0 || endedAt !== null)

  /** What the player says in one moment becomes one request, also while the page goes away. */
  function schedule(leaving: boolean) {
    isLeaving ||= leaving
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      flush()
    })
  }

  function flush() {
    const leaving = isLeaving
    isLeaving = false
    if (!hasNews()) return
    // What is under way may never be answered, and after a reload the next page may be read before this arrives.
    if (leaving) keep()
    // Who leaves does not wait for an answer: there may be no later.
    if (leaving || sending === 0) void send()
  }

  async function send() {
    clearTimeout(retry)
    let stretches = played
    let hasRest = false
    // While a request is under way, its stretches have to be found again by its answer.
    if (sending === 0) {
      const [first, rest] = divided(united(played), most)
      stretches = first
      hasRest = rest.length > 0
      played = [...first, ...rest]
    }
    // Whether a video was watched is decided with its end, which therefore goes with the last of what was played.
    const isAll = stretches.length <= mostStretches && !hasRest
    const sent = {
      seconds: wanted,
      secondsAgo: Math.round(wantedFor()),
      played: stretches.slice(-mostStretches),
      endedAt: isAll ? endedAt : null,
    }
    told = [...new Set([...told, wanted])].slice(-mostTold)
    sending += 1
    const answer = await put(sent)
    sending -= 1
    if (answer === 'refused' || answer === 'replaced') {
      // Said in words elsewhere: they are no member any more. Nobody waits for this.
      saved = wanted
      told = []
      played = []
      endedAt = null
      if (answer === 'replaced' && !isReplaced) {
        isReplaced = true
        // Whoever has gone on to another lesson is told nothing of this one.
        if (!isStopped) listener?.onReplaced()
      }
    } else if (answer === 'unreachable') {
      failures += 1
      keep()
      return tryLater()
    } else {
      failures = 0
      saved = rounded(answer.seconds)
      heardFor = secondsSince()
      if (saved !== sent.seconds && wanted === sent.seconds) {
        wanted = saved
        // The player shows another lesson by now.
        if (!isStopped) listener?.onOvertaken(saved)
      }
      // What is still under way may arrive after this.
      if (sending === 0) told = []
      most = answer.accepted ? Number.POSITIVE_INFINITY : lengthOf(sent.played) / 2
      if (answer.accepted) {
        played = played.filter((stretch) => !sent.played.includes(stretch))
        if (endedAt === sent.endedAt) endedAt = null
      }
      listener?.onSaved(answer)
      // Time has to pass, until as much may have been played.
      if (!answer.accepted) return tryLater()
    }
    if (!hasNews()) listener?.keep(null)
    else if (sending === 0) void send()
  }

  async function put(sent: Pick<Unsaved, 'seconds' | 'secondsAgo' | 'played' | 'endedAt'>) {
    const body: Body = { video, seconds: sent.seconds }
    if (sent.secondsAgo >= late) body.secondsAgo = sent.secondsAgo
    if (sent.played.length > 0) body.played = sent.played
    if (sent.endedAt !== null) Object.assign(body, { duration: sent.endedAt, ended: true })
    try {
      const response = await fetch(`/rest/v1/lessons/${lessonId}/position`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        keepalive: true,
        signal: AbortSignal.timeout(patience),
      })
      if (response.ok) return (await response.json()) as SavedPosition
      if (response.status === 409) return 'replaced'
      // Whose log-in has ended may log in again, and goes on with this.
      const isOurs = response.status < 500 && ![401, 429].includes(response.status)
      return isOurs ? 'refused' : 'unreachable'
    } catch {
      return 'unreachable'
    }
  }

  const keep = () =>
    listener?.keep({
      video,
      seconds: wanted,
      savedSeconds: saved,
      secondsAgo: Math.round(wantedFor()),
      told,
      played: united(played),
      endedAt,
    })

  function tryLater() {
    clearTimeout(retry)
    if (isStopped) return
    const seconds = waits[Math.min(failures, waits.length) - 1] ?? waits[0]!
    retry = setTimeout(() => schedule(false), seconds * 1000)
  }

  const whenOnline = () => schedule(false)

  return {
    /** The person is here. `leaving`: at once, without waiting for a save that is under way. */
    isAt(seconds: number, leaving = false) {
      // Who leaves a video where it was has not been there since.
      if (wanted !== rounded(seconds)) wantedFor = secondsSince()
      wanted = rounded(seconds)
      schedule(leaving)
    },
    hasPlayed({ from, to }: Stretch, leaving = false) {
      played.push({ from: rounded(from), to: rounded(to) })
      schedule(leaving)
    },
    /** The video, so many seconds long, came to its end. */
    hasEnded(duration: number) {
      endedAt = rounded(duration)
      schedule(false)
    },
    /** Tells what another visit could not. True when the person was further than the server knows. */
    goOnWith(unsaved: Unsaved): boolean {
      played.push(...unsaved.played)
      endedAt ??= unsaved.endedAt
      // Else another device was here in the meantime.
      const isKnown = [unsaved.savedSeconds, ...unsaved.told].includes(saved)
      const isLatest = isKnown && unsaved.seconds !== saved
      if (isLatest) wanted = unsaved.seconds
      wantedFor = secondsSince(unsaved.secondsAgo)
      schedule(false)
      return isLatest
    },
    /** A page that was read anew says where the person is. True when that is another place, and newer than what is known here. */
    takesOver(seconds: number): boolean {
      const isNewer = !hasNews() && sending === 0 && heardFor() > slowestPage
      if (!isNewer || rounded(seconds) === saved) return false
      saved = wanted = rounded(seconds)
      return true
    },
    /** Tries again by itself until the answer is called; the listener hears the rest, too. */
    start(heard: Listener) {
      listener = heard
      isStopped = false
      addEventListener('online', whenOnline)
      return () => {
        isStopped = true
        clearTimeout(retry)
        removeEventListener('online', whenOnline)
      }
    },
  }
}

/** The same stretches in order, those that touch as one. */
export function united(stretches: Stretch[]): Stretch[] {
  const whole: Stretch[] = []
  for (const { from, to } of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = whole.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else whole.push({ from, to })
  }
  return whole
}

const lengthOf = (stretches: Stretch[]) =>
  stretches.reduce((sum, { from, to }) => sum + to - from, 0)

/** The first so many seconds of the stretches, and the rest. */
function divided(stretches: Stretch[], seconds: number): [Stretch[], Stretch[]] {
  const first: Stretch[] = []
  const rest: Stretch[] = []
  let left = seconds
  for (const { from, to } of stretches) {
    const middle = Math.min(to, from + left)
    left -= middle - from
    if (middle > from) first.push({ from, to: middle })
    if (middle < to) rest.push({ from: middle, to })
  }
  return [first, rest]
}

const rounded = (seconds: number) => Math.round(seconds * 100) / 100
