// Which mutants are tried where there are too many for all: each by a throw of its own, the same for the same seed.
import { createHash } from 'node:crypto'
import { relative } from 'node:path'

export const notInSample = 'not in the sample'

/** @returns {{ rate: number, seed: string }} of MUTANT_SAMPLE; without it every mutant is tried. */
const readSample = () => JSON.parse(process.env.MUTANT_SAMPLE ?? '{"rate":1,"seed":""}')

/** @param {import('@stryker-mutator/api/core').Mutant} mutant */
export function isInSample({ fileName, location, mutatorName, replacement }) {
  const { rate, seed } = readSample()
  const { start, end } = location
  const place = [start.line, start.column, end.line, end.column]
  // In the sandbox a file has another beginning.
  const file = relative(process.cwd(), fileName).replace(/^.*?(?=src\/)/, '')
  const name = JSON.stringify([seed, file, place, mutatorName, replacement])
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32 < rate
}

/** The same of what has been tried: there lines and columns begin at 1. */
export function isResultInSample(result) {
  const before = ({ line, column }) => ({ line: line - 1, column: column - 1 })
  const { start, end } = result.location
  return isInSample({ ...result, location: { start: before(start), end: before(end) } })
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
