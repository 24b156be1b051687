// `safe` and the error of '@orpc/client' for pages that most people only read: the library's code comes with
// the first call (api-client.ts).
import type { ORPCError } from '@orpc/client'

type Outcome<T> = [error: null, answer: T] | [error: Error, answer: undefined]

export async function safe<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return [null, await call]
  } catch (error) {
    return [error as Error, undefined]
  }
}

/** Whether the server said so; otherwise it was not reached. */
export const isServerError = (error: unknown): error is ORPCError<string, unknown> =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  'status' in error &&
  typeof error.status === 'number'

/** Whether what a failed call asks for may be done all the same: no answer came, or the server broke off. */
export const mayBeDone = (error: unknown): boolean => !isServerError(error) || error.status >= 500

/** Whether something between here and the server said so in its place: oRPC hands such an answer on as it came. */
export const isFromBetween = ({ data }: ORPCError<string, unknown>) =>
  typeof data === 'object' && data !== null && 'headers' in data && 'body' in data
