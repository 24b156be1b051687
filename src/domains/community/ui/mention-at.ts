/** '@' and the beginning of a name right before the caret. */
const begun = /(?:^|[^\p{L}\p{N}_@/%+-])@([\p{L}\p{M}\p{N}-]{0,40})$/u
/** The word goes on behind the caret: it was written before. */
const goesOn = /^[\p{L}\p{M}\p{N}]/u

export interface BegunMention {
  /** Where the '@' is. */
  from: number
  search: string
}

/** The name that somebody is about to write, or null. */
export function mentionAt(text: string, caret: number): BegunMention | null {
  if (goesOn.test(text.slice(caret, caret + 2))) return null
  const search = begun.exec(text.slice(Math.max(0, caret - 42), caret))?.[1]
  return search === undefined ? null : { from: caret - search.length - 1, search }
}
