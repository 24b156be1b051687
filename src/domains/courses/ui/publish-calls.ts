// What the dialog before publishing asks the server. Loaded with it.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import type { PublishChecklist } from '../schema.ts'
import { callProblem } from './call-problem.ts'

export async function loadChecklist(
  courseId: string,
): Promise<PublishChecklist | { problem: string }> {
  const [error, checklist] = await safe(client.courses.getPublishChecklist({ courseId }))
  return error
    ? { problem: callProblem(error, 'Failed to check the course. Please try again.') }
    : checklist
}

export async function publish(courseId: string): Promise<{ slug: string } | { problem: string }> {
  const [error, published] = await safe(client.courses.publishCourse({ courseId }))
  return error
    ? { problem: callProblem(error, 'Failed to publish course. Please try again.') }
    : published
}
