import { type Dispatch, useEffect, useMemo, useState } from 'react'
import { renamePlace, stoppedPlaceOf } from '../../media/ui/unfinished-uploads.ts'
import { createUploadQueue, type UploadQueue } from '../../media/ui/upload-queue.ts'
import { limits } from '../rules.ts'
import type { CourseContent } from '../schema.ts'
import {
  type ContentDraft,
  type ContentStep,
  isUntouched,
  type LessonDraft,
  lessonsCount,
} from './content-draft.ts'
import { inFileOrder, titlesOfFiles } from './titles-of-files.ts'

/** What the fields of a lesson need to know of their course and its uploads; the same object as long as it says the same. */
export type EditedCourse = Pick<CourseContent, 'id' | 'videoMaxMb' | 'processesVideos'> & {
  uploads: UploadQueue
  /** What a lesson is called in the memory of this browser, also before it was saved. */
  placeOf: (lesson: Pick<LessonDraft, 'id' | 'key'>) => string
}

/** The uploads of an editor. They go on while their lessons move or are collapsed. `slot` names the draft. */
export function useUploads(
  course: CourseContent,
  draft: ContentDraft,
  slot: string,
  dispatch: Dispatch<ContentStep>,
): EditedCourse {
  const { id, videoMaxMb, processesVideos } = course
  const { chapters, generation, saved } = draft
  const [uploads] = useState(() =>
    createUploadQueue({
      courseId: id,
      videoMaxMb,
      onBusyChange: (lesson, upload) => dispatch({ type: 'uploadChanged', lesson, upload }),
      onReady: (lesson, media) =>
        dispatch({
          type: 'videoChanged',
          lesson,
          video: { ...media, url: null, processing: null },
        }),
    }),
  )

  useEffect(() => {
    const keys = new Set(chapters.flatMap(({ lessons }) => lessons.map(({ key }) => key)))
    uploads.keepOnly((key) => keys.has(key))
  }, [uploads, chapters])

  // Another draft has other lessons; what is under way for those of the last one goes on when they are back.
  useEffect(() => () => uploads.stop(), [uploads, generation])

  const placeOf = useMemo(
    () => (lesson: Pick<LessonDraft, 'id' | 'key'>) => lesson.id ?? `${slot} ${lesson.key}`,
    [slot],
  )
  useEffect(() => {
    for (const lesson of chapters.flatMap(({ lessons }) => lessons)) {
      const { id: lessonId, key } = lesson
      if (lessonId && lessonId !== key) renamePlace(placeOf({ key }), lessonId)
    }
    // Ids come with a saving.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [saved, placeOf])

  return useMemo(
    () => ({ id, videoMaxMb, processesVideos, uploads, placeOf }),
    [id, videoMaxMb, processesVideos, uploads, placeOf],
  )
}

export type AddedVideos = {
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
    key: `file-${crypto.randomUUID()}`,
    title: titles[index] ?? '',
    file,
  }))
  return { goingOn, added, left: others.length - taken.length }
}
