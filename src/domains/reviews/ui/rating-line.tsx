import { countLabel } from '../../courses/ui/count-label.ts'
import { ratingLabel } from '../rules.ts'
import { Stars } from './stars.tsx'

/** '4.3' with its stars and the number of reviews, leading to them; nothing before the first review. */
export function RatingLine({
  course: { rating, reviewsCount },
}: {
  course: { rating: number; reviewsCount: number }
}) {
  if (reviewsCount === 0) return null
  return (
    <a
      href="#reviews"
      className="inline-flex min-h-8 w-fit flex-wrap items-center gap-x-2 rounded-control"
    >
      <span className="sr-only">Rated </span>
      <span className="font-bold tabular-nums">{ratingLabel(rating)}</span>
      <Stars rating={rating} />
      <span className="text-muted underline underline-offset-4">
        {countLabel(reviewsCount, 'review')}
      </span>
    </a>
  )
}
