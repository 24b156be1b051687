import { useEffect, useRef } from 'react'
import { type Location, useBlocker } from 'react-router'
import { ConfirmLater, preloadConfirm } from '../../../ui/confirm-later.tsx'
import { useUnsaved } from '../../../web/unsaved.ts'

const isSamePage = (now: Location, next: Location) =>
  now.pathname + now.search === next.pathname + next.search

/**
 * Asks before somebody leaves a page with unsaved work, by a link, by Back or by closing the tab. Nor does the page
 * leave by itself.
 * Put `dialog` on the page; call `release` right before a navigation that follows a successful save.
 * `staysOn` says which ways lead nowhere else. A page has one guard: with a second one the router asks only that.
 */
export function useLeaveGuard(isDirty: boolean, description: string, staysOn = isSamePage) {
  const released = useRef(false)
  useUnsaved(isDirty)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !released.current && !staysOn(currentLocation, nextLocation),
  )

  useEffect(() => {
    if (!isDirty) return
    // Asking must not depend on the network.
    preloadConfirm()
    const ask = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  // What was being saved has been saved by now: there is nothing left to ask.
  useEffect(() => {
    if (!isDirty && blocker.state === 'blocked') blocker.proceed()
  }, [isDirty, blocker])

  const dialog = (
    <ConfirmLater
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description={description}
      confirmLabel="Leave without saving"
      cancelLabel="Stay on this page"
      onConfirm={() => blocker.proceed?.()}
    />
  )
  return {
    dialog,
    isAsking: blocker.state === 'blocked',
    release: () => {
      released.current = true
    },
  }
}
