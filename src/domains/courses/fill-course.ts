import type { Transaction } from '../../server/db.ts'
import { newItems, planContent } from './plan-content.ts'
import { knownContent, newIds, storeContent } from './save-content.ts'
import type { CourseContentSave } from './schema.ts'

/**
 * Gives a new course its first chapters and lessons; for seeds and whatever else makes a whole course
 * at once.
 * @throws {Error} when the content breaks a rule of the editor.
 */
export async function fillCourse(
  transaction: Transaction,
  courseId: string,
  chapters: CourseContentSave['chapters'],
): Promise<void> {
  const known = await knownContent(transaction, courseId)
  const plan = planContent(chapters, known, await newIds(transaction, newItems(chapters)))
  if ('problem' in plan) throw new Error(plan.problem)
  await storeContent(transaction, courseId, plan)
}
