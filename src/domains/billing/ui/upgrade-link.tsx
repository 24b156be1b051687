import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { MenuLink } from '../../../ui/menu.tsx'
import { wishForUpgrade } from './upgrade-wish.ts'

/** The dialog in place of its page, unless another tab or window is asked for. */
function openHere(event: MouseEvent) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  wishForUpgrade(true)
}

/** Leads to Pro from wherever something needs it; /upgrade before the page is hydrated. */
export function UpgradeLink() {
  return (
    <Link
      to="/upgrade"
      onClick={openHere}
      className="font-semibold text-primary underline underline-offset-4"
    >
      Upgrade to Pro
    </Link>
  )
}

export function UpgradeButton() {
  return (
    <ButtonLink to="/upgrade" onClick={openHere}>
      Upgrade to Pro
    </ButtonLink>
  )
}

export function UpgradeMenuLink({ children }: { children: ReactNode }) {
  return (
    <MenuLink to="/upgrade" onClick={openHere}>
      {children}
    </MenuLink>
  )
}
