import { useEffect, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { useUnsaved } from '../../../web/unsaved.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { limits } from '../rules.ts'
import type { CourseReviews, OwnReview } from '../schema.ts'
import { type ReviewForms, reviewsAddress } from './review-calls.ts'
import { StarChoice } from './star-choice.tsx'
import type { ReviewFormCall } from './use-review-form.ts'

type ReviewFormProps = {
  course: CourseReviews['course']
  mine: OwnReview | null
  forms: ReviewForms
  call: ReviewFormCall
}

/** Stars and words about a course. */
export function ReviewForm({ course, mine, forms, call }: ReviewFormProps) {
  const { busy, problem, onSubmit } = call
  const { reviews: off } = useSwitchedOff()
  const [start] = useState({
    rating: problem?.typed.rating ?? mine?.rating ?? null,
    text: problem?.typed.text ?? mine?.reviewText ?? '',
  })
  const [text, setText] = useState(start.text)
  useUnsaved(text.trim() !== (mine?.reviewText ?? ''))
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[data-invalid], [aria-invalid]')?.focus()
  }, [problem])

  return (
    <form
      ref={form}
      method="post"
      action={reviewsAddress(course.slug, forms.page)}
      onSubmit={onSubmit}
      noValidate
      className="grid grid-cols-1 gap-5"
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="courseId" value={course.id} />
      <input type="hidden" name="back" value={forms.back} />
      {off && <Banner tone="warning">{off}</Banner>}
      <StarChoice rating={start.rating} error={problem?.fields.rating} />
      <Field
        label="Your review"
        optional
        error={problem?.fields.reviewText}
        aside={<CharacterCount value={text} max={limits.reviewText} />}
        hint="Everybody can read it, with your name."
      >
        <Textarea
          name="reviewText"
          rows={4}
          defaultValue={start.text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {problem && <Banner tone="danger">{problem.problem}</Banner>}
      <Button
        type="submit"
        disabled={off !== undefined}
        busy={busy}
        busyText="Saving..."
        className="w-fit"
      >
        {mine ? 'Save Review' : 'Submit Review'}
      </Button>
    </form>
  )
}
