// A word of its own in every text of the database; then everybody looks at everything: each word is found by those
// whom it is for, and in nothing that anybody else is answered.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { type ContractRow, contractRows, inputs, requestOf, type Target } from '../contract-rows.ts'
import {
  joinCourse,
  lessonsOf,
  makeCase,
  makeComment,
  makeMedia,
  makePerson,
  makePost,
  makeReview,
  sessionCookieOf,
} from '../factories.ts'
import { makeWholePerson } from '../whole-person.ts'
import { audiences, emptyHere, withoutCanary } from './audiences.ts'
import { type Canary, placeCanaries, textColumns } from './canaries.ts'
import { endConnections, send } from './send.ts'

interface Reader {
  name: string
  id: string | null
  cookie: string
  isAdministrator?: boolean
  /** By id, the courses that they made and those that they are members of. */
  made: string[]
  joined: string[]
}

let app: TestApp
let readers: Reader[]
let targets: Target[]
let canaries: Canary[]
const found = new Map<Canary, Set<string>>()
const leaks: string[] = []

async function makeReader(name: string): Promise<Reader> {
  const { id } = await makePerson(app.services, { name })
  return { name, id, cookie: await sessionCookieOf(app.services, id), made: [], joined: [] }
}

async function targetIn(
  course: { id: string; slug: string; instructorId: string },
  owner: { id: string },
): Promise<Target> {
  const { services } = app
  const [lesson] = await lessonsOf(services, course.id)
  const { rows } = await services.pool.query<{ id: string }>(
    'select id from chapters where course_id = $1',
    [course.id],
  )
  const postId = await makePost(services, course)
  return {
    courseId: course.id,
    slug: course.slug,
    chapterId: rows[0]!.id,
    lessonId: lesson!.id,
    lessonSlug: lesson!.slug,
    mediaId: await makeMedia(services, owner, { purpose: 'video', courseId: course.id }),
    reviewId: await makeReview(services, course),
    postId,
    commentId: await makeComment(services, postId, { by: owner }),
    caseId: await makeCase(services, course),
  }
}

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  const { services } = app
  const [teacher, member, classmate, outsider, administrator] = await Promise.all(
    ['teacher', 'member', 'classmate', 'outsider', 'administrator'].map(makeReader),
  )
  const of = (reader: Reader | undefined) => ({ ...reader!, id: reader!.id! })
  const whole = await makeWholePerson(services, 'whole', {
    teacher: of(teacher),
    member: of(member),
  })
  const { shared, alone, joined } = whole
  await joinCourse(services, of(classmate), joined)
  await services.pool.query(`update users set role = 'admin' where id = $1`, [administrator!.id])
  const stranger = { name: 'stranger', id: null, cookie: '', made: [], joined: [] }
  readers = [
    stranger,
    outsider!,
    { ...member!, joined: [shared.id] },
    { ...classmate!, joined: [joined.id] },
    { ...teacher!, made: [joined.id] },
    { ...whole, name: 'whole', made: [shared.id, alone.id], joined: [joined.id] },
    { ...administrator!, isAdministrator: true },
  ]
  targets = [await targetIn(shared, whole), await targetIn(joined, of(teacher))]
  const placed = await placeCanaries(services.pool, new Set(Object.keys(withoutCanary)))
  expect(placed.problems).toEqual([])
  ;({ canaries } = placed)
}, 240_000)
afterAll(async () => {
  endConnections()
  await app?.stop()
})

function mayRead(reader: Reader, { column, courseId, people }: Canary): boolean {
  const makes = courseId !== null && reader.made.includes(courseId)
  const isMember = courseId !== null && reader.joined.includes(courseId)
  return (audiences[column] ?? []).some((audience) => {
    switch (audience) {
      case 'all':
        return true
      case 'signedIn':
        return reader.id !== null
      case 'own':
        return reader.id !== null && people.includes(reader.id)
      case 'creator':
        return makes
      case 'moderators':
        return makes || reader.isAdministrator
      case 'learners':
        return makes || isMember || reader.isAdministrator
      case 'administrators':
        return reader.isAdministrator
    }
  })
}

async function look(reader: Reader, request: { method: string; path: string; body?: unknown }) {
  const { method, path, body } = request
  const answer = await send(app.url, {
    method,
    path,
    headers: { cookie: reader.cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
  })
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
