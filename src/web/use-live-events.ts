import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '../domains/notifications/schema.ts'
import { follow } from './event-stream.ts'

type Listener = {
  /** The course that is in view: what happens there is told as well. */
  courseId?: string
  /** To be told what came just before this page listened as well; what it does with an event it may do twice. */
  looksBack?: boolean
  onEvent: (event: LiveEvent) => void
  /**
   * Something may have happened that nobody told, or the stream is refused because the session or the
   * membership has ended: look again.
   */
  onGap: () => void
}

/** What happens to the signed-in person, while the page is visible; all parts of a page share one stream. */
export function useLiveEvents({ courseId, looksBack = false, ...listener }: Listener) {
  const onEvent = useEffectEvent(listener.onEvent)
  const onGap = useEffectEvent(listener.onGap)
  useEffect(() => follow({ courseId, looksBack, onEvent, onGap }), [courseId, looksBack])
}
