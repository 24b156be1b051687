import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { randomId } from '../../../web/random-id.ts'
import type { CourseContent } from '../schema.ts'
import { type ContentDraft, isChanged } from './content-draft.ts'
import { hasChanges, type LocalDraft, localDraftOf, readLocalDraft } from './content-local-draft.ts'
import {
  holdSlot,
  isOutdated,
  readSlots,
  removeSlot,
  slotsInUse,
  slotsOf,
  stillHere,
  whenFree,
  writeSlot,
} from './content-local-store.ts'

/** Milliseconds without a change after which it is kept. */
const keepAfter = 400

export type KeptDraft = { slot: string; local: LocalDraft }

function write(slot: string, draft: ContentDraft, unheard: ContentDraft[]): boolean {
  const keep = (sent: ContentDraft[]) =>
    writeSlot(slot, JSON.stringify(localDraftOf(draft, Date.now(), sent)))
  // Without what was sent it takes less room.
  return !isChanged(draft) || keep(unheard) || keep([])
}

/** What of a kept draft is worth offering; null when restoring it would change nothing. */
export async function worthOffering(
  local: LocalDraft,
  content: CourseContent,
): Promise<LocalDraft | null> {
  if (isOutdated(local.keptAt)) return null
  // The offer moves the page down, so it comes at once wherever it can.
  const part = local.unheard && (await import('./content-arrived.ts').catch(() => null))
  // First what has arrived: what the person took back since would else seem to be somebody else's.
  const unsaved = part ? part.unsavedOf(local, content) : local
  return unsaved && hasChanges(unsaved, content) ? unsaved : null
}

/**
 * Keeps what is unsaved in this browser, in a slot of this page's own, and finds what earlier pages left.
 * `newest` is what the server has, as far as this page knows; `unheard` are states of the draft that it may have.
 */
export function useLocalDraft(
  userId: string,
  newest: CourseContent,
  draft: ContentDraft,
  unheard: RefObject<ContentDraft[]>,
) {
  const slots = slotsOf(userId, newest.id)
  const [slot, setSlot] = useState(() => slots + randomId())
  const [earlier, setEarlier] = useState<KeptDraft[]>([])
  const [isKept, setKept] = useState(true)
  /** Slots that this page wrote to before. */
  const past = useRef(new Set<string>())

  useEffect(() => {
    if (!isChanged(draft)) return removeSlot(slot)
    stillHere()
    const timer = setTimeout(() => setKept(write(slot, draft, unheard.current)), keepAfter)
    return () => clearTimeout(timer)
  }, [slot, draft, unheard])

  const keepNow = useEffectEvent(() => write(slot, draft, unheard.current))
  useEffect(() => {
    const leave = () => void keepNow()
    const hide = () => void (document.visibilityState === 'hidden' && keepNow())
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [])

  useEffect(() => holdSlot(slot), [slot])

  useEffect(() => {
    const closing = new AbortController()
    const { signal } = closing
    async function search() {
      const inUse = await slotsInUse()
      if (signal.aborted) return
      const found: KeptDraft[] = []
      for (const { slot: other, text } of readSlots(slots)) {
        if (other === slot) continue
        if (inUse.has(other) && !past.current.has(other)) {
          whenFree(other, signal, search)
          continue
        }
        const kept = readLocalDraft(text)
        const local = kept && (await worthOffering(kept, newest))
        if (signal.aborted) return
        if (local) found.push({ slot: other, local })
        else removeSlot(other)
      }
      setEarlier(found.toSorted((a, b) => b.local.keptAt - a.local.keptAt))
    }
    void search()
    return () => closing.abort()
  }, [slots, slot, newest])

  return {
    /** Names this draft in this browser, until it is saved and after a reload. */
    slot,
    /** The newest one that no open page is writing; offered until it is taken or discarded. */
    earlier: earlier[0],
    isKept,
    /** False when this browser has no room for it. */
    keep(): boolean {
      const kept = write(slot, draft, unheard.current)
      setKept(kept)
      return kept
    },
    /** This page goes on in another slot; what it has kept so far stays behind as an earlier draft. */
    moveOn(to = slots + randomId()) {
      past.current.add(slot)
      setEarlier([])
      setSlot(to)
    },
    discard() {
      const [first, ...others] = earlier
      if (first) removeSlot(first.slot)
      setEarlier(others)
    },
  }
}
