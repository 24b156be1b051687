import { useState } from 'react'
import { safe } from '../../../web/call-outcome.ts'

/**
 * A list that grows page by page. The first page is read again after each act; `settled` is what that was about, which
 * goes from the further ones.
 */
export function useMore<Item extends { id: string }>(
  first: { items: Item[]; nextCursor: string | null },
  ask: (cursor: string) => Promise<{ items: Item[]; nextCursor: string | null }>,
  settled?: string,
) {
  const [further, setFurther] = useState<typeof first | null>(null)
  if (further?.items.some(({ id }) => id === settled)) {
    setFurther({ ...further, items: further.items.filter(({ id }) => id !== settled) })
  }
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextCursor } = further ?? first
  const known = new Map([...(further?.items ?? []), ...first.items].map((item) => [item.id, item]))
  const order = [...first.items, ...(further?.items ?? [])].map(({ id }) => id)
  const items = [...new Set(order)].map((id) => known.get(id)!)

  async function loadMore() {
    if (nextCursor === null || more === 'loading') return
    setMore('loading')
    const [error, next] = await safe(ask(nextCursor))
    setMore(error ? 'failed' : 'idle')
    if (error) return
    setFurther({ items: [...(further?.items ?? []), ...next.items], nextCursor: next.nextCursor })
  }
  return { items, nextCursor, more, loadMore }
}
