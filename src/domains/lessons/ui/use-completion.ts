import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { toast } from '../../../ui/toast.ts'
import type { LessonPage } from '../schema.ts'
import type { action } from './lesson-page.tsx'

/**
 * A lesson's completion with its toggle. Shown at once, taken back when the server refuses. Presses are
 * ignored while a change is in flight, and what the person chose wins over what the video does.
 */
export function useCompletion(lesson: Pick<LessonPage, 'id' | 'completedAt'>) {
  const fetcher = useFetcher<typeof action>({ key: `completion ${lesson.id}` })
  const chosenByHand = useRef(false)
  const [changedAt, setChangedAt] = useState<string | null>(null)
  const isInFlight = fetcher.state !== 'idle'
  const asked = fetcher.formData?.get('completed')
  const isCompleted = asked ? asked === 'true' : lesson.completedAt !== null
  const answer = fetcher.data

  useEffect(() => {
    if (answer?.problem) void toast.error(answer.problem)
  }, [answer])

  return {
    Form: fetcher.Form,
    isCompleted,
    isInFlight,
    completedAt: isCompleted ? (lesson.completedAt ?? changedAt) : null,
    /** True when this change completed the whole course. */
    finishedCourse: isCompleted && !isInFlight && answer?.finishedCourse === true,
    /** For the form's submit event: false when the press has to be ignored. */
    chooseByHand() {
      if (isInFlight) return false
      chosenByHand.current = true
      setChangedAt(new Date().toISOString())
      return true
    },
    completeByWatching() {
      if (isCompleted || isInFlight || chosenByHand.current) return
      setChangedAt(new Date().toISOString())
      void fetcher.submit({ lessonId: lesson.id, completed: 'true' }, { method: 'post' })
    },
  }
}

export type Completion = ReturnType<typeof useCompletion>
