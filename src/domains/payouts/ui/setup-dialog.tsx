import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import type { PayoutSetup } from '../schema.ts'
import { noticeTime, SetupForm } from './setup-form.tsx'

type SetupDialogProps = { setup: PayoutSetup; onClose: () => void }

export function SetupDialog({ setup, onClose }: SetupDialogProps) {
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={busy}
      size="md"
      title={setup.method ? 'Change Payout Method' : 'Set Up Payout Method'}
      description="Where your earnings go."
    >
      <SetupForm
        setup={setup}
        cancel={
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
        }
        onBusy={setBusy}
        onDone={(words) => {
          void toast.success(words, { duration: noticeTime })
          onClose()
        }}
      />
    </Dialog>
  )
}
