import { safe } from '@orpc/client'
import { type Ref, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, FieldError, Textarea } from '../../../ui/field.tsx'
import { Radio } from '../../../ui/radio.tsx'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { moderationLimits, type ReportReason, reportReasons } from '../rules.ts'
import { reasonWords, thanksFor } from './case-words.ts'

const failed = 'Failed to send report. Please try again.'

const sendReport = client.moderation.reportContent

type ReportDialogProps = {
  subject: { postId: string } | { commentId: string }
  onClose: () => void
}

/** Asks what is wrong with a post or a comment, and tells those who moderate. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const [answer, setAnswer] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={busy}
      title={answer === null ? titleOf(subject) : 'Report sent'}
      description={
        answer === null
          ? 'What is wrong with it? Who wrote it is not told that it was you.'
          : undefined
      }
    >
      {answer === null ? (
        <ReportForm
          subject={subject}
          busy={busy}
          onBusy={setBusy}
          onSent={setAnswer}
          onCancel={onClose}
        />
      ) : (
        <Thanks onClose={onClose}>{answer}</Thanks>
      )}
    </Dialog>
  )
}

const titleOf = (subject: ReportDialogProps['subject']) =>
  'postId' in subject ? 'Report Post' : 'Report Comment'

type ReportFormProps = {
  subject: ReportDialogProps['subject']
  busy: boolean
  onBusy: (busy: boolean) => void
  /** With what to tell who reported. */
  onSent: (answer: string) => void
  onCancel: () => void
}

function ReportForm({ subject, busy, onBusy, onSent, onCancel }: ReportFormProps) {
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  const firstReason = useRef<HTMLInputElement>(null)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    setProblem(null)
    if (reason === null) {
      setIsMissing(true)
      return firstReason.current?.focus()
    }
    onBusy(true)
    const [error, sent] = await safe(sendReport({ ...subject, reason, note }))
    onBusy(false)
    if (error) setProblem(callProblem(error, failed))
    else onSent(thanksFor(sent))
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Reasons
        reason={reason}
        error={isMissing && reason === null ? 'Please choose a reason' : undefined}
        disabled={busy}
        first={firstReason}
        onReason={setReason}
      />
      <Field
        label="Note"
        optional
        hint="What should we know about it?"
        aside={<CharacterCount value={note} max={moderationLimits.note} />}
      >
        <Textarea
          rows={3}
          value={note}
          readOnly={busy}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy} busyText="Sending...">
          Send Report
        </Button>
      </div>
    </form>
  )
}

type ReasonsProps = {
  reason: ReportReason | null
  error: string | undefined
  disabled: boolean
  first: Ref<HTMLInputElement>
  onReason: (reason: ReportReason) => void
}

function Reasons({ reason, error, disabled, first, onReason }: ReasonsProps) {
  const id = useId()
  return (
    <fieldset
      disabled={disabled}
      aria-describedby={error ? `${id}-error` : undefined}
      className="grid min-w-0"
    >
      <legend className="mb-1.5 text-sm font-semibold">Reason</legend>
      {reportReasons.map((one, index) => (
        <label
          key={one}
          className="flex min-h-10 items-center gap-3 rounded-control px-2 hover:bg-wash has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-primary"
        >
          <Radio
            ref={index === 0 ? first : undefined}
            name={`${id}-reason`}
            value={one}
            checked={one === reason}
            onChange={() => onReason(one)}
          />
          {reasonWords[one]}
        </label>
      ))}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}

function Thanks({ children, onClose }: { children: string; onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null)
  // What had the focus is gone.
  useEffect(() => close.current?.focus(), [])
  return (
    <>
      <output>{children}</output>
      <Button ref={close} className="justify-self-end" onClick={onClose}>
        Close
      </Button>
    </>
  )
}
