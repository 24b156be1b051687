// What a browser keeps of unsaved chapters and lessons, and how it comes back onto what the server has by then.
import type { CourseContent } from '../schema.ts'
import { droppedOnSave } from './content-before-save.ts'
import {
  type ChapterDraft,
  type ContentDraft,
  draftOf,
  type LessonDraft,
  toSave,
} from './content-draft.ts'
import { changedParts, type LessonPart, mergedChapters } from './content-merged-draft.ts'

type LocalChapter = Omit<ChapterDraft, 'lessons'> & {
  isRenamed: boolean
  /** Only the id of a lesson that nobody changed, so that a long course takes little room. */
  lessons: (string | LessonDraft)[]
}

export type LocalDraft = {
  format: 1
  /** Milliseconds since 1970. */
  keptAt: number
  /** The version of the course that was being edited. */
  contentVersion: number
  nextKey: number
  chapters: LocalChapter[]
  /** Ids of chapters and lessons that the person removed. */
  removed: string[]
  /** The chapters and lessons that the server had, in their order; drafts of earlier versions do not say. */
  base?: [chapter: string, lessons: string[]][]
  /** By its id: what the person changed in a lesson that the server had. */
  changes?: Record<string, LessonPart[]>
  /** As it was whenever it was sent and no answer came; absent where that never happened. */
  unheard?: LocalDraft[]
}

export function localDraftOf(
  draft: ContentDraft,
  keptAt: number,
  unheard: ContentDraft[] = [],
): LocalDraft {
  const here = new Set<string | undefined>()
  const changes: Record<string, LessonPart[]> = {}
  const chapters = draft.chapters.map((chapter) => {
    here.add(chapter.id)
    const lessons = chapter.lessons.map((lesson) => {
      here.add(lesson.id)
      const { id } = lesson
      const before = draft.saved.lessons.get(id ?? '')
      if (id === undefined || !before) return lesson
      const changed = before === lesson ? [] : changedParts(lesson, before)
      if (changed.length === 0) return id
      changes[id] = changed
      return lesson
    })
    const { key, id, title } = chapter
    const isSaved = id !== undefined && draft.saved.chapters.get(id)?.title === title
    return { key, id, title, isRenamed: !isSaved, lessons }
  })
  const known = [...draft.saved.chapters.keys(), ...draft.saved.lessons.keys()]
  return {
    format: 1,
    keptAt,
    contentVersion: draft.contentVersion,
    nextKey: draft.nextKey,
    chapters,
    removed: known.filter((id) => !here.has(id)),
    base: [...draft.saved.chapters].map(([id, { lessons }]) => [id, lessons.map((one) => one.id)]),
    changes,
    ...(unheard.length > 0 && { unheard: unheard.map((sent) => localDraftOf(sent, keptAt)) }),
  }
}

/** Null when it is no draft of ours: the browser's storage is open to its owner. */
export function readLocalDraft(text: string): LocalDraft | null {
  try {
    const value = JSON.parse(text) as LocalDraft | null
    return value?.format === 1 && Array.isArray(value.chapters) ? value : null
  } catch {
    return null
  }
}

/** The kept draft alone: what else the course has by now is not in it. */
export function ownDraft(local: LocalDraft, newest: ContentDraft): ContentDraft {
  const chapters = local.chapters.flatMap(({ key, id, title, isRenamed, ...chapter }) => {
    const lessons = chapter.lessons.flatMap(
      (kept) => (typeof kept === 'string' ? newest.saved.lessons.get(kept) : kept) ?? [],
    )
    const now = newest.saved.chapters.get(id ?? '')
    if (!now && !isRenamed && lessons.length === 0) return []
    return { key, id, title: isRenamed ? title : (now?.title ?? title), lessons }
  })
  return { ...newest, chapters, nextKey: local.nextKey }
}

/**
 * The kept draft on top of the newest content. What the person changed, moved or removed wins; all else is as it was
 * made elsewhere since, and what was removed there stays away unless the person had changed it.
 */
export function restoredDraft(local: LocalDraft, content: CourseContent): ContentDraft {
  const newest = draftOf(content)
  if (!local.base) return restoredWithoutBase(local, content, newest)
  const chapters = mergedChapters(local, newest)
  return onTopOf({ ...newest, chapters, nextKey: local.nextKey }, content, newest)
}

/** Nobody knows what the person moved: everything takes the place that it had there. */
function restoredWithoutBase(
  local: LocalDraft,
  content: CourseContent,
  newest: ContentDraft,
): ContentDraft {
  const own = ownDraft(local, newest)
  const { chapters } = own
  const used = new Set(chapters.flatMap(({ lessons }) => lessons.map(({ id }) => id)))
  const removed = new Set(local.removed)
  const added = content.chapters.flatMap((chapter) => {
    const lessons = chapter.lessons.flatMap(({ id }) =>
      used.has(id) || removed.has(id) ? [] : (newest.saved.lessons.get(id) ?? []),
    )
    const mine = chapters.find(({ id }) => id === chapter.id)
    if (mine) mine.lessons.push(...lessons)
    const isNew = !mine && (lessons.length > 0 || !removed.has(chapter.id))
    return isNew ? [{ ...chapter, key: chapter.id, lessons }] : []
  })
  return onTopOf({ ...own, chapters: [...chapters, ...added] }, content, newest)
}

/** The same draft, to be saved over this content: what is gone there becomes new again. */
export function onTopOf(
  draft: ContentDraft,
  content: CourseContent,
  { saved, contentVersion } = draftOf(content),
): ContentDraft {
  const chapters = draft.chapters.map((chapter) => ({
    ...chapter,
    id: chapter.id && saved.chapters.has(chapter.id) ? chapter.id : undefined,
    lessons: chapter.lessons.map((lesson) => {
      const now = lesson.id === undefined ? undefined : saved.lessons.get(lesson.id)
      if (now === lesson) return lesson
      const linkIds = new Set(now?.links.map(({ id }) => id))
      const links = lesson.links.map((link) =>
        linkIds.has(link.id) ? link : { ...link, id: undefined },
      )
      return { ...lesson, id: now && lesson.id, links }
    }),
  }))
  return { ...draft, chapters, contentVersion, saved }
}

/** True when restoring it would bring something back: also what a save would leave out, as a lesson that has no title yet. */
export function hasChanges(local: LocalDraft, content: CourseContent): boolean {
  const text = (draft: ContentDraft) => JSON.stringify(toSave(content.id, draft).chapters)
  const restored = restoredDraft(local, content)
  return droppedOnSave(restored).length > 0 || text(restored) !== text(draftOf(content))
}
