// Whether the upgrade dialog is wanted: asked for anywhere, shown by the shell, outside of any form.
import { useSyncExternalStore } from 'react'

let isWished = false
const listeners = new Set<() => void>()

export function wishForUpgrade(wish: boolean): void {
  isWished = wish
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUpgradeWish = () =>
  useSyncExternalStore(
    subscribe,
    () => isWished,
    () => false,
  )
