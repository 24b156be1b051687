import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { useUpgradeWish, wishForUpgrade } from './upgrade-wish.ts'

const loadDialog = () => import('./upgrade-dialog.tsx')
const close = () => wishForUpgrade(false)

/** The one place of the upgrade dialog; another page closes it. */
export function UpgradeHere() {
  const { pathname } = useLocation()
  const isOpen = useUpgradeWish()
  const at = useRef(pathname)
  useEffect(() => {
    if (at.current !== pathname) close()
    at.current = pathname
  }, [pathname])
  if (!isOpen) return null
  return (
    <LaterDialog load={loadDialog} onFailed={close}>
      {({ UpgradeDialog }) => <UpgradeDialog onClose={close} />}
    </LaterDialog>
  )
}
