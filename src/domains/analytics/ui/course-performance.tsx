import { Star } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Card, CardHeader, CardLink } from '../../../ui/card.tsx'
import { CourseThumbnail } from '../../../ui/course-thumbnail.tsx'
import { money } from '../../billing/ui/plan-words.ts'
import { priceLabel, withoutLightning } from '../../courses/rules.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { ratingLabel } from '../../reviews/rules.ts'
import type { CreatorAnalytics } from '../schema.ts'
import { Figure } from './figure.tsx'

/** Every course with its figures, the best-earning first; each leads to its course. */
export function CoursePerformance({ analytics }: { analytics: CreatorAnalytics }) {
  const { courses, currency, moreCourses, otherRevenue } = analytics
  return (
    <Card as="section" aria-label="Course Performance" className="self-start">
      <CardHeader title="Course Performance" />
      <ul className="grid divide-y">
        {courses.map((course) => (
          <li
            key={course.id}
            className="relative grid gap-x-5 gap-y-3 py-5 first:pt-0 last:pb-0 sm:grid-cols-[8rem_minmax(0,1fr)] has-[[data-card-link]:hover]:[&_h3]:underline has-[[data-card-link]:focus-visible]:rounded-control has-[[data-card-link]:focus-visible]:outline-2 has-[[data-card-link]:focus-visible]:outline-offset-2 has-[[data-card-link]:focus-visible]:outline-primary"
          >
            <CourseThumbnail
              src={course.thumbnailUrl}
              category={course.category}
              seed={course.id}
              lazy
              className="w-32 rounded-control"
            />
            <div className="grid min-w-0 content-start gap-3">
              <div className="grid gap-1">
                <h3 className="text-lg wrap-anywhere">
                  <CardLink to={`/course/${course.slug}/dashboard`}>
                    {withoutLightning(course.title)}
                  </CardLink>
                </h3>
                <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
                  {course.category}
                  {course.status === 'draft' && <Badge tone="warning">Draft</Badge>}
                </p>
              </div>
              <dl className="grid grid-cols-2 gap-x-4 gap-y-2 lg:grid-cols-4">
                <Fact name="Students">{course.students.toLocaleString('en-US')}</Fact>
                <Fact name="Rating">
                  {course.reviewsCount === 0 ? (
                    'None yet'
                  ) : (
                    <>
                      <Star
                        size={15}
                        aria-hidden
                        className="mr-1 inline-block fill-current align-[-0.1em]"
                      />
                      {ratingLabel(course.rating)}
                      <span className="font-normal text-muted">
                        {' '}
                        ({countLabel(course.reviewsCount, 'review')})
                      </span>
                    </>
                  )}
                </Fact>
                <Fact name="Price">{priceLabel(course)}</Fact>
                <Fact name="Revenue">{money(course.revenue, currency)}</Fact>
              </dl>
            </div>
          </li>
        ))}
      </ul>
      {moreCourses > 0 && (
        <p className="mt-5 border-t pt-5 text-sm text-muted">
          And {countLabel(moreCourses, 'more course', 'more courses')}.
        </p>
      )}
      {otherRevenue !== 0 && (
        <p className="mt-5 border-t pt-5 text-sm text-muted">
          Courses that you deleted: <Figure>{money(otherRevenue, currency)}</Figure>
        </p>
      )}
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold tabular-nums">
        <Figure>{children}</Figure>
      </dd>
    </div>
  )
}
