// What the description's editor checks, and what it says to the server. Loaded after the page.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import type { RichText } from '../../lessons/rich-text.ts'
import { courseUpdate } from '../schema.ts'
import { refusalProblem } from './call-problem.ts'
import { savedOverOwn } from './unheard-descriptions.ts'

/** Why it was not saved, in words; null when it was. */
export async function saveDescription(
  courseId: string,
  description: RichText,
  /** As it was when it was opened. */
  descriptionBefore: RichText,
  fallback: string,
): Promise<string | null> {
  const issue = courseUpdate.safeParse({ courseId, description }).error?.issues[0]
  if (issue) return issue.message
  const [error] = await safe(
    savedOverOwn(courseId, description, descriptionBefore, (before) =>
      client.courses.updateCourse({ courseId, description, descriptionBefore: before }),
    ),
  )
  return error ? refusalProblem(error, fallback) : null
}
