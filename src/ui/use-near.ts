import { type RefObject, useEffect, useState } from 'react'

/** Whether somebody came near a part of the page, or was there already. */
export function useNear(part: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!part.current || isNear) return
    const seen = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '300px' },
    )
    seen.observe(part.current)
    return () => seen.disconnect()
  }, [part, isNear])
  return isNear
}
