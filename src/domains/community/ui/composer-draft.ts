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

type Kept = { text: string; extras?: KeptExtras | null; keptAt: number }

function readKept(slot: string): Kept | null {
  const stored = readSlots(slot).find((one) => one.slot === slot)
  if (!stored) return null
  try {
    const { text, extras, keptAt } = JSON.parse(stored.text) as Partial<Kept>
    if (typeof text !== 'string' || typeof keptAt !== 'number' || isOutdated(keptAt)) return null
    return { text, extras, keptAt }
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
 * or given up. Files are not.
 */
export function useComposerDraft(courseId: string, of: string, saved: string) {
  const slot = useSlot(courseId, of)
  const [kept] = useState(() => readKept(slot))
  const [text, setText] = useState(kept?.text ?? saved)
  const [extras, setExtras] = useState(kept?.extras ?? null)
  const isSaved = extras === null && (text === saved || text.trim() === '')

  useEffect(() => {
    if (isSaved) return removeSlot(slot)
    stillHere()
    writeSlot(slot, JSON.stringify({ text, extras, keptAt: Date.now() } satisfies Kept))
  }, [slot, text, extras, isSaved])

  return { text, setText, extras, setExtras, forget: () => removeSlot(slot) }
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
