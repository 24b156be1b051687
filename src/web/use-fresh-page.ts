import { useEffect, useRef, useState } from 'react'
import { useFetchers, useRevalidator } from 'react-router'
import type { LiveEvent } from '../domains/notifications/schema.ts'
import { useLiveEvents } from './use-live-events.ts'

/** Reads the page again when one of these was told, wherever it happened. */
export function useFreshPage(types: LiveEvent['type'][]): void {
  const { revalidate } = useRevalidator()
  // A form that is under way may lead to another page; reading again would drop that.
  const isBusy = useFetchers().some(({ state }) => state !== 'idle')
  const [news, setNews] = useState(0)
  const seen = useRef(0)
  const look = () => setNews((before) => before + 1)
  useLiveEvents({
    looksBack: true,
    onEvent: ({ type }) => types.includes(type) && look(),
    onGap: look,
  })
  useEffect(() => {
    if (isBusy || seen.current === news) return
    seen.current = news
    void revalidate()
  }, [isBusy, news, revalidate])
}
