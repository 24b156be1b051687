import { api } from '../../server/api.ts'
import { postWarning } from '../accounts/send-account-mail.ts'
import { createToken } from './create-token.ts'
import { tokensOf } from './queries.ts'
import { revokeToken } from './revoke-tokens.ts'

export const tokens = {
  getMyTokens: api.tokens.getMyTokens.handler(async ({ context: { viewer, services } }) => ({
    now: new Date(),
    tokens: await tokensOf(services.db, viewer.id),
  })),

  createToken: api.tokens.createToken.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const made = await createToken(transaction, viewer, input)
      if (made === 'signed out') throw errors.UNAUTHORIZED()
      if (made === 'too many') throw errors.TOO_MANY_TOKENS()
      await postWarning(transaction, services.secret, viewer.id, 'token-made')
      return made
    })
  }),

  revokeToken: api.tokens.revokeToken.handler(({ input: { tokenId }, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      if (!(await revokeToken(transaction, { userId: viewer.id, tokenId }))) {
        throw errors.NOT_FOUND({ message: 'This token was revoked already.' })
      }
      await postWarning(transaction, services.secret, viewer.id, 'token-revoked')
      return { revoked: true as const }
    })
  }),
}
