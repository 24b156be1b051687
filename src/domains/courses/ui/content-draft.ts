// The chapters and lessons of a course while somebody edits them: every change as a pure step.
import { isBlank } from '../../../is-blank.ts'
import { emptyRichText, plainText, type RichText } from '../../lessons/rich-text.ts'
import { limits } from '../rules.ts'
import type { CourseContent } from '../schema.ts'

export type LessonVideo = CourseContent['chapters'][number]['lessons'][number]['video']
export type UploadState = 'uploading' | 'failed'

/** `key` names a thing on this page and never changes; `id` is the server's, absent until saved. */
type Draft = { key: string; id?: string; title: string }
export type LinkDraft = Draft & { url: string; description: string }
export type LessonDraft = Draft & {
  content: RichText
  video: LessonVideo
  /** The address of a video elsewhere; null with an uploaded one. */
  videoUrl: string | null
  /** Open to everybody. */
  isPreview: boolean
  /** What the creator says. */
  durationMinutes: number | null
  /** What the video says; null as long as nobody knows. */
  videoMinutes: number | null
  links: LinkDraft[]
}
export type ChapterDraft = Draft & { lessons: LessonDraft[] }

export type ContentDraft = {
  chapters: ChapterDraft[]
  /** The version that the server will compare with its own. */
  contentVersion: number
  /** Counts changes; another number than `savedRevision` means unsaved ones. */
  revision: number
  savedRevision: number
  nextKey: number
  /** Counts the loadings: what was typed into an older one must not show in a newer one. */
  generation: number
  /** Keys of the expanded chapters and lessons. */
  open: ReadonlySet<string>
  /** By key of the lesson; idle ones are not in it. */
  uploads: Readonly<Record<string, UploadState>>
  /** By their ids: what the server has. A lesson of the draft that is the same object is unchanged. */
  saved: {
    chapters: ReadonlyMap<string, { title: string; lessons: readonly { id: string }[] }>
    lessons: ReadonlyMap<string, LessonDraft>
  }
}

export type ContentStep =
  | { type: 'loaded'; content: CourseContent }
  /** Another draft of the same course, made elsewhere, takes the place of this one. */
  | { type: 'replaced'; draft: ContentDraft }
  | { type: 'saved'; sent: ContentDraft; content: CourseContent }
  | { type: 'toggled' | 'opened'; key: string }
  | { type: 'chapterAdded' }
  | { type: 'chapterRenamed'; chapter: string; title: string }
  | { type: 'chapterRemoved'; chapter: string }
  | { type: 'chapterMoved'; chapter: string; by: -1 | 1 }
  | { type: 'chapterMovedTo'; chapter: string; index: number }
  | { type: 'lessonAdded'; chapter: string }
  /** At the end of the chapter, collapsed; a lesson in it that nobody has touched makes room. */
  | { type: 'lessonsAdded'; chapter: string; lessons: { key: string; title: string }[] }
  | {
      type: 'lessonChanged'
      lesson: string
      change: Partial<Pick<LessonDraft, 'title' | 'content' | 'durationMinutes' | 'isPreview'>>
    }
  | { type: 'videoChanged'; lesson: string; video: LessonVideo }
  /** What the server says of a file now, for every lesson that shows it; no change of the course. */
  | { type: 'videoLookedAt'; video: NonNullable<LessonVideo> }
  /** The address as it is typed; null when there is none any more. */
  | { type: 'videoLinked'; lesson: string; videoUrl: string | null }
  | { type: 'uploadChanged'; lesson: string; upload: UploadState | 'idle' }
  | { type: 'lessonRemoved'; lesson: string }
  | { type: 'lessonMoved'; lesson: string; by: -1 | 1 }
  /** To be the `index`th (0-based) of that chapter, its own or another; without an index the last. */
  | { type: 'lessonMovedTo'; lesson: string; chapter: string; index?: number }
  | { type: 'linkAdded'; lesson: string }
  | {
      type: 'linkChanged'
      lesson: string
      link: string
      change: Partial<Pick<LinkDraft, 'title' | 'url' | 'description'>>
    }
  | { type: 'linkRemoved'; lesson: string; link: string }

/** With so many lessons at most, all chapters start expanded. */
const overviewLessons = 30

/** What the server has, ready to edit; a course without chapters starts with one and a lesson in it. */
export function draftOf(content: CourseContent): ContentDraft {
  const chapters = content.chapters.map((chapter) => ({
    key: chapter.id,
    ...chapter,
    lessons: chapter.lessons.map((lesson) => ({
      key: lesson.id,
      ...lesson,
      links: lesson.links.map((link) => ({ key: link.id, ...link })),
    })),
  }))
  const draft: ContentDraft = {
    chapters,
    contentVersion: content.contentVersion,
    revision: 0,
    savedRevision: 0,
    nextKey: 1,
    generation: 0,
    open: new Set(),
    uploads: {},
    saved: {
      chapters: byId(chapters),
      lessons: new Map(chapters.flatMap(({ lessons }) => lessons.map((one) => [one.id, one]))),
    },
  }
  if (chapters.length === 0) return { ...draft, ...withNewChapter(draft) }
  const lessons = chapters.reduce((sum, chapter) => sum + chapter.lessons.length, 0)
  const shown = lessons <= overviewLessons ? chapters : chapters.slice(0, 1)
  return { ...draft, open: new Set(shown.map((chapter) => chapter.key)) }
}

const byId = <T extends { id: string }>(items: T[]) => new Map(items.map((item) => [item.id, item]))

export function contentStep(draft: ContentDraft, step: ContentStep): ContentDraft {
  switch (step.type) {
    case 'loaded':
      return { ...draftOf(step.content), generation: draft.generation + 1 }
    case 'replaced':
      return { ...step.draft, generation: draft.generation + 1, revision: 1, savedRevision: 0 }
    case 'saved':
      // An answer about a draft that another one has taken the place of: the next save finds what it did.
      if (step.sent.generation !== draft.generation) return draft
      return withSavedIds(draft, step.sent, step.content)
    case 'toggled':
      return draft.open.has(step.key)
        ? { ...draft, open: without(draft.open, step.key) }
        : opened(draft, step.key)
    case 'opened':
      return opened(draft, step.key)
    case 'uploadChanged': {
      const others = idle(draft.uploads, [step.lesson])
      if (step.upload === 'idle' || !lessonIn(draft, step.lesson))
        return { ...draft, uploads: others }
      return { ...draft, uploads: { ...others, [step.lesson]: step.upload } }
    }
    case 'videoLookedAt':
      return withVideoState(draft, step.video)
    default: {
      const changes = changed(draft, step)
      // Another state of the same file (its processing went on) is no change of the course.
      if (
        step.type === 'videoChanged' &&
        step.video?.id === lessonIn(draft, step.lesson)?.video?.id
      ) {
        return { ...draft, ...changes }
      }
      return changes ? { ...draft, ...changes, revision: draft.revision + 1 } : draft
    }
  }
}

function withVideoState(draft: ContentDraft, video: NonNullable<LessonVideo>): ContentDraft {
  const lessons = new Map(draft.saved.lessons)
  const chapters = draft.chapters.map((chapter) => {
    if (!chapter.lessons.some((lesson) => lesson.video?.id === video.id)) return chapter
    return {
      ...chapter,
      lessons: chapter.lessons.map((lesson) => {
        if (lesson.video?.id !== video.id) return lesson
        const next = { ...lesson, video }
        // A lesson that was as the server has it still counts as such.
        if (lesson.id && lessons.get(lesson.id) === lesson) lessons.set(lesson.id, next)
        return next
      }),
    }
  })
  return { ...draft, chapters, saved: { ...draft.saved, lessons } }
}

type Change = Exclude<
  ContentStep,
  {
    type: 'loaded' | 'replaced' | 'saved' | 'toggled' | 'opened' | 'uploadChanged' | 'videoLookedAt'
  }
>

/** What a step changes in the content; null when it changes nothing. */
function changed(draft: ContentDraft, step: Change): Partial<ContentDraft> | null {
  const { chapters } = draft
  switch (step.type) {
    case 'chapterAdded':
      return chapters.length < limits.chapters ? withNewChapter(draft) : null
    case 'chapterRenamed':
      return {
        chapters: mapKey(chapters, step.chapter, (chapter) => ({ ...chapter, title: step.title })),
      }
    case 'chapterRemoved': {
      const removed = chapters.find(({ key }) => key === step.chapter)
      if (!removed || chapters.length < 2) return null
      return {
        chapters: chapters.filter((chapter) => chapter !== removed),
        uploads: idle(
          draft.uploads,
          removed.lessons.map(({ key }) => key),
        ),
      }
    }
    case 'chapterMoved': {
      const moved = swapped(chapters, step.chapter, step.by)
      return moved && { chapters: moved }
    }
    case 'chapterMovedTo': {
      const chapter = chapters.find(({ key }) => key === step.chapter)
      if (!chapter || chapters[step.index] === chapter) return null
      return { chapters: inserted(chapters, chapter, step.index) }
    }
    case 'lessonAdded': {
      if (lessonsCount(draft) >= limits.lessons) return null
      const lesson = newLesson(draft.nextKey)
      return {
        chapters: mapKey(chapters, step.chapter, (chapter) => ({
          ...chapter,
          lessons: [...chapter.lessons, lesson],
        })),
        nextKey: draft.nextKey + 1,
        open: new Set([...draft.open, step.chapter, lesson.key]),
      }
    }
    case 'lessonsAdded': {
      const isKept = (lesson: LessonDraft) => !isUntouched(draft, lesson)
      const lessons = step.lessons.map(({ key, title }) => ({ ...newLesson(0), key, title }))
      const added = mapKey(chapters, step.chapter, (chapter) => ({
        ...chapter,
        lessons: [...chapter.lessons.filter(isKept), ...lessons],
      }))
      const isFull = lessonsCount({ ...draft, chapters: added }) > limits.lessons
      if (lessons.length === 0 || isFull) return null
      return { chapters: added, open: new Set([...draft.open, step.chapter]) }
    }
    case 'lessonChanged':
      return {
        chapters: mapLesson(chapters, step.lesson, (lesson) => ({ ...lesson, ...step.change })),
      }
    case 'videoChanged':
      return {
        chapters: mapLesson(chapters, step.lesson, (lesson) => ({
          ...lesson,
          video: step.video,
          videoUrl: step.video === null ? lesson.videoUrl : null,
          videoMinutes: lesson.video?.id === step.video?.id ? lesson.videoMinutes : null,
        })),
      }
    case 'videoLinked':
      return {
        chapters: mapLesson(chapters, step.lesson, (lesson) => ({
          ...lesson,
          videoUrl: step.videoUrl,
          ...(step.videoUrl === null ? {} : { video: null, videoMinutes: null }),
        })),
      }
    case 'lessonRemoved': {
      const from = chapterOf(draft, step.lesson)
      if (!from || from.lessons.length < 2) return null
      return {
        chapters: mapKey(chapters, from.key, (chapter) => ({
          ...chapter,
          lessons: chapter.lessons.filter(({ key }) => key !== step.lesson),
        })),
        uploads: idle(draft.uploads, [step.lesson]),
      }
    }
    case 'lessonMoved': {
      const from = chapterOf(draft, step.lesson)
      const lessons = from && swapped(from.lessons, step.lesson, step.by)
      return lessons
        ? { chapters: mapKey(chapters, from.key, (chapter) => ({ ...chapter, lessons })) }
        : null
    }
    case 'lessonMovedTo':
      return withLessonIn(draft, step.lesson, step.chapter, step.index)
    case 'linkAdded': {
      const link = { key: `new-${draft.nextKey}`, title: '', url: '', description: '' }
      if ((lessonIn(draft, step.lesson)?.links.length ?? 0) >= limits.linksPerLesson) return null
      return {
        chapters: mapLesson(chapters, step.lesson, (lesson) => ({
          ...lesson,
          links: [...lesson.links, link],
        })),
        nextKey: draft.nextKey + 1,
      }
    }
    case 'linkChanged':
      return {
        chapters: mapLesson(chapters, step.lesson, (lesson) => ({
          ...lesson,
          links: mapKey(lesson.links, step.link, (link) => ({ ...link, ...step.change })),
        })),
      }
    case 'linkRemoved':
      return {
        chapters: mapLesson(chapters, step.lesson, (lesson) => ({
          ...lesson,
          links: lesson.links.filter(({ key }) => key !== step.link),
        })),
      }
  }
}

function newLesson(number: number): LessonDraft {
  return {
    key: `new-${number}`,
    title: '',
    content: emptyRichText,
    video: null,
    videoUrl: null,
    isPreview: false,
    durationMinutes: null,
    videoMinutes: null,
    links: [],
  }
}

function withNewChapter(draft: ContentDraft) {
  const lesson = newLesson(draft.nextKey + 1)
  const chapter: ChapterDraft = {
    key: `new-${draft.nextKey}`,
    title: `Chapter ${draft.chapters.length + 1}`,
    lessons: [lesson],
  }
  return {
    chapters: [...draft.chapters, chapter],
    nextKey: draft.nextKey + 2,
    open: new Set([...draft.open, chapter.key, lesson.key]),
  }
}

function withLessonIn(
  draft: ContentDraft,
  key: string,
  target: string,
  index = Infinity,
): Partial<ContentDraft> | null {
  const from = chapterOf(draft, key)
  const lesson = lessonIn(draft, key)
  const to = draft.chapters.find((chapter) => chapter.key === target)
  if (!from || !lesson || !to) return null
  if (from === to && (index === Infinity || to.lessons[index] === lesson)) return null
  return {
    chapters: draft.chapters.map((chapter) => {
      if (chapter === to) return { ...to, lessons: inserted(to.lessons, lesson, index) }
      if (chapter === from)
        return { ...from, lessons: from.lessons.filter((other) => other !== lesson) }
      return chapter
    }),
    open: draft.open.has(target) ? draft.open : new Set([...draft.open, target]),
  }
}

/** The item at this index among the others, whether it was among them or not. */
function inserted<T>(items: T[], item: T, index: number): T[] {
  return items.filter((other) => other !== item).toSpliced(index, 0, item)
}

/**
 * The ids that the server gave to what was sent. What was typed while saving stays, as unsaved; what
 * was dropped for want of a title stays on the page, and loses the id that no longer exists.
 */
function withSavedIds(
  draft: ContentDraft,
  sent: ContentDraft,
  content: CourseContent,
): ContentDraft {
  const ids = new Map<string, string | undefined>()
  const note = (keys: Draft[], kept: Draft[], saved: { id: string }[]) => {
    for (const { key } of keys) ids.set(key, undefined)
    for (const [index, { key }] of kept.entries()) ids.set(key, saved[index]?.id)
  }
  note(sent.chapters, sent.chapters.filter(isTitled), content.chapters)
  for (const chapter of sent.chapters) note(chapter.lessons, [], [])
  for (const [index, chapter] of sent.chapters.filter(isTitled).entries()) {
    const savedLessons = content.chapters[index]?.lessons ?? []
    const kept = chapter.lessons.filter(isTitled)
    note(chapter.lessons, kept, savedLessons)
    for (const [at, lesson] of kept.entries()) {
      note(lesson.links, lesson.links.filter(isWholeLink), savedLessons[at]?.links ?? [])
    }
  }
  const withId = <T extends Draft>(item: T): T =>
    ids.has(item.key) && ids.get(item.key) !== item.id ? { ...item, id: ids.get(item.key) } : item
  const withIds = (lesson: LessonDraft) => {
    const links = lesson.links.map(withId)
    const isSame = links.every((link, index) => link === lesson.links[index])
    return withId(isSame ? lesson : { ...lesson, links })
  }
  const sentLessons = new Map<string, LessonDraft>()
  const savedLessons = new Map<string, LessonDraft>()
  for (const lesson of sent.chapters.flatMap((chapter) => chapter.lessons)) {
    const id = ids.get(lesson.key)
    sentLessons.set(lesson.key, lesson)
    if (id !== undefined) savedLessons.set(id, lesson)
  }
  return {
    ...draft,
    contentVersion: content.contentVersion,
    savedRevision: sent.revision,
    saved: { chapters: byId(content.chapters), lessons: savedLessons },
    chapters: draft.chapters.map((chapter) =>
      withId({
        ...chapter,
        lessons: chapter.lessons.map((lesson) => {
          const known = withIds(lesson)
          if (known.id && sentLessons.get(lesson.key) === lesson) savedLessons.set(known.id, known)
          return known
        }),
      }),
    ),
  }
}

// What is asked of a draft ---------------------------------------------------------------------

export function isChanged(draft: ContentDraft): boolean {
  return draft.revision !== draft.savedRevision
}

/** Whether something was changed or uploaded since that draft was sent. */
export function hasGoneOn(now: ContentDraft, sent: ContentDraft): boolean {
  return now.revision !== sent.revision || Object.keys(now.uploads).length > 0
}

export function lessonsCount(draft: ContentDraft): number {
  return draft.chapters.reduce((sum, chapter) => sum + chapter.lessons.length, 0)
}

/** Why saving has to wait, in the words of the spec; null when it need not. */
export function uploadAlert(draft: ContentDraft): string | null {
  const uploads = Object.values(draft.uploads)
  if (uploads.includes('uploading'))
    return 'Please wait for all video uploads to complete before saving.'
  return uploads.includes('failed') ? 'Please resolve all upload errors before saving.' : null
}

/** Where the work on a draft stands, in the line beside 'Save Changes'. */
export function savingState(draft: ContentDraft, { isKept }: { isKept: boolean }): string {
  const countOf = (state: 'uploading' | 'failed') =>
    Object.values(draft.uploads).filter((one) => one === state).length
  const [running, failed] = [countOf('uploading'), countOf('failed')]
  if (running > 0) return running === 1 ? 'Uploading a video…' : `Uploading ${running} videos…`
  if (isChanged(draft)) {
    return isKept
      ? 'Unsaved changes'
      : 'Unsaved changes, and no room in this browser to keep them. Please save soon.'
  }
  if (failed > 0) {
    return failed === 1 ? 'A video was not uploaded' : `${failed} videos were not uploaded`
  }
  return 'Everything is saved'
}

export const isTitled = (item: Draft) => !isBlank(item.title)
export const isWholeLink = (link: LinkDraft) => isTitled(link) && !isBlank(link.url)

/**
 * What the call takes. Chapters and lessons without a title and links without title or address are
 * left out (spec 2, section 5).
 */
export function toSave(courseId: string, draft: ContentDraft) {
  return {
    courseId,
    contentVersion: draft.contentVersion,
    chapters: draft.chapters.filter(isTitled).map((chapter) => ({
      id: chapter.id,
      title: chapter.title,
      lessons: chapter.lessons.filter(isTitled).map((lesson) => ({
        id: lesson.id,
        title: lesson.title,
        content: lesson.content,
        videoId: lesson.video?.id ?? null,
        videoUrl: lesson.videoUrl?.trim() || null,
        isPreview: lesson.isPreview,
        durationMinutes: lesson.durationMinutes,
        links: lesson.links.filter(isWholeLink).map(({ id, title, url, description }) => ({
          id,
          title,
          url,
          description,
        })),
      })),
    })),
  }
}

export type Place = { chapter: ChapterDraft; lesson?: LessonDraft }

/** New, and nothing was put into it. */
export function isUntouched({ uploads }: ContentDraft, lesson: LessonDraft): boolean {
  return !isTitled(lesson) && !isFilled(lesson) && !uploads[lesson.key]
}

export function isFilled(lesson: LessonDraft): boolean {
  return (
    lesson.id !== undefined ||
    lesson.video !== null ||
    (lesson.videoUrl ?? '').trim() !== '' ||
    lesson.links.some(isFilledLink) ||
    plainText(lesson.content) !== ''
  )
}

export function isFilledLink(link: LinkDraft): boolean {
  return link.id !== undefined || `${link.title}${link.url}${link.description}`.trim() !== ''
}

// The small steps ------------------------------------------------------------------------------

function chapterOf(draft: ContentDraft, lesson: string): ChapterDraft | undefined {
  return draft.chapters.find((chapter) => chapter.lessons.some(({ key }) => key === lesson))
}

function lessonIn(draft: ContentDraft, key: string): LessonDraft | undefined {
  return chapterOf(draft, key)?.lessons.find((lesson) => lesson.key === key)
}

/** The same list with one item changed; all others stay the same objects, so they are not drawn again. */
function mapKey<T extends Draft>(items: T[], key: string, change: (item: T) => T): T[] {
  return items.map((item) => (item.key === key ? change(item) : item))
}

function mapLesson(
  chapters: ChapterDraft[],
  key: string,
  change: (lesson: LessonDraft) => LessonDraft,
) {
  return chapters.map((chapter) =>
    chapter.lessons.some((lesson) => lesson.key === key)
      ? { ...chapter, lessons: mapKey(chapter.lessons, key, change) }
      : chapter,
  )
}

function swapped<T extends Draft>(items: T[], key: string, by: -1 | 1): T[] | null {
  const from = items.findIndex((item) => item.key === key)
  const item = items[from]
  const other = items[from + by]
  if (!item || !other) return null
  return items.with(from, other).with(from + by, item)
}

function opened(draft: ContentDraft, key: string): ContentDraft {
  return { ...draft, open: new Set([...draft.open, key]) }
}

function without(keys: ReadonlySet<string>, key: string) {
  return new Set([...keys].filter((other) => other !== key))
}

function idle(uploads: ContentDraft['uploads'], lessons: string[]) {
  return Object.fromEntries(Object.entries(uploads).filter(([key]) => !lessons.includes(key)))
}
