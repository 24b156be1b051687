import { Check } from 'lucide-react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Card } from '../../../ui/card.tsx'
import type { CourseReviews as CourseReviewList } from '../../reviews/schema.ts'
import { CourseReviews } from '../../reviews/ui/course-reviews.tsx'
import { priceLabel, withoutLightning } from '../rules.ts'
import type { CourseDashboard } from '../schema.ts'
import { CourseDescription } from './course-description.tsx'
import { CreatorLink } from './creator-link.tsx'

/** Spec 2, section 9: lesson previews. */
const previewed = 4

/** The member page's second tab. */
export function CourseAbout({
  course,
  reviews,
}: {
  course: CourseDashboard
  reviews: CourseReviewList
}) {
  const all = course.chapters.flatMap((chapter) => chapter.lessons)
  const lessons = all.slice(0, previewed)
  const rest = all.length - lessons.length

  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
      <div className="grid grid-cols-1 gap-10">
        <CourseDescription course={course} />
        {lessons.length > 0 && (
          <section aria-labelledby="lessons-inside">
            <h2 id="lessons-inside" className="mb-4 text-2xl">
              Lessons Inside:
            </h2>
            <ul className="grid max-w-[44rem] gap-3">
              {lessons.map((lesson) => (
                <li key={lesson.id} className="flex gap-3">
                  <Check
                    size={20}
                    strokeWidth={2.5}
                    className="mt-0.5 shrink-0 text-success"
                    aria-hidden
                  />
                  <bdi>{withoutLightning(lesson.title)}</bdi>
                </li>
              ))}
              {rest > 0 && <li className="pl-8 text-muted">and {rest} more</li>}
            </ul>
          </section>
        )}
      </div>
      <Facts course={course} />
      <div className="lg:col-start-1">
        <CourseReviews list={reviews} writable />
      </div>
    </div>
  )
}

function Facts({ course }: { course: CourseDashboard }) {
  const facts = [
    ['Price', priceLabel(course, 'month')],
    ['Category', course.category],
    ['Level', course.level],
    ['Application', course.applicationRequired ? 'Required' : 'Not Required'],
  ] as const
  return (
    <Card as="aside" aria-label="Course details" padding="none" className="lg:row-span-2">
      <dl className="grid divide-y px-5 sm:px-6">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 py-3.5">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex items-center gap-3 border-t px-5 py-4 sm:px-6">
        <Avatar name={course.instructor.name} src={course.instructor.avatarUrl} size="lg" />
        <div className="min-w-0">
          <p className="font-semibold">
            <CreatorLink {...course.instructor} className="wrap-anywhere" />
          </p>
          <p className="text-sm text-muted">Course Instructor</p>
        </div>
      </div>
    </Card>
  )
}
