import { type ComponentProps, useEffect, useEffectEvent } from 'react'
import { toast } from '../../../ui/toast.ts'
import { useLater } from '../../../ui/use-later.ts'

type ContentConflict = typeof import('./content-conflict.tsx').ContentConflict

const load = () => import('./content-conflict.tsx')

/** What can be done about a conflict, fetched when there is one; the problem and its button stay on the page. */
export function ConflictLater(props: ComponentProps<ContentConflict>) {
  const { value, failed } = useLater(load)
  const giveUp = useEffectEvent(() => {
    void toast.error('This could not be loaded. Please check your connection and try again.')
    props.onClose()
  })
  useEffect(() => {
    if (failed) giveUp()
  }, [failed])
  return value ? <value.ContentConflict {...props} /> : null
}
