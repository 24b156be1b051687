/** How many milliseconds back the speed is measured. */
const window = 6000
/** A speed from less than this says nothing. */
const leastMilliseconds = 700

export type Pace = { bytesPerSecond: number | null; secondsLeft: number | null }

/** Speed over the last seconds, from what has been sent at which moment (milliseconds). */
export function speedMeter(totalBytes: number) {
  let samples: { at: number; sent: number }[] = []
  return (at: number, sent: number): Pace => {
    const last = samples.at(-1)
    // After a broken connection the count goes back to what the server has.
    if (last && sent < last.sent) samples = []
    samples = [...samples.filter((sample) => at - sample.at <= window), { at, sent }]
    const first = samples[0]
    if (!first || at - first.at < leastMilliseconds)
      return { bytesPerSecond: null, secondsLeft: null }
    const bytesPerSecond = ((sent - first.sent) / (at - first.at)) * 1000
    if (bytesPerSecond <= 0) return { bytesPerSecond: 0, secondsLeft: null }
    return { bytesPerSecond, secondsLeft: (totalBytes - sent) / bytesPerSecond }
  }
}
