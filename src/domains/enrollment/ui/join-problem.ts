import { ORPCError } from '@orpc/client'

/** What to say when joining failed (spec 2, section 8): our server's words, or the spec's fallback. */
export function joinProblem(error: unknown): { problem: string; status: number } {
  if (error instanceof ORPCError && error.status < 500) {
    return { problem: error.message, status: error.status }
  }
  return { problem: 'Failed to enroll in course. Please try again.', status: 500 }
}
