import { Star } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { filledStars, maxStars } from '../rules.ts'

type StarsProps = {
  /** A mean is rounded to whole stars. */
  rating: number
  /** Said instead of the picture; left out where the figure stands beside it. */
  label?: string
  className?: string
}

/** Five stars, filled up to the rating. */
export function Stars({ rating, label, className }: StarsProps) {
  const filled = filledStars(rating)
  return (
    <span
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className={cn('inline-flex shrink-0 gap-0.5 [&>svg]:size-4.5', className)}
    >
      {Array.from({ length: maxStars }, (_, index) => (
        <Star
          key={index}
          aria-hidden
          className={index < filled ? 'fill-spark text-warning' : 'fill-wash text-edge'}
        />
      ))}
    </span>
  )
}

/** '4 stars of 5' */
export const starsOf = (rating: number) =>
  `${rating} ${rating === 1 ? 'star' : 'stars'} of ${maxStars}`
