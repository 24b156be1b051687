/** Milliseconds for which this thread worked; what else the machine does is no part of it. */
export function processorTime(work: () => unknown): number {
  const total = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const before = total()
  work()
  return total() - before
}
