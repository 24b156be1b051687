// Each call that takes an Idempotency-Key does what it does in transactions that note it: so it is done once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDoneOnce } from '../src/server/api.ts'
import { startTestApp, type TestApp } from './app.ts'
import { inputs } from './contract-inputs.ts'
import { contractRows, requestOf } from './contract-rows.ts'
import {
  completeLessons,
  joinCourse,
  makeCourse,
  type MadePerson,
  makePerson,
  sessionCookieOf,
} from './factories.ts'
import { makeTarget } from './make-target.ts'
import { watchStatements } from './statements.ts'

let app: TestApp
let statements: ReturnType<typeof watchStatements>
beforeAll(async () => {
  app = await startTestApp()
  // Videos are queued, and nobody converts them.
  Object.assign(app.services, { ffmpeg: {} })
  statements = watchStatements(app)
})
afterAll(() => app?.stop())

/** What is for others than the creator of the course. */
const byOthers = new Set([
  'applications.submitApplication',
  'certificates.claimCertificate',
  'moderation.reportContent',
])
const members = new Set(['certificates.claimCertificate', 'moderation.reportContent'])

const writing =
  /\binsert into\b|\bdelete from\b|\bupdate\s+\S+(?:\s+\w+)?\s+set\b|pg_notify|add_job/i
/** What is counted whatever becomes of the request. */
const besides = /^\s*insert into "?(?:idempotency_keys|rate_limits)\b/i
const keeping = /^update "idempotency_keys" set "done_at" = now\(\), "answer" = /
const note = /^update "idempotency_keys" set "done_at" = now\(\) where/

/** What was written: outside of transactions, and in those that do not note it. */
function unnoted(texts: string[]): string[] {
  const found: string[] = []
  let open: string[] | null = null
  for (const text of texts) {
    if (/^begin\b/i.test(text)) open = []
    else if (/^(?:commit|rollback)$/i.test(text)) {
      const written: string[] = open ?? []
      if (!written.some((one) => note.test(one))) found.push(...written)
      open = null
    } else if (writing.test(text)) (open ?? found).push(text)
  }
  return found.filter((text) => !besides.test(text) && !keeping.test(text))
}

async function caller(name: string, owner: MadePerson, course: { id: string }) {
  if (!byOthers.has(name)) return owner
  const other = await makePerson(app.services)
  if (members.has(name)) {
    await joinCourse(app.services, other, { id: course.id, instructorId: owner.id })
    await completeLessons(app.services, other, course, 10)
  } else {
    await app.services.pool.query('update courses set application_required = true where id = $1', [
      course.id,
    ])
  }
  return other
}

const keyed = contractRows.filter((row) => isDoneOnce(row, row.method))

test.each(keyed)('$name notes in its transaction that it is done', async (row) => {
  const owner = await makePerson(app.services)
  await app.services.pool.query('insert into plan_grants (user_id) values ($1)', [owner.id])
  const course = await makeCourse(app.services, owner)
  const target = await makeTarget(app.services, course)
  const { id } = await caller(row.name, owner, course)
  const cookie = await sessionCookieOf(app.services, id)
  const { path, body } = requestOf(row, await inputs[row.name]!(target, app.services))
  const headers = { 'idempotency-key': randomUUID() }
  const send = () => app.request(path, { method: row.method, body, cookie, headers })
  const asked = await statements.during(async () => {
    const { status, body: said } = await send()
    expect([status, said.message]).toEqual([200, undefined])
  })
  expect(asked.filter((text) => keeping.test(text))).toHaveLength(1)
  expect(unnoted(asked)).toEqual([])
  expect((await send()).headers.get('idempotency-replayed')).toBe('true')
})

test('what is not noted would be found', () => {
  const change = 'update courses c set status = $1'
  const done = 'update "idempotency_keys" set "done_at" = now() where "key" = $1'
  expect(unnoted([change])).toEqual([change])
  expect(unnoted(['begin', change, 'commit'])).toEqual([change])
  expect(unnoted(['begin', change, done, 'commit', 'select 1 for update'])).toEqual([])
  expect(unnoted(['begin', done, 'commit', 'begin read only', 'select 1', 'commit'])).toEqual([])
})
