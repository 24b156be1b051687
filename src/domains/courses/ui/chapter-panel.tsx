import { ChevronRight, Clapperboard, Plus } from 'lucide-react'
import { type Dispatch, memo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Field, Input } from '../../../ui/field.tsx'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { acceptedFiles } from '../../media/rules.ts'
import { ChooseFiles } from '../../media/ui/choose-files.tsx'
import { useFileDrop } from '../../media/ui/use-file-drop.ts'
import { lessonsLabel, limits } from '../rules.ts'
import {
  type ChapterDraft,
  type ContentDraft,
  type ContentStep,
  isFilled,
  isTitled,
} from './content-draft.ts'
import { DragHandle } from './content-drag-handle.tsx'
import type { Reorder } from './content-reorder.ts'
import type { EditedCourse } from './content-uploads.ts'
import { MoveButtons, RemoveButton } from './editor-buttons.tsx'
import type { FieldsHomes } from './lesson-fields-home.ts'
import { preloadLessonEditor } from './lesson-editor-later.tsx'
import { LessonPanel } from './lesson-panel.tsx'
import { useTitleProblem } from './title-problem.ts'

const lessonsMax = limits.lessons.toLocaleString('en-US')

export type ChapterName = { key: string; name: string }

type ChapterPanelProps = {
  course: EditedCourse
  chapter: ChapterDraft
  /** 0-based. */
  index: number
  /** All chapters in order, the same array as long as no name and no order changed. */
  names: ChapterName[]
  open: ContentDraft['open']
  uploads: ContentDraft['uploads']
  mayAddLesson: boolean
  homes: FieldsHomes
  reorder: Reorder
  dispatch: Dispatch<ContentStep>
  /** Files become lessons at the end of this chapter. */
  addVideos: (chapter: string, files: File[]) => void
  /** Says to screen readers what moved where. */
  announce: (message: string) => void
}

/** One chapter, collapsed or with its lessons. Drawn again only when something in it changed. */
export const ChapterPanel = memo(function ChapterPanel(props: ChapterPanelProps) {
  const { course, chapter, index, names, open, uploads, mayAddLesson, addVideos } = props
  const { uploads: off } = useSwitchedOff()
  const { homes, reorder, dispatch, announce } = props
  const panel = useRef<HTMLElement>(null)
  const { key, lessons } = chapter
  const name = names[index]?.name ?? ''
  const isOpen = open.has(key)
  const isUploading = lessons.some((lesson) => uploads[lesson.key] === 'uploading')
  const title = useTitleProblem(chapter.title, 'Chapter title')
  const isFileOver = useFileDrop(panel, (files) => {
    addVideos(key, files)
    return true
  })
  const neighbour = names[index === 0 ? 1 : index - 1]

  function addLesson() {
    flushSync(() => dispatch({ type: 'lessonAdded', chapter: key }))
    const lesson = panel.current?.querySelector('[data-lessons] > li:last-child')
    // The fields may still be on their way.
    const target =
      lesson?.querySelector<HTMLElement>('[data-lesson-title]') ?? lesson?.querySelector('button')
    target?.focus()
  }

  function move(by: -1 | 1) {
    dispatch({ type: 'chapterMoved', chapter: key, by })
    announce(`Chapter “${name}” is now ${index + 1 + by} of ${names.length}.`)
  }

  return (
    <section
      ref={panel}
      data-item={key}
      aria-labelledby={`${key}-toggle`}
      className={cn(
        'relative min-w-0 rounded-card border bg-surface transition-colors sm:bg-paper',
        'has-[[aria-expanded=true]]:border-edge/50 data-lifted:opacity-50',
        isFileOver && 'border-primary has-[[aria-expanded=true]]:border-primary',
      )}
    >
      {isFileOver && (
        <p className="pointer-events-none absolute inset-x-0 -top-3 z-10 mx-auto w-fit rounded-full bg-primary px-3 py-1 text-sm font-semibold text-on-primary">
          Drop videos to add a lesson for each
        </p>
      )}
      <div className="flex items-start gap-0.5 p-2">
        {names.length > 1 && (
          <DragHandle moved={{ kind: 'chapter', key }} name={name} reorder={reorder} />
        )}
        <h3 className="min-w-0 flex-1 text-lg">
          <button
            id={`${key}-toggle`}
            type="button"
            data-chapter-toggle
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${key}-body` : undefined}
            onClick={() => dispatch({ type: 'toggled', key })}
            className="flex min-h-9 w-full items-start gap-2 rounded-lg px-1.5 py-1.5 text-left hover:bg-wash"
          >
            <ChevronRight
              size={20}
              aria-hidden
              className={cn(
                'mt-0.5 shrink-0 text-muted transition-transform',
                isOpen && 'rotate-90',
              )}
            />
            <span className="min-w-0">
              <span className={cn('wrap-anywhere', chapter.title.trim() === '' && 'text-muted')}>
                {name}
              </span>
              <span className="block font-text text-sm font-normal tracking-normal whitespace-nowrap text-muted sm:ml-2 sm:inline">
                <span className="sr-only">, </span>
                {lessonsLabel(lessons.length)}
                {!isOpen && isUploading && ' · uploading'}
              </span>
            </span>
          </button>
        </h3>
        <MoveButtons name={name} index={index} count={names.length} onMove={move} />
        {names.length > 1 && (
          <RemoveButton
            name={name}
            focusAfter={`${neighbour?.key}-toggle`}
            question={
              chapter.id || isUploading || lessons.some((one) => isTitled(one) || isFilled(one))
                ? {
                    title: `Remove “${name}”?`,
                    description: lessons.some(({ id }) => id)
                      ? `Its ${lessonsLabel(lessons.length)}, and what learners completed and noted in them, go when you save.`
                      : `Its ${lessonsLabel(lessons.length)} and what is in them go with it.`,
                    confirmLabel: 'Remove chapter',
                  }
                : undefined
            }
            onRemove={() => {
              dispatch({ type: 'chapterRemoved', chapter: key })
              announce(`Chapter “${name}” is removed.`)
            }}
          />
        )}
      </div>
      {isOpen && (
        <div id={`${key}-body`} className="grid grid-cols-1 gap-4 border-t p-2.5 sm:p-4">
          <Field label="Chapter title" required error={title.problem}>
            <Input
              data-chapter-title={key}
              value={chapter.title}
              autoComplete="off"
              onBlur={title.onBlur}
              onChange={(event) =>
                dispatch({ type: 'chapterRenamed', chapter: key, title: event.target.value })
              }
            />
          </Field>
          {lessons.length === 0 && (
            <p className="text-sm text-muted">This chapter has no lessons yet.</p>
          )}
          {lessons.length > 0 && (
            <ol data-lessons className="grid grid-cols-1 gap-3">
              {lessons.map((lesson, at) => (
                <LessonPanel
                  key={lesson.key}
                  course={course}
                  lesson={lesson}
                  chapterKey={key}
                  index={at}
                  count={lessons.length}
                  neighbourKey={lessons[at === 0 ? 1 : at - 1]?.key}
                  isMovable={lessons.length > 1 || names.length > 1}
                  homes={homes}
                  reorder={reorder}
                  isOpen={open.has(lesson.key)}
                  upload={uploads[lesson.key]}
                  dispatch={dispatch}
                  announce={announce}
                />
              ))}
            </ol>
          )}
          <div className="-ml-2 flex flex-wrap gap-x-2">
            <Button
              variant="ghost"
              size="sm"
              aria-disabled={!mayAddLesson || undefined}
              onClick={() => mayAddLesson && addLesson()}
              onPointerEnter={preloadLessonEditor}
              onFocus={preloadLessonEditor}
              className="text-primary aria-disabled:opacity-50"
            >
              {mayAddLesson && <Plus size={18} aria-hidden />}
              {mayAddLesson ? 'Add Lesson' : `A course can have at most ${lessonsMax} lessons`}
            </Button>
            {mayAddLesson && !off && (
              <ChooseFiles
                id={`${key}-videos`}
                accept={acceptedFiles.video}
                multiple
                describedBy={`${key}-videos-hint`}
                look={{ variant: 'ghost', size: 'sm' }}
                onFiles={(files) => addVideos(key, files)}
              >
                <span className="inline-flex items-center gap-2 text-primary">
                  <Clapperboard size={18} aria-hidden /> Upload Videos as Lessons
                </span>
              </ChooseFiles>
            )}
          </div>
          <p id={`${key}-videos-hint`} className="-mt-3 text-sm text-muted">
            {off ?? (
              <>
                <span className="hidden sm:inline">Or drop several videos on this chapter. </span>
                MP4, WebM, OGG, AVI, MOV up to {course.videoMaxMb}MB each
              </>
            )}
          </p>
        </div>
      )}
    </section>
  )
})
