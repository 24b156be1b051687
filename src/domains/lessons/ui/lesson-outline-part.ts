import type { LessonOutline } from '../schema.ts'

export type OutlineLesson = LessonOutline['chapters'][number]['lessons'][number]

export type OutlineChapter = {
  id: string
  title: string
  /** What its first lesson is within the course, 1-based. */
  firstNumber: number
  lessonsCount: number
  completedCount: number
  /** Null where they are left out. */
  lessons: OutlineLesson[] | null
}

export type OutlinePart = {
  chapters: OutlineChapter[]
  completedCount: number
  lessonsCount: number
}

/** Lessons up to which every page of a course carries all of them. */
const carriedWhole = 100

/**
 * What a lesson's page shows of its course's outline. A long course comes without the lessons of other
 * chapters, so that each of its pages weighs no more than that of a short one.
 */
export function partOfOutline(
  outline: Omit<LessonOutline, 'canEdit'>,
  lessonId: string,
): OutlinePart {
  const { completedCount, lessonsCount } = outline
  let firstNumber = 1
  const chapters = outline.chapters.map(({ id, title, lessons }) => {
    const isShown = lessonsCount <= carriedWhole || lessons.some((one) => one.id === lessonId)
    const chapter = {
      id,
      title,
      firstNumber,
      lessonsCount: lessons.length,
      completedCount: lessons.filter((one) => one.completed).length,
      lessons: isShown ? lessons : null,
    }
    firstNumber += lessons.length
    return chapter
  })
  return { chapters, completedCount, lessonsCount }
}

/** The outline with what this person just did to one lesson, before the server has said it. */
export function withTick(outline: OutlinePart, lessonId: string, completed: boolean): OutlinePart {
  const before = outline.chapters
    .flatMap(({ lessons }) => lessons ?? [])
    .find(({ id }) => id === lessonId)
  if (!before || before.completed === completed) return outline
  const change = completed ? 1 : -1
  const chapters = outline.chapters.map((chapter) => {
    if (!chapter.lessons?.includes(before)) return chapter
    const lessons = chapter.lessons.map((one) => (one === before ? { ...one, completed } : one))
    return { ...chapter, lessons, completedCount: chapter.completedCount + change }
  })
  return { ...outline, chapters, completedCount: outline.completedCount + change }
}

/** The outline with the lessons that `whole` knows and it leaves out. */
export function filledIn(outline: OutlinePart, whole: LessonOutline | null): OutlinePart {
  if (!whole) return outline
  const known = new Map(whole.chapters.map(({ id, lessons }) => [id, lessons]))
  const chapters = outline.chapters.map((chapter) => ({
    ...chapter,
    lessons: chapter.lessons ?? known.get(chapter.id) ?? null,
  }))
  return { ...outline, chapters }
}
