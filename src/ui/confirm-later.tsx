import type { ComponentProps } from 'react'
import type { ConfirmDialog } from './confirm-dialog.tsx'
import { LaterDialog } from './later-dialog.tsx'

const load = () => import('./confirm-dialog.tsx')

/** Fetches the dialog before somebody needs it; a failure shows when it is opened. */
export const preloadConfirm = () => void load().catch(() => {})

/** `ConfirmDialog` for pages of much code: it is fetched when it is opened first. */
export function ConfirmLater(props: ComponentProps<typeof ConfirmDialog>) {
  if (!props.open) return null
  return (
    <LaterDialog load={load} onFailed={() => props.onOpenChange(false)}>
      {({ ConfirmDialog: Loaded }) => <Loaded {...props} />}
    </LaterDialog>
  )
}
