import { Check, ChevronRight, CirclePlay } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Progress } from '../../../ui/progress.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import {
  chapterHeading,
  completedLabel,
  minutesLabel,
  withoutLightning,
} from '../../courses/rules.ts'
import type { OutlineChapter, OutlineLesson, OutlinePart } from './lesson-outline-part.ts'

type OutlineListProps = {
  outline: OutlinePart
  courseSlug: string
  lessonId: string
  /** Brings the lessons that are left out; false when that failed. */
  onMissing: () => Promise<boolean>
  /** The current lesson takes the focus when the list is shown. */
  takesFocus?: boolean
  onNavigate?: () => void
  className?: string
}

/** Chapters that open and close, with their lessons. It scrolls itself to the current one. */
export function OutlineList({
  outline,
  courseSlug,
  lessonId,
  onMissing,
  takesFocus = false,
  onNavigate,
  className,
}: OutlineListProps) {
  const box = useRef<HTMLDivElement>(null)
  /** The lesson at which somebody looks around in the list: it stays where it is. */
  const heldAt = useRef<string>(null)
  const hold = useEffectEvent(() => {
    heldAt.current = lessonId
  })
  useEffect(() => {
    const element = box.current
    const holdIt = () => hold()
    const ways = ['wheel', 'pointerdown', 'keydown'] as const
    for (const way of ways) element?.addEventListener(way, holdIt, { passive: true })
    return () => ways.forEach((way) => element?.removeEventListener(way, holdIt))
  }, [])

  // Also when lessons above it arrive later.
  useLayoutEffect(() => {
    const isThere = outline.chapters.some((chapter) =>
      chapter.lessons?.some(({ id }) => id === lessonId),
    )
    if (!isThere || heldAt.current === lessonId) return
    const current = box.current?.querySelector(`[data-lesson="${lessonId}"]`)
    if (!box.current || !current) return
    const { top, height } = current.getBoundingClientRect()
    const into = top - box.current.getBoundingClientRect().top
    // Its own box only: the page stays where the person is.
    box.current.scrollTop += into - (box.current.clientHeight - height) / 2
  }, [lessonId, outline])

  return (
    <div ref={box} className={cn('divide-y overflow-y-auto overscroll-contain', className)}>
      {outline.chapters.map((chapter, index) => (
        <Chapter
          key={chapter.id}
          chapter={chapter}
          heading={chapterHeading(index + 1, withoutLightning(chapter.title))}
          elsewhere={`/course/${courseSlug}/dashboard#chapter-${index + 1}`}
          isCurrent={chapter.lessons?.some(({ id }) => id === lessonId) ?? false}
          onMissing={onMissing}
        >
          {chapter.lessons?.map((lesson, position) => (
            <LessonRow
              key={lesson.id}
              lesson={lesson}
              number={chapter.firstNumber + position}
              to={`/course/${courseSlug}/lesson/${lesson.slug}`}
              isCurrent={lesson.id === lessonId}
              takesFocus={takesFocus}
              onNavigate={onNavigate}
            />
          ))}
        </Chapter>
      ))}
    </div>
  )
}

/** How far this person is in the course. */
export function OutlineProgress({ outline }: { outline: OutlinePart }) {
  const { completedCount, lessonsCount } = outline
  const percent = lessonsCount === 0 ? 0 : (completedCount / lessonsCount) * 100
  return <Progress label={completedLabel(outline)} percent={percent} size="sm" />
}

type ChapterProps = {
  chapter: OutlineChapter
  heading: string
  /** Where its lessons can be seen without a script. */
  elsewhere: string
  isCurrent: boolean
  onMissing: () => Promise<boolean>
  children: ReactNode
}

function Chapter({ chapter, heading, elsewhere, isCurrent, onMissing, children }: ChapterProps) {
  const id = useId()
  const [state, setState] = useState<'there' | 'loading' | 'failed'>('there')

  async function complete() {
    setState('loading')
    setState((await onMissing()) ? 'there' : 'failed')
  }

  return (
    <details
      open={isCurrent}
      onToggle={(event) => {
        if (event.currentTarget.open && !chapter.lessons && state === 'there') void complete()
      }}
      className="group"
    >
      <summary className="flex min-h-12 list-none items-center gap-2 py-2.5 pr-5 pl-3.5 hover:bg-wash focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={18}
          aria-hidden
          className="shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <span id={id} className="flex-1 text-sm font-semibold">
          {heading}
        </span>
        <span className="shrink-0 text-xs text-muted tabular-nums">
          <span aria-hidden>
            {chapter.completedCount}/{chapter.lessonsCount}
          </span>
          <span className="sr-only">
            {chapter.completedCount} of {chapter.lessonsCount} completed
          </span>
        </span>
      </summary>
      {chapter.lessons ? (
        <ol aria-labelledby={id} className="pb-2">
          {children}
        </ol>
      ) : (
        <div className="grid gap-2 px-5 pt-1 pb-4 text-sm">
          {state === 'loading' && (
            <Loading label="Loading the lessons…" className="grid gap-3">
              <Skeleton />
              <Skeleton className="w-2/3" />
            </Loading>
          )}
          {state === 'failed' && (
            <p role="alert" className="flex flex-wrap items-center gap-2">
              These lessons could not be loaded.
              <Button variant="secondary" size="sm" onClick={() => void complete()}>
                Try again
              </Button>
            </p>
          )}
          {state === 'there' && (
            <Link to={elsewhere} className="font-semibold underline underline-offset-4">
              See its lessons on the course page
            </Link>
          )}
        </div>
      )}
    </details>
  )
}

type LessonRowProps = {
  lesson: OutlineLesson
  number: number
  to: string
  isCurrent: boolean
  takesFocus: boolean
  onNavigate?: () => void
}

/** A dialog gives the focus to what carries the attribute, which React leaves out. */
const takeFocus = (link: HTMLElement | null) => link?.setAttribute('autofocus', '')

function LessonRow({ lesson, number, to, isCurrent, takesFocus, onNavigate }: LessonRowProps) {
  return (
    // A thousand rows: those out of sight are not laid out.
    <li
      data-lesson={lesson.id}
      className="[contain-intrinsic-block-size:auto_2.75rem] [content-visibility:auto]"
    >
      <Link
        to={to}
        ref={isCurrent && takesFocus ? takeFocus : undefined}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onNavigate}
        className={cn(
          'group/row flex min-h-11 items-center gap-3 border-l-2 border-transparent py-2 pr-5 pl-4',
          'text-sm hover:bg-wash focus-visible:-outline-offset-2',
          isCurrent && 'border-primary bg-primary-soft font-semibold',
        )}
      >
        <LessonMark completed={lesson.completed} number={number} />
        <span className="min-w-0 flex-1 group-hover/row:underline">
          <bdi>{withoutLightning(lesson.title)}</bdi>
        </span>
        {lesson.minutes !== null && (
          <span className="shrink-0 text-xs font-normal text-muted tabular-nums">
            {minutesLabel(lesson.minutes)}
          </span>
        )}
        {lesson.hasVideo && (
          <span className="shrink-0 text-muted">
            <CirclePlay size={15} aria-hidden />
            <span className="sr-only">Video</span>
          </span>
        )}
      </Link>
    </li>
  )
}

function LessonMark({ completed, number }: { completed: boolean; number: number }) {
  return completed ? (
    <span className="grid size-6 shrink-0 place-items-center rounded-full bg-success-soft text-success">
      <Check size={14} strokeWidth={3} aria-hidden />
      <span className="sr-only">Completed</span>
    </span>
  ) : (
    <span className="grid h-6 min-w-6 shrink-0 place-items-center rounded-full border border-edge px-1 text-xs font-normal tabular-nums">
      {number}
    </span>
  )
}
