import { isServerError } from './call-outcome.ts'
import { randomId } from './random-id.ts'

/**
 * Calls of one kind, each with a key by which the server does the same thing once. An answer may be lost on its way, and
 * whoever then tries again with the same input means the same thing; once they were told what became of it, they mean
 * another one.
 */
export function doneOnce() {
  let tried: Try | null = null
  return <T>(input: unknown, call: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const text = JSON.stringify(input)
    if (tried?.input !== text) tried = { input: text, key: randomId(), underWay: null }
    const one = tried
    const end = () => {
      if (tried === one) tried = null
    }
    one.underWay ??= call(one.key)
      .then(
        (answer) => {
          end()
          return answer
        },
        (error: unknown) => {
          if (isKnown(error)) end()
          throw error
        },
      )
      .finally(() => (one.underWay = null))
    return one.underWay as Promise<T>
  }
}

/** Who asks the same while it is under way, as from a form that was opened again, gets the same answer. */
type Try = { input: string; key: string; underWay: Promise<unknown> | null }

/** Whether it is known what became of it: what fails behind a proxy, or at its end, may be done all the same. */
const isKnown = (error: unknown) =>
  isServerError(error) && error.status < 500 && error.code !== 'IDEMPOTENCY_IN_FLIGHT'
