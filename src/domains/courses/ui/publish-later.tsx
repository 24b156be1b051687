import { type ComponentProps, useEffect, useEffectEvent } from 'react'
import { toast } from '../../../ui/toast.ts'
import { useLater } from '../../../ui/use-later.ts'

type PublishDialog = typeof import('./publish-dialog.tsx').PublishDialog

const loadNotice = () => import('./published-notice.tsx')
// The notice is shown when the dialog is done.
const load = () => loadNotice().then(() => import('./publish-dialog.tsx'))

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

/** Said after the dialog, with which it was fetched. */
export function PublishedNoticeLater(props: { slug: string }) {
  const { value } = useLater(loadNotice)
  return value ? <value.PublishedNotice {...props} /> : null
}
