import { useEffect, useEffectEvent, useState } from 'react'
import { furtherPages, type Page } from './further-pages.ts'

/**
 * A list that grows page by page. The first page is read again after each act, and the further ones with it: what is on
 * them may be settled by now, or have come down from the first one. `settled` is what the act was about.
 */
export function useMore<Item extends { id: string }>(
  first: Page<Item>,
  ask: (cursor: string) => Promise<Page<Item>>,
  settled?: string,
) {
  const [pages] = useState(() => furtherPages<Item>())
  const [further, setFurther] = useState<Page<Item> | null>(null)
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextCursor } = further ?? first
  const known = new Map([...(further?.items ?? []), ...first.items].map((item) => [item.id, item]))
  const order = [...first.items, ...(further?.items ?? [])].map(({ id }) => id)
  const items = [...new Set(order)].map((id) => known.get(id)!)

  const { items: firstItems, nextCursor: firstCursor } = first
  const readAgain = useEffectEvent((newFirst: Page<Item>) =>
    pages.readAgain(newFirst, ask, settled),
  )
  useEffect(() => {
    void readAgain({ items: firstItems, nextCursor: firstCursor }).then(setFurther)
  }, [firstItems, firstCursor])

  async function loadMore() {
    if (nextCursor === null || more === 'loading') return
    setMore('loading')
    const longer = await pages.readMore(first, ask)
    setMore(longer ? 'idle' : 'failed')
    if (longer) setFurther(longer)
  }
  return { items, nextCursor, more, loadMore }
}
