// The names of all parameters that pages read from their address, as their sources say.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { profileSearch } from '../../src/domains/accounts/schema.ts'
import { exploreSearch } from '../../src/domains/search/schema.ts'

const read = /\b(?:searchParams|search|query|given|named)\??\.(?:get|has|getAll)\('(\w+)'\)/g
const readWhole = /Object\.fromEntries\(url\.searchParams\)/g

export function parametersOfPages(): string[] {
  const names = new Set<string>()
  let readByShape = 0
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.includes('.test.')) continue
    const source = readFileSync(join('src', file), 'utf8')
    for (const [, name] of source.matchAll(read)) names.add(name!)
    readByShape += source.match(readWhole)?.length ?? 0
  }
  // Who reads an address by a shape stands here, too.
  if (readByShape !== 2) throw new Error('Which parameters does the new page read?')
  for (const shape of [profileSearch.shape, exploreSearch.shape]) {
    for (const name of Object.keys(shape)) names.add(name)
  }
  return [...names].toSorted()
}
