// What a node keeps in its memory of what is switched off. What that does to calls is in features.test.ts.
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { featureKey, featureNames, offSentence } from '../domains/administration/features.ts'
import { openFeatureSwitches } from './feature-switches.ts'

type Rows = { key: string; value: { notice: string } | null }[]

/** A database that answers when the test says so. */
function slowDatabase() {
  const waiting: ((rows: Rows) => void)[] = []
  const asked: unknown[][] = []
  const query = (...statement: unknown[]) => {
    asked.push(statement)
    const { promise, resolve } = Promise.withResolvers<{ rows: Rows }>()
    waiting.push((rows) => resolve({ rows }))
    return promise
  }
  return { pool: { query } as unknown as Pool, waiting, asked }
}

const [first, second] = featureNames as unknown as [
  (typeof featureNames)[0],
  (typeof featureNames)[1],
]
const off = (name: typeof first | typeof second, notice = '') => ({
  key: featureKey(name),
  value: { notice },
})

async function opened(rows: Rows) {
  const database = slowDatabase()
  const opening = openFeatureSwitches(database.pool)
  database.waiting.shift()!(rows)
  return { ...database, switches: await opening }
}

test('a node knows from its start what is off, in words, and nothing else of the settings', async () => {
  const rows = [off(first, 'Back at noon.'), { key: featureKey(second), value: null }]
  const { switches, asked } = await opened([...rows, { key: 'other', value: { notice: '' } }])
  expect(switches.off).toEqual({ [first]: offSentence(first, 'Back at noon.') })
  expect(asked).toEqual([
    ['select key, value from settings where key = any($1)', [featureNames.map(featureKey)]],
  ])
})

test('its version is another one whenever something is switched', async () => {
  const { switches, waiting } = await opened([])
  const versions = [switches.version]
  for (const rows of [[off(first)], [off(second)], []]) {
    const reading = switches.read()
    waiting.shift()!(rows)
    await reading
    versions.push(switches.version)
  }
  expect(new Set(versions).size).toBe(3)
  expect(versions[3]).toBe(versions[0])
})

test('a slow answer does not take the place of one that was asked for later', async () => {
  const { switches, waiting } = await opened([])
  const early = switches.read()
  const late = switches.read()
  waiting[1]!([off(second)])
  await late
  waiting[0]!([off(first)])
  await early
  expect(Object.keys(switches.off)).toEqual([second])
})

test('it may be asked by another connection', async () => {
  const { switches, asked } = await opened([])
  const other = slowDatabase()
  const reading = switches.read(other.pool)
  other.waiting[0]!([off(first)])
  await reading
  expect(Object.keys(switches.off)).toEqual([first])
  expect(asked).toHaveLength(1)
})
