import { useSyncExternalStore } from 'react'

const slot = 'thunder-autoplay-next'
const listeners = new Set<() => void>()
/** Where the browser's storage is forbidden, the choice holds for this page. */
let chosen: boolean | null = null

function isOn(): boolean {
  if (chosen !== null) return chosen
  try {
    return localStorage.getItem(slot) === 'on'
  } catch {
    return false
  }
}

function choose(on: boolean): void {
  chosen = on
  try {
    if (on) localStorage.setItem(slot, 'on')
    else localStorage.removeItem(slot)
  } catch {
    // It holds for this page.
  }
  for (const tell of listeners) tell()
}

function subscribe(tell: () => void) {
  const follow = (event: StorageEvent) => {
    if (event.key !== slot && event.key !== null) return
    chosen = null
    tell()
  }
  listeners.add(tell)
  addEventListener('storage', follow)
  return () => {
    listeners.delete(tell)
    removeEventListener('storage', follow)
  }
}

/** Whether the next lesson plays by itself at the end of a video: off until this person wants it. */
export function useAutoAdvance() {
  const on = useSyncExternalStore(subscribe, isOn, () => false)
  return [on, choose] as const
}
