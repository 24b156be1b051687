import { asc, eq } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { courseApplicationQuestions as questions } from './tables.ts'

/** What the course asks, in its order. */
export function questionsOf(executor: Executor, courseId: string) {
  return executor
    .select({ id: questions.id, question: questions.question, required: questions.required })
    .from(questions)
    .where(eq(questions.courseId, courseId))
    .orderBy(asc(questions.orderIndex), asc(questions.id))
}
