import { randomBytes } from 'node:crypto'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { hashOfSeed } from './draw.ts'

/** A new seed: encrypted until the draw, so that a copy of the database tells no winner, and its hash. */
export async function makeSeed(secret: string): Promise<{ sealedSeed: string; seedHash: string }> {
  const seed = randomBytes(32).toString('hex')
  const sealedSeed = await symmetricEncrypt({ key: secret, data: seed })
  return { sealedSeed, seedHash: hashOfSeed(seed) }
}

/**
 * Null when the installation's secret was changed since.
 * @throws when it is not the seed whose hash was published.
 */
export async function openSeed(
  secret: string,
  { sealedSeed, seedHash }: { sealedSeed: string; seedHash: string },
): Promise<string | null> {
  const seed = await symmetricDecrypt({ key: secret, data: sealedSeed }).catch(() => null)
  if (seed === null) return null
  if (hashOfSeed(seed) !== seedHash)
    throw new Error('The seed of a challenge is not the published one.')
  return seed
}
