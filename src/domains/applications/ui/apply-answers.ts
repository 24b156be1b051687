// The answers of an applicant, between the form and the call.
import { isBlank } from '../../../is-blank.ts'
import { applicationLimits, unansweredMessage } from '../rules.ts'
import type { ApplicationForm } from '../schema.ts'

/** What was typed, by the id of the question. */
export type Answers = Record<string, string>

/** Why it was not sent; what was typed comes back for the page without a script. */
export type ApplyProblem = { problem: string; typed: Answers }

/** With the invitation by which somebody comes still in its address. */
export function applyPage(slug: string, invitation: string | null): string {
  const page = `/course/${slug}/apply`
  return invitation ? `${page}?${new URLSearchParams({ invitation })}` : page
}

const prefix = 'answer:'
/** The name of a question's field. */
export const fieldOf = (questionId: string) => `${prefix}${questionId}`

const wordsPrefix = 'question:'
/** The name of the hidden field with the question itself: it may have other words by the time it is answered. */
export const wordsFieldOf = (questionId: string) => `${wordsPrefix}${questionId}`

function textsIn(form: FormData, start: string): Record<string, string> {
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(
    texts
      .filter(([name]) => name.startsWith(start))
      .map(([name, text]) => [name.slice(start.length), text]),
  )
}

export const answersIn = (form: FormData): Answers => textsIn(form, prefix)

/** As the call takes them. */
export function answerList(form: FormData) {
  const words = textsIn(form, wordsPrefix)
  return Object.entries(answersIn(form)).map(([questionId, answer]) => ({
    questionId,
    answer,
    question: words[questionId],
  }))
}

/** What is wrong with which answer, and in one sentence; null when all can be sent. */
export function problemsIn(
  questions: ApplicationForm['questions'],
  answers: Answers,
): { summary: string; fields: Record<string, string> } | null {
  const fields: Record<string, string> = {}
  let isUnanswered = false
  for (const { id, required } of questions) {
    const answer = (answers[id] ?? '').trim()
    if (required && isBlank(answer)) {
      isUnanswered = true
      fields[id] = 'This question needs an answer.'
    } else if (answer.length > applicationLimits.answer) fields[id] = tooLong
  }
  if (Object.keys(fields).length === 0) return null
  return { summary: isUnanswered ? unansweredMessage : tooLong, fields }
}

const tooLong = `An answer can have at most ${applicationLimits.answer.toLocaleString('en-US')} characters`
