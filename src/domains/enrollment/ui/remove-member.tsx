import { useState } from 'react'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import type { CourseDashboard } from '../../courses/schema.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import { memberLimits } from '../rules.ts'
import type { CourseMember } from '../schema.ts'

const failed = 'Failed to remove member. Please try again.'

interface Removal {
  courseId: string
  userId: string
  reason: string
}

async function removeMember(removal: Removal): Promise<{ removed: boolean } | { problem: string }> {
  const [error, done] = await safe(client.enrollment.removeMember(removal))
  return error ? { problem: refusalProblem(error, failed) } : done
}

type RemoveMemberProps = {
  course: CourseDashboard
  member: CourseMember
  onClose: () => void
  /** The server has done it; `removed` is false where it had nobody to remove any more. */
  onGone: (removed: boolean) => Promise<void>
}

/** Asks the instructor, who may say why. */
export function RemoveMember({ course, member, onClose, onGone }: RemoveMemberProps) {
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function confirm() {
    setBusy(true)
    setProblem(null)
    const outcome = await removeMember({ courseId: course.id, userId: member.id, reason })
    if ('removed' in outcome) await onGone(outcome.removed)
    setBusy(false)
    setProblem('problem' in outcome ? outcome.problem : null)
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        <span className="wrap-anywhere">
          Remove <bdi>{member.name}</bdi>?
        </span>
      }
      description={whatItMeans(course)}
      confirmLabel="Remove Member"
      busyLabel="Removing..."
      busy={busy}
      error={problem}
      onConfirm={() => void confirm()}
    >
      <Field
        label="Reason"
        optional
        hint="Told to the person, word for word."
        aside={<CharacterCount value={reason} max={memberLimits.reason} />}
      >
        <Textarea
          rows={3}
          value={reason}
          disabled={busy}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </ConfirmDialog>
  )
}

/** What ends with the membership, and whether there is a way back. */
export function whatItMeans(
  course: Pick<CourseDashboard, 'status' | 'pricingType' | 'applicationRequired' | 'hasBuyers'>,
): string {
  const wayBack =
    course.status === 'draft'
      ? 'Nobody can join a draft, so there is no way back for now.'
      : course.applicationRequired
        ? 'To come back, they have to apply again.'
        : course.pricingType === 'free'
          ? 'The course is open to everybody: they could join again.'
          : 'The course is open to everybody: they could buy it again.'
  const money =
    course.pricingType === 'free' && !course.hasBuyers
      ? ''
      : 'What they bought ends at once, and a monthly payment is canceled; they are not paid back by this. '
  return `Its lessons close to them at once, and they are told. What they completed stays remembered. ${money}${wayBack}`
}
