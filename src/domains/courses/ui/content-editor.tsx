import { Plus } from 'lucide-react'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useNavigate, useRouteLoaderData } from 'react-router'
import { isolated } from '../../../isolated.ts'
import type { loader as rootLoader } from '../../../root.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { ConfirmLater } from '../../../ui/confirm-later.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { useStrayFiles } from '../../media/ui/use-file-drop.ts'
import { sizeText } from '../../media/ui/upload-words.ts'
import { lessonsLabel, limits, withoutLightning } from '../rules.ts'
import type { CourseContent } from '../schema.ts'
import { type ChapterName, ChapterPanel } from './chapter-panel.tsx'
import {
  type ContentDraft,
  type ContentStep,
  contentStep,
  draftOf,
  hasGoneOn,
  isChanged,
  lessonsCount,
  type Place,
  savingState,
  uploadAlert,
} from './content-draft.ts'
import { ConflictLater } from './content-conflict-later.tsx'
import { dragHintId } from './content-drag-handle.tsx'
import { EarlierDraft } from './content-earlier-draft.tsx'
import { onTopOf, restoredDraft } from './content-local-draft.ts'
import { useReorder } from './content-reorder.ts'
import { useLocalDraft } from './content-use-local-draft.ts'
import './content-editor.css'
import { useUploads } from './content-uploads.ts'
import { useVideoStates } from './content-video-states.ts'
import { useLeaveGuard } from './leave-guard.tsx'
import { LessonFields } from './lesson-fields.tsx'
import { fieldsHomes } from './lesson-fields-home.ts'
import { PublishedNoticeLater, PublishLater } from './publish-later.tsx'

const saveFailed = 'Failed to save course. Please try again.'
const noRoom = 'This browser has no room to keep your changes. Please save them first.'

/** What talks to the server comes after the page, and long before it is needed. */
const loadCalls = () => import('./content-calls.ts')

type Calls = typeof import('./content-calls.ts')

const loadPlan = () => import('./content-added-videos.ts')
type PlanVideos = typeof import('./content-added-videos.ts').planVideos
type Task = 'save' | 'publish' | 'unpublish' | 'load' | 'overwrite'
type Problem = { message: string; conflict?: boolean; isUpload?: boolean }

/** Step 2 of 2: chapters and lessons, and whether everybody sees the course. */
export function ContentEditor({ course }: { course: CourseContent }) {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const [draft, dispatch] = useReducer(contentStep, course, draftOf)
  const [status, setStatus] = useState(course.status)
  const [slug, setSlug] = useState(course.slug)
  const [justPublished, setJustPublished] = useState(false)
  const [asksToPublish, setAsksToPublish] = useState(false)
  const [busy, setBusy] = useState<Task | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [dropping, setDropping] = useState<{ items: string[]; task: 'save' | 'publish' } | null>(
    null,
  )
  /** How to go on after somebody else saved; `problem` when an attempt at it failed. */
  const [resolving, setResolving] = useState<{ problem?: string } | null>(null)
  const [announcement, announce] = useState('')
  /** What the server has, as far as this page knows. */
  const [newest, setNewest] = useState(course)
  /** Versions of this draft that were sent, and no answer came. */
  const unheard = useRef<ContentDraft[]>([])
  const [homes] = useState(fieldsHomes)
  const me = useRouteLoaderData<typeof rootLoader>('root')?.me
  const local = useLocalDraft(me?.id ?? '', newest, draft, unheard)
  const reorder = useReorder(draft, dispatch, announce)
  const alert = uploadAlert(draft)
  // An alert about uploads goes as soon as it is no longer true.
  const shownProblem = problem?.isUpload && problem.message !== alert ? null : problem
  const changed = isChanged(draft)
  const uploading = Object.values(draft.uploads).includes('uploading')
  const [hasUnsavedCaptions, setUnsavedCaptions] = useState(false)
  const losses = [
    hasUnsavedCaptions && 'What you changed in the captions is lost.',
    uploading && `A video is still uploading, and ${notSaved(local.isKept)}`,
    changed && !uploading && `W${notSaved(local.isKept).slice(1)}`,
  ].filter(Boolean)
  const guard = useLeaveGuard(losses.length > 0, losses.join(' '))
  const names = useChapterNames(draft)
  const edited = useUploads(course, draft, local.slot, dispatch)
  useVideoStates(draft, dispatch)
  useStrayFiles()
  const mayAddLesson = lessonsCount(draft) < limits.lessons
  const mayAddChapter = draft.chapters.length < limits.chapters

  useEffect(() => {
    // A failure shows when saving.
    if (changed) loadCalls().catch(() => {})
  }, [changed])

  function fail(message: string, conflict = false) {
    const isUpload = message === alert
    setProblem({ message, conflict, isUpload })
    setResolving(conflict ? {} : null)
    // Of uploads the bar says it, and the lesson itself.
    if (!conflict && !isUpload) void toast.error(message, { position: 'top-center' })
  }

  /** What keeps this draft from being saved, with its place opened; null when nothing does. */
  function findProblem(calls: Calls): string | null {
    if (alert) return alert
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

  function noteSaved(step: Extract<ContentStep, { type: 'saved' }>) {
    unheard.current = []
    setNewest(step.content)
    dispatch(step)
  }

  /** True when the server has everything. */
  async function store(calls: Calls, sent = draft): Promise<boolean> {
    const before = unheard.current
    unheard.current = [...before, sent]
    const answer = await calls.saveContent(course.id, sent)
    if (!('problem' in answer)) {
      noteSaved({ type: 'saved', sent, content: answer })
      return true
    }
    if (!answer.unheard) unheard.current = before
    // What seems to be changed elsewhere may be a save of this page, whose answer was lost.
    const arrived = answer.conflict ? await calls.arrivedOf(course.id, unheard.current) : null
    if (arrived) {
      const step = { type: 'saved', ...arrived } as const
      noteSaved(step)
      const rest = contentStep(sent, step)
      return !isChanged(rest) || store(calls, rest)
    }
    fail(answer.problem, answer.conflict)
    return false
  }

  /** Runs a task with the calls; `busy` names it meanwhile. Two at once would send the same version. */
  async function perform(task: Task, work: (calls: Calls) => Promise<void>) {
    if (busy !== null) return
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
        const items = mayDrop ? [] : calls.droppedOnSave(draft)
        if (items.length > 0) return setDropping({ items, task })
        if (!(await store(calls))) return
      }
      if (task === 'save') await finish(draft)
      else setAsksToPublish(true)
    })
  }

  async function finish(sent: ContentDraft) {
    // Who went on meanwhile is not led away from it.
    if (hasGoneOn(latest.current.draft, sent)) {
      void toast.success('Saved. What you did meanwhile is not saved yet.')
      return
    }
    guard.release()
    void toast.success('Your changes are saved.')
    await navigate('/dashboard')
  }

  function published(newSlug: string) {
    setAsksToPublish(false)
    setSlug(newSlug)
    setStatus('published')
    setJustPublished(true)
  }

  function showLesson(id: string) {
    setAsksToPublish(false)
    for (const chapter of draft.chapters) {
      const lesson = chapter.lessons.find((one) => one.id === id)
      if (lesson) show({ chapter, lesson })
    }
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

  /** What is on the page becomes a draft of this browser; the page shows what the server has. */
  function keepAsDraft() {
    if (!local.keep()) return setResolving({ problem: noRoom })
    return perform('load', async (calls) => {
      const answer = await calls.loadContent(course.id)
      if ('problem' in answer) return setResolving(answer)
      local.moveOn()
      unheard.current = []
      setStatus(answer.status)
      setSlug(answer.slug)
      setNewest(answer)
      dispatch({ type: 'loaded', content: answer })
      setResolving(null)
    })
  }

  function overwrite() {
    return perform('overwrite', async (calls) => {
      const answer = await calls.loadContent(course.id)
      if ('problem' in answer) return setResolving(answer)
      const sent = onTopOf(draft, answer)
      if (!(await store(calls, sent))) return
      setResolving(null)
      await finish(sent)
    })
  }

  function restore() {
    if (!local.earlier) return
    // What is on the page now stays behind as a draft, too.
    if (!local.keep()) return fail(noRoom)
    unheard.current = []
    dispatch({ type: 'replaced', draft: restoredDraft(local.earlier.local, newest) })
    local.moveOn(local.earlier.slot)
    announce('Your changes are restored. They are not saved yet.')
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
      fail(`A course can have at most ${limits.lessons} lessons: ${left} videos are left out.`)
  }

  const latest = useRef({ draft, addVideosNow, fail })
  useEffect(() => {
    latest.current = { draft, addVideosNow, fail }
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

  const isPublished = status === 'published'
  return (
    <div className="page-width max-w-[60rem] pt-8 lg:pt-12">
      <noscript>
        <Banner className="mb-6">Writing lessons needs JavaScript.</Banner>
      </noscript>
      {/* What is typed before the page is hydrated would be lost. */}
      <div inert={!hydrated} className="grid grid-cols-1 gap-6">
        <PageHeader
          back={{ to: '/dashboard', label: 'Back to Dashboard' }}
          title="Edit Course Content"
          description="Update your course chapters and lessons"
          badges={
            <Badge tone={isPublished ? 'success' : 'neutral'}>
              {isPublished ? 'Published' : 'Draft'}
            </Badge>
          }
          actions={
            <>
              <ButtonLink to={`/create-course?courseId=${course.id}`} variant="secondary" size="sm">
                Course Information
              </ButtonLink>
              {isPublished ? (
                <Button
                  variant="secondary"
                  size="sm"
                  busy={busy === 'unpublish'}
                  aria-disabled={busy !== null || undefined}
                  busyText="Unpublishing..."
                  onClick={unpublish}
                >
                  Unpublish
                </Button>
              ) : (
                <Button
                  size="sm"
                  busy={busy === 'publish'}
                  aria-disabled={busy !== null || undefined}
                  busyText="Saving..."
                  onClick={() => run('publish')}
                >
                  Publish
                </Button>
              )}
            </>
          }
        />
        {local.earlier && (
          <EarlierDraft
            draft={local.earlier}
            isBehind={local.earlier.local.contentVersion !== newest.contentVersion}
            onRestore={restore}
            onDiscard={local.discard}
          />
        )}
        {justPublished && <PublishedNoticeLater slug={slug} />}
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
          <div ref={reorder.setList} key={draft.generation} className="relative grid gap-3">
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
              ref={reorder.setLine}
              hidden
              aria-hidden
              className="pointer-events-none absolute z-10 h-1 -translate-y-1/2 scroll-my-28 rounded-full bg-primary forced-colors:bg-[Highlight]"
            />
          </div>
        </Card>
        <ActionBar
          problem={
            shownProblem && (
              <Banner
                tone="danger"
                action={
                  shownProblem.conflict && (
                    <Button variant="secondary" size="sm" onClick={() => setResolving({})}>
                      What can I do?
                    </Button>
                  )
                }
              >
                {shownProblem.message}
              </Banner>
            )
          }
          state={savingState(draft, local)}
        >
          <ButtonLink to="/dashboard" variant="secondary">
            Cancel
          </ButtonLink>
          <Button
            busy={busy === 'save'}
            busyText="Saving..."
            aria-disabled={busy !== null || undefined}
            onClick={() => run('save')}
          >
            Save Changes
          </Button>
        </ActionBar>
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
      {resolving && (
        <ConflictLater
          courseId={course.id}
          busy={busy === 'load' || busy === 'overwrite' ? busy : null}
          problem={resolving.problem}
          onClose={() => setResolving(null)}
          onKeepAsDraft={keepAsDraft}
          onOverwrite={overwrite}
        />
      )}
      {asksToPublish && (
        <PublishLater
          courseId={course.id}
          onClose={() => setAsksToPublish(false)}
          onPublished={published}
          onShowLesson={showLesson}
        />
      )}
      {guard.dialog}
      <ConfirmLater
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
      </ConfirmLater>
    </div>
  )
}

const storageText = ({ bytes, files }: CourseContent['storage']) =>
  files === 0 ? '' : ` · Videos of this course use ${sizeText(bytes)}`

const notSaved = (isKept: boolean) =>
  isKept
    ? 'what you changed on this page is not saved yet. This browser keeps it for you until you come back.'
    : 'what you changed on this page is not saved yet.'

type ActionBarProps = { problem: ReactNode; state: string; children: ReactNode }

/** Always in sight at the bottom of the window, with what went wrong above the buttons. */
function ActionBar({ problem, state, children }: ActionBarProps) {
  return (
    <div
      data-action-bar
      className="sticky bottom-0 z-20 grid gap-3 border-t bg-paper/95 py-3 backdrop-blur"
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
