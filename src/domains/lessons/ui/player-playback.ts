export type Playback = {
  time: number
  /** 0 until it is known. */
  duration: number
  isPaused: boolean
  isWaiting: boolean
  isEnded: boolean
  volume: number
  isMuted: boolean
  speed: number
  /** Seconds that are loaded: from and to. */
  buffered: [number, number][]
  isInPicture: boolean
}

function playbackOf(video: HTMLVideoElement): Playback {
  const { buffered, duration } = video
  return {
    time: video.currentTime,
    duration: Number.isFinite(duration) ? duration : 0,
    isPaused: video.paused,
    isWaiting:
      !video.paused && !video.ended && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    isEnded: video.ended,
    volume: video.volume,
    isMuted: video.muted,
    speed: video.playbackRate,
    buffered: Array.from({ length: buffered.length }, (_, index) => [
      buffered.start(index),
      buffered.end(index),
    ]),
    isInPicture: document.pictureInPictureElement === video,
  }
}

const moments =
  'timeupdate durationchange play playing pause waiting canplay seeking seeked ended volumechange ratechange progress emptied enterpictureinpicture leavepictureinpicture'.split(
    ' ',
  )

/** What a video element does now, for components to follow. */
export function createPlaybackStore(video: HTMLVideoElement) {
  let now = playbackOf(video)
  const listeners = new Set<() => void>()
  function look() {
    now = playbackOf(video)
    for (const tell of listeners) tell()
  }
  for (const moment of moments) video.addEventListener(moment, look)

  return {
    now: () => now,
    subscribe(tell: () => void) {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    destroy() {
      for (const moment of moments) video.removeEventListener(moment, look)
    },
  }
}
