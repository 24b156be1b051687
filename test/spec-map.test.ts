// docs/spec-map.md names, for each statement of the specification, the files that do it and the tests that prove it.
// Here: that each has both, and that all of them are there.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const cells = (line: string) =>
  line
    .slice(2, -2)
    .split(' |')
    .map((cell) => cell.trim())
const rows = readFileSync('docs/spec-map.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!---|statement )/.test(line))
  .map((line) => {
    const [statement = '', where = '', proof = '', ...rest] = cells(line)
    return { statement, where, proof, rest }
  })

/** What is not there needs no file, and nothing can prove it. */
const isAbsence = (proof: string) => proof === 'nothing to prove'
/** Commands and settings, which stand among the files. */
const isNoFile = (name: string) => /^npm run |^[A-Z][A-Z_]+=?\S*$/.test(name)

const filesNamed = (cell: string) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).filter((name) => !isNoFile(name))
const isThere = (name: string) =>
  [`src/${name}`, `src/domains/${name}`, name].some((path) =>
    path.includes('*') ? globSync(path).length > 0 : existsSync(path),
  )

const testFileOf = (name: string) =>
  [
    ...[`src/domains/${name}`, `src/${name}`, name].flatMap((path) => [
      `${path}.test.ts`,
      `${path}.test.tsx`,
    ]),
    `test/${name}.spec.ts`,
    // A measurement, or a document with a table of its own.
    name,
  ].find((path) => existsSync(path))

const plain = (text: string) => text.replaceAll(String.raw`\'`, "'").replaceAll(/\s+/g, ' ')

/** As it stands there, or as a template with something else in its place. */
function isNamedIn(source: string, name: string) {
  // That is in every table of cases, and says nothing of what they are.
  if (name === '%s') return false
  if (source.includes(name)) return true
  const templates = source.matchAll(/\b(?:test|describe|step)\(\s*`([^`\n]+)`/g)
  return [...templates].some(([, template = '']) => {
    const [start = '', ...rest] = template.split(/\$\{[^}]*\}/)
    const end = rest.pop() ?? ''
    return name.startsWith(start) && name.endsWith(end)
  })
}

/** The names of tests that are not in the file before them. */
function missingTests(proof: string): string[] {
  const missing: string[] = []
  let file: string | undefined
  let source = ''
  for (const [, path, name] of proof.matchAll(/`([^`]+)`|“([^”]+)”/g)) {
    if (path !== undefined) {
      if (isNoFile(path)) continue
      file = testFileOf(path)
      if (!file) missing.push(path)
      source = file ? plain(readFileSync(file, 'utf8')) : ''
    } else if (file) {
      // A test in a group is named with it.
      const parts = name!.split(' › ')
      if (!parts.every((part) => isNamedIn(source, part))) missing.push(`${file}: ${name}`)
    }
  }
  return missing
}

test('each statement has its file and its proof', () => {
  expect(rows.length).toBeGreaterThan(600)
  for (const { statement, where, proof, rest } of rows) {
    expect(rest, statement).toEqual([])
    if (isAbsence(proof)) continue
    expect(filesNamed(where), statement).not.toEqual([])
    expect(filesNamed(proof), statement).not.toEqual([])
  }
})

test('each file is there', () => {
  const missing = rows.flatMap(({ where }) => filesNamed(where)).filter((name) => !isThere(name))
  expect(missing).toEqual([])
})

test('each test is there', () => {
  expect(rows.flatMap(({ proof }) => (isAbsence(proof) ? [] : missingTests(proof)))).toEqual([])
})
