// What people do with course files over HTTP, and what has become of it.
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { film, paragraph } from './course-files.ts'
import { makePerson, sessionCookieOf } from './factories.ts'

export interface Caller {
  id: string
  cookie: string
}

export async function someone({ services }: TestApp): Promise<Caller> {
  const { id } = await makePerson(services)
  return { id, cookie: await sessionCookieOf(services, id) }
}

const tus = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

export const openUpload = (
  app: TestApp,
  { cookie }: Caller,
  bytes: number,
  metadata: Record<string, string>,
) =>
  fetch(`${app.url}/storage/v1/uploads`, {
    method: 'POST',
    headers: {
      ...tus,
      cookie,
      'upload-length': String(bytes),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(),
    },
  })

/** The whole of an upload; answers its id, or what was said instead. */
async function upload(
  app: TestApp,
  person: Caller,
  bytes: Uint8Array,
  metadata: Record<string, string>,
): Promise<{ id: string; status: number; text: string }> {
  const opened = await openUpload(app, person, bytes.length, metadata)
  if (opened.status !== 201) return { id: '', status: opened.status, text: await opened.text() }
  const location = opened.headers.get('location') ?? ''
  const sent = await fetch(app.url + location, {
    method: 'PATCH',
    headers: {
      ...tus,
      cookie: person.cookie,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes as BodyInit,
  })
  return { id: location.split('/').at(-1)!, status: sent.status, text: await sent.text() }
}

export const uploadZip = (app: TestApp, person: Caller, bytes: Uint8Array) =>
  upload(app, person, bytes, {
    purpose: 'import',
    filename: 'course.zip',
    filetype: 'application/zip',
  })

export const api = (app: TestApp, person: Caller, path: string, body?: unknown, method?: string) =>
  app.request(path, { cookie: person.cookie, body, method })

/** With everything that a course can have. */
export async function fullCourse(
  app: TestApp,
  owner: Caller,
): Promise<{ id: string; slug: string }> {
  const noise = Buffer.alloc(1600 * 900 * 3)
  for (let at = 0; at < noise.length; at += 1) noise[at] = Math.imul(at, 2_654_435_761) >>> 24
  const picture = await sharp(noise, { raw: { width: 1600, height: 900, channels: 3 } })
    .blur(8)
    .jpeg()
    .toBuffer()
  const thumbnail = await upload(app, owner, picture, {
    purpose: 'thumbnail',
    filename: 'cover.jpg',
    filetype: 'image/jpeg',
  })
  const made = await api(app, owner, '/rest/v1/courses', {
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
    upload(app, owner, film, { purpose: 'video', courseId, filename, filetype: 'video/mp4' })
  const [first, second] = [await sendFilm('Mischen & Kneten (1).mp4'), await sendFilm('..')]
  expect([first.text, second.text]).toEqual(['', expect.anything()])
  const named = await sendFilm('パン.mp4')
  const saved = await api(
    app,
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
    const kept = await api(app, owner, `/rest/v1/media/${id}/captions/${language}`, { cues }, 'PUT')
    expect([kept.status, kept.body.message]).toEqual([200, undefined])
  }
  return made.body
}

export async function exported(app: TestApp, person: Caller, courseId: string): Promise<Buffer> {
  const response = await fetch(`${app.url}/rest/v1/courses/${courseId}/export`, {
    headers: { cookie: person.cookie },
  })
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  return bytes
}

export const myImports = async (app: TestApp, person: Caller) =>
  (await api(app, person, '/rest/v1/course-imports')).body.imports

/** What an import of this file has become. */
export async function imported(app: TestApp, person: Caller, bytes: Uint8Array) {
  const file = await uploadZip(app, person, bytes)
  expect([file.status, file.text]).toEqual([204, ''])
  const started = await api(app, person, '/rest/v1/course-imports', { mediaId: file.id })
  expect([started.status, started.body.message]).toEqual([200, undefined])
  return outcomeOf(app, person, started.body.id)
}

export async function outcomeOf(app: TestApp, person: Caller, importId: string) {
  const state = async () =>
    (await myImports(app, person)).find(({ id }: { id: string }) => id === importId)
  await expect.poll(async () => (await state())?.status).toMatch(/^(done|failed)$/)
  return state()
}

/** Every file in the storage. */
export const storedFiles = async (app: TestApp) => (await app.services.storage.files('')).toSorted()

export const jobsAreDone = (app: TestApp) =>
  expect
    .poll(
      async () =>
        (await app.services.pool.query('select 1 from graphile_worker._private_jobs')).rows,
    )
    .toEqual([])

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
