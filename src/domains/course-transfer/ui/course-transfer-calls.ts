// What copies and imports say to the server. Loaded after the page.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { doneOnce } from '../../../web/done-once.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'

const copiedOnce = doneOnce()
const startedOnce = doneOnce()

export async function duplicateCourse(
  courseId: string,
): Promise<{ title: string } | { problem: string }> {
  const [error, copy] = await safe(
    copiedOnce(courseId, (idempotencyKey) =>
      client.courseTransfer.duplicateCourse({ courseId }, { context: { idempotencyKey } }),
    ),
  )
  return error
    ? { problem: callProblem(error, 'Failed to copy the course. Please try again.') }
    : copy
}

/** Why it failed, in words for the person; null when it did not. */
async function problemOf(
  call: Promise<unknown>,
  fallback: string,
  done?: string,
): Promise<string | null> {
  const [error] = await safe(call)
  return error ? callProblem(error, fallback, done) : null
}

const notStarted = 'Failed to start the import. Please try again.'

export const startImport = (mediaId: string) =>
  problemOf(
    startedOnce(mediaId, (idempotencyKey) =>
      client.courseTransfer.startImport({ mediaId }, { context: { idempotencyKey } }),
    ),
    notStarted,
    'The import was started already. Load the page again to see it.',
  )

export const retryImport = (importId: string) =>
  problemOf(client.courseTransfer.retryImport({ importId }), notStarted)

export const removeImport = (importId: string) =>
  problemOf(
    client.courseTransfer.removeImport({ importId }),
    'Failed to remove the import. Please try again.',
  )
