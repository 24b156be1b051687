import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

type ContentConflictProps = {
  courseId: string
  busy: 'load' | 'overwrite' | null
  problem: string | undefined
  onClose: () => void
  onKeepAsDraft: () => void
  onOverwrite: () => void
}

/** Somebody saved this course since it was opened here: what can be done now. Nothing typed is lost. */
export function ContentConflict(props: ContentConflictProps) {
  const { courseId, busy, problem, onClose, onKeepAsDraft, onOverwrite } = props
  const [isSure, setSure] = useState(false)

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      role="alertdialog"
      size="md"
      locked={busy !== null}
      title="This course was changed elsewhere"
      description="It was saved in another tab or by somebody else since you opened it here, so your changes are not saved yet. Nothing that you typed is lost."
    >
      {problem && <Banner tone="danger">{problem}</Banner>}
      <ul className="grid gap-4 text-sm text-muted">
        <li className="grid gap-1.5">
          <a
            href={`/create-lessons/${courseId}`}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ variant: 'secondary' })}
          >
            See the newest version in a new tab
          </a>
          To compare; this page stays as it is.
        </li>
        <li className="grid gap-1.5">
          <Button
            variant="secondary"
            busy={busy === 'load'}
            busyText="Loading..."
            onClick={onKeepAsDraft}
          >
            Load the newest version, keep mine as a draft
          </Button>
          “Restore” then puts your changes into the newest version.
        </li>
        <li className="grid gap-1.5">
          {isSure ? (
            <Banner
              tone="warning"
              action={
                <Button
                  variant="danger"
                  size="sm"
                  busy={busy === 'overwrite'}
                  busyText="Saving..."
                  onClick={onOverwrite}
                >
                  Yes, replace it
                </Button>
              }
            >
              What was changed or added elsewhere goes, and what learners completed and noted in
              lessons that you do not have.
            </Banner>
          ) : (
            <Button variant="secondary" onClick={() => setSure(true)}>
              Save mine over it…
            </Button>
          )}
        </li>
      </ul>
    </Dialog>
  )
}
