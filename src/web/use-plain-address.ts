import { useEffect, useEffectEvent } from 'react'
import { type To, useFetchers, useNavigate, useNavigation } from 'react-router'

/**
 * The address becomes this plain one after so many milliseconds; null for never. What somebody asks for meanwhile
 * would be ended by that, so it comes first, and the time begins anew after it.
 */
export function usePlainAddress(plain: To, wait: number | null): void {
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  const isBusy = useFetchers().some(({ state }) => state !== 'idle') || isLeaving
  const clean = useEffectEvent(
    () => void navigate(plain, { replace: true, preventScrollReset: true }),
  )
  useEffect(() => {
    if (wait === null || isBusy) return
    const timer = setTimeout(clean, wait)
    return () => clearTimeout(timer)
  }, [wait, isBusy])
}
