import { useState, type FormEvent } from 'react'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, Input } from '../../../../ui/field.tsx'
import { limits, passkeyNameProblem, readSignUp } from '../../rules.ts'

type NameDialogProps = {
  title: string
  description: string
  confirmLabel: string
  busyLabel: string
  /** To begin with. */
  name: string
  onCancel: () => void
  /** Does it; answers why not in words, or nothing. Whoever succeeds closes the dialog. */
  onConfirm: (name: string) => Promise<string>
}

/** Asks for the name of a passkey. */
export function NameDialog({ onCancel, onConfirm, ...props }: NameDialogProps) {
  const [typed, setTyped] = useState(props.name)
  const [busy, setBusy] = useState(false)
  const [fieldProblem, setFieldProblem] = useState('')
  const [problem, setProblem] = useState('')

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const { name } = readSignUp({ name: typed })
    const found = passkeyNameProblem(name)
    setFieldProblem(found ?? '')
    setProblem('')
    if (found) return
    setBusy(true)
    setProblem(await onConfirm(name))
    setBusy(false)
  }

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      locked={busy}
      title={props.title}
      description={props.description}
    >
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
        <Field label="Name" required error={fieldProblem}>
          <Input
            autoComplete="off"
            maxLength={limits.name}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setFieldProblem('')
            }}
          />
        </Field>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyText={props.busyLabel}>
            {props.confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
