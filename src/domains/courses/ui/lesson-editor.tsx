import { type Dispatch, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { RichTextEditor } from '../../lessons/ui/rich-text-editor.tsx'
import { busyStateOf } from '../../media/ui/upload-state.ts'
import { useQueuedUpload } from '../../media/ui/use-queued-upload.ts'
import { VideoCaptions } from '../../media/ui/video-captions.tsx'
import { VideoOrLink } from '../../media/ui/video-link-field.tsx'
import { VideoUpload } from '../../media/ui/video-upload.tsx'
import type { ChapterName } from './chapter-panel.tsx'
import type { ContentStep, LessonDraft, LessonVideo } from './content-draft.ts'
import type { EditedCourse } from './content-uploads.ts'
import { LessonDuration } from './lesson-duration.tsx'
import { LessonLinks } from './lesson-links.tsx'
import { useTitleProblem } from './title-problem.ts'

export type LessonEditorProps = {
  course: EditedCourse
  lesson: LessonDraft
  chapterKey: string
  name: string
  names: ChapterName[]
  dispatch: Dispatch<ContentStep>
  announce: (message: string) => void
  /** Whether captions that somebody writes would be lost; the same function all the time. */
  onUnsavedCaptions: (isUnsaved: boolean) => void
}

/** The fields of one lesson. */
export function LessonEditor(props: LessonEditorProps) {
  const { course, lesson, names, dispatch } = props
  const { key } = lesson
  const title = useTitleProblem(lesson.title, 'Lesson title')
  const setVideo = useCallback(
    (video: LessonVideo) =>
      dispatch(
        // What is said late of a file that was taken away in the meantime does not bring it back.
        video ? { type: 'videoLookedAt', video } : { type: 'videoChanged', lesson: key, video },
      ),
    [dispatch, key],
  )
  const isUploading = busyStateOf(useQueuedUpload(course.uploads, key)) !== 'idle'

  return (
    <div className="grid grid-cols-1 gap-6 border-t px-2.5 py-4 sm:p-5">
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
      <VideoOrLink
        address={lesson.videoUrl}
        mayLink={!lesson.video && !isUploading}
        onChange={(videoUrl) => dispatch({ type: 'videoLinked', lesson: key, videoUrl })}
      >
        <VideoUpload
          courseId={course.id}
          uploads={course.uploads}
          uploadKey={key}
          place={course.placeOf(lesson)}
          videoMaxMb={course.videoMaxMb}
          processesVideos={course.processesVideos}
          video={lesson.video}
          onChange={setVideo}
        />
      </VideoOrLink>
      {lesson.video?.status === 'ready' && !isUploading && (
        <VideoCaptions
          key={lesson.video.id}
          mediaId={lesson.video.id}
          filename={lesson.video.filename}
          onUnsaved={props.onUnsavedCaptions}
        />
      )}
      <LessonDuration lesson={lesson} dispatch={dispatch} />
      <LessonLinks lesson={lesson} dispatch={dispatch} />
      <Checkbox
        label="Free preview: anybody may see this lesson without joining"
        checked={lesson.isPreview}
        onChange={(event) =>
          dispatch({
            type: 'lessonChanged',
            lesson: key,
            change: { isPreview: event.target.checked },
          })
        }
      />
      {names.length > 1 && <MoveToChapter {...props} />}
    </div>
  )
}

/** A select and a button: a select alone would move the lesson at the first press of an arrow key. */
function MoveToChapter({ lesson, chapterKey, names, name, dispatch, announce }: LessonEditorProps) {
  const [target, setTarget] = useState('')
  const others = names.filter((chapter) => chapter.key !== chapterKey)
  const chosen = others.find((chapter) => chapter.key === target)

  function move() {
    if (!chosen) return
    flushSync(() => dispatch({ type: 'lessonMovedTo', lesson: lesson.key, chapter: chosen.key }))
    document.getElementById(`${lesson.key}-toggle`)?.focus()
    announce(`Lesson “${name}” is now the last one of “${chosen.name}”.`)
  }

  return (
    <div className="flex items-end gap-2 border-t pt-5">
      <Field label="Move to chapter" className="min-w-0 max-w-sm flex-1">
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
        aria-disabled={!chosen || undefined}
        className="aria-disabled:opacity-50"
        onClick={move}
      >
        Move
      </Button>
    </div>
  )
}
