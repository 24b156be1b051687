import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'

/** The secret by which the receiver knows that we sent it: shown when it is asked for. */
export function SecretSetting({ endpointId }: { endpointId: string }) {
  const hydrated = useHydrated()
  const [secret, setSecret] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function get(which: 'readSecret' | 'makeNewSecret') {
    setBusy(true)
    setProblem(null)
    const told = await import('./webhook-calls.ts').then(
      (calls) => calls[which](endpointId),
      () => ({ problem: cannotLoad }),
    )
    setBusy(false)
    if ('problem' in told) return setProblem(told.problem)
    setSecret(told.secret)
    setAsks(false)
    if (which === 'makeNewSecret') void toast.success('New secret made')
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret ?? '')
      void toast.success('Secret copied')
    } catch {
      void toast.error('Your browser does not let us copy. Select the secret and copy it yourself.')
    }
  }

  return (
    <div className="grid gap-3">
      <Field
        label="Signing secret"
        hint="Your server checks with it that a request comes from us. Keep it to yourself."
      >
        <Input
          readOnly
          value={secret ?? 'whsec_••••••••••••••••'}
          className="font-mono text-sm"
          onFocus={(event) => event.target.select()}
        />
      </Field>
      {problem && !asks && <Banner tone="danger">{problem}</Banner>}
      <div inert={!hydrated} className="flex flex-wrap gap-2">
        {secret === null ? (
          <Button
            size="sm"
            variant="secondary"
            busy={busy && !asks}
            onClick={() => void get('readSecret')}
          >
            Show Secret
          </Button>
        ) : (
          <Button size="sm" variant="secondary" onClick={() => void copy()}>
            Copy Secret
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={() => setAsks(true)}>
          Make a New Secret
        </Button>
      </div>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        tone="primary"
        title="Make a new secret?"
        description="The secret of now goes on signing beside the new one for 24 hours. Put the new one into your server until then."
        confirmLabel="Make a New Secret"
        busyLabel="Making..."
        busy={busy}
        error={problem}
        onConfirm={() => void get('makeNewSecret')}
      />
    </div>
  )
}
