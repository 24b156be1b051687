import type { client } from '../../../web/api-client.ts'
import { isServerError, safe } from '../../../web/call-outcome.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'

const intents = ['save', 'remove', 'answer', 'removeAnswer', 'takeDown'] as const
type Intent = (typeof intents)[number]

/** Why a form about a review failed, with what was typed. */
export interface ReviewProblem {
  intent: Intent
  /** Of an answer, or of what an administrator removes. */
  reviewId: string
  problem: string
  fields: Partial<Record<string, string>>
  typed: { rating: number | null; text: string }
  status: number
}

/** Where forms about reviews stand. */
export interface ReviewForms {
  /** The page that follows, where there is no script: the course's page for members, or that of its reviews. */
  back: 'about' | 'reviews'
  page: number
  /** What the last one brought, where there is no script. */
  problem?: ReviewProblem
}

/** The address that these forms are sent to. */
export const reviewsAddress = (slug: string, page: number) =>
  page === 1 ? `/course/${slug}/reviews` : `/course/${slug}/reviews?page=${page}`

const failed: Record<Intent, string> = {
  save: 'Your review could not be saved. Please check your connection and try again.',
  remove: 'Your review could not be removed. Please check your connection and try again.',
  answer: 'Your answer could not be sent. Please check your connection and try again.',
  removeAnswer: 'Your answer could not be removed. Please check your connection and try again.',
  takeDown: 'The review could not be removed. Please check your connection and try again.',
}

/** What is typed into the form. */
const typedIn: Partial<Record<Intent, string>> = { answer: 'answer', takeDown: 'reason' }

/** Does what a form about a review says, from the browser or from a page's action; null when it is done. */
export async function sendReviewForm(
  form: FormData,
  calls: (typeof client)['reviews'],
): Promise<ReviewProblem | null> {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const intent = intents.find((one) => one === text('intent')) ?? 'save'
  const [courseId, reviewId] = [text('courseId'), text('reviewId')]
  const rating = text('rating') === '' ? null : Number(text('rating'))
  const send: Record<Intent, () => Promise<unknown>> = {
    save: () =>
      calls.saveMyReview({ courseId, rating: rating ?? 0, reviewText: text('reviewText') }),
    remove: () => calls.removeMyReview({ courseId }),
    answer: () => calls.answerReview({ courseId, reviewId, answer: text('answer') }),
    removeAnswer: () => calls.removeAnswer({ courseId, reviewId }),
    takeDown: () => calls.takeDownReview({ reviewId, reason: text('reason') }),
  }
  const [error] = await safe(send[intent]())
  if (!error) return null
  const refusal = isServerError(error) ? error : null
  const { fields = [] } = (refusal?.data ?? {}) as { fields?: { path: string; message: string }[] }
  return {
    intent,
    reviewId,
    problem: callProblem(error, failed[intent]),
    // Only the first problem of each field.
    fields: Object.fromEntries(fields.toReversed().map(({ path, message }) => [path, message])),
    typed: { rating, text: text(typedIn[intent] ?? 'reviewText') },
    status: refusal?.status ?? 500,
  }
}
