// Who gets through which door: every call of the contract, and the doors beside it, for everybody whom
// they are not for. The right person's success with the same input is what makes a refusal mean access.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uploadKey } from '../src/domains/media/finish-upload.ts'
import { videoAddress } from '../src/domains/media/video-address.ts'
import { richTextFrom } from '../src/domains/lessons/rich-text.ts'
import type { Answer, TestApp } from './app.ts'
import { startTestApp } from './app.ts'
import { type ContractRow, contractRows, requestOf } from './contract-rows.ts'
import { type Input, inputs, type Target } from './contract-inputs.ts'
import { previewIn } from './input-makers.ts'
import {
  joinCourse,
  lessonsOf,
  makeCase,
  makeComment,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  makeReview,
  sessionCookieOf,
} from './factories.ts'

interface Caller {
  id: string
  email: string
  cookie: string
}

/** Written into the lessons and the video of a course: for those who take it, nobody else. */
const secretOf = (title: string) => `secret of the ${title}`.replaceAll(' ', '-')

let app: TestApp
let owner: Caller
let member: Caller
let outsider: Caller
let administrator: Caller
let published: Target
let draft: Target
/** The outsider's own, published. */
let foreign: Target
let before: unknown[]
/** All that was ever answered in this file, with the person who got it. */
const answers: { caller: Caller | null; from: string; text: string }[] = []

async function makeCaller(name: string): Promise<Caller> {
  const person = await makePerson(app.services, { name, email: `canary-${name}@private.example` })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

async function makeTarget(
  creator: Caller,
  title: string,
  status: 'draft' | 'published',
): Promise<Target> {
  const course = await makeCourse(app.services, creator, {
    title,
    status,
    chapters: [
      {
        title: 'Chapter 1',
        lessons: [
          { title: `First of ${title}`, content: secretOf(title) },
          { title: 'Second', content: secretOf(title) },
        ],
      },
    ],
  })
  const [lesson] = await lessonsOf(app.services, course.id)
  const { rows } = await app.services.pool.query<{ id: string }>(
    'select id from chapters where course_id = $1',
    [course.id],
  )
  await previewIn({ courseId: course.id, chapterId: rows[0]!.id }, app.services)
  const mediaId = await makeMedia(app.services, creator, { purpose: 'video', courseId: course.id })
  await app.services.storage.put(uploadKey(mediaId), Buffer.alloc(1000, secretOf(title)))
  const postId = await makePost(app.services, course, { content: secretOf(title) })
  const commentId = await makeComment(app.services, postId, {
    by: creator,
    content: secretOf(title),
  })
  return {
    courseId: course.id,
    slug: course.slug,
    chapterId: rows[0]!.id,
    lessonId: lesson!.id,
    lessonSlug: lesson!.slug,
    mediaId,
    reviewId: await makeReview(app.services, course),
    postId,
    commentId,
    caseId: await makeCase(app.services, course, { content: secretOf(title) }),
  }
}

/** Like the app's `request`, but ends streams and remembers who was told what. */
async function send(
  caller: Caller | null,
  path: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Pick<Answer, 'status' | 'body' | 'headers'>> {
  const raw = options.body instanceof Uint8Array
  const response = await fetch(app.url + path, {
    method: options.method ?? 'GET',
    body: raw
      ? (options.body as BodyInit)
      : options.body
        ? JSON.stringify(options.body)
        : undefined,
    headers: {
      ...(options.body && !raw ? { 'content-type': 'application/json' } : {}),
      ...(caller ? { cookie: caller.cookie } : {}),
      ...options.headers,
    },
    redirect: 'manual',
  })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, body: '', headers: response.headers }
  }
  const text = await response.text()
  answers.push({ caller, from: path, text })
  const body = type.includes('json') ? JSON.parse(text) : text
  return { status: response.status, body, headers: response.headers }
}

async function call(caller: Caller | null, row: ContractRow, target: Target, more: Input = {}) {
  const makeInput = inputs[row.name]
  if (!makeInput) throw new Error(`${row.name} is missing in test/contract-rows.ts`)
  const input = await makeInput(target, app.services)
  const { path, body } = requestOf(row, { ...input, ...more })
  return send(caller, path, { method: row.method, body })
}

/** Everything of the owner's that an outsider might have changed. */
async function contentOfOwner() {
  const { rows } = await app.services.pool.query(
    `select to_jsonb(c) as course,
            (select jsonb_agg(to_jsonb(l) order by l.id) from lessons l where l.course_id = c.id) as lessons,
            (select count(*)::int from lesson_completions x where x.course_id = c.id) as completions
       from courses c where c.instructor_id = $1 order by c.title`,
    [owner.id],
  )
  return rows
}

beforeAll(async () => {
  app = await startTestApp()
  owner = await makeCaller('owner')
  member = await makeCaller('member')
  outsider = await makeCaller('outsider')
  administrator = await makeCaller('administrator')
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [administrator.id])
  published = await makeTarget(owner, 'Open course', 'published')
  draft = await makeTarget(owner, 'Hidden course', 'draft')
  foreign = await makeTarget(outsider, 'Foreign course', 'published')
  await joinCourse(app.services, member, { id: published.courseId, instructorId: owner.id })
  await joinCourse(app.services, member, { id: foreign.courseId, instructorId: outsider.id })
  before = await contentOfOwner()
})
afterAll(() => app.stop())

test('every call has an input here, and every input a call', () => {
  expect(Object.keys(inputs).toSorted()).toEqual(contractRows.map(({ name }) => name).toSorted())
})

const guarded = contractRows.filter(({ access }) => access !== 'public')
const rowsFor = (...access: string[]) => contractRows.filter((row) => access.includes(row.access))

describe('a stranger', () => {
  test.each(guarded)('is asked to sign in by $name', async (row) => {
    for (const target of [published, draft]) {
      const { status, body } = await call(null, row, target)
      expect(status).toBe(401)
      expect(body.message).toBe('User must be authenticated')
    }
  })

  test.each(guarded)('gets no further at $name with a cookie that nobody signed', async (row) => {
    const cookie = 'thunder.session_token=made-up.c2lnbmF0dXJl'
    const forger = { id: '', email: '', cookie }
    expect((await call(forger, row, published)).status).toBe(401)
  })

  test('does not see drafts on public calls', async () => {
    for (const row of rowsFor('public')) {
      const { body } = await call(null, row, draft)
      expect(JSON.stringify(body)).not.toContain('Hidden course')
    }
    const byId = await send(null, `/rest/v1/courses/${draft.courseId}`)
    expect(byId.status).toBe(404)
  })
})

describe('a signed-in person without the course', () => {
  test.each(rowsFor('member', 'moderator', 'instructor'))('is refused by $name', async (row) => {
    expect((await call(outsider, row, published)).status).toBe(403)
    // That a draft exists is not theirs to know.
    const hidden = await call(outsider, row, draft)
    const nothing = await call(outsider, row, {
      ...draft,
      courseId: crypto.randomUUID(),
      slug: 'there-is-no-such-course',
      lessonId: crypto.randomUUID(),
      postId: crypto.randomUUID(),
      commentId: crypto.randomUUID(),
      caseId: crypto.randomUUID(),
    })
    expect(hidden.status).toBe(404)
    expect(hidden.body).toEqual(nothing.body)
  })

  test.each(rowsFor('member', 'moderator', 'instructor'))(
    'cannot pass $name by naming a second course',
    async (row) => {
      const { courseId, slug } = foreign
      const additions: Record<string, string>[] = [{ courseId }, { slug }, { courseId, slug }]
      for (const more of additions) {
        // Names in the path stay what they are; these are added to the query or to the body.
        const input = await inputs[row.name]!(published, app.services)
        const { path, body } = requestOf(row, input)
        const query = new URLSearchParams(more)
        const { body: answer } = await send(outsider, `${path}?${query}`, {
          method: row.method,
          body: body && { ...body, ...more },
        })
        expect(JSON.stringify(answer)).not.toContain(published.lessonId)
        expect(JSON.stringify(answer)).not.toContain(published.courseId)
      }
    },
  )

  test.each(rowsFor('moderator', 'instructor'))('cannot $name as a member either', async (row) => {
    expect((await call(member, row, published)).status).toBe(403)
  })

  test.each(rowsFor('admin'))('cannot $name', async (row) => {
    expect((await call(owner, row, published)).status).toBe(403)
  })

  test('cannot join a draft or learn about it', async () => {
    const row = (name: string) => contractRows.find((one) => one.name === name)!
    expect((await call(outsider, row('enrollment.enroll'), draft)).status).toBe(404)
    expect((await call(outsider, row('enrollment.canEnrollInCourse'), draft)).body).toBe(false)
    expect((await call(outsider, row('courses.getCoursePage'), draft)).status).toBe(404)
    expect((await call(outsider, row('media.getMedia'), published)).status).toBe(404)
    expect((await call(administrator, row('media.getMedia'), published)).status).toBe(404)
  })

  test('changed nothing', async () => {
    expect(await contentOfOwner()).toEqual(before)
  })
})

describe('what belongs to another course', () => {
  test('a lesson is found under its own course only', async () => {
    for (const caller of [member, owner]) {
      const path = `/rest/v1/courses/${published.slug}/lessons/${foreign.lessonSlug}`
      expect((await send(caller, path)).status).toBe(404)
    }
  })

  test('a lesson of another course is not ticked by naming an own one beside it', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const { status } = await send(outsider, `/rest/v1/lessons/${published.lessonId}/completion`, {
        method,
        body: { courseId: foreign.courseId },
      })
      expect(status).toBe(403)
    }
    const { status } = await send(outsider, `/rest/v1/lessons/${published.lessonId}/position`, {
      method: 'PUT',
      body: { courseId: foreign.courseId, seconds: 3 },
    })
    expect(status).toBe(403)
  })

  test.each([
    ['chapter', (): Partial<Target> => ({ chapterId: published.chapterId })],
    ['lesson', (): Partial<Target> => ({ lessonId: published.lessonId })],
    ['video', (): Partial<Target> => ({ mediaId: published.mediaId })],
  ])('a %s of another course cannot be saved into an own one', async (_what, part) => {
    const save = contractRows.find(({ name }) => name === 'courses.saveCourseContent')!
    const { status, body } = await call(outsider, save, { ...foreign, ...part() })
    expect(status).toBe(400)
    expect(body.message).toMatch(/\w+ \w+/)
  })

  test.each(['postId', 'commentId', 'caseId'] as const)(
    'a %s of another course opens nothing beside an own course',
    async (key) => {
      const { courseId, slug } = foreign
      for (const row of rowsFor('member', 'moderator', 'instructor')) {
        const input = await inputs[row.name]!(foreign, app.services)
        if (!(key in input)) continue
        const { path, body } = requestOf(row, { ...input, [key]: published[key] })
        const query = new URLSearchParams({ courseId, slug })
        const { status } = await send(outsider, `${path}?${query}`, {
          method: row.method,
          body: body && { ...body, courseId, slug },
        })
        expect(status, row.name).toBe(403)
      }
    },
  )

  test('a thumbnail of somebody else cannot be used', async () => {
    const thumbnailId = await makeMedia(app.services, owner, { purpose: 'thumbnail' })
    const patched = await send(outsider, `/rest/v1/courses/${foreign.courseId}`, {
      method: 'PATCH',
      body: { thumbnailId },
    })
    expect(patched.status).toBe(400)
    const created = await send(administrator, '/rest/v1/courses', {
      method: 'POST',
      body: {
        title: 'With a stolen picture',
        description: richTextFrom('x'),
        category: 'Art',
        thumbnailId,
      },
    })
    expect(created.status).toBe(400)
  })
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const tus = { 'tus-resumable': '1.0.0' }
const creation = (courseId: string) => ({
  ...tus,
  'upload-length': '100',
  'upload-metadata': `filename ${base64('a.mp4')},filetype ${base64('video/mp4')},purpose ${base64('video')},courseId ${base64(courseId)}`,
})

describe('the doors beside the contract', () => {
  // Who had no right to switch uploads on again has left them off, and the node may have found that out.
  beforeAll(async () => {
    await app.services.pool.query(`delete from settings where key = 'feature:uploads'`)
    await app.services.features.read()
  })

  test('an upload starts for the instructor only', async () => {
    const start = async (caller: Caller | null, target: Target) => {
      const options = { method: 'POST', headers: creation(target.courseId) }
      return (await send(caller, '/storage/v1/uploads', options)).status
    }
    expect(await start(null, published)).toBe(401)
    expect(await start(outsider, published)).toBe(403)
    expect(await start(member, published)).toBe(403)
    expect(await start(administrator, published)).toBe(403)
    expect(await start(outsider, draft)).toBe(404)
    expect(await start(owner, published)).toBe(201)
  })

  test('an upload belongs to the person who started it', async () => {
    const options = { method: 'POST', headers: creation(published.courseId) }
    const { headers } = await send(owner, '/storage/v1/uploads', options)
    const path = new URL(headers.get('location')!, `${app.url}/storage/v1/uploads`).pathname
    const attempts = [
      { method: 'HEAD', headers: tus },
      {
        method: 'PATCH',
        headers: {
          ...tus,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        },
        body: Buffer.alloc(10),
      },
      { method: 'DELETE', headers: tus },
    ]
    for (const attempt of attempts) {
      expect((await send(null, path, attempt)).status).toBe(401)
      for (const caller of [outsider, member, administrator]) {
        expect((await send(caller, path, attempt)).status).toBe(404)
      }
    }
    const state = await send(owner, path, { method: 'HEAD', headers: tus })
    expect(state.headers.get('upload-offset')).toBe('0')
  })

  test('a video is delivered to members, the instructor and administrators', async () => {
    const statusFor = async (caller: Caller | null, { mediaId }: Target, method = 'GET') => {
      const viewerId = caller?.id ?? null
      const address = videoAddress({ mediaId, viewerId, secret: app.services.secret })
      return (await send(caller, `${address}/original`, { method })).status
    }
    for (const method of ['GET', 'HEAD']) {
      expect(await statusFor(null, published, method)).toBe(401)
      expect(await statusFor(null, draft, method)).toBe(401)
      expect(await statusFor(outsider, published, method)).toBe(403)
      expect(await statusFor(outsider, draft, method)).toBe(404)
    }
    for (const caller of [member, owner, administrator]) {
      expect(await statusFor(caller, published)).toBe(200)
    }
  })

  test('an address of a video is worth nothing to somebody else', async () => {
    const { secret } = app.services
    const address = videoAddress({ mediaId: published.mediaId, viewerId: owner.id, secret })
    for (const [caller, status] of [
      [null, 401],
      [outsider, 403],
      [member, 403],
      [administrator, 403],
    ] as const) {
      expect((await send(caller, `${address}/original`)).status).toBe(status)
    }
    for (const caller of [member, owner]) {
      expect((await send(caller, `/storage/v1/videos/${published.mediaId}`)).status).toBe(404)
    }
  })

  test('a picture address leads to no video', async () => {
    expect((await send(outsider, `/storage/v1/images/${published.mediaId}/640.webp`)).status).toBe(
      404,
    )
  })

  test('caught mails are for this machine, not for visitors behind a proxy', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.5' }
    for (const path of ['/outbox', '/outbox/mails.json']) {
      expect((await send(outsider, path, { headers })).status).toBe(403)
    }
  })
})

describe('the right person', () => {
  /** Whom a row is for; a signed-in row that is about something is about something of one's own. */
  const rightCallers: Record<string, () => Caller | null> = {
    public: () => null,
    signedIn: () => owner,
    member: () => member,
    moderator: () => owner,
    instructor: () => owner,
    admin: () => administrator,
  }

  /** What the owner of the target wrote there is changed by nobody else. */
  const byItsAuthor = [
    'community.updatePost',
    'community.deletePost',
    'community.updateComment',
    'community.deleteComment',
  ]

  const subscribers = [
    'billing.demoUpgrade',
    'billing.cancelSubscription',
    'billing.reactivateSubscription',
  ]

  /** Nobody buys an own course, or one that is free. */
  const buyers = ['purchases.courseCheckout', 'purchases.quoteCoupon']

  /** Past the door; what is done with a monthly course is in life.test.ts. */
  const ofMonthlyCourses = ['purchases.cancelPurchase', 'purchases.resumePurchase']

  const ofPro = [
    'enrollment.exportMembers',
    'analytics.getAdvancedAnalytics',
    'analytics.exportAnalytics',
    'analytics.exportStudents',
    'challenges.enterChallenge',
    'branding.saveBranding',
  ]
  /** Past the door; nobody here is suspended. What is behind it is in suspensions.test.ts. */
  const ofTheSuspended = [
    'administration.appealMySuspension',
    'administration.appealCourseSuspension',
  ]
  const stoppedByPlan = [
    'courseTransfer.duplicateCourse',
    'courseTransfer.startImport',
    'courseTransfer.retryImport',
  ]

  test.each(contractRows)('gets through $name', async (row) => {
    if (row.name === 'accounts.deleteAccount') {
      const leaver = await makeCaller('leaver')
      const { status } = await call(leaver, row, published, { password: 'correct horse' })
      expect(status).toBe(200)
      return
    }
    if (row.name === 'courses.deleteCourse') {
      // The others are looked at until the end.
      const doomed = await makeTarget(owner, 'Doomed course', 'published')
      expect((await call(owner, row, doomed)).status).toBe(200)
      return
    }
    if (row.name === 'enrollment.leaveCourse') {
      const { status } = await call(outsider, row, published)
      expect(status).toBe(200)
      return
    }
    if (row.name === 'applications.submitApplication') {
      const asking = await makeTarget(owner, 'Guarded course', 'published')
      await app.services.pool.query(
        'update courses set application_required = true where id = $1',
        [asking.courseId],
      )
      expect((await call(outsider, row, asking)).status).toBe(200)
      return
    }
    if (subscribers.includes(row.name)) {
      // Somebody else: the owner stays on the free plan.
      const subscriber = await makeCaller(row.name.replace('billing.', ''))
      const demo = contractRows.find(({ name }) => name === 'billing.demoUpgrade')!
      expect((await call(subscriber, demo, published)).status).toBe(200)
      if (row !== demo) expect((await call(subscriber, row, published)).status).toBe(200)
      return
    }
    if (buyers.includes(row.name)) {
      const priced = await makeTarget(owner, 'Priced course', 'published')
      await app.services.pool.query(
        `update courses set pricing_type = 'one_time', price_amount = 2900 where id = $1`,
        [priced.courseId],
      )
      expect((await call(outsider, row, priced)).status).toBe(200)
      return
    }
    if (ofTheSuspended.includes(row.name)) {
      const { status, body } = await call(owner, row, published)
      expect([status, body.code]).toEqual([409, 'NOT_SUSPENDED'])
      return
    }
    if (row.name === 'certificates.claimCertificate') {
      // Past the door; who completed everything is in certificates.test.ts.
      const { status, body } = await call(member, row, published)
      expect([status, body.code]).toEqual([409, 'NOT_COMPLETE'])
      return
    }
    if (ofMonthlyCourses.includes(row.name)) {
      const { status, body } = await call(owner, row, published)
      expect([status, body.code]).toEqual([409, 'NOT_MONTHLY'])
      return
    }
    if (stoppedByPlan.includes(row.name)) {
      // Past the door, to the limit of the plan; what happens below it is in the tests of course-transfer.
      const { status, body } = await call(owner, row, published)
      expect([status, body.code]).toEqual([403, 'COURSE_LIMIT'])
      return
    }
    if (ofPro.includes(row.name)) {
      // Past the door; what is behind Pro is in members.test.ts and analytics.test.ts.
      const { status, body } = await call(owner, row, published)
      expect([status, body.code]).toEqual([403, 'PRO_ONLY'])
      return
    }
    if (row.name === 'courses.createCourse') {
      // The owner has as many courses as the plan allows.
      const { status } = await call(member, row, published)
      expect(status).toBe(200)
      return
    }
    const caller = byItsAuthor.includes(row.name) ? owner : rightCallers[row.access]!()
    const { status } = await call(caller, row, published)
    expect(status).toBe(200)
    if (row.name === 'courses.unpublishCourse') {
      const publish = contractRows.find(({ name }) => name === 'courses.publishCourse')!
      expect((await call(owner, publish, published)).status).toBe(200)
    }
  })

  test.each(rowsFor('moderator'))(
    'gets through $name as an administrator, who moderates every course',
    async (row) => {
      for (const target of [published, draft, foreign]) {
        expect((await call(administrator, row, target)).status).toBe(200)
      }
    },
  )

  test('members keep a course that became a draft; nobody else sees it', async () => {
    const row = (name: string) => contractRows.find((one) => one.name === name)!
    await call(outsider, row('courses.unpublishCourse'), foreign)
    expect((await call(member, row('lessons.getLesson'), foreign)).status).toBe(200)
    expect((await call(owner, row('lessons.getLesson'), foreign)).status).toBe(404)
    expect((await call(null, row('courses.getCoursePage'), foreign)).status).toBe(404)
  })
})

describe('in all that was answered', () => {
  test('nobody was told the email address of somebody else', async () => {
    for (const person of [owner, member, outsider, administrator]) {
      // The canaries are alive: one's own address is where it belongs.
      expect((await send(person, '/rest/v1/me')).body.email).toBe(person.email)
    }
    expect(answers.length).toBeGreaterThan(200)
    const everybody = [owner, member, outsider, administrator]
    // Creators know who takes their courses.
    const isAboutOwnMembers = (caller: Caller | null, from: string) =>
      [published, draft, foreign].some(
        ({ courseId, slug }) =>
          caller?.id === (courseId === foreign.courseId ? outsider.id : owner.id) &&
          [courseId, slug].some((one) => from.startsWith(`/rest/v1/courses/${one}/members`)),
      )
    const told = answers.flatMap(({ caller, from, text }) =>
      everybody
        .filter((person) => person.id !== caller?.id && text.includes(person.email))
        .filter(() => !isAboutOwnMembers(caller, from))
        // Administrators find people by their addresses.
        .filter(() => caller !== administrator || !from.startsWith('/rest/v1/admin/people'))
        .map((person) => `${caller?.email ?? 'a stranger'} was told ${person.email} by ${from}`),
    )
    expect(told).toEqual([])
  })

  test('lessons and videos reached those who take the course, and nobody else', () => {
    const entitled: Record<string, Caller[]> = {
      'Open course': [owner, member, administrator],
      'Hidden course': [owner, administrator],
      'Foreign course': [outsider, member, administrator],
    }
    for (const [title, people] of Object.entries(entitled)) {
      const readers = answers.filter(({ text }) => text.includes(secretOf(title)))
      const others = readers.filter(({ caller }) => !people.some(({ id }) => id === caller?.id))
      expect(others.map(({ from }) => from)).toEqual([])
      if (title !== 'Hidden course') expect(readers.length).toBeGreaterThan(0)
    }
  })
})
