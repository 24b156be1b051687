// What crosses the wire about applications. Forms and handlers share it.
import * as z from 'zod'
import { line, uuid } from '../../fields.ts'
import { questionLimits } from './rules.ts'

/** The course form and the list of questions by itself say it in different words. */
export const emptyQuestion = {
  inCourseForm:
    'All application questions must have content. Please fill in all questions or remove empty ones.',
  inList: 'All questions must have content. Please fill in all questions or remove empty ones.',
}

/** At least one question, in their order; `empty` is said of one without words. */
export const questionList = (empty: string) =>
  z
    .array(
      z.object({
        /** Absent for a new one: the server gives the id, and it never changes after. */
        id: uuid('A question').optional(),
        question: line('A question', questionLimits.question, empty),
        required: z.boolean('Required must be true or false').default(true),
      }),
      'The questions must be a list',
    )
    .min(1, 'At least one question must remain.')
    .max(
      questionLimits.questions,
      `There can be at most ${questionLimits.questions} application questions`,
    )
export type QuestionList = z.output<ReturnType<typeof questionList>>

export const applicationQuestions = z.object({
  questions: z.array(z.object({ id: z.uuid(), question: z.string(), required: z.boolean() })),
})

export const applicationQuestionsSave = z.object({
  courseId: uuid('The course'),
  questions: questionList(emptyQuestion.inList),
})
