// What somebody began to write: kept while the page lives, also when the dialog is closed.
import { useSyncExternalStore } from 'react'
import { setUnsaved } from '../../../web/unsaved.ts'
import type { Comment } from '../schema.ts'
import { type CommentsState, isRemoved } from './comments-state.ts'

/** With the comment that is answered or changed; null for a comment on the post. */
type Begun = { text: string; about: Comment | null }

const begun = new Map<string, Begun>()
/** How often words came to a draft from another one. */
const moves = new Map<string, number>()
const listeners = new Set<() => void>()

export const keptComment = (draft: string) => begun.get(draft)?.text

export function keepComment(draft: string, text: string | null, about: Comment | null = null) {
  if (text === null) begun.delete(draft)
  else begun.set(draft, { text, about })
  setUnsaved(`comment on ${draft}`, text !== null)
}

const begunAt = (postId: string) => [...begun].filter(([, { about }]) => about?.postId === postId)

/** Whether words wait for comments of a post. */
export const isBegunAt = (postId: string) => begunAt(postId).length > 0

/** Drafts for comments of a post to which nothing can be said any more. */
export const draftsLeft = (postId: string, state: CommentsState) =>
  begunAt(postId).flatMap(([draft, { about }]) => (about && isRemoved(state, about) ? [draft] : []))

/** Words that nothing opens any more go behind those that are kept there. */
export function moveComment(from: string, to: string) {
  const words = keptComment(from)
  if (words === undefined) return
  keepComment(from, null)
  const before = keptComment(to)
  keepComment(to, before === undefined ? words : `${before}\n\n${words}`)
  moves.set(to, (moves.get(to) ?? 0) + 1)
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useMoves = (draft: string) =>
  useSyncExternalStore(
    subscribe,
    () => moves.get(draft) ?? 0,
    () => 0,
  )
