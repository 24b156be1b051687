// A word of its own in every text of the database; then everybody looks at everything: each word is found by those
// whom it is for, and in nothing that anybody else is answered.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { type ContractRow, contractRows, requestOf } from '../contract-rows.ts'
import { inputs, type Target } from '../contract-inputs.ts'
import { audiences, emptyHere, withoutCanary } from './audiences.ts'
import { type Canary, placeCanaries, textColumns } from './canaries.ts'
import { makeReaders, mayRead, type Reader } from './readers.ts'
import { endConnections, send } from './send.ts'

let app: TestApp
let readers: Reader[]
let targets: Target[]
let canaries: Canary[]
const found = new Map<Canary, Set<string>>()
const leaks: string[] = []
/** What could not answer with a word where it expects something else would hide what it leaks. */
const broken = new Set<string>()

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  const { services } = app
  ;({ readers, targets } = await makeReaders(services))
  const placed = await placeCanaries(services.pool, new Set(Object.keys(withoutCanary)))
  expect(placed.problems).toEqual([])
  ;({ canaries } = placed)
}, 240_000)
afterAll(async () => {
  endConnections()
  await app?.stop()
})

async function look(reader: Reader, request: { method: string; path: string; body?: unknown }) {
  const { method, path, body } = request
  const answer = await send(app.url, {
    method,
    path,
    headers: { cookie: reader.cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
  })
  if (answer.status >= 500) broken.add(`${method} ${path.split('?')[0]!}`)
  const said = answer.text + JSON.stringify(answer.headers)
  if (!said.includes('kanarie')) return
  for (const canary of canaries) {
    if (!said.includes(canary.word)) continue
    found.set(canary, (found.get(canary) ?? new Set()).add(reader.name))
    if (mayRead(reader, canary)) continue
    leaks.push(`${reader.name} was shown ${canary.column} by ${method} ${path.slice(0, 120)}`)
  }
}

/** What leads elsewhere than to the first page of all there is. */
const narrowing = [
  'cursor',
  'search',
  'action',
  'subjectKind',
  'subjectId',
  'actorId',
  'state',
  'status',
]

async function lookThrough(rows: ContractRow[], reader: Reader): Promise<void> {
  for (const target of targets) {
    for (const row of rows) {
      const input = await inputs[row.name]!(target, app.services)
      const wide = Object.entries(input).filter(([name]) => !narrowing.includes(name))
      const given = row.method === 'GET' ? Object.fromEntries(wide) : input
      await look(reader, { method: row.method, ...requestOf(row, given) })
    }
  }
}

test('every column of text has a canary, or a reason', () => {
  const names = textColumns().map(({ table, column }) => `${table}.${column}`)
  const placed = new Set(canaries.map(({ column }) => column))
  const without = names.filter((name) => !placed.has(name) && !(name in withoutCanary))
  expect(without.toSorted()).toEqual(emptyHere)
  for (const name of [...Object.keys(audiences), ...Object.keys(withoutCanary)]) {
    expect(names, name).toContain(name)
  }
})

test('calls that read', { timeout: 600_000 }, async () => {
  const rows = contractRows.filter(({ method }) => method === 'GET')
  for (const reader of readers) await lookThrough(rows, reader)
  expect([...new Set(leaks)]).toEqual([])
  expect([...broken]).toEqual([])
})

test('files that programs ask for', async () => {
  const paths = [
    '/sitemap.xml',
    '/sitemaps/1.xml',
    '/sitemaps/courses-1.xml',
    '/robots.txt',
    '/metrics',
  ]
  for (const { slug } of targets) paths.push(`/og/course/${slug}.png`)
  for (const reader of readers)
    for (const path of paths) await look(reader, { method: 'GET', path })
  expect(leaks).toEqual([])
})

/** Afterwards they would be somebody else, or have no account. */
const changingTheReader = ['enrollment.enroll', 'accounts.deleteAccount', 'billing.demoUpgrade']

test('calls that write, by those whom they are not for', { timeout: 600_000 }, async () => {
  const rows = contractRows.filter(
    ({ method, name }) => method !== 'GET' && !changingTheReader.includes(name),
  )
  for (const reader of readers.slice(0, 2)) await lookThrough(rows, reader)
  expect([...new Set(leaks)]).toEqual([])
})

test('the canaries are alive: everybody found some', () => {
  const columns = new Set([...found.keys()].map(({ column }) => column))
  expect(columns.size).toBeGreaterThan(60)
  for (const { name } of readers) {
    expect(
      [...found.values()].some((by) => by.has(name)),
      name,
    ).toBe(true)
  }
})
