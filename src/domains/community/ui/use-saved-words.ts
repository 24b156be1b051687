import { type RefObject, useEffect, useState } from 'react'
import { moveComment, useMoves } from './comment-drafts.ts'
import { focusAtEnd } from './comment-item.tsx'

type Saving = {
  /** Drafts of forms that went with their comments. */
  left: string[]
  /** Where their words go, and the field for that. */
  into: string
  field: RefObject<HTMLTextAreaElement | null>
}

/** The form of a reply or of an edit goes with its comment: what was written in it stays, as a new comment to be. */
export function useSavedWords({ left, into, field }: Saving) {
  const moves = useMoves(into)
  const [movesSaid, setMovesSaid] = useState(moves)
  const [movesBefore] = useState(moves)
  const names = left.join()

  useEffect(() => {
    for (const draft of names.split(',')) moveComment(draft, into)
  }, [names, into])

  useEffect(() => {
    // With the form goes the focus, where it is nobody else's by now.
    const isNobodys = document.activeElement === document.body
    if (moves > movesBefore && isNobodys) focusAtEnd(field.current)
  }, [moves, movesBefore, field])

  return { moves, isToSay: moves > movesSaid, said: () => setMovesSaid(moves) }
}
