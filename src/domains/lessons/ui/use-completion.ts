import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { LessonPage, SavedPosition } from '../schema.ts'
import type { action } from './lesson-page.tsx'

/**
 * A lesson's completion with its toggle. Shown at once, taken back when the server refuses. Presses are
 * ignored while a change is in flight, and what the person chose wins over what the video does.
 */
export function useCompletion(lesson: Pick<LessonPage, 'id' | 'completedAt'>) {
  const fetcher = useFetcher<typeof action>({ key: `completion ${lesson.id}` })
  const [changedAt, setChangedAt] = useState<string | null>(null)
  /** What the server said when the video was watched to its end. The page, once loaded again, knows better. */
  const [watched, setWatched] = useState<Watched | null>(null)
  const isInFlight = fetcher.state !== 'idle'
  const asked = fetcher.formData?.get('completed')
  const isWatched = watched?.lesson === lesson
  const isCompleted = asked ? asked === 'true' : lesson.completedAt !== null || isWatched
  const answer = fetcher.data

  return {
    Form: fetcher.Form,
    isCompleted,
    isInFlight,
    completedAt: isCompleted
      ? (lesson.completedAt ?? (isWatched ? watched.completedAt : changedAt))
      : null,
    /** True when this change completed the whole course. */
    finishedCourse:
      isCompleted &&
      !isInFlight &&
      (answer?.finishedCourse === true ||
        (watched?.lesson.id === lesson.id && watched.completedCount >= watched.lessonsCount)),
    /** Of who has completed the whole course. */
    certificateId:
      answer?.certificateId ??
      (watched?.lesson.id === lesson.id ? watched.certificateId : undefined),
    /** For the form's submit event: false when the press has to be ignored. */
    chooseByHand() {
      if (isInFlight) return false
      setWatched(null)
      setChangedAt(new Date().toISOString())
      return true
    },
    /** The server completed the lesson, because its video was watched. A choice under way wins. */
    completedByWatching(completion: Completed) {
      if (!isInFlight) setWatched({ ...completion, lesson })
    },
  }
}

type Completed = NonNullable<SavedPosition['completion']>
type Watched = Completed & { lesson: Pick<LessonPage, 'id' | 'completedAt'> }

export type Completion = ReturnType<typeof useCompletion>
