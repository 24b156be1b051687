import { isServerError } from './call-outcome.ts'

/**
 * Calls of one kind, each with a key by which the server does the same thing once. An answer may be lost on its way, and
 * whoever then tries again with the same input means the same thing; after any answer they mean another one.
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
      if (isServerError(error) && !error.code.startsWith('IDEMPOTENCY_')) tried = null
      throw error
    }
  }
}
