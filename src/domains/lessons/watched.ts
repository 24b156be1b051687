// Pure decisions about what counts as watched. Seconds of a video are whole ones: nobody misses half of one.

type Stretch = { from: number; to: number }

/** Seconds of watching that may be reported for each second that has passed: players go up to double speed. */
export const fastestSpeed = 2
/** What the first report of a lesson may say: it is sent after some seconds of playing. */
export const firstCredit = 15
/** Two hours of playing without a connection count; nobody has more of a video in a buffer. */
export const mostCredit = 7200
/** Seconds that a player may find a video longer than its header says. */
export const lengthTolerance = 2
/** Part of the video that has to be watched, so that its end completes the lesson. */
const enough = 0.9

/** The played stretches in whole seconds, as PostgreSQL writes them: `{[0,5),[7,9)}`. */
export function multirangeOf(played: Stretch[]): string {
  const ranges = played
    .map(({ from, to }) => [Math.round(from), Math.round(to)] as const)
    .filter(([from, to]) => from < to)
    .map(([from, to]) => `[${from},${to})`)
  return `{${ranges.join()}}`
}

/** How long a video must be at least for this to have been played. */
export const leastLength = (played: Stretch[]): number =>
  Math.max(0, ...played.map(({ to }) => to - lengthTolerance))

/** Whether somebody who came to the end of the video, `duration` seconds, has watched it. */
export function isWatchedThrough(
  watched: { seconds: number; until: number },
  duration: number,
): boolean {
  if (duration <= 0 || watched.until > Math.ceil(duration) + lengthTolerance) return false
  return watched.seconds >= Math.floor(duration * enough)
}
