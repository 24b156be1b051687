import { useState, type FormEvent, type ReactNode } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Input } from './field.tsx'

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description: ReactNode
  confirmLabel: string
  /** The label while `busy`: 'Canceling...'. */
  busyLabel?: string
  cancelLabel?: string
  tone?: 'primary' | 'danger'
  /** A word to type before the button works, for what cannot be undone. */
  typed?: string
  busy?: boolean
  /** Why it failed; the dialog stays open. */
  error?: ReactNode
  /** Called once per press. The caller closes the dialog when the work has succeeded. */
  onConfirm: () => void
  children?: ReactNode
}

/** Asks before something with consequences. Cancel has the focus first. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return props.open ? <OpenConfirmDialog {...props} /> : null
}

function OpenConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  busyLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  typed,
  busy = false,
  error,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const isAllowed = !typed || text.trim() === typed

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isAllowed && !busy) onConfirm()
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      role="alertdialog"
      title={title}
      description={description}
      locked={busy}
    >
      {children}
      <form onSubmit={submit} className="grid gap-5">
        {typed && (
          <Field
            label={
              <>
                Type <span className="font-mono text-danger">{typed}</span> to confirm
              </>
            }
          >
            <Input
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        )}
        {error && <Banner tone="danger">{error}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={busy} onClick={() => onOpenChange(false)}>
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            variant={tone}
            disabled={!isAllowed}
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
