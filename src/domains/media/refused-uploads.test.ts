// What somebody reads who may not upload a file, or does something with an upload that it does not do.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { courseImports } from '../course-transfer/tables.ts'
import { mediaFile } from './queries.ts'
import { mediaFiles } from './tables.ts'

interface Caller {
  id: string
  cookie: string
}

let app: TestApp
let owner: Caller
let member: Caller
let stranger: Caller
let course: { id: string; instructorId: string }
let draft: { id: string; instructorId: string }

async function someone(): Promise<Caller> {
  const { id } = await makePerson(app.services)
  return { id, cookie: await sessionCookieOf(app.services, id) }
}

beforeAll(async () => {
  app = await startTestApp({ VIDEO_MAX_MB: '2', IMPORT_MAX_MB: '1' })
  ;[owner, member, stranger] = [await someone(), await someone(), await someone()]
  course = await makeCourse(app.services, owner)
  draft = await makeCourse(app.services, owner, { status: 'draft' })
  await joinCourse(app.services, member, course)
})
afterAll(() => app?.stop())

const collection = '/storage/v1/uploads'

const send = async (
  method: string,
  path: string,
  who: Caller | null,
  headers: Record<string, string> = {},
) =>
  app.request(path, {
    method,
    cookie: who?.cookie,
    headers: { 'tus-resumable': '1.0.0', ...headers },
  })

const picture = { purpose: 'thumbnail', filename: 'a.png', filetype: 'image/png' }
const film = { purpose: 'video', filename: 'a.mp4', filetype: 'video/mp4' }

/** The answer to who begins an upload of this. */
async function begun(metadata: Record<string, string>, who: Caller | null = owner, size = 1000) {
  const { status, body, headers } = await send('POST', collection, who, {
    'upload-length': String(size),
    'upload-metadata': Object.entries(metadata)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(','),
  })
  return status === 201 ? headers.get('location')! : [status, body]
}
const rowOf = (location: unknown) => mediaFile(app.services.db, String(location).split('/').at(-1)!)

async function row(facts: Partial<typeof mediaFiles.$inferInsert>): Promise<string> {
  const [made] = await app.services.db
    .insert(mediaFiles)
    .values({ ownerId: owner.id, purpose: 'thumbnail', filename: 'a.png', sizeBytes: 7, ...facts })
    .returning({ id: mediaFiles.id })
  return `${collection}/${made!.id}`
}

describe('who begins an upload', () => {
  test('has to be somebody, and somebody of that course', async () => {
    expect(await begun(picture, null)).toEqual([401, 'User must be authenticated'])
    const ofCourse = (purpose: string, courseId: string, who: Caller) =>
      begun({ ...(purpose === 'video' ? film : picture), purpose, courseId }, who)
    const noCourse = [404, 'Course not found']
    const notYours = [403, 'Only the instructor of this course may do this.']
    const notIn = [403, 'Only members of this course can take part in its discussion.']
    for (const purpose of ['video', 'thumbnail', 'course_logo']) {
      expect(await ofCourse(purpose, randomUUID(), owner)).toEqual(noCourse)
      expect(await ofCourse(purpose, draft.id, stranger)).toEqual(noCourse)
      expect(await ofCourse(purpose, course.id, stranger)).toEqual(notYours)
      expect(await ofCourse(purpose, course.id, member)).toEqual(notYours)
    }
    expect(await ofCourse('post_image', draft.id, stranger)).toEqual(noCourse)
    expect(await ofCourse('post_image', course.id, stranger)).toEqual(notIn)
    for (const who of [member, owner]) {
      const made = await ofCourse('post_image', course.id, who)
      expect(await rowOf(made)).toMatchObject({
        ownerId: who.id,
        courseId: course.id,
        purpose: 'post_image',
        status: 'uploading',
        filename: 'a.png',
        sizeBytes: 1000,
      })
    }
  })

  test('has to say of what, for what and how large it is', async () => {
    expect(await begun(film)).toEqual([400, 'A video belongs to a course: courseId is missing.'])
    for (const purpose of ['post_image', 'post_video']) {
      expect(await begun({ ...film, purpose })).toEqual([
        400,
        'A post belongs to a course: courseId is missing.',
      ])
    }
    expect(await begun({ ...picture, purpose: 'banner' })).toEqual([
      400,
      'The purpose of an upload must be video, thumbnail, avatar, course_logo, course_cover, import, post_image or post_video.',
    ])
    const named = (filename: string, filetype = 'image/png') =>
      begun({ ...picture, filename, filetype })
    expect(await named(' \t\0 ')).toEqual([400, 'The upload needs a filename.'])
    expect(await named('x'.repeat(256))).toEqual([
      400,
      'A filename can have at most 255 characters',
    ])
    expect(await named('x.png', `image/png;${'x'.repeat(246)}`)).toEqual([
      400,
      'A file type can have at most 255 characters',
    ])
    expect(await rowOf(await named(' a\u0007b.png '))).toMatchObject({ filename: 'ab.png' })
    expect(await rowOf(await named('x'.repeat(255)))).toMatchObject({ filename: 'x'.repeat(255) })
    expect(await rowOf(await named('x.png', `image/png;${'x'.repeat(245)}`))).not.toBeNull()
    expect(await rowOf(await begun({ purpose: 'avatar', filename: 'a.png' }))).not.toBeNull()
  })

  test('of a course file has the room for one, and nobody else’s', async () => {
    const zip = { purpose: 'import', filename: 'a.zip', filetype: 'application/zip' }
    const megabyte = 1024 * 1024
    // The instructor has a course already, which is all that is free.
    expect(await begun(zip)).toEqual([
      403,
      'Free plan users can create up to 1 course. You have reached this limit.',
    ])
    expect(await begun(zip, stranger, megabyte + 1)).toEqual([
      413,
      'Course file is too large. Please upload a file smaller than 1MB.',
    ])
    const first = await begun(zip, stranger, megabyte)
    expect(await rowOf(first)).toMatchObject({ purpose: 'import', courseId: null })
    const others = await begun(zip, member)
    // A second one takes the place of the first.
    const second = await begun(zip, stranger)
    expect(await rowOf(first)).toBeNull()
    expect([await rowOf(second), await rowOf(others)]).toEqual([
      expect.objectContaining({ ownerId: stranger.id }),
      expect.objectContaining({ ownerId: member.id }),
    ])
    await app.services.db
      .insert(courseImports)
      .values({ userId: stranger.id, fileId: String(second).split('/').at(-1)! })
    for (const status of ['waiting', 'running'] as const) {
      await app.services.db
        .update(courseImports)
        .set({ status })
        .where(eq(courseImports.userId, stranger.id))
      expect(await begun(zip, stranger)).toEqual([
        429,
        'An import is under way. Please wait until it is finished.',
      ])
      expect(await rowOf(await begun(zip, member))).not.toBeNull()
    }
  })

  test('has to send it in one piece of a known length, by POST', async () => {
    const oneLength = [
      400,
      'An upload has to say its length at its start, and has to come in one piece.',
    ]
    for (const header of [{ 'upload-defer-length': '1' }, { 'upload-concat': 'partial' }]) {
      const { status, body } = await send('POST', collection, owner, header as never)
      expect([status, body]).toEqual(oneLength)
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status, body, headers } = await send(method, collection, owner)
      expect([status, body]).toEqual([405, 'This is not possible with an upload.'])
      expect([headers.get('allow'), headers.get('cache-control')]).toEqual([
        'POST, OPTIONS',
        'no-store',
      ])
    }
  })

  test('learns what this server can do without saying who it is, and no other site is let in', async () => {
    const origin = app.services.config.appUrl
    const { status, headers } = await send('OPTIONS', collection, null, { origin })
    expect(status).toBe(204)
    expect(headers.get('tus-version')).toBe('1.0.0')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('an upload', () => {
  const notThere = [404, 'This upload does not exist, or it is not yours.']
  const tus = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  const answer = async (method: string, path: string, who: Caller | null) => {
    const { status, body } = await send(method, path, who, method === 'PATCH' ? tus : {})
    return [status, body]
  }

  test('is there for whose it is', async () => {
    const path = await row({})
    for (const method of ['PATCH', 'DELETE', 'GET']) {
      expect(await answer(method, path, null)).toEqual([401, 'User must be authenticated'])
      expect(await answer(method, path, stranger)).toEqual(notThere)
      expect(await answer(method, `${collection}/${randomUUID()}`, owner)).toEqual(notThere)
      expect(await answer(method, `${collection}/no-id`, owner)).toEqual(notThere)
    }
    const { status, body, headers } = await send('GET', path, owner)
    expect([status, body]).toEqual([405, 'This is not possible with an upload.'])
    expect(headers.get('allow')).toBe('HEAD, PATCH, DELETE, OPTIONS')
    expect(await rowOf(path)).not.toBeNull()
  })

  test('that is finished takes no more, and is not cancelled', async () => {
    const path = await row({ status: 'ready' })
    expect(await answer('PATCH', path, owner)).toEqual([409, 'This upload is finished already.'])
    expect(await answer('DELETE', path, owner)).toEqual([
      409,
      'This upload is finished. Remove the file where it is used.',
    ])
    const { status, headers } = await send('HEAD', path, owner)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store',
      'upload-offset': '7',
      'upload-length': '7',
    })
  })

  test('that failed says why, where somebody knows', async () => {
    const known = await row({ status: 'failed', problem: 'It is damaged.' })
    expect(await answer('PATCH', known, owner)).toEqual([410, 'It is damaged.'])
    const unknown = await row({ status: 'failed', problem: null })
    expect(await answer('PATCH', unknown, owner)).toEqual([410, 'This upload has failed.'])
    const { status, headers } = await send('HEAD', known, owner)
    expect(status).toBe(410)
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store',
    })
    expect(headers.get('upload-offset')).toBeNull()
    const gone = await send('DELETE', known, owner)
    expect([gone.status, gone.headers.get('tus-resumable')]).toEqual([204, '1.0.0'])
    expect(await rowOf(known)).toBeNull()
  })
})
