import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useLatest } from '../../../ui/use-latest.ts'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import type { CourseMember, MemberPage } from '../schema.ts'

type Shown = Pick<MemberPage, 'members' | 'nextCursor'>

async function nextPage(slug: string, search: string, cursor: string): Promise<MemberPage | null> {
  const [, page] = await safe(client.enrollment.getMembers({ slug, search, cursor }))
  return page ?? null
}

/** A list that goes on: who is in it already (joined again meanwhile) is not in it twice. */
function withNext(shown: Shown, next: Shown): Shown {
  const known = new Set(shown.members.map(({ id }) => id))
  const added = next.members.filter(({ id }) => !known.has(id))
  return { members: [...shown.members, ...added], nextCursor: next.nextCursor }
}

/**
 * The members that are shown: `first`, the page that came with the tab, and those that were loaded after
 * it. When the tab is loaded again, because people came or went, so is the rest; until that is there
 * everything stays where it is.
 */
export function useMemberList(slug: string, search: string, first: MemberPage) {
  const [whole, setWhole] = useState<Shown | null>(null)
  const [busy, setBusy] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const shown = whole ?? first
  const latest = useLatest(shown)
  const lengthOfWhole = useEffectEvent(() => whole?.members.length ?? 0)

  useEffect(() => {
    if (lengthOfWhole() === 0) return undefined
    let isLatest = true
    async function loadAgain() {
      let list: Shown = first
      // More may be loaded meanwhile, and stays.
      while (list.nextCursor !== null && list.members.length < lengthOfWhole()) {
        // One after the other: each begins where the one before ended.
        // oxlint-disable-next-line no-await-in-loop
        const next = await nextPage(slug, search, list.nextCursor)
        if (!next || !isLatest) return
        list = withNext(list, next)
      }
      if (isLatest) setWhole(list)
    }
    void loadAgain()
    return () => {
      isLatest = false
    }
  }, [first, slug, search])

  /** False when it could not be loaded. */
  async function readOn(): Promise<boolean> {
    const { nextCursor: cursor } = latest.current
    if (cursor === null) return true
    const next = await nextPage(slug, search, cursor)
    if (!next) return false
    const now = latest.current
    // People came or went, and the list ends elsewhere by now.
    if (now.nextCursor !== cursor) return readOn()
    setWhole((list) => withNext(list ?? now, next))
    return true
  }

  async function loadMore() {
    setBusy(true)
    setHasFailed(false)
    setHasFailed(!(await readOn()))
    setBusy(false)
  }

  const forget = useCallback((member: CourseMember) => {
    setWhole(
      (list) => list && { ...list, members: list.members.filter(({ id }) => id !== member.id) },
    )
  }, [])

  return {
    members: shown.members,
    hasMore: shown.nextCursor !== null,
    busy,
    hasFailed,
    loadMore,
    /** Somebody is gone. */
    forget,
  }
}
