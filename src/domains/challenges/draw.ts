// How a winner is drawn: decision 023 says why, scripts/verify-draw.mjs does it again without this file.
import { createHash, createHmac } from 'node:crypto'

export interface FrozenEntry {
  /** 1-based. */
  number: number
  id: string
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** `seed` in hex; what is hashed are its 32 bytes. */
export const hashOfSeed = (seed: string): string => sha256(Buffer.from(seed, 'hex'))

/** One line for each entry, in the order of the numbers: `number id`, each ended by a line feed. */
export const hashOfEntries = (entries: FrozenEntry[]): string =>
  sha256(entries.map(({ number, id }) => `${number} ${id}\n`).join(''))

const values = 2n ** 256n

/** A number from 1 to `count`; null for the few values at the top that would favour low numbers. */
export function numberFrom(value: bigint, count: number): number | null {
  const total = BigInt(count)
  return value < values - (values % total) ? Number(value % total) + 1 : null
}

const digestOf = (seed: string, message: string): string =>
  createHmac('sha256', Buffer.from(seed, 'hex')).update(message).digest('hex')

/** The number that the seed draws from this frozen list; by another `digest` only where a test wants rare values. */
export function drawNumber(
  seed: string,
  entriesHash: string,
  count: number,
  digest = digestOf,
): number {
  if (count < 1) throw new RangeError('There is nothing to draw from.')
  for (let round = 0; ; round++) {
    const message = round === 0 ? entriesHash : `${entriesHash} ${round}`
    const number = numberFrom(BigInt(`0x${digest(seed, message)}`), count)
    if (number !== null) return number
  }
}
