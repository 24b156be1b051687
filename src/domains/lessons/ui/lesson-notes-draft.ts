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

/** `before` is what the note said when the writing began; null where that was not kept. */
type Draft = { text: string; seconds: number | null; before: string | null }
type Kept = Draft & { keptAt: number }

function readKept(slot: string): Kept | null {
  const [stored] = readSlots(slot)
  if (!stored) return null
  try {
    const { text, seconds, before, keptAt } = JSON.parse(stored.text) as Partial<Kept>
    if (typeof text !== 'string' || typeof keptAt !== 'number' || isOutdated(keptAt)) return null
    return {
      text,
      seconds: typeof seconds === 'number' ? seconds : null,
      before: typeof before === 'string' ? before : null,
      keptAt,
    }
  } catch {
    return null
  }
}

/**
 * What somebody is writing, kept in this browser until it is saved: with it, a page may be left and a
 * save may fail. `of` is the note that is being changed, or 'new'. A note that says something else by now than
 * when the writing began is followed where nothing was written, and `isChangedElsewhere` otherwise.
 */
export function useNoteDraft(lessonId: string, of: string, saved: Omit<Draft, 'before'>) {
  const me = useRouteLoaderData<typeof loader>('root')?.me
  const slot = `${slotsOf(me?.id ?? '', lessonId)}note:${of}`
  const asSaved = { text: saved.text, seconds: saved.seconds, before: saved.text }
  const [written, setDraft] = useState<Draft>(() => readKept(slot) ?? asSaved)
  const isOther = of !== 'new' && written.before !== saved.text
  const isOwn = written.text !== written.before && written.text !== saved.text
  const draft = isOther && !isOwn ? asSaved : written
  const { text, seconds, before } = draft
  const isSaved = text === saved.text || text.trim() === ''

  useEffect(() => {
    if (isSaved) return removeSlot(slot)
    stillHere()
    writeSlot(slot, JSON.stringify({ text, seconds, before, keptAt: Date.now() } satisfies Kept))
  }, [slot, text, seconds, before, isSaved])

  return {
    draft,
    setDraft,
    isChangedElsewhere: isOther && isOwn,
    forget: () => removeSlot(slot),
  }
}
