import type { CourseReviews } from '../schema.ts'
import { wholeAddress } from '../../site/ui/page-meta.ts'

const scale = { bestRating: 5, worstRating: 1 }

/** https://schema.org/AggregateRating and https://schema.org/Review of a course; nothing without a review. */
export function reviewsForMachines({ stats, reviews }: CourseReviews) {
  if (stats.total === 0) return {}
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: stats.average,
      reviewCount: stats.total,
      ...scale,
    },
    review: reviews.flatMap(({ author, rating, reviewText, createdAt }) =>
      // A review is somebody's: who has left has no name here.
      author
        ? [
            {
              '@type': 'Review',
              reviewRating: { '@type': 'Rating', ratingValue: rating, ...scale },
              author: {
                '@type': 'Person',
                name: author.name,
                ...(author.username && { url: wholeAddress(`/user/${author.username}`) }),
              },
              datePublished: createdAt,
              ...(reviewText && { reviewBody: reviewText }),
            },
          ]
        : [],
    ),
  }
}
