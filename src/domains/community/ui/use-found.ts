import { useState } from 'react'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import type { Found, FoundPage } from '../schema.ts'

export const foundId = ({ postId, commentId }: Found) => commentId ?? postId

/** What was found: `first`, the page that came with the tab, and those that were loaded after it. */
export function useFound(slug: string, search: string, first: FoundPage) {
  const [rest, setRest] = useState<{ after: FoundPage; page: FoundPage } | null>(null)
  const [busy, setBusy] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  // When the tab is loaded again, the list begins again.
  const shown = rest?.after === first ? rest.page : first

  async function loadMore() {
    if (shown.nextCursor === null || busy) return
    setBusy(true)
    setHasFailed(false)
    const [, next] = await safe(
      client.community.searchCommunity({ slug, search, cursor: shown.nextCursor }),
    )
    setBusy(false)
    setHasFailed(!next)
    if (!next) return
    const known = new Set(shown.found.map(foundId))
    const added = next.found.filter((one) => !known.has(foundId(one)))
    const page = { found: [...shown.found, ...added], nextCursor: next.nextCursor }
    setRest({ after: first, page })
  }

  return { found: shown.found, hasMore: shown.nextCursor !== null, busy, hasFailed, loadMore }
}
