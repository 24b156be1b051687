import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { eventWords } from '../event-words.ts'
import { webhooksPath } from '../rules.ts'
import type { Endpoint, EndpointList } from '../schema.ts'
import { aboutWhich } from './endpoint-words.ts'
import { SecretSetting } from './secret-setting.tsx'

const loadDialog = () => import('./endpoint-dialog.tsx')

type EndpointCardProps = { endpoint: Endpoint; courses: EndpointList['courses'] }

/** What an endpoint is told, its secret, and what can be done with it. */
export function EndpointCard({ endpoint, courses }: EndpointCardProps) {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isActive = endpoint.status === 'active'
  const close = () => setOpen(null)

  async function turn() {
    setBusy(true)
    const failed = await import('./webhook-calls.ts').then(
      ({ changeEndpoint }) => changeEndpoint(endpoint.id, { active: !isActive }),
      () => cannotLoad,
    )
    setProblem(failed)
    const reading = revalidate()
    // Without a connection it would not come to an end.
    if (failed === null) await reading
    setBusy(false)
  }

  return (
    <Card as="section" aria-label="Webhook">
      <CardHeader
        title="Events"
        description={`About: ${aboutWhich(endpoint)}`}
        actions={
          <div inert={!hydrated} className="flex flex-wrap gap-2">
            <Button size="sm" variant="secondary" onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Button size="sm" variant="secondary" busy={busy} onClick={() => void turn()}>
              {isActive ? 'Pause' : endpoint.status === 'paused' ? 'Resume' : 'Turn On'}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </div>
        }
      />
      <div className="grid grid-cols-1 gap-6">
        {problem && <Banner tone="danger">{problem}</Banner>}
        <ul aria-label="Events" className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {endpoint.events.map((type) => (
            <li key={type} className="grid content-start">
              <span>{eventWords[type]}</span>
              <code className="text-sm text-muted wrap-anywhere">{type}</code>
            </li>
          ))}
        </ul>
        <SecretSetting endpointId={endpoint.id} />
      </div>
      {open === 'edit' && (
        <LaterDialog load={loadDialog} onFailed={close}>
          {({ EndpointDialog }) => (
            <EndpointDialog
              endpoint={endpoint}
              courses={courses}
              onClose={close}
              onSaved={() => {
                close()
                void revalidate()
                void toast.success('Webhook saved')
              }}
            />
          )}
        </LaterDialog>
      )}
      {open === 'delete' && <DeleteDialog endpoint={endpoint} onClose={close} />}
    </Card>
  )
}

function DeleteDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function remove() {
    setBusy(true)
    setProblem(null)
    const failed = await import('./webhook-calls.ts').then(
      ({ deleteEndpoint }) => deleteEndpoint(endpoint.id),
      () => cannotLoad,
    )
    if (failed) {
      setBusy(false)
      return setProblem(failed)
    }
    void toast.success('Webhook deleted')
    await navigate(webhooksPath)
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete this webhook?"
      description="Nothing is sent to it any more, and its log is gone. What waits for it is not delivered."
      confirmLabel="Delete"
      busyLabel="Deleting..."
      busy={busy}
      error={problem}
      onConfirm={() => void remove()}
    >
      <p className="wrap-anywhere text-muted">{endpoint.url}</p>
    </ConfirmDialog>
  )
}
