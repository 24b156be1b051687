import { lazy } from 'react'
import type { OwnReviewProps } from './own-review.tsx'

// Most who read reviews write none. Without a Suspense around it, the page waits for it.
const OwnReview = lazy(async () => ({
  default: (await import('./own-review.tsx')).OwnReview,
}))

/** What the viewer thinks of the course, for who may say or has said it; nothing for everybody else. */
export function OwnReviewLater(props: OwnReviewProps) {
  const { standing, mine } = props.list
  if (standing === 'member' || (standing === 'signedIn' && mine)) return <OwnReview {...props} />
  return null
}
