import { type Dispatch, useState } from 'react'
import { Field, Input } from '../../../ui/field.tsx'
import { limits, minutesLabel } from '../rules.ts'
import type { ContentStep, LessonDraft } from './content-draft.ts'

type LessonDurationProps = { lesson: LessonDraft; dispatch: Dispatch<ContentStep> }

/** How long the lesson takes: as long as its video, where the file says it; else the creator may say it. */
export function LessonDuration({ lesson, dispatch }: LessonDurationProps) {
  const [typed, setTyped] = useState<string>()
  const { durationMinutes, videoMinutes } = lesson
  const shown = typed ?? String(durationMinutes ?? '')
  const minutes = /^\d+$/.test(shown.trim()) ? Number(shown) : null
  const isRight =
    shown.trim() === '' || (minutes !== null && minutes >= 1 && minutes <= limits.lessonMinutes)

  if (lesson.video && videoMinutes !== null) {
    return (
      <div className="grid gap-1.5">
        <p className="text-sm font-semibold">Duration</p>
        <p>
          {minutesLabel(videoMinutes)} <span className="text-muted">· from the video</span>
        </p>
      </div>
    )
  }
  return (
    <Field
      label="Duration in minutes"
      optional
      hint={lesson.video ? 'The length of the video is used where its file says it.' : undefined}
      error={isRight ? undefined : `Duration must be whole minutes, 1 to ${limits.lessonMinutes}`}
    >
      <Input
        value={shown}
        inputMode="numeric"
        autoComplete="off"
        className="max-w-32"
        onChange={(event) => {
          const text = event.target.value
          const number = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null
          setTyped(text)
          // What is no number of minutes is refused on saving, with its place.
          const next = text.trim() === '' ? null : (number ?? -1)
          dispatch({
            type: 'lessonChanged',
            lesson: lesson.key,
            change: { durationMinutes: next },
          })
        }}
      />
    </Field>
  )
}
