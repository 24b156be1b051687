import { CircleCheck } from 'lucide-react'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import { invitationLimits, tooManyAddresses } from '../rules.ts'
import type { ListReport as Report } from '../schema.ts'
import { ListReport } from './list-report.tsx'
import { readListFile } from './read-list-file.ts'

type InviteListDialogProps = {
  courseId: string
  csv: string
  onChange: (csv: string) => void
  onSent: () => void
  /** We did not hear what became of it. */
  onUnknown: () => void
  onClose: () => void
}

/** Invites a list of addresses by mail: checks it first, says what would happen, then sends. */
export function InviteListDialog({
  courseId,
  csv,
  onChange,
  onSent,
  onUnknown,
  onClose,
}: InviteListDialogProps) {
  const [report, setReport] = useState<Report | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function ask(dryRun: boolean) {
    if (busy) return
    setBusy(true)
    setProblem(null)
    const answer = await import('./invitation-calls.ts').then(
      ({ inviteList }) => inviteList({ courseId, csv, dryRun }),
      () => ({ problem: cannotLoad }),
    )
    setBusy(false)
    if ('problem' in answer) {
      if (!dryRun) onUnknown()
      return setProblem(answer.problem)
    }
    setReport(answer)
    if (!dryRun) onSent()
  }

  if (report && !report.dryRun) return <ListSent report={report} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={busy}
      size="md"
      title={report ? 'Check the list' : 'Invite by email'}
      description={
        report
          ? 'Nothing was sent yet.'
          : 'Everybody on the list gets one email with a link to the course. You see what happens before anything is sent.'
      }
    >
      {report ? (
        <CheckedList
          report={report}
          busy={busy}
          problem={problem}
          onBack={() => {
            setReport(null)
            setProblem(null)
          }}
          onSend={() => void ask(false)}
        />
      ) : (
        <ListForm
          csv={csv}
          onChange={onChange}
          busy={busy}
          problem={problem}
          onProblem={setProblem}
          onCheck={() => void ask(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type ListFormProps = {
  csv: string
  onChange: (csv: string) => void
  busy: boolean
  problem: string | null
  onProblem: (problem: string | null) => void
  onCheck: () => void
  onClose: () => void
}

function ListForm({ csv, onChange, busy, problem, onProblem, onCheck, onClose }: ListFormProps) {
  async function take(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    if (!file) return
    // Two bytes for each character at most.
    if (file.size > 2 * invitationLimits.listLength) return onProblem(tooManyAddresses)
    onProblem(null)
    onChange(await readListFile(file))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    onCheck()
  }

  return (
    <form onSubmit={submit} className="grid gap-5">
      <Field
        label="CSV file"
        optional
        hint="An export from another program works: we find the addresses in it."
      >
        <Input type="file" accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={take} />
      </Field>
      <Field
        label="Email addresses"
        required
        hint="One on each line, or the text of a CSV file. At most 1,000 addresses."
      >
        <Textarea
          rows={6}
          value={csv}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          className="max-h-60 overflow-auto font-mono text-sm"
        />
      </Field>
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={busy} busyText="Checking...">
          Check List
        </Button>
      </div>
    </form>
  )
}

type CheckedListProps = {
  report: Report
  busy: boolean
  problem: string | null
  onBack: () => void
  onSend: () => void
}

function CheckedList({ report, busy, problem, onBack, onSend }: CheckedListProps) {
  const { counts, obstacle } = report
  return (
    <>
      <ListReport report={report} />
      {counts.invite === 0 && <p className="text-muted">There is nobody to invite on this list.</p>}
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" disabled={busy} onClick={onBack}>
          Change the List
        </Button>
        {counts.invite > 0 && obstacle === null && (
          <Button busy={busy} busyText="Sending..." onClick={onSend}>
            Send {countLabel(counts.invite, 'Invitation')}
          </Button>
        )}
      </div>
    </>
  )
}

function ListSent({ report, onClose }: { report: Report; onClose: () => void }) {
  const { invite } = report.counts
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={
        <span className="flex items-center gap-2">
          <CircleCheck size={22} className="text-success" aria-hidden />
          {countLabel(invite, 'invitation')} {invite === 1 ? 'is' : 'are'} on the way
        </span>
      }
      description="Who joins by one is marked in the list of mailed invitations."
      footer={<Button onClick={onClose}>Done</Button>}
    />
  )
}
