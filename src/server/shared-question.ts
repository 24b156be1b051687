/**
 * One question at a time for all who ask it: each caller gets an answer to a question that was asked after
 * the call, and however many call meanwhile, they share the next one.
 */
export function sharedQuestion<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null
  let next: Promise<Answer> | null = null

  function begin(): Promise<Answer> {
    next = null
    const mine = ask().finally(() => {
      if (asked === mine) asked = null
    })
    asked = mine
    return mine
  }
  return () => (asked ? (next ??= asked.then(begin, begin)) : begin())
}
