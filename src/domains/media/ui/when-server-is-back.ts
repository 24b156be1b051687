/** Milliseconds between two looks. */
const lookEvery = 3000

async function answers(signal: AbortSignal): Promise<boolean> {
  try {
    return (await fetch('/healthz', { signal, cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/**
 * Calls back once a server that does not answer answers again; never when it answers at once: then it is not
 * the server that fails, and trying again without end would not help.
 */
export function whenServerIsBack(signal: AbortSignal, callback: () => void): void {
  let wasAway = false
  async function look() {
    const isThere = await answers(signal)
    if (signal.aborted) return
    if (!isThere) {
      wasAway = true
      setTimeout(() => void (signal.aborted || look()), lookEvery)
    } else if (wasAway) callback()
  }
  void look()
}
