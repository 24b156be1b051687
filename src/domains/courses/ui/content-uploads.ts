import { type Dispatch, useEffect, useMemo, useRef, useState } from 'react'
import { renamePlace } from '../../media/ui/unfinished-uploads.ts'
import { createUploadQueue, type UploadQueue } from '../../media/ui/upload-queue.ts'
import type { CourseContent } from '../schema.ts'
import type { ContentDraft, ContentStep, LessonDraft } from './content-draft.ts'

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

  const drawn = useRef<string[]>([])
  useEffect(() => {
    const keys = new Set(chapters.flatMap(({ lessons }) => lessons.map(({ key }) => key)))
    // Those that were there, and no others: an upload can begin before its lesson is drawn.
    const gone = new Set(drawn.current.filter((key) => !keys.has(key)))
    uploads.keepOnly((key) => !gone.has(key))
    drawn.current = [...keys]
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
