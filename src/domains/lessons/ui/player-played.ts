/** Seconds of the video between two reports of a stretch that goes on. */
const reportEvery = 5

export type PlayedRange = { from: number; to: number }

/**
 * Turns the moments of a player into the stretches that were really played. Every second that plays is
 * reported once; what was seeked over is in none of them.
 */
export function createPlayedTracker(report: (range: PlayedRange, leaving: boolean) => void) {
  let from: number | null = null
  let to = 0

  function flush(leaving: boolean) {
    if (from !== null && to > from) report({ from, to }, leaving)
    from = from === null ? null : to
  }

  return {
    /** It is at this second, and playing. */
    plays(seconds: number) {
      if (from === null) from = seconds
      // Going back without a seek does not happen; if it does, it is another stretch.
      else if (seconds < to) {
        flush(false)
        from = seconds
      }
      to = seconds
      if (to - from >= reportEvery) flush(false)
    },
    /** It stopped playing here: paused, or at its end. */
    stops(seconds: number) {
      if (from !== null && seconds > to) to = seconds
      flush(false)
      from = null
    },
    /** It jumps; where it is now says nothing about where it was. */
    jumps() {
      flush(false)
      from = null
    },
    /** The page may be gone after this. */
    leaves() {
      flush(true)
    },
  }
}
