import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '../domains/notifications/schema.ts'

/** Seconds to wait before connecting again (spec 1, section 9); the last one repeats. */
const backOff = [1, 2, 5, 10]
/** Seconds after which a connection counts as a good one. */
const steadyAfter = 10

type Listener = {
  onEvent: (event: LiveEvent) => void
  /**
   * The stream is back after a gap, in which something may have happened, or it is refused because
   * nobody is signed in any more: look again.
   */
  onGap: () => void
}

/**
 * What happens to the signed-in person, while the page is visible. A hidden page holds no stream:
 * over HTTP/1.1 a browser has six connections for all tabs of a site.
 */
export function useLiveEvents(listener: Listener) {
  const onEvent = useEffectEvent(listener.onEvent)
  const onGap = useEffectEvent(listener.onGap)

  useEffect(() => {
    let watching: AbortController | undefined
    let hadGap = false

    function start() {
      watching = new AbortController()
      void watch(watching.signal, {
        onEvent,
        onConnected() {
          if (hadGap) onGap()
          hadGap = false
        },
        onLost() {
          hadGap = true
        },
        onRefused: onGap,
      })
    }
    function stop() {
      watching?.abort()
      watching = undefined
    }
    function followVisibility() {
      if (document.hidden) {
        hadGap = true
        stop()
      } else if (!watching) start()
    }

    followVisibility()
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      document.removeEventListener('visibilitychange', followVisibility)
      stop()
    }
  }, [])
}

type Watcher = {
  onEvent: (event: LiveEvent) => void
  onConnected: () => void
  onLost: () => void
  /** The session has ended. */
  onRefused: () => void
}

/** Stays connected until the signal aborts or the session ends. */
async function watch(signal: AbortSignal, watcher: Watcher) {
  const { onEvent, onConnected, onLost, onRefused } = watcher
  let failures = 0
  while (!signal.aborted) {
    let connectedAt = Number.POSITIVE_INFINITY
    try {
      // Loaded when the page stands: nobody waits for events.
      const { client } = await import('./api-client.ts')
      const events = await client.realtime.watchEvents(undefined, { signal })
      connectedAt = performance.now()
      onConnected()
      for await (const event of events) onEvent(event)
    } catch (error) {
      // Else the server is away, or the connection broke.
      const { status } = error as { status?: unknown }
      if (status === 401 && !signal.aborted) return onRefused()
    }
    if (signal.aborted) return
    onLost()
    if (performance.now() - connectedAt > steadyAfter * 1000) failures = 0
    const seconds = backOff[Math.min(failures, backOff.length - 1)] ?? 10
    failures += 1
    await wait(seconds * 1000, signal)
  }
}

function wait(milliseconds: number, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
