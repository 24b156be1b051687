import { safe } from '../../../web/call-outcome.ts'

export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

type Ask<Item> = (cursor: string) => Promise<Page<Item>>

/**
 * What stands below the first page of a list. Each reading waits for the one before: of two at once, one would undo what
 * the other found.
 */
export function furtherPages<Item extends { id: string }>() {
  let known: Page<Item> | null = null
  let count = 0
  let reading: Promise<unknown> = Promise.resolve()

  const inTurn = <Answer>(read: () => Promise<Answer>): Promise<Answer> => {
    const answer = reading.then(read)
    reading = answer
    return answer
  }

  /** One page more; null when it did not come. */
  const readMore = (first: Page<Item>, ask: Ask<Item>) =>
    inTurn(async () => {
      const from = known ?? first
      const next = await pagesFrom(from.nextCursor, 1, ask)
      if (!next) return null
      known = { ...next, items: [...(known?.items ?? []), ...next.items] }
      count += 1
      return known
    })

  /** All of them again, below another first page. Where one does not come they stay, but for what is `settled`. */
  const readAgain = (first: Page<Item>, ask: Ask<Item>, settled?: string) =>
    inTurn(async () => {
      if (!known) return null
      const unsettled = known.items.filter(({ id }) => id !== settled)
      known = (await pagesFrom(first.nextCursor, count, ask)) ?? { ...known, items: unsettled }
      return known
    })

  return { readMore, readAgain }
}

/** So many pages from there on, or all that there are; null when one of them did not come. */
async function pagesFrom<Item>(
  cursor: string | null,
  count: number,
  ask: Ask<Item>,
): Promise<Page<Item> | null> {
  if (cursor === null || count === 0) return { items: [], nextCursor: cursor }
  const [error, page] = await safe(ask(cursor))
  const rest = error ? null : await pagesFrom(page.nextCursor, count - 1, ask)
  return rest && { items: [...page!.items, ...rest.items], nextCursor: rest.nextCursor }
}
