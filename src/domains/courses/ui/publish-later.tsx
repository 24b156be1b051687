import { type ComponentProps, useEffect, useEffectEvent } from 'react'
import { toast } from '../../../ui/toast.ts'
import { useLater } from '../../lessons/ui/use-later.ts'

type PublishDialog = typeof import('./publish-dialog.tsx').PublishDialog

const load = () => import('./publish-dialog.tsx')

/** The questions before publishing, fetched when somebody wants to publish. */
export function PublishLater(props: ComponentProps<PublishDialog>) {
  const { value, failed } = useLater(load)
  const giveUp = useEffectEvent(() => {
    void toast.error('Failed to check the course. Please try again.')
    props.onClose()
  })
  useEffect(() => {
    if (failed) giveUp()
  }, [failed])
  return value ? <value.PublishDialog {...props} /> : null
}
