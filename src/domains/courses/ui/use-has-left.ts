import { useEffect, useRef } from 'react'
import { useNavigation } from 'react-router'

/** Whether somebody has left the page, or is on the way: an answer that comes late must not lead them elsewhere. */
export function useHasLeft(): () => boolean {
  const isLeaving = useNavigation().state !== 'idle'
  const left = useRef(false)
  useEffect(() => {
    left.current = isLeaving
    return () => {
      left.current = true
    }
  }, [isLeaving])
  return () => left.current
}
