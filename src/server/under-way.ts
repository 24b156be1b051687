import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from './tracing.ts'

/** What is known of a request or a job while it is done. */
export interface WorkFacts {
  /** The pattern of the address, never the address: that may name a person or be a secret. */
  route?: string
  statements: number
  /** Seconds until what a limit refused is allowed again. */
  waitSeconds?: number
}

export interface Work {
  requestId?: string
  job?: string
  /** Shared by all of its parts. */
  facts: WorkFacts
  /** The part of a trace that what runs now belongs to; absent when it is not traced. */
  span?: Span
}

/** The request or job that what runs now is part of. */
export const underWay = new AsyncLocalStorage<Work>()

/** Whoever refuses something because there was too much of it says how long to wait: the answer, when it is 429, tells it. */
export function askToWait(seconds: number): void {
  const facts = underWay.getStore()?.facts
  if (facts) facts.waitSeconds = Math.max(facts.waitSeconds ?? 0, seconds)
}

/** Does a part of the work under way as a span of its own; without a trace it is simply done. */
export async function asPart<Result>(
  name: string,
  attributes: Record<string, string>,
  part: () => PromiseLike<Result>,
): Promise<Result> {
  const work = underWay.getStore()
  if (!work?.span) return part()
  const span = work.span.child(name, 'internal', attributes)
  try {
    const result = await underWay.run({ ...work, span }, part)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
