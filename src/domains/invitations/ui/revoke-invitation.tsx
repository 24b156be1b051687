import { useState } from 'react'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { Invitation } from '../schema.ts'
import { nameOf } from './invitation-name.ts'

type RevokeDialogProps = {
  courseId: string
  invitation: Invitation
  onClose: () => void
  onRevoked: () => void
}

/** Asks before. */
export function RevokeDialog({ courseId, invitation, onClose, onRevoked }: RevokeDialogProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function revoke() {
    setBusy(true)
    setProblem(null)
    const found = await import('./invitation-calls.ts').then(
      (calls) => calls.revokeInvitation(courseId, invitation.id),
      () => cannotLoad,
    )
    setBusy(false)
    if (found) return setProblem(found)
    onRevoked()
    onClose()
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Revoke this invitation?"
      description="Nobody can join by it any more. Who has joined stays."
      confirmLabel="Revoke"
      busyLabel="Revoking..."
      busy={busy}
      error={problem}
      onConfirm={() => void revoke()}
    >
      <p className="wrap-anywhere text-muted">{nameOf(invitation)}</p>
    </ConfirmDialog>
  )
}
