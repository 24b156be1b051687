// Captions through the API: who may, what is kept, and what is told otherwise.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeCourse,
  makeMedia,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { captionsOf } from './caption-queries.ts'
import { mediaFiles } from './tables.ts'

interface Caller {
  id: string
  cookie: string
}

let app: TestApp
let owner: Caller
let other: Caller
let member: Caller
let mediaId: string
let otherVideo: string

async function someone(): Promise<Caller> {
  const { id } = await makePerson(app.services)
  return { id, cookie: await sessionCookieOf(app.services, id) }
}

async function videoOf(person: Caller, facts: Partial<Parameters<typeof makeMedia>[2]> = {}) {
  const course = await makeCourse(app.services, person)
  const made = { purpose: 'video' as const, courseId: course.id, ...facts }
  return { course, id: await makeMedia(app.services, person, made) }
}

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, other, member] = [await someone(), await someone(), await someone()]
  const video = await videoOf(owner)
  mediaId = video.id
  await joinCourse(app.services, member, video.course)
  otherVideo = (await videoOf(other)).id
})
afterAll(() => app?.stop())

const pathOf = (id: string, language = '') =>
  `/rest/v1/media/${id}/captions${language && `/${language}`}`

const put = (language: string, body: unknown, person: Caller | null = owner, id = mediaId) =>
  app.request(pathOf(id, language), { method: 'PUT', body, cookie: person?.cookie })
const get = (language = '', person: Caller | null = owner, id = mediaId) =>
  app.request(pathOf(id, language), { cookie: person?.cookie })
const remove = (language: string, person: Caller | null = owner, id = mediaId) =>
  app.request(pathOf(id, language), { method: 'DELETE', cookie: person?.cookie })
const removeSavedAt = (language: string, updatedAt: string) =>
  app.request(pathOf(mediaId, language), {
    method: 'DELETE',
    body: { updatedAt },
    cookie: owner.cookie,
  })

const cues = [
  { start: 0.5, end: 2, text: 'Hello & <b>welcome</b>' },
  { start: 2, end: 3.25, text: 'Two\nlines' },
]
const srt = '1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Hi</i> <script>alert(1)</script>\r\n'

describe('an instructor', () => {
  test('saves a file or captions, one set per language, and gets them back', async () => {
    expect((await get()).body).toEqual({ captions: [], durationSeconds: null })
    const file = await put('en', { file: srt })
    expect([file.status, file.body]).toEqual([
      200,
      {
        language: 'en',
        label: 'English',
        cuesCount: 1,
        updatedAt: expect.any(String),
        warning: null,
      },
    ])
    expect((await get('en')).body).toEqual({
      language: 'en',
      label: 'English',
      cues: [{ start: 1, end: 2, text: 'Hi <script>alert(1)</script>' }],
      updatedAt: file.body.updatedAt,
    })
    expect((await put('pt-BR', { cues })).status).toBe(200)
    expect((await get('pt-BR')).body.cues).toEqual(cues)
    expect(await captionsOf(app.services.db, mediaId, 'pt-BR')).toEqual(cues)
    expect(await captionsOf(app.services.db, mediaId, 'de')).toBeNull()

    expect((await put('en', { cues })).body.cuesCount).toBe(2)
    const list = (await get()).body.captions
    expect(
      list.map((one: { label: string; cuesCount: number }) => [one.label, one.cuesCount]),
    ).toEqual([
      ['English', 2],
      ['Portuguese (Brazil)', 2],
    ])
  })

  test('removes a language', async () => {
    await put('fr', { cues })
    expect((await remove('fr')).body).toEqual({ language: 'fr' })
    expect([(await remove('fr')).status, (await get('fr')).status]).toEqual([404, 404])
  })

  test('removes none that were saved since', async () => {
    const { updatedAt } = (await put('it', { cues })).body
    await put('it', { cues: [cues[0]] })
    const refused = await removeSavedAt('it', updatedAt)
    expect([refused.status, refused.body.code]).toEqual([409, 'CAPTIONS_CHANGED'])
    const now = (await get('it')).body
    expect(now.cues).toEqual([cues[0]])
    expect((await removeSavedAt('it', now.updatedAt)).body).toEqual({ language: 'it' })
  })

  test('is told when captions go on after the video', async () => {
    const { id } = await videoOf(owner)
    const long = await app.services.db
      .update(mediaFiles)
      .set({ durationSeconds: 1.5 })
      .where(eq(mediaFiles.id, id))
      .returning()
    expect(long).toHaveLength(1)
    const saved = await put('en', { cues }, owner, id)
    expect(saved.body.warning).toMatch(/^1 caption starts after the end of the video/)
    expect((await get('', owner, id)).body.durationSeconds).toBe(1.5)
  })

  test('writes over nothing that was saved since it was opened, unless nothing is said of that', async () => {
    const saved = (text: string, updatedAt?: string | null) =>
      put('nl', { cues: [{ ...cues[0], text }], updatedAt })
    const words = async () => (await get('nl')).body.cues[0].text
    const first = await saved('First', null)
    expect(first.status).toBe(200)
    const refused = await saved('From a tab that knows of none', null)
    expect([refused.status, refused.body.code]).toEqual([409, 'CAPTIONS_CHANGED'])
    expect(refused.body.message).toMatch(/^These captions were changed in another tab/)
    expect(await words()).toBe('First')

    const { updatedAt } = (await get('nl')).body
    expect(updatedAt).toBe(first.body.updatedAt)
    expect((await saved('Second', updatedAt)).status).toBe(200)
    expect((await saved('From the former', updatedAt)).status).toBe(409)
    expect(
      (await put('nl', { file: '1\n00:00:01,000 --> 00:00:02,000\nFile', updatedAt })).status,
    ).toBe(409)
    expect(await words()).toBe('Second')
    // Its answer may have been lost on the way.
    expect((await saved('Second', updatedAt)).status).toBe(200)
    expect((await saved('From a program')).status).toBe(200)
    expect(await words()).toBe('From a program')
    expect((await saved('A', 'yesterday')).status).toBe(422)
    expect((await saved('A', '0000-01-01T00:00:00Z')).status).toBe(409)
    const lost = await put('nl', { cues, updatedAt }, owner, crypto.randomUUID())
    expect(lost.status).toBe(404)
  })

  test('of ten who save over the same at once, one does', async () => {
    const { updatedAt } = (await put('sv', { cues })).body
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        put('sv', { cues: [{ ...cues[0], text: `${at}` }], updatedAt }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  test('saves from two tabs at once, and one of them stays', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => put('it', { cues: [{ ...cues[0], text: `${at}` }] })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await get('it')).body.cues).toHaveLength(1)
  })
})

describe('refused', () => {
  test.each([
    ['broken times', { file: '1\n00:00:01 --> soon\nHi' }, 'Line 2: “00:00:01 --> soon”'],
    ['an end before its start', { cues: [{ start: 2, end: 1, text: 'A' }] }, 'Caption 1: it ends'],
    ['no order', { cues: [cues[1], cues[0]] }, 'Caption 2: it starts at 00:00:00.500'],
    ['nothing', { cues: [] }, 'There has to be at least one caption.'],
    ['a film', { file: '\0\0\0 ftypisom' }, 'This is no captions file.'],
    ['more than 1 MB', { file: 'a'.repeat(1_048_577) }, 'at most 1 MB'],
  ])('%s, with its place', async (_what, body, message) => {
    const before = (await get('en')).body
    const answer = await put('en', body)
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)])
    expect((await get('en')).body).toEqual(before)
  })

  test.each([
    ['neither', {}],
    ['both', { file: srt, cues }],
    ['no cues', { cues: 'Hello' }],
    ['no numbers', { cues: [{ start: '1', end: null, text: 'A' }] }],
    ['before the video', { cues: [{ start: -1, end: 1, text: 'A' }] }],
    ['longer than a day', { cues: [{ start: 1, end: 1e9, text: 'A' }] }],
    ['too many', { cues: Array(10_001).fill(cues[0]) }],
  ])('%s', async (_what, body) => {
    const answer = await put('en', body)
    expect([answer.status, answer.body.message]).toEqual([422, expect.any(String)])
  })

  test('a language that is none', async () => {
    for (const language of ['xx', 'EN', 'en-', '..%2fen', '%00', 'en.vtt']) {
      expect((await put(language, { cues })).status, language).toBe(422)
      expect((await get(language)).status, language).toBe(422)
    }
  })
})

test('nobody else reads, writes or removes them this way', async () => {
  await put('en', { cues })
  const others: [Caller | null, number][] = [
    [null, 401],
    [member, 403],
    [other, 403],
  ]
  for (const [person, status] of others) {
    expect((await get('', person)).status).toBe(status)
    expect((await get('en', person)).status).toBe(status)
    expect((await put('en', { cues: [cues[0]] }, person)).status).toBe(status)
    expect((await remove('en', person)).status).toBe(status)
  }
  expect((await get('en')).body.cues).toEqual(cues)
  expect((await put('en', { cues }, owner, otherVideo)).status).toBe(403)
})

test('only of a video that can be played', async () => {
  const notReady = (await videoOf(owner, { status: 'uploading' })).id
  const picture = (await videoOf(owner, { purpose: 'thumbnail' })).id
  const avatar = await makeMedia(app.services, owner, { purpose: 'avatar' })
  for (const id of [notReady, picture, avatar, crypto.randomUUID(), 'nothing']) {
    expect((await get('', owner, id)).status, id).toBe(404)
    expect((await put('en', { cues }, owner, id)).status, id).toBe(404)
    expect((await remove('en', owner, id)).status, id).toBe(404)
  }
})

test('they go with their video', async () => {
  const { id } = await videoOf(owner)
  await put('en', { cues }, owner, id)
  await app.services.db.delete(mediaFiles).where(eq(mediaFiles.id, id))
  expect(await captionsOf(app.services.db, id, 'en')).toBeNull()
})
