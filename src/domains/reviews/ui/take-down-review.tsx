import { useEffect, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { useUnsaved } from '../../../web/unsaved.ts'
import { limits } from '../rules.ts'
import type { CourseReview, CourseReviews } from '../schema.ts'
import { type ReviewForms, reviewsAddress } from './review-calls.ts'
import { useReviewForm } from './use-review-form.ts'

type TakeDownReviewProps = {
  review: CourseReview
  course: CourseReviews['course']
  forms: ReviewForms
}

/** For administrators: removes what somebody wrote, with a reason. */
export function TakeDownReview({ review, course, forms }: TakeDownReviewProps) {
  const form = useRef<HTMLFormElement>(null)
  const list = useRef<HTMLElement>(null)
  const { busy, problem, onSubmit } = useReviewForm({
    intent: 'takeDown',
    reviewId: review.id,
    forms,
    done: 'The review is removed. Its writer is told why.',
    // What was pressed is gone with its review.
    onDone: () => list.current?.focus({ preventScroll: true }),
  })

  const [start] = useState(problem?.typed.text ?? '')
  const [reason, setReason] = useState(start)
  useUnsaved(reason.trim() !== '')

  useEffect(() => {
    list.current = form.current?.closest('ul') ?? null
  }, [])

  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problem])

  return (
    <details open={problem !== undefined || undefined} className="max-w-[44rem]">
      <summary
        className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-3.5 list-none text-danger [&::-webkit-details-marker]:hidden`}
      >
        Remove as an administrator
        <span className="sr-only">: the review by {review.author?.name ?? 'a former member'}</span>
      </summary>
      <form
        ref={form}
        method="post"
        action={reviewsAddress(course.slug, forms.page)}
        onSubmit={onSubmit}
        noValidate
        className="grid grid-cols-1 gap-4 pt-4 sm:pl-6"
      >
        <input type="hidden" name="intent" value="takeDown" />
        <input type="hidden" name="courseId" value={course.id} />
        <input type="hidden" name="reviewId" value={review.id} />
        <input type="hidden" name="back" value={forms.back} />
        <Field
          label="Reason"
          hint="The writer reads it. It stays in the audit log."
          error={problem?.fields.reason}
          required
        >
          <Textarea
            name="reason"
            rows={3}
            maxLength={limits.reason}
            defaultValue={start}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {problem && !problem.fields.reason && <Banner tone="danger">{problem.problem}</Banner>}
        <Button
          type="submit"
          variant="danger"
          size="sm"
          busy={busy}
          busyText="Removing..."
          className="w-fit"
        >
          Remove Review
        </Button>
      </form>
    </details>
  )
}
