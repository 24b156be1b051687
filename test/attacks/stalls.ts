/**
 * The longest time for which this thread worked without letting anybody else in. Time in which the machine did
 * something else does not count, so that it can be measured on a busy one: a stall is work, not waiting.
 */
export function watchStalls() {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let then = { wall: performance.now(), cpu: cpu() }
  const look = () => {
    const now = { wall: performance.now(), cpu: cpu() }
    longest = Math.max(longest, Math.min(now.wall - then.wall, now.cpu - then.cpu))
    then = now
  }
  const timer = setInterval(look, 5)
  return {
    /** Milliseconds. */
    longest: () => longest,
    stop: () => clearInterval(timer),
  }
}
