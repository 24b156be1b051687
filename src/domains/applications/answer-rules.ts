// Pure: which answers a course accepts, and who may apply.
import { isBlank } from '../../is-blank.ts'
import type { ApplicationStatus } from './schema.ts'
import { unansweredMessage } from './rules.ts'

interface Question {
  id: string
  question: string
  required: boolean
}

/** What is stored of an answer: the question stays beside it as it was asked. */
export interface KeptAnswer {
  questionId: string
  question: string
  required: boolean
  orderIndex: number
  answer: string
}

export const changedQuestions =
  'The questions of this course have changed. Please look at them again.'

export interface GivenAnswer {
  questionId: string
  answer: string
  /** As the person read it; a program that reads the questions itself need not say. */
  question?: string
}

/** One answer for each question, or what is wrong with them in words. */
export function answersTo(
  questions: Question[],
  given: GivenAnswer[],
): { answers: KeptAnswer[] } | { problem: string } {
  const texts = new Map(given.map(({ questionId, answer }) => [questionId, answer]))
  if (texts.size < given.length) return { problem: 'Each question can be answered only once.' }
  const asked = new Map(questions.map(({ id, question }) => [id, question]))
  // Of another course, or removed while the person wrote: both are not asked here. In other words, it is another question.
  const isOld = ({ questionId, question: read }: GivenAnswer) => {
    const now = asked.get(questionId)
    return now === undefined || (read !== undefined && read !== now)
  }
  if (given.some(isOld)) return { problem: changedQuestions }
  const answers = questions.map(({ id, question, required }, index) => ({
    questionId: id,
    question,
    required,
    orderIndex: index + 1,
    answer: texts.get(id)?.trim() ?? '',
  }))
  const isMissing = answers.some(({ required, answer }) => required && isBlank(answer))
  return isMissing ? { problem: unansweredMessage } : { answers }
}

/** Why somebody who has no pending application may not apply, in words; null when they may. */
export function applyingObstacle({
  standing,
  applicationRequired,
  latest,
}: {
  standing: 'visitor' | 'signedIn' | 'member' | 'instructor'
  applicationRequired: boolean
  /** The status of the person's latest application. */
  latest: ApplicationStatus | null
}): string | null {
  if (standing === 'instructor') return 'This is your own course: you need no application.'
  if (standing === 'member') return 'You are a member of this course already.'
  if (!applicationRequired) return 'This course takes no applications: you can join it without one.'
  if (latest === 'approved')
    return 'Your application was approved already. You can join the course.'
  return null
}
