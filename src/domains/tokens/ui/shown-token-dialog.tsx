import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { ShownOnce } from '../../../web/shown-once.tsx'

/** The token, shown this once: it closes only when it is stored. */
export function ShownTokenDialog({ secret, onStored }: { secret: string; onStored: () => void }) {
  const [said, setSaid] = useState('')

  function copy() {
    // Without a secure connection browsers have no clipboard.
    const copied = navigator.clipboard?.writeText(secret) ?? Promise.reject(new Error('none'))
    copied.then(
      () => setSaid('Copied.'),
      () => setSaid('Your browser did not copy it. Select it and copy it yourself.'),
    )
  }

  return (
    <ShownOnce>
      <Dialog
        open
        onOpenChange={() => {}}
        locked
        title="Your new access token"
        description="It is shown only now. Keep it where you keep passwords, and out of code that you publish."
        footer={<Button onClick={onStored}>I have stored it</Button>}
      >
        <Field label="Access token">
          <Input
            readOnly
            value={secret}
            onFocus={(event) => event.target.select()}
            className="font-mono"
          />
        </Field>
        <div className="flex flex-wrap items-center gap-3">
          <Button size="sm" variant="secondary" onClick={copy}>
            <Copy size={16} aria-hidden /> Copy
          </Button>
          <output className="text-sm text-muted">{said}</output>
        </div>
      </Dialog>
    </ShownOnce>
  )
}
