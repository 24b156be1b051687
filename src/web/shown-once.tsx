import type { ReactNode } from 'react'
import { DialogNotice } from '../ui/dialog-notice.ts'
import { SignedOutNotice } from './signed-out-notice.tsx'
import { useUnsaved } from './unsaved.ts'

const words = 'You are no longer signed in. This stays here until you have stored it.'

/** Around a dialog with a secret that is shown this once: nobody wrote it, and there is nothing to try again. */
export function ShownOnce({ children }: { children: ReactNode }) {
  useUnsaved(true)
  return <DialogNotice value={<SignedOutNotice words={words} />}>{children}</DialogNotice>
}
