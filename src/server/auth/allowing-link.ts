import { errors, jwtVerify } from 'jose'
import { wishOfLink } from '../../domains/accounts/confirmation-link.ts'

/**
 * The address that this link allows for an account, and that is written to each time it is followed; null for every other
 * link, and for one that is not ours: with that nobody uses up what may be sent to an address.
 */
export async function allowedAddress(link: string, secret: string): Promise<string | null> {
  if (wishOfLink(link) !== 'allow') return null
  try {
    const key = new TextEncoder().encode(secret)
    const { payload } = await jwtVerify(link, key, { algorithms: ['HS256'] })
    return typeof payload.updateTo === 'string' ? payload.updateTo : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
