import { useEffect, useRef } from 'react'
import { type Location, useBlocker } from 'react-router'
import { ConfirmLater, preloadConfirm } from '../../../ui/confirm-later.tsx'
import { useUnsaved } from '../../../web/unsaved.ts'

const isSamePage = (now: Location, next: Location) =>
  now.pathname + now.search === next.pathname + next.search

type Ways = {
  /** Which ways lead nowhere else. */
  staysOn?: (now: Location, next: Location) => boolean
  /** Nothing left to lose means that it is saved: who was asked meanwhile goes where they wanted. Otherwise they stay. */
  leadsOn?: boolean
}

/**
 * Asks before somebody leaves a page with unsaved work, by a link, by Back or by closing the tab. Nor does the page
 * leave by itself.
 * Put `dialog` on the page; call `release` right before a navigation that follows a successful save.
 * A page has one guard: with a second one the router asks only that.
 */
export function useLeaveGuard(
  isDirty: boolean,
  description: string,
  { staysOn = isSamePage, leadsOn = false }: Ways = {},
) {
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

  // There is nothing left to ask about: it was saved meanwhile, or failed, which only this page says.
  useEffect(() => {
    if (isDirty || blocker.state !== 'blocked') return
    if (leadsOn) blocker.proceed()
    else blocker.reset()
  }, [isDirty, leadsOn, blocker])

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
