import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { ReviewDay } from '../../reviews/ui/review-day.tsx'
import { applicationLimits } from '../rules.ts'
import type { Application, Decision } from '../schema.ts'

/** What an instructor has written about an application and not sent. */
export interface ReviewDraft {
  notes: string
  shareNotes: boolean
}

type ReviewApplicationProps = {
  application: Application
  draft: ReviewDraft
  onDraft: (draft: ReviewDraft) => void
  /** The decision that is being sent. */
  deciding: Decision | null
  problem: string | undefined
  onDecide: (decision: Decision) => void
}

/** Notes and the two buttons. */
export function ReviewApplication({
  application,
  draft: start,
  onDraft,
  deciding,
  problem,
  onDecide,
}: ReviewApplicationProps) {
  const [draft, setDraft] = useState(start)
  function change(part: Partial<ReviewDraft>) {
    const changed = { ...draft, ...part }
    setDraft(changed)
    onDraft(changed)
  }
  return (
    <>
      <Field
        label="Notes"
        optional
        aside={<CharacterCount value={draft.notes} max={applicationLimits.notes} />}
      >
        <Textarea
          rows={3}
          value={draft.notes}
          readOnly={deciding !== null}
          onChange={(event) => change({ notes: event.target.value })}
        />
      </Field>
      <Checkbox
        label="Share notes with the applicant"
        hint="Otherwise only you can read them."
        checked={draft.shareNotes}
        onChange={(event) => change({ shareNotes: event.target.checked })}
      />
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="grid grid-cols-2 gap-3">
        <Button
          variant="secondary"
          busy={deciding === 'rejected'}
          busyText="Rejecting..."
          onClick={() => onDecide('rejected')}
        >
          <X size={18} aria-hidden />
          Reject<span className="sr-only"> {application.user.name}</span>
        </Button>
        <Button
          busy={deciding === 'approved'}
          busyText="Approving..."
          onClick={() => onDecide('approved')}
        >
          <Check size={18} aria-hidden />
          Approve<span className="sr-only"> {application.user.name}</span>
        </Button>
      </div>
    </>
  )
}

/** When it was decided, and what was noted. */
export function PastReview({ application }: { application: Application }) {
  const { status, reviewedAt, reviewerNotes, notesShared } = application
  if (status === 'withdrawn') {
    return <p className="text-muted">The applicant withdrew this application.</p>
  }
  return (
    <>
      {reviewedAt && (
        <p className="text-muted">
          {status === 'rejected' ? 'Rejected' : 'Approved'} <ReviewDay moment={reviewedAt} />
          {status === 'revoked' && '; removed from the course since'}
        </p>
      )}
      {reviewerNotes !== '' && (
        <div className="grid gap-1">
          <p className="text-sm font-semibold">
            {notesShared ? 'Notes, shared with the applicant' : 'Notes, for you only'}
          </p>
          <p className="whitespace-pre-line wrap-anywhere">{reviewerNotes}</p>
        </div>
      )}
    </>
  )
}
