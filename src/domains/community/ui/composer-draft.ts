import { useEffect, useState, useSyncExternalStore } from 'react'
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
import type { KeptExtras } from './extras.ts'

/** `saved` is the text that an edit began from. */
type Kept = { text: string; saved?: string; extras?: KeptExtras | null; keptAt: number }

function readKept(slot: string): Kept | null {
  const stored = readSlots(slot).find((one) => one.slot === slot)
  if (!stored) return null
  try {
    const { text, saved, extras, keptAt } = JSON.parse(stored.text) as Partial<Kept>
    if (typeof text !== 'string' || typeof keptAt !== 'number' || isOutdated(keptAt)) return null
    return { text, saved, extras, keptAt }
  } catch {
    return null
  }
}

/** `of` is the post that is being edited, or 'new'. */
function useSlot(courseId: string, of: string): string {
  const me = useRouteLoaderData<typeof loader>('root')?.me
  return `${slotsOf(me?.id ?? '', `community-${courseId}`)}${of}`
}

/**
 * The text of a post that somebody is writing, and what a new one has besides, kept in this browser until it is sent
 * or given up. Files are not. A draft of a post that is another one by now is not taken for the post: it waits as
 * `earlier` until somebody restores or discards it.
 */
export function useComposerDraft(courseId: string, of: string, saved: string) {
  const slot = useSlot(courseId, of)
  const [kept] = useState(() => readKept(slot))
  const wasEdited = of !== 'new' && kept !== null && kept.text !== saved
  const isOutdatedEdit = wasEdited && kept.saved !== saved
  const [text, setText] = useState(isOutdatedEdit ? saved : (kept?.text ?? saved))
  const [earlier, setEarlier] = useState(isOutdatedEdit ? kept.text : null)
  const [isRestored, setRestored] = useState(wasEdited && !isOutdatedEdit)
  const [extras, setExtras] = useState(kept?.extras ?? null)
  const isSaved = extras === null && (text === saved || text.trim() === '')
  const waits = isSaved && earlier !== null

  useEffect(() => {
    if (waits) return
    if (isSaved) return removeSlot(slot)
    stillHere()
    writeSlot(slot, JSON.stringify({ text, saved, extras, keptAt: Date.now() } satisfies Kept))
  }, [slot, text, saved, extras, isSaved, waits])

  return {
    text,
    setText,
    extras,
    setExtras,
    forget: () => waits || removeSlot(slot),
    earlier,
    /** What `earlier` began from is known, and is no longer the post. */
    isBehind: isOutdatedEdit && kept.saved !== undefined,
    /** What is in the field was found here, and is not the post. */
    isRestored: isRestored && text !== saved,
    restoreEarlier() {
      if (earlier === null) return
      setRestored(true)
      setText(earlier)
      setEarlier(text === saved ? null : text)
    },
    showPost() {
      setRestored(false)
      setEarlier(text)
      setText(saved)
    },
    discardEarlier: () => setEarlier(null),
  }
}

export type ComposerDraft = ReturnType<typeof useComposerDraft>

const subscribe = () => () => {}

/** Whether a new post was begun here and not sent. */
export function useHasDraft(courseId: string): boolean {
  const slot = useSlot(courseId, 'new')
  return useSyncExternalStore(
    subscribe,
    () => readKept(slot) !== null,
    () => false,
  )
}
