import { useEffect, useEffectEvent, useState } from 'react'
import { safe } from '../../../web/call-outcome.ts'

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

/**
 * A list that grows page by page. The first page is read again after each act, and the further ones with it: what is on
 * them may be settled by now, or have come down from the first one.
 */
export function useMore<Item extends { id: string }>(
  first: Page<Item>,
  ask: (cursor: string) => Promise<Page<Item>>,
) {
  const [further, setFurther] = useState<(Page<Item> & { pages: number }) | null>(null)
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextCursor } = further ?? first
  const known = new Map([...(further?.items ?? []), ...first.items].map((item) => [item.id, item]))
  const order = [...first.items, ...(further?.items ?? [])].map(({ id }) => id)
  const items = [...new Set(order)].map((id) => known.get(id)!)

  /** So many pages from there on, or all that there are; null when one of them did not come. */
  async function read(cursor: string | null, pages: number): Promise<Page<Item> | null> {
    if (cursor === null || pages === 0) return { items: [], nextCursor: cursor }
    const [error, page] = await safe(ask(cursor))
    const rest = error ? null : await read(page.nextCursor, pages - 1)
    return rest && { items: [...page!.items, ...rest.items], nextCursor: rest.nextCursor }
  }

  const { items: firstItems, nextCursor: firstCursor } = first
  const readAgain = useEffectEvent(async (newFirst: Page<Item>) => {
    if (!further) return null
    const again = await read(newFirst.nextCursor, further.pages)
    return again && { ...again, pages: further.pages }
  })
  useEffect(() => {
    let isNewest = true
    void readAgain({ items: firstItems, nextCursor: firstCursor }).then((again) => {
      if (again && isNewest) setFurther(again)
    })
    return () => {
      isNewest = false
    }
  }, [firstItems, firstCursor])

  async function loadMore() {
    if (nextCursor === null || more === 'loading') return
    setMore('loading')
    const next = await read(nextCursor, 1)
    setMore(next ? 'idle' : 'failed')
    if (!next) return
    setFurther((before) => ({
      items: [...(before?.items ?? []), ...next.items],
      nextCursor: next.nextCursor,
      pages: (before?.pages ?? 0) + 1,
    }))
  }
  return { items, nextCursor, more, loadMore }
}
