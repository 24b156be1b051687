// Loaded when somebody ends a session.
import { safe } from '@orpc/client'
import { client } from '../../../../web/api-client.ts'
import { callProblem } from '../../../courses/ui/call-problem.ts'

/** Null when it worked, else why not in words for the person. */
export async function endSession(sessionId: string): Promise<string | null> {
  const [error] = await safe(client.accounts.endMySession({ sessionId }))
  return error ? callProblem(error, 'You could not be logged out there. Please try again.') : null
}
