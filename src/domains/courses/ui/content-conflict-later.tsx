import type { ComponentProps } from 'react'
import { LaterDialog } from '../../../ui/later-dialog.tsx'

type ContentConflict = typeof import('./content-conflict.tsx').ContentConflict

const load = () => import('./content-conflict.tsx')

/** What can be done about a conflict, fetched when there is one; the problem and its button stay on the page. */
export function ConflictLater(props: ComponentProps<ContentConflict>) {
  return (
    <LaterDialog load={load} onFailed={props.onClose}>
      {({ ContentConflict }) => <ContentConflict {...props} />}
    </LaterDialog>
  )
}
