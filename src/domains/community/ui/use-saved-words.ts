import { type RefObject, useEffect, useState } from 'react'
import { draftsLeft, moveComment, useMoves } from './comment-drafts.ts'
import { focusAtEnd } from './comment-item.tsx'
import type { CommentsState } from './comments-state.ts'

type Saving = {
  postId: string
  /** By which is seen what was removed; null while that is not known. */
  state: CommentsState | null
  /** Where the words go, and the field for that. */
  into: string
  field: RefObject<HTMLTextAreaElement | null>
}

/** The form of a reply or of an edit goes with its comment: what was written in it stays, as a new comment to be. */
export function useSavedWords({ postId, state, into, field }: Saving) {
  const moves = useMoves(into)
  const [movesSaid, setMovesSaid] = useState(moves)
  const [movesBefore] = useState(moves)

  useEffect(() => {
    if (state) for (const draft of draftsLeft(postId, state)) moveComment(draft, into)
  }, [postId, state, into])

  useEffect(() => {
    // With the form goes the focus, where it is nobody else's by now.
    const isNobodys = document.activeElement === document.body
    if (moves > movesBefore && isNobodys) focusAtEnd(field.current)
  }, [moves, movesBefore, field])

  return { moves, isToSay: moves > movesSaid, said: () => setMovesSaid(moves) }
}
