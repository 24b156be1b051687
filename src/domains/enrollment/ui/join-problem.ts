import { ORPCError } from '@orpc/client'
import { refusalOf } from '../../applications/ui/apply-words.ts'

export const joinFailed = 'Failed to enroll in course. Please try again.'
const joinDelayed = 'There was a temporary issue with enrollment. Please try again in a moment.'

/** What to say when joining failed (spec 2, section 8): our server's words, or those of the spec. */
export function joinProblem(error: unknown): { problem: string; status: number } {
  // The database is away, or others wanted the same at that moment.
  if (error instanceof ORPCError && error.status === 503) {
    return { problem: joinDelayed, status: 503 }
  }
  return refusalOf(error, joinFailed)
}
