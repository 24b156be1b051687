import { useState, type FormEvent, type ReactNode } from 'react'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { PasswordInput } from '../../../../ui/password-input.tsx'

type PasswordDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  confirmLabel: string
  busyLabel: string
  tone?: 'primary' | 'danger'
  /** Without one there is nothing to type, only to confirm. */
  hasPassword: boolean
  /** Does it; answers why not in words, or nothing. Whoever succeeds closes the dialog. */
  onConfirm: (fields: { password?: string }) => Promise<string>
}

/** Asks for the password before something that concerns the safety of the account. */
export function PasswordDialog(props: PasswordDialogProps) {
  return props.open ? <OpenPasswordDialog {...props} /> : null
}

function OpenPasswordDialog({
  onOpenChange,
  title,
  description,
  confirmLabel,
  busyLabel,
  tone = 'primary',
  hasPassword,
  onConfirm,
}: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem('')
    setProblem(await onConfirm(hasPassword ? { password } : {}))
    setBusy(false)
  }

  return (
    <Dialog open onOpenChange={onOpenChange} title={title} description={description} locked={busy}>
      <form onSubmit={(event) => void submit(event)} className="grid gap-5" noValidate>
        {hasPassword && (
          <Field label="Password" required>
            <PasswordInput
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                setProblem('')
              }}
            />
          </Field>
        )}
        {problem && <Banner tone="danger">{problem}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={busy} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant={tone}
            disabled={hasPassword && password.trim() === ''}
            busy={busy}
            busyText={busyLabel}
          >
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
