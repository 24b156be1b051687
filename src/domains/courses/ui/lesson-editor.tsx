import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { RichTextEditor } from '../../lessons/ui/rich-text-editor.tsx'
import { VideoUpload } from '../../media/ui/video-upload.tsx'
import type { LessonVideo, UploadState } from './content-draft.ts'
import { LessonLinks } from './lesson-links.tsx'
import type { LessonPanelProps } from './lesson-panel.tsx'
import { useTitleProblem } from './title-problem.ts'

export type LessonEditorProps = LessonPanelProps & { name: string }

/** The fields of one lesson. While its upload runs it stays, hidden, when the lesson is collapsed. */
export function LessonEditor(props: LessonEditorProps) {
  const { course, lesson, isOpen, names, dispatch } = props
  const { key } = lesson
  const title = useTitleProblem(lesson.title, 'Lesson title')
  const setVideo = useCallback(
    (video: LessonVideo) => dispatch({ type: 'videoChanged', lesson: key, video }),
    [dispatch, key],
  )
  const setUpload = useCallback(
    (upload: UploadState | 'idle') => dispatch({ type: 'uploadChanged', lesson: key, upload }),
    [dispatch, key],
  )

  return (
    <div
      id={`${key}-body`}
      hidden={!isOpen}
      className="grid grid-cols-1 gap-6 border-t px-2.5 py-4 sm:p-5 [&[hidden]]:hidden"
    >
      <Field label="Lesson title" required error={title.problem}>
        <Input
          data-lesson-title={key}
          value={lesson.title}
          autoComplete="off"
          onBlur={title.onBlur}
          onChange={(event) =>
            dispatch({ type: 'lessonChanged', lesson: key, change: { title: event.target.value } })
          }
        />
      </Field>
      <RichTextEditor
        label="Lesson content"
        initialValue={lesson.content}
        onChange={(content) =>
          dispatch({ type: 'lessonChanged', lesson: key, change: { content } })
        }
      />
      <VideoUpload
        courseId={course.id}
        lessonId={lesson.id}
        videoMaxMb={course.videoMaxMb}
        video={lesson.video}
        onChange={setVideo}
        onBusyChange={setUpload}
      />
      <LessonLinks lesson={lesson} dispatch={dispatch} />
      {names.length > 1 && <MoveToChapter {...props} />}
    </div>
  )
}

/** A select and a button: a select alone would move the lesson at the first press of an arrow key. */
function MoveToChapter({
  lesson,
  chapterKey,
  names,
  upload,
  name,
  dispatch,
  announce,
}: LessonEditorProps) {
  const [target, setTarget] = useState('')
  const others = names.filter((chapter) => chapter.key !== chapterKey)
  const chosen = others.find((chapter) => chapter.key === target)

  function move() {
    if (!chosen || upload) return
    flushSync(() => dispatch({ type: 'lessonMovedTo', lesson: lesson.key, chapter: chosen.key }))
    document.getElementById(`${lesson.key}-toggle`)?.focus()
    announce(`Lesson “${name}” is now the last one of “${chosen.name}”.`)
  }

  return (
    <div className="flex items-end gap-2 border-t pt-5">
      <Field
        label="Move to chapter…"
        hint={upload && 'Possible once the upload is done.'}
        className="min-w-0 max-w-sm flex-1"
      >
        <Select value={chosen ? target : ''} onChange={(event) => setTarget(event.target.value)}>
          <option value="">Choose a chapter</option>
          {others.map((chapter) => (
            <option key={chapter.key} value={chapter.key}>
              {chapter.name}
            </option>
          ))}
        </Select>
      </Field>
      <Button
        variant="secondary"
        aria-disabled={!chosen || Boolean(upload) || undefined}
        className="aria-disabled:opacity-50"
        onClick={move}
      >
        Move
      </Button>
    </div>
  )
}
