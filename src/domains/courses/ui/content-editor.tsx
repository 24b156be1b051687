import { Plus } from 'lucide-react'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isolated } from '../../../isolated.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { useStrayFiles } from '../../media/ui/use-file-drop.ts'
import { sizeText } from '../../media/ui/upload-words.ts'
import { lessonsLabel, limits, withoutLightning } from '../rules.ts'
import type { CourseContent } from '../schema.ts'
import { type ChapterName, ChapterPanel } from './chapter-panel.tsx'
import { ContentActionBar } from './content-action-bar.tsx'
import {
  type ContentDraft,
  contentStep,
  draftOf,
  lessonsCount,
  type Place,
  savingState,
} from './content-draft.ts'
import { dragHintId } from './content-drag-handle.tsx'
import { EarlierDraft } from './content-earlier-draft.tsx'
import './content-editor.css'
import { ContentHeader } from './content-header.tsx'
import { useReorder } from './content-reorder.ts'
import { SavingDialogs } from './content-saving-dialogs.tsx'
import { useUploads } from './content-uploads.ts'
import { useSaving } from './content-use-saving.ts'
import { useVideoStates } from './content-video-states.ts'
import { LessonFields } from './lesson-fields.tsx'
import { fieldsHomes } from './lesson-fields-home.ts'
import { PublishedNoticeLater } from './publish-later.tsx'

const loadPlan = () => import('./content-added-videos.ts')
type PlanVideos = typeof import('./content-added-videos.ts').planVideos

/** Step 2 of 2: chapters and lessons, and whether everybody sees the course. */
export function ContentEditor({ course }: { course: CourseContent }) {
  const hydrated = useHydrated()
  const [draft, dispatch] = useReducer(contentStep, course, draftOf)
  const [announcement, announce] = useState('')
  const [hasUnsavedCaptions, setUnsavedCaptions] = useState(false)
  const [homes] = useState(fieldsHomes)
  const saving = useSaving({ course, draft, dispatch, show, announce, hasUnsavedCaptions })
  const { local, newest } = saving
  const reorder = useReorder(draft, dispatch, announce)
  const { setList, setLine } = reorder
  const names = useChapterNames(draft)
  const edited = useUploads(course, draft, local.slot, dispatch)
  useVideoStates(draft, dispatch)
  useStrayFiles()
  const mayAddLesson = lessonsCount(draft) < limits.lessons
  const mayAddChapter = draft.chapters.length < limits.chapters

  function show({ chapter, lesson }: Place) {
    dispatch({ type: 'opened', key: chapter.key })
    if (lesson) dispatch({ type: 'opened', key: lesson.key })
    const target = `${(lesson ?? chapter).key}-toggle`
    requestAnimationFrame(() =>
      document.getElementById(target)?.scrollIntoView({ block: 'center' }),
    )
  }

  function showLesson(id: string) {
    for (const chapter of draft.chapters) {
      const lesson = chapter.lessons.find((one) => one.id === id)
      if (lesson) show({ chapter, lesson })
    }
  }

  function addChapter() {
    if (!mayAddChapter) return
    flushSync(() => dispatch({ type: 'chapterAdded' }))
    const title = document.querySelector<HTMLInputElement>(
      `[data-chapter-title="new-${draft.nextKey}"]`,
    )
    title?.focus()
    title?.select()
  }

  function addVideosNow(planVideos: PlanVideos, chapter: string, files: File[]) {
    const { goingOn, added, left } = planVideos(draft, edited, chapter, files)
    dispatch({ type: 'lessonsAdded', chapter, lessons: added })
    const { uploads, placeOf } = edited
    for (const { key, place, file } of goingOn) uploads.start(key, place, file)
    for (const { key, file } of added) uploads.start(key, placeOf({ key }), file)
    if (added.length > 0) announce(`${lessonsLabel(added.length)} added, one for each video.`)
    if (left > 0)
      saving.fail(
        `A course can have at most ${limits.lessons.toLocaleString('en-US')} lessons: ${left === 1 ? '1 video is' : `${left} videos are`} left out.`,
      )
  }

  const latest = useRef({ addVideosNow, fail: saving.fail })
  useEffect(() => {
    latest.current = { addVideosNow, fail: saving.fail }
  })
  // The same function all the time, so that no panel is drawn again on its account.
  const addVideos = useCallback(
    (chapter: string, files: File[]) =>
      void loadPlan().then(
        ({ planVideos }) => latest.current.addVideosNow(planVideos, chapter, files),
        () => latest.current.fail('Failed to add the videos. Please try again.'),
      ),
    [],
  )

  return (
    <div className="page-width max-w-[60rem] pt-8 lg:pt-12">
      <noscript>
        <Banner className="mb-6">Writing lessons needs JavaScript.</Banner>
      </noscript>
      {/* What is typed before the page is hydrated would be lost. */}
      <div inert={!hydrated} className="grid grid-cols-1 gap-6">
        <ContentHeader courseId={course.id} saving={saving} />
        {local.earlier && (
          <EarlierDraft
            draft={local.earlier}
            isBehind={local.earlier.local.contentVersion !== newest.contentVersion}
            busy={saving.busy !== null}
            onRestore={saving.restore}
            onDiscard={local.discard}
          />
        )}
        {saving.justPublished && <PublishedNoticeLater slug={saving.slug} />}
        <Card
          padding="none"
          // On phones the frames of chapters and lessons are enough.
          className="max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none sm:p-6"
        >
          <CardHeader
            title="Course Structure"
            description={`${isolated(withoutLightning(course.title))} · ${countChapters(draft)}, ${lessonsLabel(lessonsCount(draft))}${storageText(newest.storage)}`}
            actions={
              <Button
                variant="secondary"
                size="sm"
                aria-disabled={!mayAddChapter || undefined}
                className="aria-disabled:opacity-50"
                onClick={addChapter}
              >
                {mayAddChapter && <Plus size={18} aria-hidden />}
                {mayAddChapter
                  ? 'Add Chapter'
                  : `A course can have at most ${limits.chapters} chapters`}
              </Button>
            }
          />
          <p id={dragHintId} className="sr-only">
            Press Space to lift, the arrow keys to move, Space to drop, Escape to cancel.
          </p>
          <div ref={setList} key={draft.generation} className="relative grid gap-3">
            {draft.chapters.map((chapter, index) => (
              <ChapterPanel
                key={chapter.key}
                course={edited}
                chapter={chapter}
                index={index}
                names={names}
                open={draft.open}
                uploads={draft.uploads}
                mayAddLesson={mayAddLesson}
                homes={homes}
                reorder={reorder}
                dispatch={dispatch}
                addVideos={addVideos}
                announce={announce}
              />
            ))}
            <div
              ref={setLine}
              hidden
              aria-hidden
              className="pointer-events-none absolute z-10 h-1 -translate-y-1/2 scroll-my-28 rounded-full bg-primary forced-colors:bg-[Highlight]"
            />
          </div>
        </Card>
        <ContentActionBar saving={saving} state={savingState(draft, local)} />
      </div>
      <LessonFields
        course={edited}
        draft={draft}
        names={names}
        homes={homes}
        dispatch={dispatch}
        announce={announce}
        onUnsavedCaptions={setUnsavedCaptions}
      />
      <output className="sr-only">{announcement}</output>
      <SavingDialogs courseId={course.id} saving={saving} onShowLesson={showLesson} />
    </div>
  )
}

const storageText = ({ bytes, files }: CourseContent['storage']) =>
  files === 0 ? '' : ` · Videos of this course use ${sizeText(bytes)}`

function countChapters({ chapters }: ContentDraft) {
  return chapters.length === 1 ? '1 chapter' : `${chapters.length} chapters`
}

/** Stays the same array while no name and no order changes, so that typing redraws one chapter only. */
function useChapterNames({ chapters }: ContentDraft) {
  const text = JSON.stringify(
    chapters.map(({ key, title }, index) => ({
      key,
      name: title.trim() || `Untitled chapter ${index + 1}`,
    })),
  )
  return useMemo((): ChapterName[] => JSON.parse(text), [text])
}
