import { type FormEvent, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { invitationLimits } from '../rules.ts'
import { CopyLink } from './copy-link.tsx'

type NewLinkDialogProps = {
  courseId: string
  onMade: () => void
  onClose: () => void
}

const numberIn = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' && value !== '' ? Number(value) : undefined
}

/** Makes a link, for as many people and days as its maker says, and shows it. */
export function NewLinkDialog({ courseId, onMade, onClose }: NewLinkDialogProps) {
  const [url, setUrl] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = new FormData(event.currentTarget)
    const link = {
      courseId,
      maxUses: numberIn(form, 'maxUses'),
      expiresInDays: numberIn(form, 'expiresInDays'),
    }
    setBusy(true)
    setProblem(null)
    const made = await import('./invitation-calls.ts').then(
      ({ createLink }) => createLink(link),
      () => ({ problem: cannotLoad }),
    )
    setBusy(false)
    if ('problem' in made) return setProblem(made.problem)
    setUrl(made.url)
    onMade()
  }

  return url === null ? (
    <Dialog
      open
      onOpenChange={onClose}
      locked={busy}
      title="Create an invitation link"
      description="Whoever has the link can pass it on. You can revoke it at any time."
    >
      <form onSubmit={create} className="grid gap-5">
        <Field
          label="How many may join by it"
          optional
          hint={`1 to ${invitationLimits.maxUses.toLocaleString('en-US')}; any number when empty.`}
        >
          <Input
            name="maxUses"
            type="number"
            inputMode="numeric"
            min={1}
            max={invitationLimits.maxUses}
          />
        </Field>
        <Field
          label="For how many days"
          optional
          hint={`1 to ${invitationLimits.days}; until you revoke it when empty.`}
        >
          <Input
            name="expiresInDays"
            type="number"
            inputMode="numeric"
            min={1}
            max={invitationLimits.days}
          />
        </Field>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyText="Creating...">
            Create Link
          </Button>
        </div>
      </form>
    </Dialog>
  ) : (
    <Dialog
      open
      onOpenChange={onClose}
      title="Your link is ready"
      description="Send it to the people whom you invite."
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <Field label="Invitation link">
        <Input
          readOnly
          value={url}
          className="font-mono text-sm"
          onFocus={(event) => event.target.select()}
        />
      </Field>
      <div>
        <CopyLink url={url} />
      </div>
    </Dialog>
  )
}
