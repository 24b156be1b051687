import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { byToken, madeToken, newToken, personalTokens } from './schema.ts'
import { mostTokens } from './rules.ts'

// No token reaches these: whoever found one could make others that live longer.
export const tokens = {
  getMyTokens: row('signedIn', 'GET', '/rest/v1/me/tokens', 'My personal access tokens').output(
    personalTokens,
  ),

  createToken: row('signedIn', 'POST', '/rest/v1/me/tokens', 'Make a personal access token', {
    proven: true,
  })
    .errors({
      TOO_MANY_TOKENS: {
        status: 409,
        message: `You can have at most ${mostTokens} access tokens. Revoke one that you do not need any more.`,
      },
    })
    .input(newToken)
    .output(madeToken),

  revokeToken: row(
    'signedIn',
    'DELETE',
    '/rest/v1/me/tokens/{tokenId}',
    'Revoke one of my personal access tokens',
  )
    .input(byToken)
    .output(z.object({ revoked: z.literal(true) })),
}
