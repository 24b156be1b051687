// docs/asvs.md says of each requirement of ASVS 5.0.0 (level 1 and 2) what there is of it. Here: that it says so of
// each, and that what it names is there.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Each section with its requirements of level 1, and of both levels; they are numbered from 1, level 1 first. */
const sections =
  '1.1:0/2 1.2:5/9 1.3:2/11 1.4:0/3 1.5:1/2 2.1:1/3 2.2:2/3 2.3:1/4 2.4:0/1 3.2:2/2 3.3:1/4 ' +
  '3.4:2/6 3.5:3/5 3.7:0/2 4.1:1/3 4.2:0/1 4.3:0/2 4.4:1/4 5.1:0/1 5.2:2/3 5.3:2/2 5.4:0/3 ' +
  '6.1:1/3 6.2:8/12 6.3:2/4 6.4:2/4 6.5:0/5 6.6:0/3 6.8:0/4 7.1:0/3 7.2:4/4 7.3:0/2 7.4:2/5 ' +
  '7.5:0/2 7.6:0/2 8.1:1/2 8.2:2/3 8.3:1/1 8.4:0/1 9.1:3/3 9.2:1/4 10.1:0/2 10.2:0/2 ' +
  '10.3:0/4 10.4:5/11 10.5:0/5 10.6:0/2 10.7:0/3 11.1:0/2 11.2:0/3 11.3:2/3 11.4:1/4 ' +
  '11.5:0/1 11.6:0/1 12.1:1/3 12.2:2/2 12.3:0/4 13.1:0/1 13.2:0/5 13.3:0/2 13.4:1/5 ' +
  '14.1:0/2 14.2:1/4 14.3:1/3 15.1:1/3 15.2:1/3 15.3:1/7 16.1:0/1 16.2:0/5 16.3:0/4 ' +
  '16.4:0/3 16.5:0/3 17.1:0/1 17.2:0/4 17.3:0/2'

const requirements = sections.split(' ').flatMap((one) => {
  const [section, first, all] = one.split(/[:/]/)
  return Array.from({ length: Number(all) }, (_, at) => ({
    id: `${section}.${at + 1}`,
    level: at < Number(first) ? '1' : '2',
  }))
})

const document = readFileSync('docs/asvs.md', 'utf8')
const cells = (line: string) =>
  line
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim())
const rows = document
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
  .map((line) => {
    const [id = '', level, , state = '', evidence = '', ...rest] = cells(line)
    return { id, level, state, evidence, rest }
  })

const states = ['met', 'partly', 'not met', 'not applicable']

test('each requirement is there once, under its level', () => {
  expect(rows.map(({ id, level }) => ({ id, level }))).toEqual(requirements)
  expect(rows.filter(({ rest }) => rest.length > 0)).toEqual([])
})

test('each has a state, and says why', () => {
  for (const { id, state, evidence } of rows) {
    expect(states, id).toContain(state)
    expect(evidence, id).not.toBe('')
    // Words and a file, or words alone where nothing is to be shown.
    if (state !== 'not applicable') expect(evidence, id).toMatch(/`[\w/.-]+\.\w+`/)
  }
})

/** Files in backticks, each with what is quoted behind it. */
function named(evidence: string) {
  const found = evidence.matchAll(/`([\w/.-]+\.\w+)`|“([^”]+)”/g)
  const files: { file: string; quotes: string[] }[] = []
  for (const [, file, quote] of found) {
    if (file) files.push({ file, quotes: [] })
    else if (quote) files.at(-1)?.quotes.push(quote)
  }
  return files
}

test('files that are named exist, and hold the tests and chapters that are named behind them', () => {
  const missing = rows.flatMap(({ id, evidence }) =>
    named(evidence).flatMap(({ file, quotes }) => {
      if (!existsSync(file)) return [`${id}: ${file}`]
      const text = readFileSync(file, 'utf8')
      return quotes.filter((quote) => !text.includes(quote)).map((quote) => `${id}: ${quote}`)
    }),
  )
  expect(missing).toEqual([])
})

test('the numbers at its head are those of the rows', () => {
  const counted = (of: typeof rows) => [
    ...states.map((state) => of.filter((row) => row.state === state).length),
    of.length,
  ]
  const told = document
    .split('\n')
    .filter((line) => /^\| (?:\d+ \D|\*\*all)/.test(line))
    .map(cells)
  expect(
    told.map(([name = '', ...numbers]) => [name.split(' ')[0], ...numbers.map(Number)]),
  ).toEqual([
    ...Array.from({ length: 17 }, (_, at) => [
      String(at + 1),
      ...counted(rows.filter(({ id }) => id.startsWith(`${at + 1}.`))),
    ]),
    ['**all**', ...counted(rows)],
  ])
})

test('of each that is not met it is said what would be done', () => {
  const list = /## What is not met\n([^]*?)\n## /.exec(document)?.[1] ?? ''
  const inList = [...list.matchAll(/^\| ((?:[\d.]+, )*[\d.]+) /gm)].flatMap(([, ids = '']) =>
    ids.split(', '),
  )
  const notMet = rows.filter(({ state }) => state === 'not met').map(({ id }) => id)
  expect(inList.toSorted()).toEqual(notMet.toSorted())
})
