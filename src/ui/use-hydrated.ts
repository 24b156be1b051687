import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** False on the server, on still pages and during hydration; true once handlers work. */
export function useHydrated() {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
