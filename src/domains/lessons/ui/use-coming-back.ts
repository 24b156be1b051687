import { useEffect, useEffectEvent } from 'react'
import { secondsSince } from './seconds-since.ts'

/** Calls back when somebody looks at the page again, and it was out of sight for so many seconds. */
export function useComingBack(seconds: number, callback: () => void): void {
  const onComingBack = useEffectEvent(callback)
  useEffect(() => {
    let hiddenFor = secondsSince()
    function look() {
      if (document.hidden) hiddenFor = secondsSince()
      else if (hiddenFor() >= seconds) onComingBack()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [seconds])
}
