import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { toast } from '../../../../ui/toast.ts'

const busyLabels = { Remove: 'Removing...', Disconnect: 'Disconnecting...' }

type RemoveWayInProps = {
  verb: keyof typeof busyLabels
  name: string
  /** For who hears the button without what stands beside it; the name, where nothing else is said. */
  label?: string
  /** What follows from it. */
  description: string
  /** True when it worked, else why not; empty when who was asked for a proof gave it up. */
  onRemove: () => Promise<true | string>
  /** What is said when it worked. */
  done: string
}

/** Takes a way to log in from the account, once that was confirmed. */
export function RemoveWayIn({
  verb,
  name,
  label = name,
  description,
  onRemove,
  done,
}: RemoveWayInProps) {
  const { revalidate } = useRevalidator()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function remove() {
    setBusy(true)
    setProblem('')
    const outcome = await onRemove()
    setBusy(false)
    if (outcome !== true) return setProblem(outcome)
    setAsks(false)
    void revalidate()
    void toast.success(done)
  }

  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`${verb} ${label}`}
        onClick={() => {
          setProblem('')
          setAsks(true)
        }}
      >
        {verb}
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={`${verb} ${name}?`}
        description={description}
        confirmLabel={verb}
        busyLabel={busyLabels[verb]}
        busy={busy}
        error={problem}
        onConfirm={() => void remove()}
      />
    </>
  )
}
