import { safe } from '@orpc/client'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { client } from '../../../web/api-client.ts'
import type { Application, ApplicationPage } from '../schema.ts'
import type { ApplicationsFilter } from './applications-tab.ts'
import { extendQueue, refreshQueue, replaceInQueue, startQueue } from './queue-rules.ts'

type Options = {
  courseId: string
  filter: ApplicationsFilter
  /** The first page; a new one whenever the server was asked again. */
  page: ApplicationPage
  openId: string | null
}

/** The list as it is read: it takes in what is new without moving, as far as it was loaded. */
export function useQueue({ courseId, filter, page, openId }: Options) {
  const [queue, setQueue] = useState(() => startQueue(page))
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const seen = useRef(page)
  const isPending = filter.status === 'pending'
  const next = (cursor: string) =>
    safe(client.applications.getApplications({ courseId, ...filter, cursor }))

  const takeIn = useEffectEvent(async (first: ApplicationPage, isWanted: () => boolean) => {
    const known = queue.applications.filter(({ id }) => !queue.decided.has(id)).length
    let { applications, nextCursor } = first
    while (nextCursor !== null && applications.length < known) {
      const [error, following] = await next(nextCursor)
      // The next news tries again; until then the list stays as it is.
      if (error || !isWanted()) return
      applications = [...applications, ...following.applications]
      nextCursor = following.nextCursor
    }
    setQueue((before) => refreshQueue(before, { applications, nextCursor, isPending, openId }))
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
    queue,
    more,
    async loadMore() {
      if (queue.nextCursor === null || more === 'loading') return
      setMore('loading')
      const [error, following] = await next(queue.nextCursor)
      setMore(error ? 'failed' : 'idle')
      if (!error) setQueue((before) => extendQueue(before, following))
    },
    replace: (application: Application) =>
      setQueue((before) => replaceInQueue(before, application)),
    /** From the top, with what is new. */
    startAgain: () => setQueue(startQueue(page)),
  }
}
