/** Milliseconds for which this thread has worked; what else the machine does is no part of it. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Milliseconds for which this thread works. */
export function processorTime(work: () => unknown): number {
  const before = threadTime()
  work()
  return threadTime() - before
}
