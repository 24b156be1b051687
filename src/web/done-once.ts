import { isServerError } from './call-outcome.ts'

/**
 * Calls of one kind, each with a key by which the server does the same thing once. An answer may be lost on its way, and
 * whoever then tries again with the same input means the same thing; once they were told what became of it, they mean
 * another one.
 */
export function doneOnce() {
  let tried: { input: string; key: string } | null = null
  return async <T>(input: unknown, call: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const text = JSON.stringify(input)
    if (tried?.input !== text) tried = { input: text, key: crypto.randomUUID() }
    const { key } = tried
    try {
      const answer = await call(key)
      tried = null
      return answer
    } catch (error) {
      if (isKnown(error)) tried = null
      throw error
    }
  }
}

/** Whether it is known what became of it: what fails behind a proxy, or at its end, may be done all the same. */
const isKnown = (error: unknown) =>
  isServerError(error) && error.status < 500 && error.code !== 'IDEMPOTENCY_IN_FLIGHT'
