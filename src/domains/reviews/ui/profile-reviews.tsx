import { Link } from 'react-router'
import { Card } from '../../../ui/card.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import { CoursePicture } from '../../courses/ui/course-picture.tsx'
import type { ProfileReview } from '../schema.ts'
import { ReviewDay } from './review-day.tsx'
import { ReviewText } from './review-text.tsx'
import { Stars, starsOf } from './stars.tsx'

/** What a person wrote about courses. Each has an id to jump to: `review-13` for the thirteenth. */
export function ProfileReviews({ reviews }: { reviews: ProfileReview[] }) {
  return (
    // Safari forgets that a list without bullets is one, unless told.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ul role="list" aria-label="Reviews" className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {reviews.map(({ id, course, rating, reviewText, createdAt, edited }, index) => (
        <li key={id} id={`review-${index + 1}`} className="grid min-w-0">
          <Card as="article" className="grid grid-cols-1 content-start gap-4">
            <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
              <CoursePicture course={course} sizes="8rem" lazy className="rounded-lg" />
              <div className="grid gap-1.5">
                <h2 className="line-clamp-3 text-lg wrap-anywhere">
                  <Link
                    to={`/course/${course.slug}`}
                    className="rounded-sm underline-offset-4 hover:underline"
                  >
                    <bdi>{withoutLightning(course.title)}</bdi>
                  </Link>
                </h2>
                <p className="flex flex-wrap items-center gap-x-2.5">
                  <Stars rating={rating} label={starsOf(rating)} className="[&>svg]:size-4" />
                  <ReviewDay moment={createdAt} edited={edited} />
                </p>
              </div>
            </div>
            {reviewText !== '' && <ReviewText text={reviewText} />}
          </Card>
        </li>
      ))}
    </ul>
  )
}
