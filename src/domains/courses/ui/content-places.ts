// Where a chapter or lesson that is being moved can go, in reading order, and how to say it.
import { type ContentDraft, type ContentStep } from './content-draft.ts'

export type Moved = { kind: 'chapter' | 'lesson'; key: string }

/** `index` (0-based) is where it will be; `among` counts it, too. */
export type Place = { chapter: string; index: number; among: number }

/** A lesson can go anywhere in an expanded chapter, and to the end of a collapsed one. */
export function placesFor(draft: ContentDraft, moved: Moved): Place[] {
  const { chapters, open } = draft
  if (moved.kind === 'chapter') {
    return chapters.map((_chapter, index) => ({
      chapter: moved.key,
      index,
      among: chapters.length,
    }))
  }
  return chapters.flatMap(({ key, lessons }) => {
    const others = lessons.filter((lesson) => lesson.key !== moved.key).length
    const last = { chapter: key, index: others, among: others + 1 }
    if (!open.has(key)) return [last]
    return Array.from({ length: others + 1 }, (_, index) => ({ ...last, index }))
  })
}

/** Where it is now; null when it is gone. */
export function placeOf(draft: ContentDraft, moved: Moved): Place | null {
  if (moved.kind === 'chapter') {
    const index = draft.chapters.findIndex(({ key }) => key === moved.key)
    return index < 0 ? null : { chapter: moved.key, index, among: draft.chapters.length }
  }
  for (const { key, lessons } of draft.chapters) {
    const index = lessons.findIndex((lesson) => lesson.key === moved.key)
    if (index >= 0) return { chapter: key, index, among: lessons.length }
  }
  return null
}

export const isSamePlace = (a: Place, b: Place) => a.chapter === b.chapter && a.index === b.index

/** '2 of 5 in “Leaves”', 1-based. */
export function placeName(draft: ContentDraft, moved: Moved, { chapter, index, among }: Place) {
  const count = `${index + 1} of ${among}`
  if (moved.kind === 'chapter') return count
  const at = draft.chapters.findIndex(({ key }) => key === chapter)
  return `${count} in “${draft.chapters[at]?.title.trim() || `Untitled chapter ${at + 1}`}”`
}

export function stepTo({ kind, key }: Moved, { chapter, index }: Place): ContentStep {
  return kind === 'chapter'
    ? { type: 'chapterMovedTo', chapter: key, index }
    : { type: 'lessonMovedTo', lesson: key, chapter, index }
}
