import { type Dispatch, useEffect, useRef, useState } from 'react'
import { useNavigate, useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '../../../root.tsx'
import { toast } from '../../../ui/toast.ts'
import type { CourseContent } from '../schema.ts'
import {
  type ContentDraft,
  type ContentStep,
  contentStep,
  hasGoneOn,
  isChanged,
  type Place,
  uploadAlert,
} from './content-draft.ts'
import { onTopOf, restoredDraft } from './content-local-draft.ts'
import { useLocalDraft } from './content-use-local-draft.ts'
import { useLeaveGuard } from './leave-guard.tsx'
import { useHasLeft } from './use-has-left.ts'

const saveFailed = 'Failed to save course. Please try again.'
const noRoom = 'This browser has no room to keep your changes. Please save them first.'

/** What talks to the server comes after the page, and long before it is needed. */
const loadCalls = () => import('./content-calls.ts')

type Calls = typeof import('./content-calls.ts')
/** What sends the draft, and may ask before it leaves something out. */
type Sending = 'save' | 'publish' | 'overwrite'
type Task = Sending | 'unpublish' | 'load'
type Problem = { message: string; conflict?: boolean; isUpload?: boolean }

export type Saving = ReturnType<typeof useSaving>

type SavingOptions = {
  course: CourseContent
  draft: ContentDraft
  dispatch: Dispatch<ContentStep>
  /** Opens this place and brings it into sight. */
  show: (place: Place) => void
  /** Told to whoever listens to the page. */
  announce: (text: string) => void
  /** Whether captions would be lost with the page; they are saved on their own. */
  hasUnsavedCaptions: boolean
}

/** What becomes of a draft: saved, published, merged with what others saved, kept in this browser, asked about. */
export function useSaving({
  course,
  draft,
  dispatch,
  show,
  announce,
  hasUnsavedCaptions,
}: SavingOptions) {
  const navigate = useNavigate()
  const hasLeft = useHasLeft()
  const [status, setStatus] = useState(course.status)
  const [slug, setSlug] = useState(course.slug)
  const [justPublished, setJustPublished] = useState(false)
  const [asksToPublish, setAsksToPublish] = useState(false)
  const [busy, setBusy] = useState<Task | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [dropping, setDropping] = useState<{ items: string[]; task: Sending } | null>(null)
  const [resolving, setResolving] = useState<{ problem?: string } | null>(null)
  const [newest, setNewest] = useState(course)
  /** Versions of this draft that were sent, and no answer came. */
  const unheard = useRef<ContentDraft[]>([])
  const latest = useRef({ draft, hasUnsavedCaptions })
  const me = useRouteLoaderData<typeof rootLoader>('root')?.me
  const local = useLocalDraft(me?.id ?? '', newest, draft, unheard)
  const alert = uploadAlert(draft)
  const changed = isChanged(draft)
  const losses = lossesOf(draft, local.isKept, hasUnsavedCaptions)
  const guard = useLeaveGuard(losses.length > 0, losses.join(' '))

  useEffect(() => {
    latest.current = { draft, hasUnsavedCaptions }
  })

  useEffect(() => {
    // A failure shows when saving.
    if (changed) loadCalls().catch(() => {})
  }, [changed])

  function fail(message: string, conflict = false) {
    const isUpload = message === alert
    setProblem({ message, conflict, isUpload })
    setResolving(conflict ? {} : null)
    // Of uploads the bar says it, and the lesson itself; of a conflict a dialog, to whoever is still here.
    if ((!conflict || hasLeft()) && !isUpload) void toast.error(message, { position: 'top-center' })
  }

  /** What keeps this draft from being saved, with its place opened; null when nothing does. */
  function findProblem(calls: Calls): string | null {
    if (alert) return alert
    const found = calls.checkContent(course.id, draft)
    if (found?.place) show(found.place)
    return found && found.message
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

  /** Checks, asks where something would be lost, then saves, publishes or saves over what others saved. */
  function run(task: Sending, mayDrop = false) {
    if (task === 'overwrite') return overwrite(mayDrop)
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
    if (hasGoneOn(latest.current.draft, sent) || latest.current.hasUnsavedCaptions) {
      void toast.success('Saved. What you did meanwhile is not saved yet.')
      return
    }
    void toast.success('Your changes are saved.')
    if (hasLeft()) return
    guard.release()
    await navigate('/dashboard')
  }

  function published(newSlug: string) {
    setAsksToPublish(false)
    setSlug(newSlug)
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

  function overwrite(mayDrop = false) {
    setDropping(null)
    const conflict = problem
    return perform('overwrite', async (calls) => {
      const found = findProblem(calls)
      if (found) return setResolving({ problem: found })
      const items = mayDrop ? [] : calls.droppedOnSave(draft)
      if (items.length > 0) {
        // Whoever goes back from here finds it as it was.
        setProblem(conflict)
        setResolving(null)
        return setDropping({ items, task: 'overwrite' })
      }
      const answer = await calls.loadContent(course.id)
      if ('problem' in answer) return setResolving(answer)
      const sent = onTopOf(draft, answer)
      if (!(await store(calls, sent))) return
      setResolving(null)
      await finish(sent)
    })
  }

  function restore() {
    if (!local.earlier || busy !== null) return
    // What is on the page now stays behind as a draft, too.
    if (!local.keep()) return fail(noRoom)
    unheard.current = []
    dispatch({ type: 'replaced', draft: restoredDraft(local.earlier.local, newest) })
    local.moveOn(local.earlier.slot)
    announce('Your changes are restored. They are not saved yet.')
  }

  return {
    /** What the server has, as far as this page knows. */
    newest,
    isPublished: status === 'published',
    slug,
    /** Published on this page, and not taken back. */
    justPublished,
    local,
    restore,
    busy,
    // An alert about uploads goes as soon as it is no longer true.
    problem: problem?.isUpload && problem.message !== alert ? null : problem,
    fail,
    run,
    unpublish,
    /** Before it is published; null when nobody asked for it. */
    publishing: asksToPublish ? { close: () => setAsksToPublish(false), published } : null,
    /** What a save would leave out, before it goes on without it. */
    dropping,
    goBack: () => setDropping(null),
    /** How to go on after somebody else saved; `problem` when an attempt at it failed. */
    resolving,
    setResolving,
    keepAsDraft,
    overwrite: () => overwrite(),
    leaveDialog: guard.dialog,
  }
}

function lossesOf(draft: ContentDraft, isKept: boolean, hasUnsavedCaptions: boolean): string[] {
  const kept = isKept ? ' This browser keeps it for you until you come back.' : ''
  const notSaved = `hat you changed on this page is not saved yet.${kept}`
  const losses: string[] = []
  if (hasUnsavedCaptions) losses.push('What you changed in the captions is lost.')
  if (Object.values(draft.uploads).includes('uploading'))
    losses.push(`A video is still uploading, and w${notSaved}`)
  else if (isChanged(draft)) losses.push(`W${notSaved}`)
  return losses
}
