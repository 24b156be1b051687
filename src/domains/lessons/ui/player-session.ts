// One element that shows one video to one person: where it starts, what was played, what it plays from.
import { toggleFullScreen } from './player-full-screen.ts'
import { createPlaybackStore } from './player-playback.ts'
import { createPlayedTracker, type PlayedRange } from './player-played.ts'
import { keepPreferences, readPreferences } from './player-preferences.ts'
import { createVideoSource, type PlayableFile, type SourceState } from './player-source.ts'

/** Seconds of playing between two saves. */
const saveEvery = 5
/** A video left this close to its end starts from the beginning. */
const nearEnd = 2
/** Seconds by which a browser may miss the second that it was put at. */
const missed = 0.1

export type PlayerEvents = {
  /** Where the person is now, in seconds; 0 after the end. `leaving`: there may be no later call. */
  onPosition?: (seconds: number, leaving: boolean) => void
  /** This was really played: about every 5 seconds, and wherever playing stops or jumps. */
  onPlayed?: (range: PlayedRange, leaving: boolean) => void
  onEnded?: () => void
  /** The addresses are too old; the page should come with new ones. */
  onStale?: () => void
  /** It plays, or tries to. */
  onPlay?: () => void
  /** The server refuses it, because the account plays on other devices. */
  onPlaysElsewhere?: () => void
}

type SessionOptions = {
  file: PlayableFile
  startAt: number
  /** What is asked for now: the session lives longer than one rendering. */
  events: () => PlayerEvents
  onResumed: (seconds: number) => void
  onSourceChange: (state: SourceState) => void
  /** Nothing plays; the place to try again from. */
  onFailed: (seconds: number) => void
}

export const hasPictureInPicture = (video: HTMLVideoElement) =>
  document.pictureInPictureEnabled &&
  'requestPictureInPicture' in HTMLVideoElement.prototype &&
  !video.disablePictureInPicture

export function createPlayerSession(video: HTMLVideoElement, options: SessionOptions) {
  /** False until the place is set: before that, `currentTime` says nothing about the person. */
  let isPlaced = false
  let wasPlaced = false
  let place = options.startAt
  let lastReported = options.startAt
  /** Where it was put, until somebody plays or seeks: an address may say any second, and nobody was there yet. */
  let beginning: number | null = null

  const played = createPlayedTracker((range, leaving) =>
    options.events().onPlayed?.(range, leaving),
  )

  function leavePlace(): number {
    if (isPlaced) {
      played.jumps()
      report()
      place = video.currentTime
      isPlaced = false
    }
    return place
  }

  const source = createVideoSource(video, {
    file: options.file,
    onLeavingPlace: leavePlace,
    onChange: options.onSourceChange,
    onFailed: () => options.onFailed(place),
    onStale: () => {
      const { onStale } = options.events()
      onStale?.()
      return onStale !== undefined
    },
    onPlaysElsewhere: () => {
      const { onPlaysElsewhere } = options.events()
      onPlaysElsewhere?.()
      return onPlaysElsewhere !== undefined
    },
  })

  /** Once the length is known: to where the person left, or to where the last source was. */
  function putInPlace() {
    if (isPlaced) return
    // Of a stream the length may not be known yet, which is no reason to begin at 0.
    const isTooLate = place >= video.duration - (wasPlaced ? 0 : nearEnd)
    const begins = !wasPlaced && place === options.startAt
    if (begins) beginning = isTooLate ? 0 : place
    if (place > 0 && !isTooLate) {
      video.currentTime = place
      if (begins) options.onResumed(place)
    }
    isPlaced = true
    wasPlaced = true
  }

  function report(leaving = false) {
    if (!isPlaced) return
    if (beginning !== null && Math.abs(video.currentTime - beginning) < missed) return
    beginning = null
    const seconds = video.ended ? 0 : video.currentTime
    lastReported = seconds
    options.events().onPosition?.(seconds, leaving)
  }

  function stop() {
    if (!isPlaced) return
    if (!video.seeking) played.stops(video.currentTime)
    report()
  }

  const hasNoSource = () => video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE

  const moments: Record<string, (event: Event) => void> = {
    loadedmetadata: putInPlace,
    timeupdate() {
      if (!isPlaced || video.paused || video.seeking) return
      played.plays(video.currentTime)
      if (Math.abs(video.currentTime - lastReported) >= saveEvery) report()
    },
    play: () => options.events().onPlay?.(),
    playing: source.works,
    pause: stop,
    seeking: () => played.jumps(),
    seeked: () => report(),
    ended() {
      stop()
      options.events().onEnded?.()
    },
    error({ target }) {
      // Of several sources the browser says of some that they are none; it is over when it has no other.
      if (target === video || hasNoSource()) source.failed()
    },
    volumechange: () => keepPreferences({ volume: video.volume, muted: video.muted }),
  }
  // Capturing: what goes wrong with a source does not bubble.
  for (const [name, react] of Object.entries(moments)) video.addEventListener(name, react, true)

  function setSpeed(speed: number) {
    // Both: a new source goes back to the default one.
    video.defaultPlaybackRate = speed
    video.playbackRate = speed
  }

  function setVolume(volume: number) {
    video.volume = Math.min(1, Math.max(0, Math.round(volume * 100) / 100))
    video.muted = video.volume === 0
  }

  function seekTo(seconds: number) {
    const inside = Math.max(0, Math.min(seconds, video.duration || seconds))
    if (isPlaced) video.currentTime = inside
    else place = inside
  }

  const playback = createPlaybackStore(video)
  const preferences = readPreferences()
  video.volume = preferences.volume
  video.muted = preferences.muted
  setSpeed(preferences.speed)
  // What happened before there was a session.
  if (video.error) source.failed()
  // An element that was made just now says so, too: asked to look at its sources again, the browser tells.
  else if (hasNoSource()) video.load()
  else if (video.readyState >= HTMLMediaElement.HAVE_METADATA) putInPlace()

  return {
    video,
    playback,
    renew: source.renew,
    choose: (quality: SourceState['quality']) => void source.choose(quality),
    play: source.play,
    pause: source.pause,
    goOn: source.goOn,
    wantsToPlay: source.wantsToPlay,
    currentTime: () => (isPlaced ? video.currentTime : place),
    seekTo,
    setVolume,
    toggleMuted() {
      if (video.volume === 0) setVolume(0.5)
      else video.muted = !video.muted
    },
    setSpeed(speed: number) {
      setSpeed(speed)
      keepPreferences({ speed })
    },
    toggleFullScreen: () => toggleFullScreen(video),
    togglePicture() {
      if (document.pictureInPictureElement) void document.exitPictureInPicture()
      else if (hasPictureInPicture(video)) void video.requestPictureInPicture().catch(() => {})
    },
    /** The page may be gone after this. */
    leave() {
      if (isPlaced) played.leaves()
      report(true)
    },
    destroy() {
      for (const [name, react] of Object.entries(moments)) {
        video.removeEventListener(name, react, true)
      }
      playback.destroy()
      source.destroy()
    },
  }
}

export type PlayerSession = ReturnType<typeof createPlayerSession>
