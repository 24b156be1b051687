import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmLater, preloadConfirm } from '../../../ui/confirm-later.tsx'
import type { CourseReviews, OwnReview as Own } from '../schema.ts'
import { ReviewDay } from './review-day.tsx'
import { ReviewForm } from './review-form.tsx'
import { ReviewText } from './review-text.tsx'
import { type ReviewForms, reviewsAddress } from './review-calls.ts'
import { Stars, starsOf } from './stars.tsx'
import { type ReviewFormCall, useReviewForm } from './use-review-form.ts'

export type OwnReviewProps = { list: CourseReviews; forms: ReviewForms; level: 2 | 3 }

/** What the viewer thinks of the course. Members write, change and remove; who has left can still remove. */
export function OwnReview({ list: { course, mine, standing }, forms, level }: OwnReviewProps) {
  const [editing, setEditing] = useState(forms.problem?.intent === 'save')
  const [timesDone, setTimesDone] = useState(0)
  function onDone() {
    setEditing(false)
    setTimesDone((times) => times + 1)
  }
  const save = useReviewForm({ intent: 'save', forms, done: 'Your review is saved.', onDone })
  const remove = useReviewForm({ intent: 'remove', forms, done: 'Your review is removed.', onDone })
  const form = <ReviewForm key={mine?.id} course={course} mine={mine} forms={forms} call={save} />

  return (
    <Card as="section" id="your-review" aria-labelledby="your-review-heading">
      <Heading key={`${mine?.id} ${timesDone}`} level={level} focused={timesDone > 0}>
        {mine ? 'Your review' : 'Write a review'}
      </Heading>
      {mine ? (
        <div className="grid gap-4">
          <p className="flex flex-wrap items-center gap-x-2.5">
            <Stars rating={mine.rating} label={starsOf(mine.rating)} />
            <ReviewDay moment={mine.createdAt} edited={mine.edited} />
          </p>
          {mine.reviewText !== '' && <ReviewText text={mine.reviewText} />}
          {standing !== 'member' && (
            <p className="text-sm text-muted">
              You have left this course: your review is shown without your name.
            </p>
          )}
          <div className="flex flex-wrap items-start gap-3">
            {standing === 'member' && (
              <details
                open={editing}
                onToggle={(event) => setEditing(event.currentTarget.open)}
                className="open:w-full"
              >
                <summary
                  className={`${buttonClass({ variant: 'secondary', size: 'sm' })} list-none [&::-webkit-details-marker]:hidden`}
                >
                  Edit Review
                </summary>
                <div className="pt-5">{form}</div>
              </details>
            )}
            <RemoveReview course={course} mine={mine} forms={forms} call={remove} />
          </div>
        </div>
      ) : (
        form
      )}
    </Card>
  )
}

/** Takes the focus after each change: what was pressed is gone with its form or its dialog. */
function Heading({
  level,
  focused,
  children,
}: {
  level: 2 | 3
  focused: boolean
  children: string
}) {
  const Element = `h${level}` as const
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    if (focused) heading.current?.focus({ preventScroll: true })
  }, [focused])

  return (
    <Element
      ref={heading}
      tabIndex={-1}
      id="your-review-heading"
      className="mb-4 text-xl outline-none"
    >
      {children}
    </Element>
  )
}

type RemoveReviewProps = {
  course: CourseReviews['course']
  mine: Own
  forms: ReviewForms
  call: ReviewFormCall
}

/** Asks first, where there is a script to ask with. */
function RemoveReview({ course, mine, forms, call }: RemoveReviewProps) {
  const { busy, problem, send } = call
  const [asking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  function ask(event: SubmitEvent) {
    event.preventDefault()
    setAsking(true)
  }

  return (
    <>
      <form
        ref={form}
        method="post"
        action={reviewsAddress(course.slug, forms.page)}
        onSubmit={ask}
        className="grid gap-3"
      >
        <input type="hidden" name="intent" value="remove" />
        <input type="hidden" name="courseId" value={course.id} />
        <input type="hidden" name="back" value={forms.back} />
        <Button
          type="submit"
          variant="ghost"
          size="sm"
          className="text-danger"
          onPointerEnter={preloadConfirm}
          onFocus={preloadConfirm}
        >
          Remove Review
        </Button>
        {problem && !asking && <Banner tone="danger">{problem.problem}</Banner>}
      </form>
      <ConfirmLater
        open={asking}
        onOpenChange={setAsking}
        title="Remove your review?"
        description={
          mine.answer
            ? 'Your stars, your words and the answer to them go. You can write a new one later.'
            : 'Your stars and your words go. You can write a new one later.'
        }
        confirmLabel="Remove Review"
        busyLabel="Removing..."
        busy={busy}
        error={problem?.problem}
        onConfirm={() => void send(new FormData(form.current ?? undefined))}
      />
    </>
  )
}
