import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { cannotLoad } from '../../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { LaterDialog } from '../../../../ui/later-dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import type { MySecurity } from '../../security-schema.ts'
import { securityRefusal } from '../../security-words.ts'
import type { BackupCodesDialog } from './backup-codes.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { useProvenCall } from './proof.tsx'

const loadSetUp = () => import('./set-up-two-step.tsx')

const loadCodes = () => import('./backup-codes.tsx')
type Codes = { list: string[]; Dialog: typeof BackupCodesDialog }

/** A code from an app beside the password, at each log-in. */
export function TwoStepSetting({
  twoFactorEnabled: isOn,
  hasPassword,
}: Pick<MySecurity, 'twoFactorEnabled' | 'hasPassword'>) {
  const call = useProvenCall()
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<'set up' | 'new codes' | 'turn off' | null>(null)
  const [codes, setCodes] = useState<Codes | null>(null)
  const close = () => setOpen(null)

  async function makeNewCodes(fields: { password?: string }) {
    // First what shows them: they are told only once.
    const code = await loadCodes().catch(() => null)
    if (!code) return cannotLoad
    const reply = await call('/two-factor/generate-backup-codes', fields)
    if (!reply.ok) return securityRefusal(reply)
    setCodes({ list: reply.body.backupCodes as string[], Dialog: code.BackupCodesDialog })
    close()
    return ''
  }

  async function turnOff(fields: { password?: string }) {
    const reply = await call('/two-factor/disable', fields)
    if (!reply.ok) return securityRefusal(reply)
    close()
    void revalidate()
    void toast.success('Two-step verification is off')
    return ''
  }

  return (
    <Card>
      <CardHeader
        title="Two-step verification"
        description="Beside your password, each log-in asks for a code from an app on your phone."
        actions={<Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
      />
      {isOn ? (
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={() => setOpen('new codes')}>
            New backup codes
          </Button>
          <Button variant="secondary" onClick={() => setOpen('turn off')}>
            Turn off two-step verification
          </Button>
        </div>
      ) : (
        <Button
          variant="secondary"
          onPointerEnter={() => void loadSetUp().catch(() => {})}
          onClick={() => setOpen('set up')}
        >
          Turn on two-step verification
        </Button>
      )}
      {open === 'set up' && (
        <LaterDialog load={loadSetUp} onFailed={close}>
          {({ SetUpTwoStep }) => (
            <SetUpTwoStep
              hasPassword={hasPassword}
              onClose={close}
              onDone={() => {
                close()
                void revalidate()
                void toast.success('Two-step verification is on')
              }}
            />
          )}
        </LaterDialog>
      )}
      <PasswordDialog
        open={open === 'new codes'}
        onOpenChange={close}
        title="Make new backup codes?"
        description="The codes that you have now stop working."
        confirmLabel="Make new codes"
        busyLabel="Making..."
        hasPassword={hasPassword}
        onConfirm={makeNewCodes}
      />
      <PasswordDialog
        open={open === 'turn off'}
        onOpenChange={close}
        title="Turn off two-step verification?"
        description="Then your password alone opens your account, and your backup codes stop working."
        confirmLabel="Turn off"
        busyLabel="Turning off..."
        tone="danger"
        hasPassword={hasPassword}
        onConfirm={turnOff}
      />
      {codes && <codes.Dialog codes={codes.list} onStored={() => setCodes(null)} />}
    </Card>
  )
}
