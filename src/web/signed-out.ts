// Whether the session has ended under a page that holds something unsaved.
import { useSyncExternalStore } from 'react'

let isSignedOut = false
const listeners = new Set<() => void>()

export const wasSignedOut = () => isSignedOut

export function setSignedOut(next: boolean): void {
  isSignedOut = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSignedOut = () => useSyncExternalStore(subscribe, wasSignedOut, () => false)
