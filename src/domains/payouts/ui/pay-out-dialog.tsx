import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { PayOutForm, type PayOutFormProps } from './pay-out-form.tsx'

type PayOutDialogProps = Pick<PayOutFormProps, 'method' | 'earnings'> & { onClose: () => void }

export function PayOutDialog({ method, earnings, onClose }: PayOutDialogProps) {
  const [busy, setBusy] = useState(false)
  return (
    <Dialog open onOpenChange={onClose} locked={busy} title="Pay Out">
      <PayOutForm
        method={method}
        earnings={earnings}
        cancel={
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
        }
        onBusy={setBusy}
        onDone={(words) => {
          void toast.success(words)
          onClose()
        }}
      />
    </Dialog>
  )
}
