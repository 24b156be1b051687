// Video files that are chosen for a chapter: each goes on where it was, or becomes a lesson.
import { randomId } from '../../../web/random-id.ts'
import { stoppedPlaceOf } from '../../media/ui/unfinished-uploads.ts'
import { limits } from '../rules.ts'
import { type ContentDraft, isUntouched, type LessonDraft, lessonsCount } from './content-draft.ts'
import type { EditedCourse } from './content-uploads.ts'
import { inFileOrder, titlesOfFiles } from './titles-of-files.ts'

type AddedVideos = {
  /** Files for lessons that are there, whose upload of the same file had stopped. */
  goingOn: { key: string; place: string; file: File }[]
  /** Files for new lessons. */
  added: { key: string; title: string; file: File }[]
  /** How many had no place in the course any more. */
  left: number
}

/** What becomes of files that are chosen for a chapter. */
export function planVideos(
  draft: ContentDraft,
  course: EditedCourse,
  chapterKey: string,
  files: File[],
): AddedVideos {
  const free = new Map<string, LessonDraft>()
  for (const lesson of draft.chapters.flatMap(({ lessons }) => lessons)) {
    if (!lesson.video && !draft.uploads[lesson.key]) free.set(course.placeOf(lesson), lesson)
  }
  const goingOn: AddedVideos['goingOn'] = []
  const others: File[] = []
  for (const file of inFileOrder(files)) {
    const place = stoppedPlaceOf(file, course.id, (one) => free.has(one))
    const lesson = place === null ? undefined : free.get(place)
    if (place === null || !lesson) {
      others.push(file)
      continue
    }
    goingOn.push({ key: lesson.key, place, file })
    free.delete(place)
  }
  const chapter = draft.chapters.find(({ key }) => key === chapterKey)
  const untouched = chapter?.lessons.filter((lesson) => isUntouched(draft, lesson)) ?? []
  const room = limits.lessons - lessonsCount(draft) + untouched.length
  const taken = others.slice(0, Math.max(0, room))
  const titles = titlesOfFiles(taken.map(({ name }) => name))
  const added = taken.map((file, index) => ({
    // No other draft of this course has a lesson of this name.
    key: `file-${randomId()}`,
    title: titles[index] ?? '',
    file,
  }))
  return { goingOn, added, left: others.length - taken.length }
}
