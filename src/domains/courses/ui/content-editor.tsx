import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useReducer, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { lessonsLabel, limits, withoutLightning } from '../rules.ts'
import type { CourseContent } from '../schema.ts'
import { type ChapterName, ChapterPanel } from './chapter-panel.tsx'
import {
  brokenLink,
  type ContentDraft,
  contentStep,
  draftOf,
  droppedOnSave,
  isChanged,
  lessonsCount,
  type Place,
  uploadAlert,
} from './content-draft.ts'
import './content-editor.css'
import { useLeaveGuard } from './leave-guard.tsx'
import { PublishedNotice } from './published-notice.tsx'

const saveFailed = 'Failed to save course. Please try again.'

/** What talks to the server comes after the page, and long before it is needed. */
const loadCalls = () => import('./content-calls.ts')

type Calls = typeof import('./content-calls.ts')
type Task = 'save' | 'publish' | 'unpublish' | 'load'
type Problem = { message: string; conflict?: boolean; isUpload?: boolean }

/** Step 2 of 2: chapters and lessons, and whether everybody sees the course. */
export function ContentEditor({ course }: { course: CourseContent }) {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const [draft, dispatch] = useReducer(contentStep, course, draftOf)
  const [status, setStatus] = useState(course.status)
  const [slug, setSlug] = useState(course.slug)
  const [justPublished, setJustPublished] = useState(false)
  const [busy, setBusy] = useState<Task | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [dropping, setDropping] = useState<{ items: string[]; task: 'save' | 'publish' } | null>(
    null,
  )
  const [announcement, announce] = useState('')
  const alert = uploadAlert(draft)
  // An alert about uploads goes as soon as it is no longer true.
  const shownProblem = problem?.isUpload && problem.message !== alert ? null : problem
  const changed = isChanged(draft)
  const uploading = Object.values(draft.uploads).includes('uploading')
  const guard = useLeaveGuard(
    changed || uploading,
    uploading
      ? 'A video is still uploading, and what you changed on this page is not saved yet.'
      : 'What you changed on this page is not saved yet.',
  )
  const names = useChapterNames(draft)
  const edited = useMemo(
    () => ({ id: course.id, videoMaxMb: course.videoMaxMb }),
    [course.id, course.videoMaxMb],
  )
  const mayAddLesson = lessonsCount(draft) < limits.lessons
  const mayAddChapter = draft.chapters.length < limits.chapters

  useEffect(() => {
    // A failure shows when saving.
    if (changed) loadCalls().catch(() => {})
  }, [changed])

  function fail(message: string, conflict = false) {
    setProblem({ message, conflict, isUpload: message === alert })
    void toast.error(message, { position: 'top-center' })
  }

  /** What keeps this draft from being saved, with its place opened; null when nothing does. */
  function findProblem(calls: Calls): string | null {
    if (alert) return alert
    const broken = brokenLink(draft)
    if (broken) {
      show(broken)
      return `A link in “${broken.lesson.title.trim()}” has a URL that cannot be opened.`
    }
    const found = calls.checkContent(course.id, draft)
    if (found?.place) show(found.place)
    return found && found.message
  }

  function show({ chapter, lesson }: Place) {
    dispatch({ type: 'opened', key: chapter.key })
    if (lesson) dispatch({ type: 'opened', key: lesson.key })
    const target = `${(lesson ?? chapter).key}-toggle`
    requestAnimationFrame(() =>
      document.getElementById(target)?.scrollIntoView({ block: 'center' }),
    )
  }

  /** True when the server has everything. */
  async function store(calls: Calls): Promise<boolean> {
    const answer = await calls.saveContent(course.id, draft)
    if ('problem' in answer) {
      fail(answer.problem, answer.conflict)
      return false
    }
    dispatch({ type: 'saved', sent: draft, content: answer })
    return true
  }

  /** Runs a task with the calls; `busy` names it meanwhile. */
  async function perform(task: Task, work: (calls: Calls) => Promise<void>) {
    setProblem(null)
    setBusy(task)
    const calls = await loadCalls().catch(() => null)
    if (calls) await work(calls)
    else fail(saveFailed)
    setBusy(null)
  }

  /** Checks, asks where something would be lost, then saves or publishes. */
  function run(task: 'save' | 'publish', mayDrop = false) {
    setDropping(null)
    return perform(task, async (calls) => {
      if (task === 'save' || changed) {
        const found = findProblem(calls)
        if (found) return fail(found)
        const items = mayDrop ? [] : droppedOnSave(draft)
        if (items.length > 0) return setDropping({ items, task })
        if (!(await store(calls))) return
      }
      await (task === 'save' ? finish() : publish(calls))
    })
  }

  async function finish() {
    guard.release()
    void toast.success('Your changes are saved.')
    await navigate('/dashboard')
  }

  async function publish(calls: Calls) {
    const answer = await calls.publish(course.id)
    if ('problem' in answer) return fail(answer.problem)
    setSlug(answer.slug)
    setStatus('published')
    setJustPublished(true)
  }

  function unpublish() {
    return perform('unpublish', async (calls) => {
      const answer = await calls.unpublish(course.id)
      if ('problem' in answer) return fail(answer.problem)
      setStatus('draft')
      setJustPublished(false)
      void toast.success('The course is a draft again. Members keep their access.')
    })
  }

  function loadNewest() {
    return perform('load', async (calls) => {
      const answer = await calls.loadContent(course.id)
      if ('problem' in answer) return fail(answer.problem, true)
      setStatus(answer.status)
      setSlug(answer.slug)
      dispatch({ type: 'loaded', content: answer })
    })
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

  const published = status === 'published'
  return (
    <div className="page-width max-w-[60rem] pt-8 lg:pt-12">
      {/* What is typed before the page is hydrated would be lost. */}
      <div inert={!hydrated} className="grid grid-cols-1 gap-6">
        <PageHeader
          back={{ to: '/dashboard', label: 'Back to Dashboard' }}
          title="Edit Course Content"
          description="Update your course chapters and lessons"
          badges={
            <Badge tone={published ? 'success' : 'neutral'}>
              {published ? 'Published' : 'Draft'}
            </Badge>
          }
          actions={
            <>
              <ButtonLink to={`/create-course?courseId=${course.id}`} variant="secondary" size="sm">
                Course Information
              </ButtonLink>
              {published ? (
                <Button
                  variant="secondary"
                  size="sm"
                  busy={busy === 'unpublish'}
                  busyText="Unpublishing..."
                  onClick={unpublish}
                >
                  Unpublish
                </Button>
              ) : (
                <Button
                  size="sm"
                  busy={busy === 'publish'}
                  busyText="Publishing..."
                  onClick={() => run('publish')}
                >
                  Publish
                </Button>
              )}
            </>
          }
        />
        {justPublished && <PublishedNotice slug={slug} />}
        <Card
          padding="none"
          // On phones the frames of chapters and lessons are enough.
          className="max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none sm:p-6"
        >
          <CardHeader
            title="Course Structure"
            description={`${withoutLightning(course.title)} · ${countChapters(draft)}, ${lessonsLabel(lessonsCount(draft))}`}
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
          <div key={draft.generation} className="grid gap-3">
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
                dispatch={dispatch}
                announce={announce}
              />
            ))}
          </div>
        </Card>
        <ActionBar
          problem={
            shownProblem && (
              <Banner
                tone="danger"
                action={
                  shownProblem.conflict && (
                    <Button
                      variant="secondary"
                      size="sm"
                      busy={busy === 'load'}
                      busyText="Loading..."
                      onClick={loadNewest}
                    >
                      Load newest version
                    </Button>
                  )
                }
              >
                {shownProblem.message}
              </Banner>
            )
          }
          state={
            uploading ? 'Uploading a video…' : changed ? 'Unsaved changes' : 'Everything is saved'
          }
        >
          <ButtonLink to="/dashboard" variant="secondary">
            Cancel
          </ButtonLink>
          <Button busy={busy === 'save'} busyText="Saving..." onClick={() => run('save')}>
            Save Changes
          </Button>
        </ActionBar>
      </div>
      <output className="sr-only">{announcement}</output>
      {guard.dialog}
      <ConfirmDialog
        open={dropping !== null}
        onOpenChange={(open) => !open && setDropping(null)}
        title="Save without these?"
        description="What has no title, and a link without its URL, is not saved. You would lose:"
        confirmLabel="Save without them"
        cancelLabel="Go back"
        onConfirm={() => dropping && run(dropping.task, true)}
      >
        <ul className="-mt-3 list-disc pl-5">
          {dropping?.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </div>
  )
}

type ActionBarProps = { problem: ReactNode; state: string; children: ReactNode }

/** Always in sight at the bottom of the window, with what went wrong above the buttons. */
function ActionBar({ problem, state, children }: ActionBarProps) {
  return (
    <div
      data-action-bar
      className="sticky bottom-0 z-20 -mx-2 grid gap-3 border-t bg-paper/95 px-2 py-3 backdrop-blur"
    >
      {problem}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-sm text-muted" aria-live="polite">
          {state}
        </p>
        <div className="flex gap-3 max-sm:w-full max-sm:*:flex-1">{children}</div>
      </div>
    </div>
  )
}

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
