// Which mutants are tried where there are too many for all: each by a throw of its own, the same for the same seed.
import { createHash } from 'node:crypto'
import { relative } from 'node:path'

/** @returns {(mutant: object) => boolean} whether a mutant is in the sample */
export const sampleOf =
  ({ rate, seed }) =>
  ({ fileName, location, mutatorName, replacement }) => {
    const { start, end } = location
    const place = [start.line, start.column, end.line, end.column]
    const name = JSON.stringify([seed, relative('.', fileName), place, mutatorName, replacement])
    return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32 < rate
  }

/** Between which scores that of all lies, with 95 % certainty (Wilson). */
export function interval(noticed, all) {
  const z = 1.96
  const share = noticed / all
  const middle = share + z ** 2 / (2 * all)
  const reach = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2))
  const bound = (value) => (100 * value) / (1 + z ** 2 / all)
  return [bound(middle - reach), bound(middle + reach)]
}
