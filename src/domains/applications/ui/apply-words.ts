// What is said when applying does not work (spec 2, section 8).
import { ORPCError } from '@orpc/client'

/** What the form that withdraws an application says it is for. */
export const withdrawIntent = 'withdraw'

export const questionsFailed = 'Failed to load application questions. Please try again later.'
export const submitFailed = 'Failed to submit application. Please try again.'
export const withdrawFailed = 'Failed to withdraw application. Please try again.'

/** Our server's words where it refused, else the fallback; with the status for the page. */
export function refusalOf(error: unknown, fallback: string): { problem: string; status: number } {
  if (error instanceof ORPCError && error.status < 500) {
    return { problem: error.message, status: error.status }
  }
  return { problem: fallback, status: 500 }
}
