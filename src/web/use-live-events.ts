import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '../domains/notifications/schema.ts'
import { follow } from './event-stream.ts'

type Listener = {
  /** The course that is in view: what happens there is told as well. */
  courseId?: string
  onEvent: (event: LiveEvent) => void
  /**
   * Something may have happened that nobody told, or the stream is refused because the session or the
   * membership has ended: look again.
   */
  onGap: () => void
}

/** What happens to the signed-in person, while the page is visible; all parts of a page share one stream. */
export function useLiveEvents({ courseId, ...listener }: Listener) {
  const onEvent = useEffectEvent(listener.onEvent)
  const onGap = useEffectEvent(listener.onGap)
  useEffect(() => follow({ courseId, onEvent, onGap }), [courseId])
}
