// The stream of several qualities. Its own chunk: only who plays one loads it.
import Hls, { ErrorTypes, Events, isSupported } from 'hls.js/light'

export type Stream = {
  /** A height of the ladder, or null for what the connection carries. */
  choose(height: number | null): void
  destroy(): void
}

type StreamOptions = {
  url: string
  /** Seconds; loading begins there. */
  startAt: number
  onHeights: (heights: number[]) => void
  /** The height that plays now. */
  onHeight: (height: number | null) => void
  /** It cannot go on; with the status of the answer that it failed at, 0 when there was none. */
  onFailed: (status: number) => void
}

/** Films from an upright phone have the same steps as those that lie. */
const sideOf = ({ width, height }: { width: number; height: number }) =>
  width > 0 ? Math.min(width, height) : height

/** False where only the browser itself plays such streams. */
export const canStream = isSupported

export function attachStream(video: HTMLVideoElement, options: StreamOptions): Stream {
  const hls = new Hls({
    startPosition: options.startAt > 0 ? options.startAt : -1,
    // A worker would need `blob:` in the content security policy; remuxing a lesson takes little.
    enableWorker: false,
    capLevelToPlayerSize: true,
    backBufferLength: 60,
  })
  let hasRecovered = false

  hls.on(Events.MANIFEST_PARSED, (_event, { levels }) => {
    options.onHeights([...new Set(levels.map(sideOf))].sort((a, b) => b - a))
  })
  hls.on(Events.LEVEL_SWITCHED, (_event, { level }) => {
    const playing = hls.levels[level]
    options.onHeight(playing ? sideOf(playing) : null)
  })
  hls.on(Events.ERROR, (_event, { fatal, type, response }) => {
    if (!fatal) return
    if (type === ErrorTypes.MEDIA_ERROR && !hasRecovered) {
      hasRecovered = true
      const plays = !video.paused
      // The element begins anew, and rests until it is told to play.
      hls.recoverMediaError()
      if (plays) void video.play().catch(() => {})
    } else options.onFailed(response?.code ?? 0)
  })
  hls.loadSource(options.url)
  hls.attachMedia(video)

  return {
    choose(height) {
      // The cap to the player's size is for the automatic choice; who asks for more gets more.
      hls.nextLevel = height === null ? -1 : hls.levels.findIndex((one) => sideOf(one) === height)
    },
    destroy: () => hls.destroy(),
  }
}
