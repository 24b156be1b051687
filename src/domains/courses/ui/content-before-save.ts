// What is looked at before a draft is saved: what would be refused, and what would be lost.
import { linkAddress } from '../../lessons/rules.ts'
import {
  type ContentDraft,
  isFilled,
  isFilledLink,
  isTitled,
  isWholeLink,
  type Place,
} from './content-draft.ts'

/** The chapter and lesson at a path into what `toSave` made, for telling where a problem is. */
export function placeAt(draft: ContentDraft, path: PropertyKey[]): Place | null {
  const [, chapterIndex, , lessonIndex] = path
  const chapter = draft.chapters.filter(isTitled)[Number(chapterIndex)]
  if (!chapter) return null
  return { chapter, lesson: chapter.lessons.filter(isTitled)[Number(lessonIndex)] }
}

/** The first link whose address cannot be opened, however it is written. */
export function brokenLink(draft: ContentDraft): Required<Place> | null {
  for (const chapter of draft.chapters.filter(isTitled)) {
    for (const lesson of chapter.lessons.filter(isTitled)) {
      if (lesson.links.some((link) => isWholeLink(link) && !linkAddress(link.url.trim())))
        return { chapter, lesson }
    }
  }
  return null
}

/** What saving would drop although somebody put something into it, each in a few words. */
export function droppedOnSave(draft: ContentDraft): string[] {
  return draft.chapters.flatMap((chapter, index) => {
    const filled = chapter.lessons.filter((lesson) => isTitled(lesson) || isFilled(lesson))
    const name = isTitled(chapter) ? `“${chapter.title.trim()}”` : `chapter ${index + 1}`
    if (!isTitled(chapter)) {
      if (filled.length === 0 && !chapter.id) return []
      const count = filled.length === 1 ? '1 lesson' : `${filled.length} lessons`
      return [filled.length > 0 ? `The untitled ${name} and its ${count}` : `The untitled ${name}`]
    }
    return chapter.lessons.flatMap((lesson, at) => {
      if (!isTitled(lesson))
        return isFilled(lesson) ? [`The untitled lesson ${at + 1} of ${name}`] : []
      const links = lesson.links.filter((link) => !isWholeLink(link) && isFilledLink(link)).length
      if (links === 0) return []
      return [
        `${links === 1 ? 'A link' : `${links} links`} without title or URL in “${lesson.title.trim()}”`,
      ]
    })
  })
}
