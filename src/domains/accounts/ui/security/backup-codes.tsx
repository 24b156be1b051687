import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { ShownOnce } from '../../../../web/shown-once.tsx'
import { brand } from '../../../site/brand.ts'

/** The codes, shown this once: it closes only when they are stored. */
export function BackupCodesDialog({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  const [said, setSaid] = useState('')
  const text = codes.join('\n')

  function copy() {
    // Without a secure connection browsers have no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('none'))
    copied.then(
      () => setSaid('Copied.'),
      () => setSaid('Your browser did not copy them. Select them and copy them yourself.'),
    )
  }

  function download() {
    const file = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = file
    link.download = `${brand.name.toLowerCase()}-backup-codes.txt`
    link.click()
    URL.revokeObjectURL(file)
    setSaid('Downloaded.')
  }

  return (
    <ShownOnce>
      <Dialog
        open
        onOpenChange={() => {}}
        locked
        title="Your backup codes"
        description="Each opens your account once, when your phone is not at hand. They are shown only now, so store them in a safe place."
        footer={<Button onClick={onStored}>I have stored them</Button>}
      >
        <ul
          aria-label="Backup codes"
          className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-card border bg-wash p-4 font-mono sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center gap-3">
          <Button size="sm" variant="secondary" onClick={copy}>
            <Copy size={16} aria-hidden /> Copy
          </Button>
          <Button size="sm" variant="secondary" onClick={download}>
            <Download size={16} aria-hidden /> Download
          </Button>
          <output className="text-sm text-muted">{said}</output>
        </div>
      </Dialog>
    </ShownOnce>
  )
}
