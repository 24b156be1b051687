import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { randomId } from '../../../web/random-id.ts'
import { withoutLightning } from '../../courses/rules.ts'
import type { Sale } from '../schema.ts'
import { RefundForm } from './refund-form.tsx'

export function RefundDialog({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const [requestId] = useState(() => randomId())
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={busy}
      title="Refund this sale?"
      description={
        <span className="wrap-anywhere">
          {withoutLightning(sale.courseTitle)}
          {sale.buyer && `, bought by ${sale.buyer.name}`}
        </span>
      }
    >
      <RefundForm
        sale={sale}
        requestId={requestId}
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
