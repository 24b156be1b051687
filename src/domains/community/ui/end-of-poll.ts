/** The longest time that a timer can wait. */
const longest = 2 ** 31 - 1

/**
 * Asks when the poll should have closed, and again until that is stopped: this clock may be ahead of the server's, which
 * closes it. Answers how to stop.
 */
export function askFromEndOn(closesAt: string, ask: () => void): () => void {
  // Not everybody who reads it in the same moment.
  const wait = new Date(closesAt).getTime() - Date.now() + 500 + Math.random() * 2000
  if (wait > longest) return () => {}
  let timer = setTimeout(askOn, Math.max(wait, 1000))
  function askOn() {
    timer = setTimeout(askOn, 30_000)
    ask()
  }
  return () => clearTimeout(timer)
}
