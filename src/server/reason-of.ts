import { DrizzleQueryError } from 'drizzle-orm'

/** The first line of what went wrong, which may say nothing of its own and everything in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Of a name with several addresses, each of which was tried.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return reasonOf(error.errors.at(-1))
  }
  const { cause, code } = error as Error & { code?: unknown }
  if (error.message === '' && typeof code === 'string') return code
  const isVague = /^(?:fetch failed|Failed query:[^]*)?$/.test(error.message)
  return isVague && cause ? reasonOf(cause) : error.message.split('\n')[0]!
}

/** Ours are sentences; that of a query is the query, with what people typed. */
export function sentenceOf(error: unknown): string {
  const isSentence = error instanceof Error && !(error instanceof DrizzleQueryError)
  return isSentence && error.message ? error.message : `${reasonOf(error)}.`
}
