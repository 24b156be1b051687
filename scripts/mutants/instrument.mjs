// Code with all of its mutants in it, of which none is active until `globalThis.__stryker__.activeMutant` names one.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { textsForPeople } from './texts-for-people.mjs'

const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false }

/** `src/a.ts` is all of it, `src/a.ts:20-40` those lines. */
function partOf(wanted) {
  const [path, lines] = wanted.split(':')
  const [first, last] = (lines ?? '').split('-').map(Number)
  return { file: resolve(path), first: first || 1, last: last || first || Infinity }
}

/**
 * @param {string[]} mutate files, with or without lines
 * @returns the code by file, and the mutants, whose lines begin at 0
 */
export async function instrument(mutate) {
  const parts = mutate.map(partOf)
  const inputs = [...new Set(parts.map(({ file }) => file))].map((name) => ({
    name,
    mutate: true,
    content: readFileSync(name, 'utf8'),
  }))
  const { files, mutants } = await new Instrumenter(silent).instrument(inputs, {
    ignorers: [textsForPeople],
    excludedMutations: [],
    plugins: null,
  })
  const isInPart = ({ fileName, location }) =>
    parts.some(
      ({ file, first, last }) =>
        file === fileName && location.start.line + 1 >= first && location.end.line + 1 <= last,
    )
  return {
    code: Object.fromEntries(files.map(({ name, content }) => [name, content])),
    mutants: mutants.filter(isInPart),
  }
}
