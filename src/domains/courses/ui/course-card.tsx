import { BookOpen, Star, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Card, CardLink } from '../../../ui/card.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { ratingLabel } from '../../reviews/rules.ts'
import { priceLabel, withoutLightning } from '../rules.ts'
import type { CourseCard as Course } from '../schema.ts'
import { countLabel } from './count-label.ts'
import { CoursePicture } from './course-picture.tsx'
import { CreatorLink } from './creator-link.tsx'
import { VerifiedTick } from './verified-badge.tsx'

type CourseCardProps = {
  course: Course
  /** Where the card leads; the public page when left out. */
  to?: string
  /** The level of the title's heading. */
  level?: 2 | 3
  /** Shows the progress bar, whose label says how many lessons there are. */
  progress?: { percent: number; completed: number }
  /** More badges, beside the price. */
  badges?: ReactNode
  /** Buttons and links of their own, under the card's text. */
  actions?: ReactNode
  /** Below the fold. */
  lazy?: boolean
}

const sizes = '(min-width: 80rem) 24rem, (min-width: 64rem) 31vw, (min-width: 40rem) 46vw, 92vw'

/** A course in a list (spec 1, 'Course card'). All of it is one link, but for its creator. Works unhydrated. */
export function CourseCard({
  course,
  to = `/course/${course.slug}`,
  level = 2,
  progress,
  badges,
  actions,
  lazy,
}: CourseCardProps) {
  const Heading = `h${level}` as const
  const price = priceLabel(course)

  return (
    <Card as="article" interactive padding="none" className="flex h-full flex-col">
      <CoursePicture
        course={course}
        sizes={sizes}
        lazy={lazy}
        className="rounded-t-[calc(var(--radius-card)-1px)]"
      />
      <div className="flex flex-1 flex-col gap-3 p-5">
        <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
          <span className="text-sm font-medium text-muted">{course.category}</span>
          <span className="flex flex-wrap gap-1.5">
            {badges}
            {course.applicationRequired && <Badge>Application</Badge>}
            <Badge tone={price === 'Free' ? 'success' : 'primary'}>{price}</Badge>
          </span>
        </div>
        <div className="grid gap-1.5">
          <Heading dir="auto" className="line-clamp-2 text-xl">
            <CardLink to={to}>{withoutLightning(course.title)}</CardLink>
            {course.verified && (
              <>
                {' '}
                <VerifiedTick />
              </>
            )}
          </Heading>
          {course.summary && (
            <p dir="auto" className="line-clamp-2 text-pretty text-muted">
              {course.summary}
            </p>
          )}
        </div>
        <div className="mt-auto grid gap-3 pt-1">
          {progress && (
            <Progress
              size="sm"
              label={`${progress.completed} of ${countLabel(course.lessonsCount, 'lesson')}`}
              percent={progress.percent}
            />
          )}
          <p className="truncate text-sm text-muted">
            Created by {/* Above the link that covers the card. */}
            <CreatorLink
              name={course.instructorName}
              username={course.instructorUsername}
              className="relative font-medium text-ink focus-visible:-outline-offset-2"
            />
          </p>
          <p className="flex flex-wrap gap-x-3 gap-y-1 border-t pt-3 text-sm text-muted tabular-nums">
            {course.reviewsCount > 0 && (
              <span className="inline-flex items-center gap-1.5">
                <Star size={16} aria-hidden />
                <span className="sr-only">Rated </span>
                <span>
                  {ratingLabel(course.rating)} ({course.reviewsCount.toLocaleString('en-US')}
                  <span className="sr-only">
                    {course.reviewsCount === 1 ? ' review' : ' reviews'}
                  </span>
                  )
                </span>
              </span>
            )}
            <span className="inline-flex items-center gap-1.5">
              <Users size={16} aria-hidden />
              {countLabel(course.studentsCount, 'student')}
            </span>
            {!progress && (
              <span className="inline-flex items-center gap-1.5">
                <BookOpen size={16} aria-hidden />
                {countLabel(course.lessonsCount, 'lesson')}
              </span>
            )}
          </p>
          {/* Above the link that covers the card. */}
          {actions && <div className="relative flex flex-wrap gap-2">{actions}</div>}
        </div>
      </div>
    </Card>
  )
}
