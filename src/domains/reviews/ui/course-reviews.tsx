import { ButtonLink } from '../../../ui/button.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import type { CourseReviews as Reviews } from '../schema.ts'
import { OwnReviewLater } from './own-review-later.tsx'
import { ReviewList } from './review-list.tsx'
import { ReviewStats } from './review-stats.tsx'
import type { ReviewForms } from './review-calls.ts'

const forMembers: ReviewForms = { back: 'about', page: 1 }

type CourseReviewsProps = {
  list: Reviews
  /** Lets members write and the instructor answer. */
  writable?: boolean
}

/** The section about reviews on a course's page: figures, the newest ones, and the way to all. */
export function CourseReviews({ list, writable }: CourseReviewsProps) {
  const { stats, reviews, course } = list
  const forms = writable ? forMembers : undefined

  return (
    <section aria-labelledby="reviews" className="grid max-w-[44rem] grid-cols-1 gap-6">
      <h2 id="reviews" className="text-2xl">
        Reviews
      </h2>
      {stats.total > 0 ? (
        <ReviewStats stats={stats} />
      ) : (
        <p className="text-muted">No reviews yet. {firstOne(list.standing)}</p>
      )}
      {forms && <OwnReviewLater list={list} forms={forms} level={3} />}
      {reviews.length > 0 && <ReviewList list={list} forms={forms} cut />}
      {stats.total > reviews.length && (
        <ButtonLink to={`/course/${course.slug}/reviews`} variant="secondary" className="w-fit">
          See all {countLabel(stats.total, 'review')}
        </ButtonLink>
      )}
    </section>
  )
}

const firstOne = (standing: Reviews['standing']) =>
  standing === 'member' ? 'Yours could be the first.' : 'Members can write the first one.'
