import { type SubmitEvent, useState } from 'react'
import { useFetcher } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { OwnApplication } from '../schema.ts'
import { withdrawIntent } from './apply-words.ts'

/** How the viewer's own application stands, in the spec's words. */
export function ApplicationBanner({ application }: { application: OwnApplication }) {
  switch (application.status) {
    case 'pending':
      return (
        <Banner tone="warning" title="Application Pending">
          Your application to join this course is being reviewed. We'll notify you when a decision
          is made.
        </Banner>
      )
    case 'rejected':
      return (
        <Banner tone="danger" title="Application Rejected">
          <p>
            Your application to join this course was not approved. You may apply again with updated
            information.
          </p>
          <SharedNotes notes={application.reviewerNotes} />
        </Banner>
      )
    case 'approved':
      return (
        <Banner tone="success" title="Application Approved">
          <p>
            Your application to join this course was approved. You can join it as long as there is
            room.
          </p>
          <SharedNotes notes={application.reviewerNotes} />
        </Banner>
      )
    default:
      return null
  }
}

function SharedNotes({ notes }: { notes: string | null }) {
  if (!notes) return null
  return (
    <figure className="mt-3 grid gap-1">
      <figcaption className="text-sm font-semibold">From the instructor</figcaption>
      <blockquote className="border-l-2 border-edge pl-3 whitespace-pre-line wrap-anywhere">
        {notes}
      </blockquote>
    </figure>
  )
}

type WithdrawApplicationProps = {
  application: OwnApplication
  /** Why it did not work, where there is no script. */
  problem: string | undefined
}

/** Asks first, where there is a script to ask with. */
export function WithdrawApplication({ application, problem }: WithdrawApplicationProps) {
  const fetcher = useFetcher<{ problem: string }>()
  const busy = fetcher.state !== 'idle'
  const [asking, setAsking] = useState(false)
  const fields = { intent: withdrawIntent, applicationId: application.id }

  function ask(event: SubmitEvent) {
    event.preventDefault()
    setAsking(true)
  }

  return (
    <>
      <form method="post" onSubmit={ask} className="grid gap-3">
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Button type="submit" variant="ghost" size="sm" aria-haspopup="dialog">
          Withdraw application
        </Button>
      </form>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Withdraw your application?"
        description="The instructor will not see it any more. You can apply again at any time."
        confirmLabel="Withdraw application"
        cancelLabel="Keep it"
        busyLabel="Withdrawing..."
        busy={busy}
        error={busy ? undefined : fetcher.data?.problem}
        onConfirm={() => void fetcher.submit(fields, { method: 'post' })}
      />
    </>
  )
}
