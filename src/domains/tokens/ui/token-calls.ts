// Loaded when somebody makes or revokes a token.
import { ORPCError, safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { NewToken } from '../schema.ts'

/** `null` where a proof of who one is is wanted first. */
type Made = { secret: string } | { problem: string } | null

export async function createToken(wanted: NewToken): Promise<Made> {
  const [error, made] = await safe(client.tokens.createToken(wanted))
  if (!error) return { secret: made.secret }
  if (error instanceof ORPCError && error.code === 'PROOF_NEEDED') return null
  return { problem: callProblem(error, 'The token was not made. Please try again.') }
}

/** Null when it worked, else why not in words for the person. */
export async function revokeToken(tokenId: string): Promise<string | null> {
  const [error] = await safe(client.tokens.revokeToken({ tokenId }))
  // Revoked before, as by a call whose answer was lost.
  const isDone = !error || (error instanceof ORPCError && error.code === 'NOT_FOUND')
  return !isDone ? callProblem(error, 'The token was not revoked. Please try again.') : null
}
