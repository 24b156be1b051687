import { type RefObject, useRef, useState } from 'react'
import { client } from '../../../web/api-client.ts'
import { isServerError, safe } from '../../../web/call-outcome.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { OtherStream, SavedPosition } from '../schema.ts'
import type { PlayerHandle } from './lesson-player.tsx'

/** Milliseconds after the last good news for which nobody asks again. */
const trusted = 30_000

export type Interruption =
  /** So many others play already. */
  | { why: 'full'; streams: OtherStream[] }
  /** This one gave way to another device. */
  | { why: 'ended'; endedBy: string | undefined }

type HeldPlace = {
  id: string
  until: number
  /** Nothing was heard of it since it was given: a refusal may be older than it. */
  isNew: boolean
}

type StreamOptions = {
  lessonId: string
  /** False where nobody counts on how many devices an account plays. */
  isLimited: boolean
  player: RefObject<PlayerHandle | null>
}

/**
 * The place of this browser among those in which the account plays. The video begins at once, and stops when the server says
 * that there is no place: it gives out no more of it then anyway.
 */
export function useStream({ lessonId, isLimited, player }: StreamOptions) {
  const [interruption, setInterruption] = useState<Interruption | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const asking = useRef(false)
  const held = useRef<HeldPlace | null>(null)

  function interrupt(found: Interruption) {
    held.current = null
    setInterruption(found)
    player.current?.pause()
  }

  async function claim(insteadOf?: string) {
    if (asking.current) return
    asking.current = true
    setAsking(true)
    setProblem(null)
    const [error, answer] = await safe(client.lessons.claimStream({ lessonId, insteadOf }))
    asking.current = false
    setAsking(false)
    if (!error) {
      if (answer.streamId) {
        held.current = { id: answer.streamId, until: performance.now() + trusted, isNew: true }
      }
      setInterruption(null)
      if (!player.current?.goOn() && interruption) player.current?.play()
    } else if (isServerError(error) && error.code === 'TOO_MANY_STREAMS') {
      interrupt({ why: 'full', ...(error.data as { streams: OtherStream[] }) })
    } else if (interruption) {
      setProblem(callProblem(error, 'The server could not be reached. Please try again.'))
    }
    // Otherwise it goes on as long as it gets something to play.
  }

  function hasEnded(streamId: string, endedBy: string | null) {
    if (streamId !== held.current?.id) return
    interrupt({ why: 'ended', endedBy: endedBy ?? undefined })
  }

  useLiveEvents({
    onEvent: (event) => {
      if (event.type === 'streamEnded') hasEnded(event.streamId, event.endedBy)
    },
    // The next report of the place in the video tells.
    onGap: () => {},
  })

  return {
    interruption,
    isAsking,
    problem,
    claim,
    onPlay() {
      const isHeld = held.current && performance.now() < held.current.until
      if (isLimited && !isHeld) void claim()
    },
    /** The film is refused. Who had a place has lost it, else the server says who has them. */
    onPlaysElsewhere() {
      const isNew = held.current?.isNew
      if (held.current) held.current.isNew = false
      if (isNew && player.current?.goOn()) return
      if (held.current) interrupt({ why: 'ended', endedBy: undefined })
      else void claim()
    },
    onSaved({ stream }: SavedPosition) {
      if (!stream || stream.id !== held.current?.id) return
      if (stream.state === 'kept') {
        held.current.until = performance.now() + trusted
        held.current.isNew = false
      } else if (stream.state === 'ended') hasEnded(stream.id, stream.endedBy)
      else {
        held.current = null
        if (player.current?.wantsToPlay()) void claim()
      }
    },
  }
}
