import { Check, CirclePlay } from 'lucide-react'
import { Link } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { cn } from '../../../ui/cn.ts'
import { chapterHeading, minutesLabel, withoutLightning } from '../rules.ts'
import type { CourseDashboard } from '../schema.ts'

type Chapter = CourseDashboard['chapters'][number]
type Lesson = Chapter['lessons'][number]

/** 'Chapter N: title' with its lessons, ticked where completed. Numbers run through the course. */
export function CourseOutline({ course }: { course: CourseDashboard }) {
  const next = course.completedCount < course.lessonsCount ? course.continueWith?.slug : undefined
  const firsts = firstNumbers(course.chapters)

  return (
    <div className="grid gap-6">
      {course.chapters.map((chapter, index) => (
        <Card
          as="section"
          key={chapter.id}
          padding="none"
          aria-labelledby={`chapter-${index + 1}`}
          className="overflow-hidden"
        >
          <h2 id={`chapter-${index + 1}`} className="border-b px-5 py-4 text-xl sm:px-6">
            {chapterHeading(index + 1, chapter.title)}
          </h2>
          {chapter.lessons.length === 0 ? (
            <p className="px-5 py-4 text-muted sm:px-6">No lessons yet</p>
          ) : (
            <ol className="divide-y">
              {chapter.lessons.map((lesson, position) => (
                <LessonRow
                  key={lesson.id}
                  lesson={lesson}
                  number={(firsts[index] ?? 1) + position}
                  isNext={lesson.slug === next}
                  to={`/course/${course.slug}/lesson/${lesson.slug}`}
                />
              ))}
            </ol>
          )}
        </Card>
      ))}
    </div>
  )
}

/** The number that each chapter's first lesson has within the course. */
function firstNumbers(chapters: Chapter[]): number[] {
  let next = 1
  return chapters.map(({ lessons }) => {
    const first = next
    next += lessons.length
    return first
  })
}

type LessonRowProps = { lesson: Lesson; number: number; isNext: boolean; to: string }

function LessonRow({ lesson, number, isNext, to }: LessonRowProps) {
  return (
    <li>
      <Link
        to={to}
        className={cn(
          'group flex min-h-14 items-center gap-4 px-5 py-3 transition-colors hover:bg-wash',
          'focus-visible:-outline-offset-2 sm:px-6',
          isNext && 'bg-primary-soft',
        )}
      >
        <LessonState completed={lesson.completed} number={number} />
        <span className={cn('flex-1 group-hover:underline', isNext && 'font-semibold')}>
          <bdi>{withoutLightning(lesson.title)}</bdi>
        </span>
        {lesson.isPreview && <Badge>Preview</Badge>}
        {isNext && <span className="text-sm font-semibold text-primary">Next</span>}
        {lesson.minutes !== null && (
          <span className="shrink-0 text-sm text-muted tabular-nums">
            {minutesLabel(lesson.minutes)}
          </span>
        )}
        {lesson.hasVideo && (
          <span className="shrink-0 text-muted">
            <CirclePlay size={18} aria-hidden />
            <span className="sr-only">Video</span>
          </span>
        )}
      </Link>
    </li>
  )
}

function LessonState({ completed, number }: { completed: boolean; number: number }) {
  return completed ? (
    <span className="grid size-7 shrink-0 place-items-center rounded-full bg-success-soft text-success">
      <Check size={16} strokeWidth={3} aria-hidden />
      <span className="sr-only">Completed</span>
    </span>
  ) : (
    <span className="grid size-7 shrink-0 place-items-center rounded-full border border-edge text-xs tabular-nums">
      {number}
    </span>
  )
}
