import { ChevronRight, Clapperboard, Link as LinkIcon } from 'lucide-react'
import { type Dispatch, memo } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { cn } from '../../../ui/cn.ts'
import { playWarning } from '../../media/ui/plays-in-browsers.ts'
import { UploadLine } from '../../media/ui/upload-line.tsx'
import { DragHandle } from './content-drag-handle.tsx'
import {
  type ContentStep,
  isFilled,
  isTitled,
  type LessonDraft,
  type LessonVideo,
  type UploadState,
} from './content-draft.ts'
import type { Reorder } from './content-reorder.ts'
import type { EditedCourse } from './content-uploads.ts'
import { MoveButtons, RemoveButton } from './editor-buttons.tsx'
import { preloadLessonEditor } from './lesson-editor-later.tsx'
import { LessonFieldsSlot } from './lesson-fields.tsx'
import type { FieldsHomes } from './lesson-fields-home.ts'

type LessonPanelProps = {
  course: EditedCourse
  lesson: LessonDraft
  chapterKey: string
  /** 0-based within the chapter. */
  index: number
  count: number
  neighbourKey: string | undefined
  /** There is another place where it could go. */
  isMovable: boolean
  isOpen: boolean
  upload: UploadState | undefined
  homes: FieldsHomes
  reorder: Reorder
  dispatch: Dispatch<ContentStep>
  announce: (message: string) => void
}

/** One lesson: a line, or the line with all its fields. */
export const LessonPanel = memo(function LessonPanel(props: LessonPanelProps) {
  const { course, lesson, chapterKey, index, count, neighbourKey, isOpen, upload } = props
  const { homes, reorder, dispatch, announce } = props
  const { key } = lesson
  const name = lesson.title.trim() || `Untitled lesson ${index + 1}`

  function move(by: -1 | 1) {
    dispatch({ type: 'lessonMoved', lesson: key, by })
    announce(`Lesson “${name}” is now ${index + 1 + by} of ${count}.`)
  }

  return (
    <li
      data-item={key}
      className="min-w-0 rounded-control border bg-paper sm:bg-surface has-[[aria-expanded=true]]:shadow-card data-lifted:opacity-50"
    >
      <div className="flex items-start gap-0.5 p-1.5">
        {props.isMovable && (
          <DragHandle moved={{ kind: 'lesson', key }} name={name} reorder={reorder} />
        )}
        <h4 className="min-w-0 flex-1 font-text text-base font-semibold tracking-normal">
          <button
            id={`${key}-toggle`}
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${key}-body` : undefined}
            onClick={() => dispatch({ type: 'toggled', key })}
            onPointerEnter={preloadLessonEditor}
            onFocus={preloadLessonEditor}
            className="flex min-h-9 w-full items-start gap-2 rounded-lg px-1.5 py-1.5 text-left leading-normal hover:bg-wash"
          >
            <ChevronRight
              size={18}
              aria-hidden
              className={cn(
                'mt-[3px] shrink-0 text-muted transition-transform',
                isOpen && 'rotate-90',
              )}
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-end justify-between gap-x-2 sm:flex-nowrap sm:items-start">
              <span
                className={cn(
                  // Signs stand beside the last line of a title on a phone, badges below.
                  'min-w-0 flex-[1_1_8rem] wrap-anywhere',
                  lesson.title.trim() === '' && 'font-normal text-muted',
                )}
              >
                {name}
              </span>
              {!isOpen && (
                <Contents
                  lesson={lesson}
                  upload={upload}
                  processesVideos={course.processesVideos}
                />
              )}
            </span>
          </button>
        </h4>
        <MoveButtons name={name} index={index} count={count} onMove={move} />
        {count > 1 && (
          <RemoveButton
            name={name}
            focusAfter={`${neighbourKey ?? chapterKey}-toggle`}
            question={
              isTitled(lesson) || isFilled(lesson) || upload
                ? {
                    title: `Remove “${name}”?`,
                    description: lesson.id
                      ? 'Its text, video and links, who completed it, and what learners noted, go when you save.'
                      : 'Its text, video and links go with it.',
                    confirmLabel: 'Remove lesson',
                  }
                : undefined
            }
            onRemove={() => {
              dispatch({ type: 'lessonRemoved', lesson: key })
              announce(`Lesson “${name}” is removed.`)
            }}
          />
        )}
      </div>
      {!isOpen && upload && (
        <UploadLine
          uploads={course.uploads}
          uploadKey={key}
          name={name}
          processesVideos={course.processesVideos}
        />
      )}
      {isOpen && <LessonFieldsSlot id={`${key}-body`} lessonKey={key} homes={homes} />}
    </li>
  )
})

type ContentsProps = {
  lesson: LessonDraft
  upload: UploadState | undefined
  processesVideos: boolean
}

function Contents({ lesson, upload, processesVideos }: ContentsProps) {
  const links = lesson.links.length
  const hasVideo = lesson.video !== null || Boolean(lesson.videoUrl)
  const showsVideo = !upload && hasVideo
  const mayNotPlay =
    showsVideo &&
    lesson.video !== null &&
    playWarning(lesson.video.filename, processesVideos) !== null
  if (upload !== 'failed' && !showsVideo && links === 0) return null
  return (
    <span className="flex h-6 shrink-0 items-center gap-2 text-muted">
      {upload === 'failed' && <Badge tone="danger">Upload failed</Badge>}
      {showsVideo && (
        <>
          {mayNotPlay && <Badge tone="warning">May not play</Badge>}
          <Processing state={lesson.video?.processing ?? null} />
          <Clapperboard size={16} aria-hidden />
          <span className="sr-only">, with video</span>
        </>
      )}
      {links > 0 && (
        <>
          <LinkIcon size={16} aria-hidden />
          <span className="sr-only">{links === 1 ? ', with 1 link' : `, with ${links} links`}</span>
        </>
      )}
    </span>
  )
}

function Processing({ state }: { state: NonNullable<LessonVideo>['processing'] }) {
  if (state?.status === 'failed') return <Badge tone="danger">Processing failed</Badge>
  if (state?.status === 'queued') return <Badge>Queued for processing</Badge>
  if (state?.status !== 'running') return null
  return <Badge tone="primary">Processing {state.percent}%</Badge>
}
