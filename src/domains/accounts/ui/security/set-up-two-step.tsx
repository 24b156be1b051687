import { useState, type FormEvent } from 'react'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, Input } from '../../../../ui/field.tsx'
import { securityRefusal } from '../../security-words.ts'
import { BackupCodesDialog } from './backup-codes.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { useProvenCall } from './proof.tsx'
import { QrCode } from './qr-code.tsx'

type SetUpTwoStepProps = {
  hasPassword: boolean
  onClose: () => void
  /** It is on, and the backup codes are stored. */
  onDone: () => void
}

/** Password, then the QR code and a first code from the app, then the backup codes. */
export function SetUpTwoStep({ hasPassword, onClose, onDone }: SetUpTwoStepProps) {
  const call = useProvenCall()
  const [begun, setBegun] = useState<{ uri: string; codes: string[] } | null>(null)
  const [isOn, setIsOn] = useState(false)

  async function begin(fields: { password?: string }) {
    const reply = await call('/two-factor/enable', fields)
    if (!reply.ok) return securityRefusal(reply)
    const { totpURI, backupCodes } = reply.body as { totpURI: string; backupCodes: string[] }
    setBegun({ uri: totpURI, codes: backupCodes })
    return ''
  }

  if (!begun) {
    return (
      <PasswordDialog
        open
        onOpenChange={onClose}
        title="Turn on two-step verification"
        description="You need an authenticator app on your phone, such as Aegis, Google Authenticator, or your password manager."
        confirmLabel="Continue"
        busyLabel="Preparing..."
        hasPassword={hasPassword}
        onConfirm={begin}
      />
    )
  }
  if (isOn) return <BackupCodesDialog codes={begun.codes} onStored={onDone} />
  return <FirstCode uri={begun.uri} onClose={onClose} onRight={() => setIsOn(true)} />
}

type FirstCodeProps = { uri: string; onClose: () => void; onRight: () => void }

function FirstCode({ uri, onClose, onRight }: FirstCodeProps) {
  const call = useProvenCall()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [isUnheard, setUnheard] = useState(false)
  const secret = new URL(uri).searchParams.get('secret') ?? ''

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const digits = code.replace(/\s/g, '')
    if (!/^\d{6}$/.test(digits)) {
      setProblem('Please type the 6 digits that your app shows')
      return
    }
    setBusy(true)
    const reply = await call('/two-factor/verify-totp', { code: digits })
    setBusy(false)
    // The answer of an earlier try was lost, and with it the session that asked: it is on.
    const isOnAlready = isUnheard && reply.code === 'INVALID_TWO_FACTOR_COOKIE'
    if (reply.ok || isOnAlready) return onRight()
    if (reply.code === '') setUnheard(true)
    setProblem(securityRefusal(reply))
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={busy}
      title="Scan this with your app"
      description="Then type the code that the app shows, so that we know that it works."
    >
      <div className="grid justify-items-center gap-4">
        <QrCode text={uri} label="QR code for your authenticator app" />
        <p className="text-center text-sm text-muted">
          Or type this key into the app:
          <br />
          <span className="font-mono text-base text-ink select-all wrap-anywhere">
            {secret.match(/.{1,4}/g)?.join(' ')}
          </span>
        </p>
      </div>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
        <Field label="Code from your app" required>
          <Input
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            value={code}
            onChange={(event) => {
              setCode(event.target.value)
              setProblem('')
            }}
          />
        </Field>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyText="Checking...">
            Turn on
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
