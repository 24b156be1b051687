import { UserRound } from 'lucide-react'
import { lazy } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { CreatorLink } from '../../courses/ui/creator-link.tsx'
import type { CourseReview, CourseReviews } from '../schema.ts'
import { GivenAnswer } from './given-answer.tsx'
import { ReviewDay } from './review-day.tsx'
import { ReviewText } from './review-text.tsx'
import type { ReviewForms } from './review-calls.ts'
import { Stars, starsOf } from './stars.tsx'

// Only instructors answer. Without a Suspense around it, the page waits for it.
const ReviewAnswer = lazy(async () => ({
  default: (await import('./review-answer.tsx')).ReviewAnswer,
}))

// Only administrators remove what others wrote.
const TakeDownReview = lazy(async () => ({
  default: (await import('./take-down-review.tsx')).TakeDownReview,
}))

type ReviewListProps = {
  list: CourseReviews
  /** Lets the instructor answer, and administrators remove; without it the list is for reading only. */
  forms?: ReviewForms
  /** Long ones are cut here: the whole text is on the page of all reviews. */
  cut?: boolean
}

/** Reviews, newest first. Works unhydrated. */
export function ReviewList({ list: { reviews, course, standing }, forms, cut }: ReviewListProps) {
  const isAdmin = useRouteLoaderData<typeof loader>('root')?.me?.role === 'admin'
  return (
    // Safari forgets that a list without bullets is one, unless told.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ul role="list" aria-label="Reviews" tabIndex={-1} className="grid divide-y outline-none">
      {reviews.map((review) => (
        <li
          key={review.id}
          id={`review-${review.id}`}
          className="grid grid-cols-1 gap-3 py-6 first:pt-0 last:pb-0"
        >
          <Author review={review} />
          {review.reviewText !== '' && (
            <ReviewText text={review.reviewText} className={cut ? 'line-clamp-6' : undefined} />
          )}
          {forms && standing === 'instructor' ? (
            <ReviewAnswer review={review} course={course} forms={forms} />
          ) : (
            review.answer && <GivenAnswer answer={review.answer} cut={cut} />
          )}
          {forms && isAdmin && <TakeDownReview review={review} course={course} forms={forms} />}
        </li>
      ))}
    </ul>
  )
}

function Author({ review }: { review: CourseReview }) {
  const { author, rating, createdAt, edited } = review
  return (
    <div className="flex items-center gap-3">
      {author ? (
        <Avatar name={author.name} src={author.avatarUrl} lazy />
      ) : (
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-wash text-muted">
          <UserRound size={20} aria-hidden />
        </span>
      )}
      <div className="grid min-w-0 gap-0.5">
        {author ? (
          <CreatorLink {...author} className="w-fit font-semibold wrap-anywhere" />
        ) : (
          <span className="font-semibold text-muted">Former member</span>
        )}
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Stars rating={rating} label={starsOf(rating)} className="[&>svg]:size-4" />
          <ReviewDay moment={createdAt} edited={edited} />
        </span>
      </div>
    </div>
  )
}
