import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import * as z from 'zod'
import type { Auth } from './create-auth.ts'

/** Access tokens that `GET /auth/v1/token` issues: signed, 15 minutes, with no more than ids in them. */
export interface AccessTokens {
  /** Whose token this is, or null when it is not a good one (any more). */
  verify(token: string): Promise<{ userId: string; sessionId: string } | null>
}

const idClaims = z.object({ sub: z.uuid(), sid: z.uuid() })

/** Milliseconds for which keys are kept; a token with a newer key makes them be read again. */
const keysKept = 10 * 60_000
const keysReadAtMostEvery = 5_000

export function createAccessTokens(auth: Auth, appUrl: string): AccessTokens {
  let keys: ReturnType<typeof createLocalJWKSet> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function currentKeys(atLeastAsNewAs: number) {
    if (!keys || readAt < performance.now() - atLeastAsNewAs) {
      readAt = performance.now()
      keys = createLocalJWKSet((await auth.api.getJwks()) as JSONWebKeySet)
    }
    return keys
  }

  const check = async (token: string, newness: number) =>
    jwtVerify(token, await currentKeys(newness), {
      issuer: appUrl,
      audience: appUrl,
      algorithms: ['EdDSA'],
    })

  return {
    async verify(token) {
      try {
        const { payload } = await check(token, keysKept).catch((error: unknown) => {
          if (error instanceof errors.JWKSNoMatchingKey) return check(token, keysReadAtMostEvery)
          throw error
        })
        const claims = idClaims.safeParse(payload)
        return claims.success ? { userId: claims.data.sub, sessionId: claims.data.sid } : null
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}
