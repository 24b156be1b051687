// Courses as files: out, in, and out again; copies; and whatever else somebody may call a course file.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { storedLongAgo } from '../../../test/stored-files.ts'
import { type HandmadeEntry, zipByHand } from '../../../test/zip-by-hand.ts'
import { courses } from '../courses/tables.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { imageKey } from '../media/store-image.ts'
import { mediaFiles } from '../media/tables.ts'
import { removeStaleUploads } from '../media/uploads.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { titleOfCopy } from './duplicate-course.ts'
import { exportCourse } from './export-course.ts'
import { importCourse, resumeImports } from './import-course.ts'
import { courseImports } from './tables.ts'

const film = await readFile('test/fixtures/lesson.mp4')

interface Caller {
  id: string
  cookie: string
}

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ VIDEO_MAX_MB: '2', IMPORT_MAX_MB: '20' })
})
afterAll(() => app?.stop())

async function someone(): Promise<Caller> {
  const { id } = await makePerson(app.services)
  return { id, cookie: await sessionCookieOf(app.services, id) }
}

const tus = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The whole of an upload; answers its id, or what was said instead. */
async function upload(
  { cookie }: Caller,
  bytes: Uint8Array,
  metadata: Record<string, string>,
): Promise<{ id: string; status: number; text: string }> {
  const opened = await fetch(`${app.url}/storage/v1/uploads`, {
    method: 'POST',
    headers: {
      ...tus,
      cookie,
      'upload-length': String(bytes.length),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(),
    },
  })
  if (opened.status !== 201) return { id: '', status: opened.status, text: await opened.text() }
  const location = opened.headers.get('location') ?? ''
  const sent = await fetch(app.url + location, {
    method: 'PATCH',
    headers: {
      ...tus,
      cookie,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes as BodyInit,
  })
  return { id: location.split('/').at(-1)!, status: sent.status, text: await sent.text() }
}

const uploadZip = (person: Caller, bytes: Uint8Array) =>
  upload(person, bytes, { purpose: 'import', filename: 'course.zip', filetype: 'application/zip' })

const api = (person: Caller, path: string, body?: unknown, method?: string) =>
  app.request(path, { cookie: person.cookie, body, method })

const paragraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

/** With everything that a course can have. */
async function fullCourse(owner: Caller): Promise<{ id: string; slug: string }> {
  const noise = Buffer.alloc(1600 * 900 * 3)
  for (let at = 0; at < noise.length; at += 1) noise[at] = Math.imul(at, 2_654_435_761) >>> 24
  const picture = await sharp(noise, { raw: { width: 1600, height: 900, channels: 3 } })
    .blur(8)
    .jpeg()
    .toBuffer()
  const thumbnail = await upload(owner, picture, {
    purpose: 'thumbnail',
    filename: 'cover.jpg',
    filetype: 'image/jpeg',
  })
  const made = await api(owner, '/rest/v1/courses', {
    title: 'Bread: “all of it” ⚡',
    shortDescription: 'In an evening',
    description: {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Why' }] },
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'Because ', marks: [{ type: 'bold' }] },
            {
              type: 'text',
              text: 'of this',
              marks: [{ type: 'link', attrs: { href: 'https://example.com/?a=1&b=2' } }],
            },
          ],
        },
      ],
    },
    category: 'Cooking',
    level: 'Advanced',
    thumbnailId: thumbnail.id,
    pricingType: 'monthly',
    priceAmount: 1250,
    applicationRequired: true,
    applicationInstructions: 'Tell us\n\nwhat you bake.',
    applicationQuestions: [
      { question: 'Which flour?', required: true },
      { question: 'Do you own an oven?', required: false },
    ],
  })
  expect([made.status, made.body]).toEqual([200, expect.anything()])
  const courseId = made.body.id
  const sendFilm = (filename: string) =>
    upload(owner, film, { purpose: 'video', courseId, filename, filetype: 'video/mp4' })
  const [first, second] = [await sendFilm('Mischen & Kneten (1).mp4'), await sendFilm('..')]
  expect([first.text, second.text]).toEqual(['', expect.anything()])
  const named = await sendFilm('パン.mp4')
  const saved = await api(
    owner,
    `/rest/v1/courses/${courseId}/content`,
    {
      contentVersion: 1,
      chapters: [
        {
          title: 'Dough',
          lessons: [
            {
              title: 'Mixing',
              content: paragraph('Mix.'),
              videoId: first.id,
              durationMinutes: 12,
              isPreview: true,
              links: [
                { title: 'Flour', url: 'flour.example', description: 'Ours' },
                { title: 'Write', url: 'me@flour.example', description: '' },
              ],
            },
            { title: 'Mixing', content: paragraph('Again.'), videoId: first.id },
          ],
        },
        {
          title: 'Waiting',
          lessons: [
            { title: 'Elsewhere', content: paragraph('See.'), videoUrl: 'youtu.be/dQw4w9WgXcQ' },
          ],
        },
        {
          title: 'Oven',
          lessons: [{ title: 'Heat', content: paragraph('Hot.'), videoId: named.id }],
        },
      ],
    },
    'PUT',
  )
  expect([saved.status, saved.body.message]).toEqual([200, undefined])
  for (const [id, language, text] of [
    [first.id, 'en', 'Mix & <b>knead</b>'],
    [first.id, 'de', 'Mischen\nund kneten'],
    [first.id, 'es-419', '--> Mezclar'],
    [named.id, 'ja', 'パン'],
  ]) {
    const cues = [
      { start: 0.0004, end: 0.3, text },
      { start: 0.1, end: 3661.0019, text: '&amp; NOTE\n2' },
    ]
    const kept = await api(owner, `/rest/v1/media/${id}/captions/${language}`, { cues }, 'PUT')
    expect([kept.status, kept.body.message]).toEqual([200, undefined])
  }
  return made.body
}

async function exported(person: Caller, courseId: string): Promise<Buffer> {
  const response = await fetch(`${app.url}/rest/v1/courses/${courseId}/export`, {
    headers: { cookie: person.cookie },
  })
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  return bytes
}

const myImports = async (person: Caller) =>
  (await api(person, '/rest/v1/course-imports')).body.imports

/** What an import of this file has become. */
async function imported(person: Caller, bytes: Uint8Array) {
  const file = await uploadZip(person, bytes)
  expect([file.status, file.text]).toEqual([204, ''])
  const started = await api(person, '/rest/v1/course-imports', { mediaId: file.id })
  expect([started.status, started.body.message]).toEqual([200, undefined])
  return outcomeOf(person, started.body.id)
}

async function outcomeOf(person: Caller, importId: string) {
  const state = async () =>
    (await myImports(person)).find(({ id }: { id: string }) => id === importId)
  await expect
    .poll(async () => (await state())?.status, { timeout: 20_000 })
    .toMatch(/^(done|failed)$/)
  return state()
}

/** Every file in the storage. */
const storedFiles = async () => (await app.services.storage.files('')).toSorted()

const jobsAreDone = () =>
  expect
    .poll(
      async () =>
        (await app.services.pool.query('select 1 from graphile_worker._private_jobs')).rows,
      { timeout: 15_000 },
    )
    .toEqual([])

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('a course goes out and in', () => {
  let creator: Caller
  let other: Caller
  let course: { id: string; slug: string }
  let zip: Buffer
  let copy: { id: string; slug: string; title: string }

  beforeAll(async () => {
    creator = await someone()
    other = await someone()
    course = await fullCourse(creator)
    zip = await exported(creator, course.id)
  })

  test('the same course is the same bytes, each time', async () => {
    expect(sha256(await exported(creator, course.id))).toBe(sha256(zip))
    const text = zip.toString('utf8')
    for (const name of ['course.json', 'media/0-thumbnail.webp', 'media/1-mischen-kneten-1-.mp4']) {
      expect(text).toContain(name)
    }
    expect([...new Set(text.match(/captions\/\d\.[\w-]+\.vtt/g))]).toEqual([
      'captions/1.de.vtt',
      'captions/1.en.vtt',
      'captions/1.es-419.vtt',
      'captions/2.ja.vtt',
    ])
    // The film of two lessons is there once.
    expect(zip.length).toBeLessThan(film.length * 2 + 500_000)
    expect(text).not.toContain(course.id)
    expect(text).not.toContain(creator.id)
  })

  test('export, import and export again gives the same bytes', async () => {
    const outcome = await imported(other, zip)
    expect(outcome).toMatchObject({
      status: 'done',
      problem: null,
      progressPercent: 100,
      canRetry: false,
    })
    copy = outcome.course
    expect(copy).toMatchObject({ title: 'Bread: “all of it” ⚡' })
    expect(copy.id).not.toBe(course.id)
    expect(sha256(await exported(other, copy.id))).toBe(sha256(zip))
  })

  test('it is a draft of whoever imported it, and can be played there', async () => {
    const form = await api(other, `/rest/v1/courses/${copy.id}/form`)
    expect(form.body).toMatchObject({
      status: 'draft',
      category: 'Cooking',
      level: 'Advanced',
      pricingType: 'monthly',
      priceAmount: 1250,
      applicationRequired: true,
      applicationInstructions: 'Tell us\n\nwhat you bake.',
    })
    expect(form.body.thumbnailId).toEqual(expect.any(String))
    const content = await api(other, `/rest/v1/courses/${copy.id}/content`)
    const [dough, waiting, oven] = content.body.chapters
    expect(dough.lessons[0]).toMatchObject({
      title: 'Mixing',
      durationMinutes: 12,
      video: { filename: 'Mischen & Kneten (1).mp4', status: 'ready' },
      links: [
        { title: 'Flour', url: 'https://flour.example', description: 'Ours' },
        { title: 'Write', url: 'mailto:me@flour.example', description: '' },
      ],
    })
    expect(dough.lessons[1].video.id).toBe(dough.lessons[0].video.id)
    expect(dough.lessons.map(({ isPreview }: { isPreview: boolean }) => isPreview)).toEqual([
      true,
      false,
    ])
    expect(waiting.lessons[0]).toMatchObject({ videoUrl: 'youtu.be/dQw4w9WgXcQ', video: null })
    const captions = await api(other, `/rest/v1/media/${dough.lessons[0].video.id}/captions/en`)
    expect(captions.body.cues).toEqual([
      { start: 0, end: 0.3, text: 'Mix & <b>knead</b>' },
      { start: 0.1, end: 3661.002, text: '&amp; NOTE\n2' },
    ])
    expect(oven.lessons[0].video.filename).toBe('パン.mp4')
    const played = await fetch(app.url + oven.lessons[0].video.url, {
      headers: { cookie: other.cookie },
    })
    expect(sha256(Buffer.from(await played.arrayBuffer()))).toBe(sha256(film))
    for (const width of [320, 640, 1280]) {
      const picture = await fetch(
        `${app.url}/storage/v1/images/${form.body.thumbnailId}/${width}.webp`,
      )
      expect(picture.status).toBe(200)
      expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({
        width,
      })
    }
  })

  test('the uploaded ZIP is removed', async () => {
    await jobsAreDone()
    const files = await app.services.db
      .select()
      .from(mediaFiles)
      .where(eq(mediaFiles.purpose, 'import'))
    expect(files).toEqual([])
  })

  test('a ZIP that was packed again with another program is as good', async () => {
    const packer = await someone()
    const json = await courseJsonOf(zip)
    const repacked = zipByHand([
      { name: 'media/3-movie.mp4', data: film, method: 8 },
      {
        name: 'course.json',
        data: JSON.stringify({
          ...json,
          thumbnail: null,
          chapters: [
            {
              title: 'One',
              lessons: [
                {
                  ...json.chapters[0].lessons[1],
                  video: { file: 'media/3-movie.mp4', filename: 'movie.mp4', captions: [] },
                },
              ],
            },
          ],
        }),
        method: 8,
        mode: 0o100644,
      },
    ])
    expect(await imported(packer, repacked)).toMatchObject({ status: 'done', problem: null })
  })

  test('a ZIP of version 1, which knew neither captions nor links nor previews, is as good', async () => {
    const person = await someone()
    const { videoUrl: _url, isPreview: _preview, ...earlier } = lesson
    const outcome = await imported(
      person,
      zipByHand([
        json({
          ...small,
          version: 1,
          chapters: [
            {
              title: 'Chapter',
              lessons: [
                { ...earlier, video: { file: 'media/1-a.mp4', filename: 'a.mp4' } },
                earlier,
              ],
            },
          ],
        }),
        movie,
      ]),
    )
    expect(outcome).toMatchObject({ status: 'done', problem: null })
    const { body } = await api(person, `/rest/v1/courses/${outcome.course.id}/content`)
    expect(body.chapters[0].lessons).toMatchObject([
      { video: { filename: 'a.mp4' }, videoUrl: null, isPreview: false },
      { video: null, videoUrl: null, isPreview: false },
    ])
  })

  test('only its instructor gets it', async () => {
    const path = `/rest/v1/courses/${course.id}/export`
    expect((await app.request(path)).status).toBe(401)
    expect((await api(other, path)).status).toBe(404)
    const open = await makeCourse(app.services, await someone())
    const member = await someone()
    await joinCourse(app.services, member, open)
    expect((await api(member, `/rest/v1/courses/${open.id}/export`)).status).toBe(403)
  })

  test('a download may be cut off anywhere', async () => {
    const own = { courseId: course.id, instructorId: creator.id }
    for (const chunks of [0, 1, 3, 5, 8]) {
      const { zip: stream } = (await exportCourse(app.services, own))!
      const reader = stream.getReader()
      for (let read = 0; read < chunks; read += 1) await reader.read()
      await reader.cancel()
    }
  })

  test('a file whose bytes are gone is left out, and the rest can be imported', async () => {
    const owner = await someone()
    const poor = await fullCourse(owner)
    const { body } = await api(owner, `/rest/v1/courses/${poor.id}/content`)
    await app.services.storage.remove(uploadKey(body.chapters[2].lessons[0].video.id))
    const outcome = await imported(await someone(), await exported(owner, poor.id))
    expect(outcome).toMatchObject({ status: 'done', problem: null })
  })
})

/** What course.json in an exported ZIP says: it comes first, and nothing is compressed. */
async function courseJsonOf(zip: Buffer) {
  const start = zip.indexOf('{"format"')
  return JSON.parse(zip.toString('utf8', start, zip.indexOf('\n', start)))
}

const lesson = {
  title: 'Lesson',
  content: paragraph('Read.'),
  durationMinutes: null,
  video: null as object | null,
  videoUrl: null as string | null,
  isPreview: false,
  links: [] as { title: string; url: string; description: string }[],
}
const small = {
  format: 'thunder-course',
  version: 2,
  title: 'A small course',
  shortDescription: '',
  description: paragraph('About it.'),
  category: 'Tech',
  level: 'Beginner',
  pricing: { type: 'free', amount: 0, currency: 'usd' },
  application: { required: false, instructions: 'Write.', questions: [] },
  thumbnail: null as string | null,
  chapters: [{ title: 'Chapter', lessons: [lesson] }],
}
const withVideo = (file = 'media/1-a.mp4', captions: object[] = []) => ({
  ...small,
  chapters: [
    {
      title: 'Chapter',
      lessons: [{ ...lesson, video: { file, filename: 'a.mp4', captions } }],
    },
  ],
})
const english = { language: 'en', file: 'captions/1.en.vtt' }
const withCaptions = (data: string | Buffer, captions: object[] = [english]) =>
  zipByHand([
    json(withVideo('media/1-a.mp4', captions)),
    movie,
    { name: 'captions/1.en.vtt', data },
  ])

const json = (course: unknown): HandmadeEntry => ({
  name: 'course.json',
  data: JSON.stringify(course),
})
const movie: HandmadeEntry = { name: 'media/1-a.mp4', data: film }

describe('refused with a sentence, and nothing stays behind:', () => {
  let person: Caller
  beforeAll(async () => {
    person = await someone()
  })

  const cases: [what: string, zip: () => Buffer, sentence: RegExp][] = [
    [
      'nothing but the beginning of a ZIP',
      () => Buffer.from('PK\x03\x04 and so on', 'latin1'),
      /^This is no course file, or it is incomplete\./,
    ],
    [
      'a ZIP that was cut off',
      () => zipByHand([json(withVideo()), movie]).subarray(0, -30),
      /^This is no course file, or it is incomplete\./,
    ],
    ['a ZIP of something else', () => zipByHand([movie]), /^This is no course file/],
    ...[
      '../evil.mp4',
      'media/../../evil.mp4',
      '/etc/passwd',
      'media\\1-a.mp4',
      'C:/evil.mp4',
      'media/1-a/../../x.mp4',
      'media/1-a..mp4',
      'media/',
      'Media/1-a.mp4',
      'media/1-a.mp4\0.txt',
      'media/1-ä.mp4',
      'course.json/',
      '',
    ].map((name): (typeof cases)[number] => [
      `an entry called ${JSON.stringify(name)}`,
      () => zipByHand([json(small), { name, data: film }]),
      /which does not belong into a course file\.$/,
    ]),
    [
      'a link to a file of the server',
      () =>
        zipByHand([
          json(withVideo()),
          { name: 'media/1-a.mp4', data: '/etc/passwd', mode: 0o120777 },
        ]),
      /^“media\/1-a.mp4” is not a plain file\.$/,
    ],
    [
      'an entry that is there twice',
      () => zipByHand([json(withVideo()), movie, movie]),
      /holds “media\/1-a.mp4” twice\.$/,
    ],
    [
      'a ZIP with a password',
      () =>
        zipByHand([json(withVideo()), { ...movie, flags: 1, says: { size: film.length - 12 } }]),
      /^This file is locked with a password\./,
    ],
    [
      'a way to pack that is not known',
      () => zipByHand([json(withVideo()), { ...movie, method: 12 }]),
      /is packed in a way that is not understood\.$/,
    ],
    [
      'what unpacks to 100 GB',
      () =>
        zipByHand([
          json(withVideo()),
          {
            name: 'media/1-a.mp4',
            data: Buffer.alloc(9),
            method: 8,
            says: { size: 100 * 1024 ** 3 },
          },
        ]),
      /^This course file unpacks to more than 20 MB/,
    ],
    [
      'what unpacks to more than it says',
      () =>
        zipByHand([
          json(withVideo()),
          {
            name: 'media/1-a.mp4',
            data: Buffer.alloc(50_000_000),
            method: 8,
            says: { size: 1000 },
          },
        ]),
      /^This course file is damaged\./,
    ],
    [
      'a course.json that unpacks to more than it says',
      () =>
        zipByHand([
          { ...json(small), data: ' '.repeat(50_000_000), method: 8, says: { size: 10 } },
        ]),
      /^This course file is damaged\./,
    ],
    [
      'many files that are small only by themselves',
      () => {
        const names = Array.from({ length: 20 }, (_, index) => `media/${index + 1}-a.mp4`)
        const zeros = Buffer.alloc(1_200_000)
        return zipByHand([json(small), ...names.map((name) => ({ name, data: zeros, method: 8 }))])
      },
      /^This course file unpacks to more than 20 MB/,
    ],
    [
      'more files than a course can have',
      () =>
        zipByHand([
          json(small),
          ...Array.from({ length: 10_001 }, (_, index) => ({ name: `media/${index}-a.mp4` })),
        ]),
      /^This file holds more than 10,001 files/,
    ],
    [
      'other bytes than were packed',
      () => zipByHand([json(withVideo()), { ...movie, says: { crc: 7 } }]),
      /^This course file is damaged\./,
    ],
    [
      'bytes that cannot be unpacked',
      () =>
        zipByHand([
          json(withVideo()),
          { name: 'media/1-a.mp4', data: film, method: 8, says: { packedSize: 1000 } },
        ]),
      /^This course file is damaged\.|^This is no course file/,
    ],
    [
      'captions with broken times',
      () => withCaptions('WEBVTT\n\n00:01.000 --> soon\nHi'),
      /^“captions\/1\.en\.vtt”: Line 3: “00:01\.000 --> soon” are no times/,
    ],
    [
      'captions that are no text',
      () => withCaptions(Buffer.from([0xff, 0xfe, 0x80])),
      /^“captions\/1\.en\.vtt”: This is no captions file/,
    ],
    [
      'captions of more than 1 MB',
      () => withCaptions('a'.repeat(1024 * 1024 + 1)),
      /^“captions\/1\.en\.vtt”: A captions file can have at most 1 MB/,
    ],
    [
      'captions that are not there',
      () => zipByHand([json(withVideo('media/1-a.mp4', [english])), movie]),
      /^This ZIP lacks “captions\/1\.en\.vtt”/,
    ],
    [
      'captions that no video has',
      () => withCaptions('WEBVTT', []),
      /^This ZIP holds “captions\/1\.en\.vtt”, which the course does not show/,
    ],
    [
      'captions in no language',
      () => withCaptions('WEBVTT', [{ language: 'xx', file: 'captions/1.en.vtt' }]),
      /Chapter 1, lesson 1: There are captions in a language that is not known$/,
    ],
    [
      'a link to a video that is none',
      () =>
        zipByHand([
          json({
            ...small,
            chapters: [
              { title: 'Chapter', lessons: [{ ...lesson, videoUrl: 'javascript:alert(1)' }] },
            ],
          }),
        ]),
      /Chapter 1, lesson 1: Video address must be a web address/,
    ],
    [
      'what a version of before did not have',
      () => zipByHand([json({ ...small, version: 1 })]),
      /There is no “videoUrl” in this version of the format$/,
    ],
    [
      'a newer version',
      () => zipByHand([json({ ...small, version: 3, chapters: 'elsewhere' })]),
      /^This file was made by a newer version of Thunder\./,
    ],
    ['another format', () => zipByHand([json({ hello: 1 })]), /^This ZIP holds no course/],
    [
      'no JSON',
      () => zipByHand([{ name: 'course.json', data: '{"format": ' }]),
      /^course\.json in this file is not readable\.$/,
    ],
    [
      'no UTF-8',
      () => zipByHand([{ name: 'course.json', data: Buffer.from([0x7b, 0xff, 0xfe]) }]),
      /^course\.json in this file is not readable\.$/,
    ],
    [
      'JSON a million levels deep',
      () => zipByHand([{ name: 'course.json', data: '['.repeat(1_000_000), method: 8 }]),
      /^course\.json in this file is not readable\.$/,
    ],
    [
      'a field that nobody knows',
      () => zipByHand([json({ ...small, students: 5 })]),
      /There is no “students” in this version of the format$/,
    ],
    [
      'a field that is missing',
      () => zipByHand([json({ ...small, title: undefined })]),
      /^course\.json does not fit\. title is missing$/,
    ],
    [
      'a field of another kind',
      () => zipByHand([json({ ...small, chapters: 'many' })]),
      /^course\.json does not fit\. chapters must be a list$/,
    ],
    [
      'a title that is too long',
      () => zipByHand([json({ ...small, title: 'x'.repeat(121) })]),
      /Course title can have at most 120 characters$/,
    ],
    [
      'a category that there is not',
      () => zipByHand([json({ ...small, category: 'Alchemy' })]),
      /Please choose a category$/,
    ],
    [
      'a price of a cent',
      () =>
        zipByHand([json({ ...small, pricing: { type: 'one_time', amount: 1, currency: 'usd' } })]),
      /Price must be at least \$1$/,
    ],
    [
      '101 chapters',
      () =>
        zipByHand([
          json({ ...small, chapters: Array.from({ length: 101 }, () => small.chapters[0]) }),
        ]),
      /A course can have at most 100 chapters$/,
    ],
    [
      '1,001 lessons',
      () =>
        zipByHand([
          json({
            ...small,
            chapters: [{ title: 'x', lessons: Array.from({ length: 1001 }, () => lesson) }],
          }),
        ]),
      /A course can have at most 1,000 lessons$/,
    ],
    [
      'a lesson with a script',
      () =>
        zipByHand([
          json({
            ...small,
            chapters: [
              small.chapters[0],
              { title: 'x', lessons: [lesson, { ...lesson, content: { type: 'script' } }] },
            ],
          }),
        ]),
      /^course\.json does not fit\. Chapter 2, lesson 2: Lesson text has a part that is not allowed$/,
    ],
    [
      'a link that runs a script',
      () =>
        zipByHand([
          json({
            ...small,
            chapters: [
              {
                title: 'x',
                lessons: [
                  {
                    ...lesson,
                    links: [{ title: 'x', url: 'javascript:alert(1)', description: '' }],
                  },
                ],
              },
            ],
          }),
        ]),
      /needs a web or mail address/,
    ],
    [
      'a reference out of the folder',
      () => zipByHand([json(withVideo('media/../../../etc/passwd'))]),
      /Chapter 1, lesson 1: A file of a course must lie in the folder media$/,
    ],
    [
      'a video that is not there',
      () => zipByHand([json(withVideo())]),
      /^This ZIP lacks “media\/1-a/,
    ],
    [
      'a file that the course does not show',
      () => zipByHand([json(small), movie]),
      /which the course does not show\.$/,
    ],
    [
      'a video over the limit of this Thunder',
      () =>
        zipByHand([
          json(withVideo()),
          { ...movie, data: Buffer.concat([film, Buffer.alloc(2_200_000)]) },
        ]),
      /^“a\.mp4” is too large\. A video can have at most 2 MB here\.$/,
    ],
    [
      'a video that is none',
      () => zipByHand([json(withVideo()), { ...movie, data: '<script>alert(1)</script>' }]),
      /^“a\.mp4”: Please upload a valid video file/,
    ],
    [
      'a picture that is none',
      () =>
        zipByHand([
          json({ ...small, thumbnail: 'media/0-thumbnail.webp' }),
          { name: 'media/0-thumbnail.webp', data: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
        ]),
      /^“thumbnail\.webp”: /,
    ],
    [
      'a good video before a bad picture',
      () =>
        zipByHand([
          json({ ...withVideo(), thumbnail: 'media/0-thumbnail.webp' }),
          movie,
          { name: 'media/0-thumbnail.webp', data: film },
        ]),
      /^“thumbnail\.webp”: /,
    ],
  ]

  test.each(cases)('%s', async (_what, zip, sentence) => {
    const before = await storedFiles()
    const outcome = await imported(person, zip())
    expect(outcome).toMatchObject({ status: 'failed', course: null, canRetry: false })
    expect(outcome.problem).toMatch(sentence)
    expect(outcome.problem.length).toBeLessThan(300)
    await jobsAreDone()
    expect(await storedFiles()).toEqual(before)
    const { rows } = await app.services.pool.query(
      `select id from courses where instructor_id = $1
        union all select id from media_files where owner_id = $1`,
      [person.id],
    )
    expect(rows).toEqual([])
  })

  test('what is no ZIP is refused when its last byte arrives', async () => {
    const { status, text } = await uploadZip(person, Buffer.from('Not a ZIP at all'))
    expect(status).toBe(415)
    expect(text).toBe('Please choose a course file: the ZIP that “Export” gave you.')
  })

  test('a ZIP over the limit is refused before its first byte', async () => {
    const refused = await fetch(`${app.url}/storage/v1/uploads`, {
      method: 'POST',
      headers: {
        ...tus,
        cookie: person.cookie,
        'upload-length': String(21 * 1024 * 1024),
        'upload-metadata': `purpose ${base64('import')},filename ${base64('course.zip')}`,
      },
    })
    expect([refused.status, await refused.text()]).toEqual([
      413,
      'Course file is too large. Please upload a file smaller than 20MB.',
    ])
  })
})

describe('the course limit', () => {
  test('is asked before the upload, and before the import', async () => {
    const person = await someone()
    const file = await uploadZip(person, zipByHand([json(small)]))
    const own = await makeCourse(app.services, person)
    const started = await api(person, '/rest/v1/course-imports', { mediaId: file.id })
    const limit = 'Free plan users can create up to 1 course. You have reached this limit.'
    expect([started.status, started.body.message]).toEqual([403, limit])
    const again = await uploadZip(person, zipByHand([json(small)]))
    expect([again.status, again.text]).toEqual([403, limit])
    expect((await api(person, '/rest/v1/course-imports')).body).toMatchObject({
      canCreateCourse: false,
      importMaxMb: 20,
    })
    await app.services.db.delete(courses).where(eq(courses.id, own.id))
  })

  test('is asked again at the end; then the file stays for another try', async () => {
    const person = await someone()
    const file = await uploadZip(person, zipByHand([json(withVideo()), movie]))
    const importId = await importWithoutJob(person, file.id)
    const own = await makeCourse(app.services, person)
    const before = await storedFiles()
    await importCourse({ importId }, app.services)
    expect(await outcomeOf(person, importId)).toMatchObject({
      status: 'failed',
      problem: 'Free plan users can create up to 1 course. You have reached this limit.',
      canRetry: true,
    })
    expect(await storedFiles()).toEqual(before)
    const retry = () => api(person, `/rest/v1/course-imports/${importId}/retry`, {})
    expect((await retry()).status).toBe(403)
    await app.services.db.delete(courses).where(eq(courses.id, own.id))
    expect((await retry()).body).toMatchObject({ status: 'waiting', problem: null })
    expect(await outcomeOf(person, importId)).toMatchObject({ status: 'done' })
    expect((await retry()).status).toBe(409)
  })
})

/** As if the process had ended before its queue came to it. */
async function importWithoutJob(
  person: Caller,
  fileId: string,
  status: 'waiting' | 'running' = 'waiting',
) {
  const [row] = await app.services.db
    .insert(courseImports)
    .values({ userId: person.id, fileId, status })
    .returning({ id: courseImports.id })
  return row!.id
}

describe('an import that is interrupted', () => {
  const zip = zipByHand([json(withVideo()), movie])

  test('by the end of the process goes on with the next one', async () => {
    const person = await someone()
    const file = await uploadZip(person, zip)
    const importId = await importWithoutJob(person, file.id, 'running')
    await resumeImports(app.services)
    expect(await outcomeOf(person, importId)).toMatchObject({ status: 'done' })
    // Once more does no harm.
    await importCourse({ importId }, app.services)
    const { rows } = await app.services.pool.query(
      'select id from courses where instructor_id = $1',
      [person.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('by a failure of the machine says so, leaves nothing, and can be tried again', async () => {
    const person = await someone()
    const file = await uploadZip(person, zip)
    const importId = await importWithoutJob(person, file.id)
    const before = await storedFiles()
    const { storage } = app.services
    const fullDisk = {
      ...storage,
      write: async (key: string, chunks: AsyncIterable<Uint8Array>) => {
        await storage.write(key, chunks)
        throw Object.assign(new Error('no space left on device'), { syscall: 'write' })
      },
    }
    await importCourse({ importId }, { ...app.services, storage: fullDisk })
    expect(await outcomeOf(person, importId)).toMatchObject({
      status: 'failed',
      problem: 'Something went wrong on our side. Please try again.',
      canRetry: true,
    })
    expect(await storedFiles()).toEqual(before)
    await api(person, `/rest/v1/course-imports/${importId}/retry`, {})
    expect(await outcomeOf(person, importId)).toMatchObject({ status: 'done' })
  })

  test('by its person ends without a trace', async () => {
    const person = await someone()
    const file = await uploadZip(person, zip)
    const importId = await importWithoutJob(person, file.id)
    const { storage } = app.services
    const before = (await storedFiles()).filter((path) => !path.endsWith(file.id))
    const slow = {
      ...storage,
      write: async (key: string, chunks: AsyncIterable<Uint8Array>) => {
        await storage.write(key, chunks)
        const path = `/rest/v1/course-imports/${importId}`
        expect((await api(person, path, undefined, 'DELETE')).status).toBe(200)
      },
    }
    await importCourse({ importId }, { ...app.services, storage: slow })
    await jobsAreDone()
    expect(await myImports(person)).toEqual([])
    expect(await storedFiles()).toEqual(before)
    const { rows } = await app.services.pool.query(
      'select id from courses where instructor_id = $1 union all select id from media_files where owner_id = $1',
      [person.id],
    )
    expect(rows).toEqual([])
  })

  test('is never done by two at once', async () => {
    const person = await someone()
    const file = await uploadZip(person, zip)
    const importId = await importWithoutJob(person, file.id)
    const results = await Promise.allSettled([
      importCourse({ importId }, app.services),
      importCourse({ importId }, app.services),
    ])
    expect(results.map(({ status }) => status)).toContain('fulfilled')
    expect(await outcomeOf(person, importId)).toMatchObject({ status: 'done' })
    const { rows } = await app.services.pool.query(
      'select id from courses where instructor_id = $1',
      [person.id],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('imports are private', () => {
  test('somebody else neither sees, retries nor removes one, nor imports the file', async () => {
    const person = await someone()
    const stranger = await someone()
    const file = await uploadZip(person, zipByHand([json(small)]))
    const stolen = await api(stranger, '/rest/v1/course-imports', { mediaId: file.id })
    expect([stolen.status, stolen.body.message]).toEqual([
      400,
      'The course file was not found. Please upload it again.',
    ])
    const importId = await importWithoutJob(person, file.id)
    expect(await myImports(stranger)).toEqual([])
    const path = `/rest/v1/course-imports/${importId}`
    expect((await api(stranger, `${path}/retry`, {})).status).toBe(404)
    expect((await api(stranger, path, undefined, 'DELETE')).status).toBe(404)
    expect(await myImports(person)).toHaveLength(1)
  })

  test('one at a time; a new file takes the place of one that nobody imports', async () => {
    const person = await someone()
    const first = await uploadZip(person, zipByHand([json(small)]))
    const second = await uploadZip(person, zipByHand([json(small)]))
    const gone = await api(person, '/rest/v1/course-imports', { mediaId: first.id })
    expect(gone.status).toBe(400)
    const importId = await importWithoutJob(person, second.id)
    const busy = await api(person, '/rest/v1/course-imports', { mediaId: second.id })
    expect([busy.status, busy.body.code]).toEqual([409, 'IMPORT_UNDER_WAY'])
    expect((await uploadZip(person, zipByHand([json(small)]))).status).toBe(429)
    await importCourse({ importId }, app.services)
    await jobsAreDone()
    expect(await app.services.storage.size(uploadKey(first.id))).toBeNull()
  })

  test('a file that nobody imports within a week is removed', async () => {
    const person = await someone()
    const file = await uploadZip(person, zipByHand([json(small)]))
    await removeStaleUploads(app.services)
    expect(await app.services.storage.size(uploadKey(file.id))).toBeGreaterThan(0)
    await app.services.db
      .update(mediaFiles)
      .set({ updatedAt: sql`now() - interval '8 days'` })
      .where(eq(mediaFiles.id, file.id))
    await removeStaleUploads(app.services)
    expect(await app.services.storage.size(uploadKey(file.id))).toBeNull()
  })
})

describe('a copy', () => {
  const duplicate = (person: Caller, courseId: string) =>
    api(person, `/rest/v1/courses/${courseId}/duplicate`, {})

  test('counts towards the course limit', async () => {
    const person = await someone()
    const course = await makeCourse(app.services, person)
    const { status, body } = await duplicate(person, course.id)
    expect([status, body.code, body.message]).toEqual([
      403,
      'COURSE_LIMIT',
      'Free plan users can create up to 1 course. You have reached this limit.',
    ])
  })

  test('has all that its creator made, nothing of others, and files of its own', async () => {
    // The flagship does not count, so its owner has room for one more.
    const owner = await someone()
    const course = await fullCourse(owner)
    await setFlagshipCourse(app.services.db, course.id)
    const member = await someone()
    await joinCourse(app.services, member, { id: course.id, instructorId: owner.id })
    const answers = await Promise.all([duplicate(owner, course.id), duplicate(owner, course.id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const copy = answers.find(({ status }) => status === 200)!.body
    expect(copy).toMatchObject({
      title: 'Copy of Bread: “all of it” ⚡',
      slug: 'copy-of-bread-all-of-it',
    })

    const [original, copied] = [await exported(owner, course.id), await exported(owner, copy.id)]
    expect(await courseJsonOf(copied)).toEqual({
      ...(await courseJsonOf(original)),
      title: copy.title,
    })
    const [row] = await app.services.db.select().from(courses).where(eq(courses.id, copy.id))
    const [source] = await app.services.db.select().from(courses).where(eq(courses.id, course.id))
    expect(row).toMatchObject({ status: 'draft', rating: 0, reviewsCount: 0, studentsCount: 0 })
    expect(row!.thumbnailId).not.toBe(source!.thumbnailId)

    // Neither needs the other.
    await app.services.pool.query(`delete from settings where value::text like '%' || $1 || '%'`, [
      course.id,
    ])
    const files = await app.services.db
      .select()
      .from(mediaFiles)
      .where(eq(mediaFiles.courseId, course.id))
    for (const { id } of files) await app.services.storage.remove(uploadKey(id))
    for (const width of [320, 640, 1280]) {
      await app.services.storage.remove(imageKey(source!.thumbnailId!, width))
    }
    await app.services.db.delete(courses).where(eq(courses.id, course.id))
    await removeStaleUploads(app.services)
    expect(sha256(await exported(owner, copy.id))).toBe(sha256(copied))
  })

  test.each([
    ['Bread', 'Copy of Bread'],
    ['x'.repeat(112), `Copy of ${'x'.repeat(112)}`],
    ['x'.repeat(113), `Copy of ${'x'.repeat(111)}…`],
    [`${'x'.repeat(110)}😀😀`, `Copy of ${'x'.repeat(110)}…`],
  ])('of %s is called %s', (title, name) => {
    expect(titleOfCopy(title)).toBe(name)
    expect(titleOfCopy(title).length).toBeLessThanOrEqual(120)
  })
})

test('bytes that belong to no row are swept away after a day', async () => {
  const { storage } = app.services
  const id = crypto.randomUUID()
  await storage.put(imageKey(id, 320), Buffer.from('x'))
  await removeStaleUploads(app.services)
  expect(await storage.size(imageKey(id, 320))).toBe(1)
  storedLongAgo(storage, [`images/${id}`], 2 * 86_400_000)
  await removeStaleUploads(app.services)
  expect(await storage.size(imageKey(id, 320))).toBeNull()
})
