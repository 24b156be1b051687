import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from '../../../ui/cn.ts'
import { withoutLightning } from '../../courses/rules.ts'
import type { LessonPage } from '../schema.ts'

/** The way to the lessons before and after this one; after the last one, back to the course. */
export function LessonNeighbours({ lesson }: { lesson: LessonPage }) {
  const { previous, next, course } = lesson
  const at = (slug: string) => `/course/${course.slug}/lesson/${slug}`

  return (
    <nav aria-label="Lessons" className="grid gap-4 border-t pt-8 sm:grid-cols-2">
      {previous && (
        <Neighbour to={at(previous.slug)} label="Previous lesson" title={previous.title}>
          <ArrowLeft size={20} aria-hidden />
        </Neighbour>
      )}
      {next ? (
        <Neighbour to={at(next.slug)} label="Next lesson" title={next.title} isNext>
          <ArrowRight size={20} aria-hidden />
        </Neighbour>
      ) : (
        <Neighbour
          to={`/course/${course.slug}/dashboard`}
          label="That was the last lesson"
          title={course.title}
          isNext
        >
          <ArrowRight size={20} aria-hidden />
        </Neighbour>
      )}
    </nav>
  )
}

type NeighbourProps = {
  to: string
  label: string
  title: string
  isNext?: boolean
  children: ReactNode
}

function Neighbour({ to, label, title, isNext, children }: NeighbourProps) {
  return (
    <Link
      to={to}
      className={cn(
        'group flex min-h-20 items-center gap-4 rounded-card border bg-surface px-5 py-4 shadow-card',
        'transition-colors hover:border-edge sm:col-start-1 sm:row-start-1',
        isNext && 'flex-row-reverse text-right sm:col-start-2',
      )}
    >
      <span className="text-muted">{children}</span>
      <span className="grid min-w-0 flex-1">
        <span className="text-sm text-muted">{label}</span>
        <span className="font-semibold group-hover:underline">
          <bdi>{withoutLightning(title)}</bdi>
        </span>
      </span>
    </Link>
  )
}
