/**
 * Work that never runs twice at the same time. Who asks while it runs gets the next run, shared with
 * everybody else who asks meanwhile: its answer knows of all that happened before the asking.
 */
export function inTurn<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let next: Promise<T> | null = null

  function start() {
    running = work().finally(() => {
      running = null
    })
    return running
  }
  function startNext() {
    next = null
    return start()
  }
  return () => {
    if (!running) return start()
    next ??= running.then(startNext, startNext)
    return next
  }
}
