import { useState } from 'react'
import { safe } from '../../../web/call-outcome.ts'

/** A list that grows page by page. Give what uses it a key of what is listed. */
export function useMore<Item extends { id: string }>(
  first: { items: Item[]; nextCursor: string | null },
  ask: (cursor: string) => Promise<{ items: Item[]; nextCursor: string | null }>,
) {
  const [further, setFurther] = useState<typeof first | null>(null)
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
