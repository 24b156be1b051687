import { isServerError } from '../../../web/call-outcome.ts'

export const signedOutWords =
  'You are no longer signed in. Log in again in another tab, then come back and try again: what you wrote is still here.'

/** What to tell a person about a failed call: the server's words, else (no connection) the fallback. */
export function callProblem(error: unknown, fallback: string): string {
  if (!isServerError(error)) return fallback
  if (error.code === 'UNAUTHORIZED') return signedOutWords
  return error.message || fallback
}

/** Like `callProblem`, but the server's words only where it refused: where it failed, those of the specification. */
export const refusalProblem = (error: unknown, failed: string) =>
  callProblem(isServerError(error) && error.status < 500 ? error : null, failed)
