// Loaded when somebody removes the telephone number.
import { ORPCError, safe } from '@orpc/client'
import { client } from '../../../../web/api-client.ts'
import { callProblem } from '../../../courses/ui/call-problem.ts'

/** True when it worked, else why not in words for the person; `null` where a proof of who one is is wanted first. */
export async function removeTelephone(): Promise<true | string | null> {
  const [error] = await safe(client.accounts.removeMyTelephone())
  if (!error) return true
  if (error instanceof ORPCError && error.code === 'PROOF_NEEDED') return null
  return callProblem(error, 'The number was not removed. Please try again.')
}
