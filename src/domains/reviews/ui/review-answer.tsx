import { useCallback, useEffect, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { useUnsaved } from '../../../web/unsaved.ts'
import { limits } from '../rules.ts'
import type { CourseReview, CourseReviews } from '../schema.ts'
import { GivenAnswer } from './given-answer.tsx'
import { type ReviewForms, reviewsAddress } from './review-calls.ts'
import { type ReviewFormCall, useReviewForm } from './use-review-form.ts'

type ReviewAnswerProps = {
  review: CourseReview
  course: CourseReviews['course']
  forms: ReviewForms
}

/** For the instructor: the answer to a review, or the form for it. */
export function ReviewAnswer({ review, course, forms }: ReviewAnswerProps) {
  const reviewId = review.id
  const place = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLElement>(null)
  const onDone = useCallback(
    () => (place.current ?? list.current)?.focus({ preventScroll: true }),
    [],
  )
  const common = { reviewId, forms, onDone }
  const send = useReviewForm({ ...common, intent: 'answer', done: 'Your answer is sent.' })
  const remove = useReviewForm({
    ...common,
    intent: 'removeAnswer',
    done: 'Your answer is removed.',
  })
  const about = { course, reviewId, forms }

  // Where the review is gone, the list is still there.
  useEffect(() => {
    list.current = place.current?.closest('ul') ?? null
  }, [])

  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {review.answer ? (
        <GivenAnswer answer={review.answer} action={<RemoveAnswer {...about} call={remove} />} />
      ) : (
        <AnswerForm {...about} call={send} to={review.author?.name ?? 'a former member'} />
      )}
    </div>
  )
}

type FormProps = {
  course: CourseReviews['course']
  reviewId: string
  forms: ReviewForms
  call: ReviewFormCall
}

const hidden = ({ course, reviewId, forms }: FormProps, intent: string) => (
  <>
    <input type="hidden" name="intent" value={intent} />
    <input type="hidden" name="courseId" value={course.id} />
    <input type="hidden" name="reviewId" value={reviewId} />
    <input type="hidden" name="back" value={forms.back} />
  </>
)

function AnswerForm(props: FormProps & { to: string }) {
  const { course, forms, to } = props
  const { busy, problem, onSubmit } = props.call
  const [start] = useState(problem?.typed.text ?? '')
  const [text, setText] = useState(start)
  useUnsaved(text.trim() !== '')
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problem])

  return (
    <details open={problem !== undefined || undefined} className="max-w-[44rem]">
      <summary
        className={`${buttonClass({ variant: 'secondary', size: 'sm' })} list-none [&::-webkit-details-marker]:hidden`}
      >
        Answer<span className="sr-only"> the review by {to}</span>
      </summary>
      <form
        ref={form}
        method="post"
        action={reviewsAddress(course.slug, forms.page)}
        onSubmit={onSubmit}
        noValidate
        className="grid grid-cols-1 gap-4 pt-4 sm:pl-6"
      >
        {hidden(props, 'answer')}
        <Field
          label="Your answer"
          error={problem?.fields.answer}
          hint="You can answer once. Everybody can read it."
          aside={<CharacterCount value={text} max={limits.answer} />}
        >
          <Textarea
            name="answer"
            rows={3}
            defaultValue={start}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        {problem && !problem.fields.answer && <Banner tone="danger">{problem.problem}</Banner>}
        <Button type="submit" size="sm" busy={busy} busyText="Sending..." className="w-fit">
          Send Answer
        </Button>
      </form>
    </details>
  )
}

function RemoveAnswer(props: FormProps) {
  const { course, forms, call } = props
  const { busy, problem, onSubmit } = call
  return (
    <form
      method="post"
      action={reviewsAddress(course.slug, forms.page)}
      onSubmit={onSubmit}
      className="grid gap-3"
    >
      {hidden(props, 'removeAnswer')}
      <Button
        type="submit"
        variant="ghost"
        size="sm"
        busy={busy}
        busyText="Removing..."
        className="-ml-3.5 w-fit text-danger"
      >
        Remove Answer
      </Button>
      {problem && <Banner tone="danger">{problem.problem}</Banner>}
    </form>
  )
}
