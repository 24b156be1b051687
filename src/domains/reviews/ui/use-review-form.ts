import { type SubmitEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { toast } from '../../../ui/toast.ts'
import { client } from '../../../web/api-client.ts'
import { type ReviewForms, type ReviewProblem, sendReviewForm } from './review-calls.ts'

type Options = {
  intent: ReviewProblem['intent']
  reviewId?: string
  forms: ReviewForms
  /** Said when the server has done it. */
  done: string
  /** Called then, too, and when its review is gone or answered elsewhere. */
  onDone: () => void
}

/** A form about a review that stays on its page; without JavaScript it is sent like any other. */
export function useReviewForm({ intent, reviewId = '', forms, done, onDone }: Options) {
  const { revalidate } = useRevalidator()
  const { problem: plain } = forms
  const isOurs = plain?.intent === intent && plain.reviewId === reviewId
  const [problem, setProblem] = useState(isOurs ? plain : undefined)
  const [busy, setBusy] = useState(false)

  async function send(form: FormData) {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    const failure = await sendReviewForm(form, client.reviews)
    // What is gone, or done already, as by a call whose answer was lost, the page does not show yet.
    const isOld = failure?.status === 404 || failure?.status === 409
    if (!failure || isOld) await revalidate()
    setBusy(false)
    // A form about a review that is gone, or answered elsewhere, is gone as well: it can say nothing any more.
    const isGone = isOld && reviewId !== ''
    if (failure && !isGone) return setProblem(failure)
    void (failure ? toast.error(failure.problem) : toast.success(done))
    onDone()
  }

  return {
    busy,
    problem,
    send,
    onSubmit(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault()
      void send(new FormData(event.currentTarget))
    },
  }
}

export type ReviewFormCall = ReturnType<typeof useReviewForm>
