import { Dialog } from '../../../ui/dialog.tsx'
import { UpgradeForm } from './upgrade-form.tsx'

/** Chooses a plan, and leads to the payment page. */
export function UpgradeDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="md"
      title="Upgrade to Pro"
      description="Choose how you pay. You can cancel at any time."
    >
      <UpgradeForm onUpgraded={onClose} onCancel={onClose} />
    </Dialog>
  )
}
