import { useEffect, useState, useSyncExternalStore } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import {
  isOutdated,
  readSlots,
  slotsOf,
  stillHere,
  writeSlot,
} from '../../courses/ui/content-local-store.ts'
import type { KeptExtras } from './extras.ts'

/** `saved` is the text that an edit began from. */
type Draft = { text: string; saved?: string }
/** `earlier` are those that nobody restored or discarded yet, the newest first. */
type Kept = Draft & { extras?: KeptExtras | null; earlier?: Draft[]; keptAt: number }

function readKept(slot: string): Kept | null {
  const stored = readSlots(slot).find((one) => one.slot === slot)
  if (!stored) return null
  try {
    const { text, saved, extras, earlier, keptAt } = JSON.parse(stored.text) as Partial<Kept>
    if (typeof text !== 'string' || typeof keptAt !== 'number' || isOutdated(keptAt)) return null
    const isEmpty = text === '' && !extras && !earlier?.length
    return isEmpty ? null : { text, saved, extras, earlier, keptAt }
  } catch {
    return null
  }
}

function keep(slot: string, draft: Omit<Kept, 'keptAt'>): void {
  writeSlot(slot, JSON.stringify({ ...draft, keptAt: Date.now() } satisfies Kept))
}

/** An empty draft stays in the place of the last one: to other tabs a slot that is gone means that somebody signed out. */
function keepOnly(slot: string, [newest, ...earlier]: Draft[]): void {
  if (newest) keep(slot, { ...newest, earlier })
  else if (readKept(slot)) keep(slot, { text: '' })
}

/** Puts drafts beside what another tab has written into the slot, or in its place where it has nothing more. */
function keepBeside(slot: string, own: Omit<Kept, 'keptAt'>): void {
  const found = readKept(slot)
  if (!found) return keep(slot, own)
  const { earlier = [] } = found
  const there = [found, ...earlier]
  const missing = [{ text: own.text, saved: own.saved }, ...(own.earlier ?? [])].filter(
    (draft) => !there.some(({ text }) => text.startsWith(draft.text)),
  )
  if (missing.length > 0) keep(slot, { ...found, earlier: [...earlier, ...missing] })
}

/** `of` is the post that is being edited, or 'new'. */
function useSlot(courseId: string, of: string): string {
  const me = useRouteLoaderData<typeof loader>('root')?.me
  return `${slotsOf(me?.id ?? '', `community-${courseId}`)}${of}`
}

/**
 * The text of a post that somebody is writing, and what a new one has besides, kept in this browser until it is sent
 * or given up. Files are not. A draft of a post that is another one by now is not taken for the post: it is
 * offered, and kept beside what is written meanwhile, until somebody restores or discards it.
 */
export function useComposerDraft(courseId: string, of: string, saved: string) {
  const slot = useSlot(courseId, of)
  const [kept] = useState(() => readKept(slot))
  const wasEdited = of !== 'new' && kept !== null && kept.text !== saved
  const isOutdatedEdit = wasEdited && kept.saved !== saved
  const [text, setText] = useState(isOutdatedEdit ? saved : (kept?.text ?? saved))
  const [earlier, setEarlier] = useState<Draft[]>(() => {
    const all = [...(isOutdatedEdit ? [kept] : []), ...(kept?.earlier ?? [])]
    return all
      .filter((draft) => draft.text !== saved)
      .map((draft) => ({ text: draft.text, saved: draft.saved }))
  })
  const [offered, ...others] = earlier
  const [isRestored, setRestored] = useState(wasEdited && !isOutdatedEdit)
  const [extras, setExtras] = useState(kept?.extras ?? null)
  const isSaved = extras === null && (text === saved || text.trim() === '')
  const withMine = (drafts: Draft[]) => (isSaved ? drafts : [{ text, saved }, ...drafts])

  useEffect(() => {
    if (isSaved) return keepOnly(slot, earlier)
    stillHere()
    keep(slot, { text, saved, extras, earlier })
  }, [slot, text, saved, extras, isSaved, earlier])

  useEffect(() => {
    if (isSaved) return undefined
    function hear({ key, newValue }: StorageEvent) {
      if (key === slot && newValue !== null) keepBeside(slot, { text, saved, extras, earlier })
    }
    window.addEventListener('storage', hear)
    return () => window.removeEventListener('storage', hear)
  }, [slot, text, saved, extras, isSaved, earlier])

  return {
    text,
    setText,
    extras,
    setExtras,
    forget: () => keepOnly(slot, earlier),
    isOffered: offered !== undefined,
    /** What the offered one began from is known, and is no longer the post. */
    isBehind: offered?.saved !== undefined && offered.saved !== saved,
    /** What is in the field was found here, and is not the post. */
    isRestored: isRestored && text !== saved,
    restoreEarlier() {
      if (!offered) return
      setRestored(true)
      setText(offered.text)
      setEarlier(withMine(others))
    },
    showPost() {
      setRestored(false)
      setEarlier(withMine(earlier))
      setText(saved)
    },
    discardEarlier: () => setEarlier(others),
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
