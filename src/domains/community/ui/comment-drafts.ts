// What somebody began to write: kept while the page lives, also when the dialog is closed.
import { useSyncExternalStore } from 'react'
import { setUnsaved } from '../../../web/unsaved.ts'

const begun = new Map<string, string>()
/** How often words came to a draft from another one. */
const moves = new Map<string, number>()
const listeners = new Set<() => void>()

export const keptComment = (draft: string) => begun.get(draft)

export function keepComment(draft: string, text: string | null) {
  if (text === null) begun.delete(draft)
  else begun.set(draft, text)
  setUnsaved(`comment on ${draft}`, text !== null)
}

/** Words that nothing opens any more go behind those that are kept there. */
export function moveComment(from: string, to: string) {
  const words = begun.get(from)
  if (words === undefined) return
  keepComment(from, null)
  const before = begun.get(to)
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
