import { Star } from 'lucide-react'
import { Card } from '../../../ui/card.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import { maxStars, ratingLabel, share } from '../rules.ts'
import type { CourseReviews } from '../schema.ts'
import { Stars } from './stars.tsx'

/** The mean, the number of reviews, and how many gave how many stars. */
export function ReviewStats({ stats }: { stats: CourseReviews['stats'] }) {
  const { total, average, byStars } = stats
  return (
    <Card
      as="div"
      className="grid grid-cols-1 items-center gap-x-10 gap-y-5 sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      <div className="grid gap-1 sm:justify-items-center sm:text-center">
        <p className="font-display text-5xl font-extrabold tabular-nums">
          <span className="sr-only">Average rating: </span>
          {ratingLabel(average)}
        </p>
        <Stars rating={average} />
        <p className="text-sm text-muted tabular-nums">{countLabel(total, 'review')}</p>
      </div>
      {/* Safari forgets that a list without bullets is one, unless told. */}
      {/* oxlint-disable-next-line jsx-a11y/no-redundant-roles */}
      <ul role="list" aria-label="Reviews by stars" className="grid gap-2">
        {byStars
          .map((count, index) => ({ stars: index + 1, count }))
          .toReversed()
          .map((row) => (
            <Bar key={row.stars} {...row} total={total} />
          ))}
      </ul>
    </Card>
  )
}

function Bar({ stars, count, total }: { stars: number; count: number; total: number }) {
  const percent = share(count, total)
  const name = stars === 1 ? '1 star' : `${stars} stars`
  return (
    <li className="grid grid-cols-[2.25rem_minmax(0,1fr)_2.5rem] items-center gap-2.5 text-sm tabular-nums">
      <span aria-hidden className="inline-flex items-center justify-end gap-1 font-medium">
        {stars}
        <Star size={14} className="fill-spark text-warning" />
      </span>
      <span aria-hidden className="h-2 overflow-hidden rounded-full bg-wash">
        <span
          className="block h-full rounded-full bg-primary"
          style={{ width: `${(count / Math.max(1, total)) * 100}%` }}
        />
      </span>
      <span aria-hidden className="text-right text-muted">
        {percent}%
      </span>
      <span className="sr-only">
        {name} of {maxStars}: {countLabel(count, 'review')}, {percent}%
      </span>
    </li>
  )
}
