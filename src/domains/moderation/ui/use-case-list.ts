import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { safe } from '../../../web/call-outcome.ts'
import type { CasePage, ModerationCase } from '../schema.ts'
import {
  extendList,
  refreshList,
  replaceInList,
  showWaiting,
  startList,
} from './case-list-state.ts'

type Options = {
  /** The first page; a new one whenever the server was asked again. */
  page: CasePage
  linked: ModerationCase | null
  openId: string | null
  /** The page after this place. */
  ask: (cursor: string) => Promise<CasePage>
}

/** The list as it is read: it takes in what is new without moving, as far as it was loaded. */
export function useCaseList({ page, linked, openId, ask }: Options) {
  const [list, setList] = useState(() => startList(page, linked))
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const seen = useRef(page)

  const takeIn = useEffectEvent(async (first: CasePage, isWanted: () => boolean) => {
    const known = list.cases.filter(({ id }) => !list.decided.has(id)).length
    let { cases, nextCursor } = first
    while (nextCursor !== null && cases.length < known) {
      // One after the other: each begins where the one before ended.
      // oxlint-disable-next-line no-await-in-loop
      const [error, following] = await safe(ask(nextCursor))
      // The next news tries again; until then the list stays as it is.
      if (error || !isWanted()) return
      cases = [...cases, ...following.cases]
      nextCursor = following.nextCursor
    }
    setList((before) => refreshList(before, { cases, nextCursor }, openId))
  })

  useEffect(() => {
    if (seen.current === page) return
    seen.current = page
    let isWanted = true
    void takeIn(page, () => isWanted)
    return () => {
      isWanted = false
    }
  }, [page])

  return {
    list,
    more,
    async loadMore() {
      if (list.nextCursor === null || more === 'loading') return
      setMore('loading')
      const [error, following] = await safe(ask(list.nextCursor))
      setMore(error ? 'failed' : 'idle')
      if (!error) setList((before) => extendList(before, following))
    },
    replace: (decided: ModerationCase) => setList((before) => replaceInList(before, decided)),
    showNew: () => setList(showWaiting),
  }
}
