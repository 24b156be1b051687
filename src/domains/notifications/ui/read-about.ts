import { useEffect, useRef } from 'react'
import { useLiveEvents } from '../../../web/use-live-events.ts'

/** What the person was told about this place is read, unless that cannot be said now. The bell hears of it. */
export async function readAbout(place: string): Promise<void> {
  try {
    const { markReadAbout } = await import('./bell-calls.ts')
    await markReadAbout(place)
  } catch {
    // It stays unread until the place is looked at again.
  }
}

/**
 * While this place is looked at, what is told about it is read: when that begins and, of what came meanwhile, when it
 * ends. In between it stays unread, so that there is one mail and not one for each thing that somebody watches happen.
 */
export function useReadAbout(place: string): void {
  const hasNews = useRef(false)
  useLiveEvents({
    onEvent({ type }) {
      if (type === 'notification') hasNews.current = true
    },
    onGap() {
      hasNews.current = true
    },
  })
  useEffect(() => {
    void readAbout(place)
    return () => {
      if (hasNews.current) void readAbout(place)
    }
  }, [place])
}
