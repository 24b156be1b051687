import { expect, test } from 'vitest'
import { hashOfSeed } from './draw.ts'
import { makeSeed, openSeed } from './seed.ts'

const secret = 'a secret of the installation, long enough'

test('a seed is 32 bytes of its own, and nobody reads it before the draw', async () => {
  const [one, other] = [await makeSeed(secret), await makeSeed(secret)]
  const seed = await openSeed(secret, one)
  expect(seed).toMatch(/^[0-9a-f]{64}$/)
  expect(one.seedHash).toBe(hashOfSeed(seed!))
  expect(other.seedHash).not.toBe(one.seedHash)
  expect(one.sealedSeed).not.toContain(seed)
  expect(await openSeed(`not ${secret}`, one)).toBeNull()
})

test('a seed that is not the one whose hash was published draws nothing', async () => {
  const [one, other] = [await makeSeed(secret), await makeSeed(secret)]
  const exchanged = { sealedSeed: other.sealedSeed, seedHash: one.seedHash }
  await expect(openSeed(secret, exchanged)).rejects.toThrow('not the published one')
})
