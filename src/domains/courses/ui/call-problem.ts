import { isFromBetween, isServerError } from '../../../web/call-outcome.ts'

export const signedOutWords =
  'You are no longer signed in. Log in again in another tab, then come back and try again: what you wrote is still here.'

/** Where the server's own words are for programs. */
const wordsOf = new Map([
  ['UNAUTHORIZED', signedOutWords],
  ['IDEMPOTENCY_IN_FLIGHT', 'This is still under way. Please try again in a moment.'],
])

const courseIsThere = 'The course was made already. You find it on your dashboard.'

/**
 * What to tell a person about a failed call: the server's words, else (it was not reached) the fallback. `done`: where an
 * earlier try did it, and its answer is not there any more.
 */
export function callProblem(error: unknown, fallback: string, done = courseIsThere): string {
  if (!isServerError(error) || isFromBetween(error)) return fallback
  if (error.code === 'IDEMPOTENCY_ANSWER_LOST') return done
  return wordsOf.get(error.code) || error.message || fallback
}

/** Like `callProblem`, but the server's words only where it refused: where it failed, those of the specification. */
export const refusalProblem = (error: unknown, failed: string, done?: string) =>
  callProblem(isServerError(error) && error.status < 500 ? error : null, failed, done)
