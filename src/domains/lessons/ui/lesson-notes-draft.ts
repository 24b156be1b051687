import { useEffect, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import {
  isOutdated,
  readSlots,
  removeSlot,
  slotsOf,
  stillHere,
  writeSlot,
} from '../../courses/ui/content-local-store.ts'

type Kept = { text: string; seconds: number | null; keptAt: number }

function readKept(slot: string): Kept | null {
  const [stored] = readSlots(slot)
  if (!stored) return null
  try {
    const { text, seconds, keptAt } = JSON.parse(stored.text) as Partial<Kept>
    if (typeof text !== 'string' || typeof keptAt !== 'number' || isOutdated(keptAt)) return null
    return { text, seconds: typeof seconds === 'number' ? seconds : null, keptAt }
  } catch {
    return null
  }
}

/**
 * What somebody is writing, kept in this browser until it is saved: with it, a page may be left and a
 * save may fail. `of` is the note that is being changed, or 'new'.
 */
export function useNoteDraft(lessonId: string, of: string, saved: Omit<Kept, 'keptAt'>) {
  const me = useRouteLoaderData<typeof loader>('root')?.me
  const slot = `${slotsOf(me?.id ?? '', lessonId)}note:${of}`
  const [draft, setDraft] = useState(() => readKept(slot) ?? saved)
  const isSaved = draft.text === saved.text || draft.text.trim() === ''

  useEffect(() => {
    if (isSaved) return removeSlot(slot)
    stillHere()
    const { text, seconds } = draft
    writeSlot(slot, JSON.stringify({ text, seconds, keptAt: Date.now() } satisfies Kept))
  }, [slot, draft, isSaved])

  return { draft, setDraft, forget: () => removeSlot(slot) }
}
