import { useEffect, useEffectEvent, useRef, useState } from 'react'
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

export type NoteWords = { text: string; seconds: number | null }
/** Without a moment that is left as it is. */
export type SentWords = { text: string; seconds?: number | null }
/** With what the note said when the writing began; its text is null where that was not kept. */
type Draft = NoteWords & { before: string | null; secondsBefore: number | null }
type Kept = Draft & { keptAt: number }

const secondsIn = (value: unknown) => (typeof value === 'number' ? value : null)

function readKept(slot: string): Kept | null {
  const [stored] = readSlots(slot)
  if (!stored) return null
  try {
    const kept = JSON.parse(stored.text) as Partial<Kept>
    const { text, before, keptAt, seconds, secondsBefore = seconds } = kept
    if (typeof text !== 'string' || typeof keptAt !== 'number' || isOutdated(keptAt)) return null
    return {
      text,
      seconds: secondsIn(seconds),
      before: typeof before === 'string' ? before : null,
      secondsBefore: secondsIn(secondsBefore),
      keptAt,
    }
  } catch {
    return null
  }
}

/**
 * What somebody is writing, kept in this browser until it is saved: with it, a page may be left and a
 * save may fail. `of` is the note that is being changed, or 'new'. Text and moment each follow a note that says
 * something else by now than when the writing began, unless they were changed here: `isChangedElsewhere` when both
 * changed the text.
 */
export function useNoteDraft(lessonId: string, of: string, saved: NoteWords) {
  const me = useRouteLoaderData<typeof loader>('root')?.me
  const slot = `${slotsOf(me?.id ?? '', lessonId)}note:${of}`
  const asSaved: Draft = {
    text: saved.text,
    seconds: saved.seconds,
    before: saved.text,
    secondsBefore: saved.seconds,
  }
  const [written, setDraft] = useState<Draft>(() => readKept(slot) ?? asSaved)
  const isNew = of === 'new'
  const isTextOwn = isNew || (written.text !== written.before && written.text !== saved.text)
  const isMomentOwn = isNew || written.seconds !== written.secondsBefore
  const { text, before } = isTextOwn ? written : asSaved
  const { seconds, secondsBefore } = isMomentOwn ? written : asSaved
  const isSaved = (text === saved.text && seconds === saved.seconds) || text.trim() === ''

  /** What lies there and is of this page: another one of the same lesson may keep other words there since. */
  const own = useRef(readSlots(slot)[0]?.text)
  function forget() {
    if (readSlots(slot)[0]?.text === own.current) removeSlot(slot)
  }
  const forgetOwn = useEffectEvent(forget)

  useEffect(() => {
    if (isSaved) return forgetOwn()
    stillHere()
    const kept: Kept = { text, seconds, before, secondsBefore, keptAt: Date.now() }
    own.current = JSON.stringify(kept)
    writeSlot(slot, own.current)
  }, [slot, text, seconds, before, secondsBefore, isSaved])

  return {
    draft: { text, seconds, before, secondsBefore },
    /** The same without what follows the note: it changes with what somebody does here, and with nothing else. */
    written,
    setDraft,
    isMomentOwn,
    isChangedElsewhere: !isNew && isTextOwn && before !== saved.text,
    forget,
  }
}
