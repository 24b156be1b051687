// Reading the page that is shown once more, because something happened or was saved, is nobody's request: without a
// connection it waits for one, and what people see and have written stays where it is.

/** Seconds to wait before the next try; the last one repeats. */
const pauses = [1, 2, 5, 10]

/** What stands before the server says while that is away or starts anew. */
const nobodyThere = new Set([502, 503, 504])

type Place = Pick<Location, 'pathname' | 'search'>

/** Whether the data at this address are those of the page that is shown. */
export function isOfPage(address: URL, { pathname, search }: Place): boolean {
  const wanted = new URLSearchParams(address.search)
  wanted.delete('_routes')
  const page = address.pathname.replace(/(?:_)?\.data$/, '')
  if (page === address.pathname) return false
  return page === pathname && String(wanted) === String(new URLSearchParams(search))
}

/** `fetch` with that patience; everything else, going to another page as well, fails at once as ever. */
export function withPatience(fetchOnce: typeof fetch): typeof fetch {
  return async (address, init) => {
    const isReading =
      address instanceof URL && (init?.method ?? 'GET') === 'GET' && isOfPage(address, location)
    if (!isReading) return fetchOnce(address, init)
    for (let tries = 0; ; tries += 1) {
      const isWanted = () => !init?.signal?.aborted && isOfPage(address, location)
      const answer = await fetchOnce(address, init).catch((error: unknown) => {
        if (!isWanted()) throw error
        return null
      })
      if (answer && !(nobodyThere.has(answer.status) && isWanted())) return answer
      await connectionOr(pauses[Math.min(tries, pauses.length - 1)]!, init?.signal)
    }
  }
}

/** Ends after so many seconds, at once when the connection is back, or when nobody waits any more. */
function connectionOr(seconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new AbortController()
    const timer = setTimeout(end, seconds * 1000)
    function end() {
      clearTimeout(timer)
      waiting.abort()
      resolve()
    }
    addEventListener('online', end, { signal: waiting.signal })
    signal?.addEventListener('abort', end, { signal: waiting.signal })
  })
}
