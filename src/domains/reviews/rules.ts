// Pure decisions about reviews.

export const limits = { reviewText: 2000, answer: 2000, reason: 2000 } as const

export const maxStars = 5

/** '4.3': to one decimal, at most 5. In whole hundredths first, as 4.35 is a little less in binary. */
export function ratingLabel(rating: number): string {
  const tenths = Math.round(Math.round(rating * 100) / 10)
  return (Math.min(tenths, maxStars * 10) / 10).toFixed(1)
}

/** How many of the five stars are filled. */
export function filledStars(rating: number): number {
  return Math.min(maxStars, Math.max(0, Math.round(rating)))
}

/** The share of a part in whole percent; 0 of nothing. */
export function share(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part / total) * 100)
}

/** How many pages there are; an empty list has one. */
export function pagesOf(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}

/** How many reviews the course's own page shows. */
export const newestReviews = 3
