import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { toasterWishes } from './toast.ts'

/** A page that is used may have something to say soon, such as that the connection is lost. */
const signsOfUse = ['pointermove', 'pointerdown', 'keydown'] as const

function subscribe(listener: () => void) {
  for (const sign of signsOfUse) addEventListener(sign, toasterWishes.add, { once: true })
  toasterWishes.listeners.add(listener)
  return () => {
    for (const sign of signsOfUse) removeEventListener(sign, toasterWishes.add)
    toasterWishes.listeners.delete(listener)
  }
}

/** The place where toasts appear and are announced, fetched when the page is used. Once, in the root layout. */
export function Toaster() {
  const [Region, setRegion] = useState<ComponentType | null>(null)
  const wishes = useSyncExternalStore(
    subscribe,
    () => toasterWishes.count,
    () => 0,
  )
  useEffect(() => {
    if (wishes === 0 || Region) return
    import('./toaster-region.tsx').then(
      (code) => setRegion(() => code.default),
      // The next toast tries again.
      () => {},
    )
  }, [wishes, Region])
  return Region && <Region />
}
