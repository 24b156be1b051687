import type { LessonVideo } from '../schema.ts'
import type { Stream } from './player-hls.ts'

type File = Extract<LessonVideo, { kind: 'file' }>
/** What a player has to know about a file; of one elsewhere most is not known. */
export type PlayableFile = Omit<
  File,
  'kind' | 'mediaId' | 'durationSeconds' | 'contentType' | 'isProcessing'
> & {
  contentType: string | null
  isProcessing?: boolean
}

/** The stream's own choice, one of its heights, or the file as it was uploaded. */
export type Quality = 'auto' | 'original' | number

type Kind = 'original' | 'stream'

export type SourceState = {
  /** Of the stream, the largest first; empty until it was loaded. */
  heights: number[]
  quality: Quality
  /** The height of the stream that plays now. */
  height: number | null
  /** Somebody wants to play, and the stream is on its way. */
  isPreparing: boolean
}

export const sourceAtFirst: SourceState = {
  heights: [],
  quality: 'auto',
  height: null,
  isPreparing: false,
}

type SourceOptions = {
  file: PlayableFile
  /** The video is about to lose its place: remember it. Answers with the second. */
  onLeavingPlace: () => number
  onChange: (state: SourceState) => void
  /** Nothing plays. */
  onFailed: () => void
  /** The addresses are too old; new ones come through `renew`. False when nobody can get any. */
  onStale: () => boolean
  /** The account plays on other devices, as many as it may. False when nobody can do anything about it. */
  onPlaysElsewhere: () => boolean
}

/** How the server refuses a film that has no place among those that an account plays at once. */
const playsElsewhere = 409
/** Times that somebody is asked to do something about it without the film playing in between. */
const mostRefusals = 5

/** Milliseconds for the page to come with new addresses. */
const patience = 10_000

/** Milliseconds between two looks for a server that is out of reach. */
const lookEvery = 3000

/** Sources beside the file's own type: a name may say less than a browser can play. */
const usualTypes = [
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/x-msvideo',
  'video/mov',
]

/** The types of a file's sources, the likeliest first. */
export const sourceTypes = (contentType: string | null) =>
  contentType === null ? usualTypes : [...new Set([contentType, ...usualTypes])]

/** Elsewhere the browser plays streams by itself, and what could is not loaded. */
const hasMediaSource = () => 'MediaSource' in window || 'ManagedMediaSource' in window

/** What the server says to an address; null when it is out of reach. */
async function answerOf(url: string): Promise<number | null> {
  try {
    const { status } = await fetch(url, { headers: { range: 'bytes=0-0' } })
    return status
  } catch {
    return null
  }
}

/** How the server, or what stands before it, says that it cannot answer for the moment. */
const outOfService = new Set([502, 503, 504])

/** Whether the server cannot be asked, after this answer of a film; where there was none, the server may be there. */
async function isAway(answer: number | null | undefined) {
  const told = answer === null ? await answerOf('/healthz') : answer
  return told === null || (told !== undefined && outOfService.has(told))
}

/**
 * What a video element plays. At first the original, which the page was rendered with; from the first press
 * on the stream, where there is one. Each is tried when the other fails, and old addresses are renewed once.
 */
export function createVideoSource(video: HTMLVideoElement, options: SourceOptions) {
  let file = options.file
  let state = sourceAtFirst
  let kind: Kind = 'original'
  let stream: Stream | null = null
  let hasBegun = false
  let wantsToPlay = false
  let isGone = false
  let hasRenewed = false
  let hasTriedAgain = false
  /** It has played since it was loaded, so what stops it may be an address that is over. */
  let mayBeginAnew = false
  /** Refused because of other devices: nothing is loaded before somebody has done something about it. */
  let isHeld = false
  let refusals = 0
  let renewed: ((fresh: PlayableFile | null) => void) | null = null
  /** While the server is out of reach; what is loaded meanwhile ends it. */
  let waiting: AbortController | null = null
  const broken = new Set<Kind>()

  function change(next: Partial<SourceState>) {
    state = { ...state, ...next }
    if (!isGone) options.onChange(state)
  }

  const start = () => void video.play().catch(() => {})

  async function load(next: Kind) {
    // Loaded before the place is left, so that what plays goes on playing meanwhile.
    const hls =
      next === 'stream' && hasMediaSource()
        ? await import('./player-hls.ts').catch(() => null)
        : null
    if (isGone) return
    const plays = !video.paused || wantsToPlay
    const startAt = options.onLeavingPlace()
    stream?.destroy()
    stream = null
    kind = next
    isHeld = false
    stopWaiting()
    if (next === 'stream' && file.hlsUrl !== null && hls?.canStream()) {
      stream = hls.attachStream(video, {
        url: file.hlsUrl,
        startAt,
        onHeights: (heights) => {
          change({ heights })
          if (typeof state.quality === 'number') stream?.choose(state.quality)
        },
        onHeight: (height) => change({ height }),
        onFailed: (status) => void fails('stream', status),
      })
    } else {
      video.src = next === 'stream' && file.hlsUrl !== null ? file.hlsUrl : file.url
      video.load()
      change({ height: null })
    }
    wantsToPlay = false
    if (plays) start()
  }

  /** New addresses, or null when there are none in time. */
  async function renewal(): Promise<PlayableFile | null> {
    hasRenewed = true
    const fresh = new Promise<PlayableFile | null>((resolve) => {
      renewed = resolve
      setTimeout(resolve, patience, null)
    })
    return options.onStale() ? fresh : null
  }

  function stopWaiting() {
    if (!waiting) return
    waiting.abort()
    waiting = null
    change({ isPreparing: false })
  }

  /** No failure of the film: it goes on by itself. What is in the buffer of a stream plays meanwhile. */
  function waitForServer() {
    const { signal } = (waiting = new AbortController())
    if (stream) wantsToPlay = false
    else change({ isPreparing: wantsToPlay })
    async function look() {
      if (signal.aborted) return
      const isStillAway = await isAway(await answerOf(file.url))
      if (signal.aborted) return
      if (isStillAway) setTimeout(look, lookEvery)
      else begin()
    }
    setTimeout(look, lookEvery)
  }

  /** Anew, and as if somebody had pressed play if they wait for that. */
  function begin() {
    const next = wantsToPlay && shouldStream() ? 'stream' : kind
    hasBegun ||= wantsToPlay
    void load(next)
  }

  function holds() {
    isHeld = true
    // Who only looks at the page is not asked anything.
    if (!wantsToPlay) return true
    refusals += 1
    wantsToPlay = false
    video.pause()
    return refusals <= mostRefusals && options.onPlaysElsewhere()
  }

  async function fails(which: Kind, status?: number) {
    if (isGone || which !== kind || isHeld || waiting) return
    if (!stream) options.onLeavingPlace()
    wantsToPlay ||= !video.paused
    const isBroken = video.error?.code === MediaError.MEDIA_ERR_DECODE
    // A file elsewhere has one address, which is as good as it gets.
    const asksAnew = status !== playsElsewhere && !hasRenewed && file.url.startsWith('/')
    const answer = asksAnew ? await answerOf(file.url) : status
    const mayComeBack = await isAway(answer)
    // Meanwhile something else may have been loaded, whose press to play must not be undone.
    if (isGone || which !== kind || waiting) return
    wantsToPlay ||= !video.paused
    if (mayComeBack) return waitForServer()
    options.onLeavingPlace()
    if (answer === playsElsewhere && holds()) return
    isHeld = false
    const fresh = asksAnew && (answer === 401 || answer === 403) ? await renewal() : null
    if (isGone) return
    if (fresh) {
      file = fresh
      await load(kind)
      return
    }
    // A CDN lets in for an hour or two. Whoever begins anew and still has access is let in again.
    if (which === 'stream' && mayBeginAnew && (status === 403 || status === undefined)) {
      mayBeginAnew = false
      await load(kind)
      return
    }
    const other = which === 'stream' ? 'original' : 'stream'
    const isLast = broken.has(other) || (other === 'stream' && file.hlsUrl === null)
    // What the server gives now it may have refused a moment ago, before there was a place for it.
    const mayBeMended = typeof answer === 'number' && answer < 400 && !isBroken
    if (isLast && mayBeMended && !hasTriedAgain) {
      hasTriedAgain = true
      await load(which)
      return
    }
    broken.add(which)
    if (isLast) options.onFailed()
    else {
      change({ quality: other === 'stream' ? 'auto' : 'original' })
      await load(other)
    }
  }

  const shouldStream = () =>
    file.hlsUrl !== null &&
    kind === 'original' &&
    state.quality !== 'original' &&
    !broken.has('stream') &&
    !hasBegun

  async function play() {
    if (state.isPreparing) {
      wantsToPlay = true
      return
    }
    if (isHeld) {
      wantsToPlay = true
      if (!holds()) options.onFailed()
      return
    }
    if (waiting && !stream) {
      wantsToPlay = true
      change({ isPreparing: true })
      return
    }
    if (shouldStream()) {
      wantsToPlay = true
      change({ isPreparing: true })
      await load('stream')
      change({ isPreparing: false })
    } else start()
    hasBegun = true
  }

  return {
    play: () => void play(),
    pause() {
      wantsToPlay = false
      video.pause()
      if (waiting) change({ isPreparing: false })
    },
    /** Plays what was refused, from a new beginning; false when nothing was. */
    goOn() {
      if (!isHeld) return false
      wantsToPlay = true
      begin()
      return true
    },
    wantsToPlay: () => wantsToPlay || !video.paused,
    async choose(quality: Quality) {
      if (quality === state.quality) return
      change({ quality })
      hasBegun = true
      const wanted = quality === 'original' ? 'original' : 'stream'
      if (wanted !== kind) await load(wanted)
      else stream?.choose(typeof quality === 'number' ? quality : null)
    },
    /** The element says that it cannot play. The stream speaks for itself. */
    failed() {
      if (!stream) void fails(kind)
    },
    /** It plays: the next refusal may be renewed again. */
    works() {
      hasRenewed = false
      hasTriedAgain = false
      refusals = 0
      mayBeginAnew = kind === 'stream'
    },
    renew(fresh: PlayableFile) {
      if (renewed) renewed(fresh)
      // For the next load; what plays now is left alone.
      file = fresh
    },
    destroy() {
      isGone = true
      waiting?.abort()
      renewed?.(null)
      stream?.destroy()
    },
  }
}
