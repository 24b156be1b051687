// Avatars from the first byte to the last: uploaded, looked at, resized, shown, replaced, removed.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import sharp from 'sharp'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeMedia, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { removeStaleUploads } from '../media/uploads.ts'
import { patience } from '../../../test/patience.ts'

type Signed = Awaited<ReturnType<typeof someone>>

let app: TestApp
let ann: Signed

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  ann = await someone()
})
afterAll(() => app?.stop())

const picture = (width: number, height: number, background = '#26c') =>
  sharp({ create: { width, height, channels: 3, background } })

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A whole upload; the id of the file, and how its last byte was answered. */
async function upload(bytes: Uint8Array, type = 'image/png', person = ann) {
  const start = await fetch(`${app.url}/storage/v1/uploads`, {
    method: 'POST',
    headers: {
      cookie: person.cookie,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `purpose ${base64('avatar')},filename ${base64('me.png')},filetype ${base64(type)}`,
    },
  })
  if (start.status !== 201) return { id: '', status: start.status, words: await start.text() }
  const location = start.headers.get('location') ?? ''
  const sent = await fetch(app.url + location, {
    method: 'PATCH',
    headers: {
      cookie: person.cookie,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes as BodyInit,
  })
  return { id: location.split('/').at(-1) ?? '', status: sent.status, words: await sent.text() }
}

const set = (mediaId: unknown, person = ann) =>
  app.request('/rest/v1/me/avatar', { method: 'PUT', cookie: person.cookie, body: { mediaId } })

const remove = (person = ann) =>
  app.request('/rest/v1/me/avatar', { method: 'DELETE', cookie: person.cookie })

const shown = async (person = ann) =>
  (await app.request(`/rest/v1/users/${person.username}`)).body.avatarUrl

const statusOf = async (path: string) => (await fetch(app.url + path)).status

const rowsOf = async (person = ann) =>
  (
    await app.services.pool.query<{ id: string }>(
      `select id from media_files where owner_id = $1 and purpose = 'avatar'`,
      [person.id],
    )
  ).rows.map(({ id }) => id)

async function withAvatar(person = ann) {
  const { id } = await upload(await picture(300, 300).png().toBuffer(), 'image/png', person)
  expect((await set(id, person)).status).toBe(200)
  return id
}

describe('an avatar', () => {
  test('is square in the sizes used, without what else was in its file', async () => {
    const bytes = await picture(900, 600)
      .withExif({
        IFD0: { Copyright: 'canary of a camera' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1' },
      })
      .jpeg()
      .toBuffer()
    expect(bytes.includes('canary of a camera')).toBe(true)
    const { id, status } = await upload(bytes, 'image/jpeg')
    expect(status).toBe(204)
    const url = `/storage/v1/images/${id}/256.webp`
    expect(await set(id)).toMatchObject({ status: 200, body: { avatarUrl: url } })
    expect(await shown()).toBe(url)
    expect((await app.request('/rest/v1/me', { cookie: ann.cookie })).body.avatarUrl).toBe(url)
    for (const width of [96, 256]) {
      const response = await fetch(`${app.url}/storage/v1/images/${id}/${width}.webp`)
      expect(response.headers.get('content-type')).toBe('image/webp')
      const stored = Buffer.from(await response.arrayBuffer())
      const facts = await sharp(stored).metadata()
      expect([facts.format, facts.width, facts.height]).toEqual(['webp', width, width])
      expect(facts.exif).toBe(undefined)
      expect(stored.includes('canary')).toBe(false)
    }
    expect(await statusOf(`/storage/v1/images/${id}/640.webp`)).toBe(404)
  })

  test('is the right way up, however the camera was held', async () => {
    const left = await picture(40, 80, '#f00').png().toBuffer()
    const bytes = await picture(80, 80, '#00f')
      .composite([{ input: left, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { id } = await upload(bytes, 'image/jpeg')
    const stored = await (await fetch(`${app.url}/storage/v1/images/${id}/96.webp`)).arrayBuffer()
    const corner = { left: 80, top: 4, width: 8, height: 8 }
    const [red, , blue] = await sharp(stored).extract(corner).raw().toBuffer()
    expect([red! > 200, blue! < 60]).toEqual([true, true])
  })

  test('that is replaced or removed is gone, file and row', async () => {
    const first = await withAvatar()
    const firstUrl = `/storage/v1/images/${first}/256.webp`
    const second = await withAvatar()
    expect(await rowsOf()).toEqual([second])
    await vi.waitFor(async () => expect(await statusOf(firstUrl)).toBe(404), patience)
    expect(await statusOf(`/storage/v1/images/${second}/256.webp`)).toBe(200)

    expect(await remove()).toMatchObject({ status: 200, body: { avatarUrl: null } })
    expect(await shown()).toBe(null)
    expect(await rowsOf()).toEqual([])
    const secondUrl = `/storage/v1/images/${second}/96.webp`
    await vi.waitFor(async () => expect(await statusOf(secondUrl)).toBe(404), patience)
    expect((await remove()).status).toBe(200)
  })

  test('of somebody else, of another purpose, unfinished or unknown is not taken', async () => {
    const other = await someone()
    const kept = await withAvatar()
    const theirs = await withAvatar(other)
    for (const id of [
      theirs,
      await makeMedia(app.services, ann, { purpose: 'thumbnail' }),
      await makeMedia(app.services, ann, { purpose: 'avatar', status: 'uploading' }),
      await makeMedia(app.services, ann, { purpose: 'avatar', status: 'failed' }),
      crypto.randomUUID(),
    ]) {
      const { status, body } = await set(id)
      expect([status, body.message]).toEqual([
        400,
        'The picture was not found. Please upload it again.',
      ])
    }
    expect(await shown()).toBe(`/storage/v1/images/${kept}/256.webp`)
    expect(await shown(other)).toBe(`/storage/v1/images/${theirs}/256.webp`)
  })

  test.each([null, '', 5, 'not-an-id', '../../etc/passwd', 'https://evil.example/x.png'])(
    '%j names no picture',
    async (mediaId) => {
      const { status, body } = await set(mediaId)
      expect([status, body.message]).toEqual([422, 'The picture is not a valid id'])
    },
  )

  test('of two that are set at once one stays, with its files', async () => {
    const [one, two] = await Promise.all([
      upload(await picture(10, 10).png().toBuffer()),
      upload(await picture(20, 20).png().toBuffer()),
    ])
    await Promise.all([set(one.id), set(two.id)])
    const [kept] = await rowsOf()
    expect(await shown()).toBe(`/storage/v1/images/${kept}/256.webp`)
    expect(await rowsOf()).toHaveLength(1)
    expect(await statusOf(await shown())).toBe(200)
  })
})

describe('no avatar is made of', () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>',
  )
  const imageType = 'Please upload an image file (PNG, JPG, GIF or WebP)'

  test('an SVG that says so', async () => {
    expect(await upload(svg, 'image/svg+xml')).toMatchObject({ status: 415, words: imageType })
  })

  test('an SVG that calls itself PNG', async () => {
    expect(await upload(svg, 'image/png')).toMatchObject({ status: 415, words: imageType })
  })

  test('6 MB, with words that name the limit', async () => {
    expect(await upload(Buffer.alloc(6 * 1024 * 1024), 'image/jpeg')).toMatchObject({
      status: 413,
      words: 'Image file is too large. Please upload a file smaller than 5MB.',
    })
  })

  test('nothing', async () => {
    expect((await upload(Buffer.alloc(0))).status).toBe(400)
  })

  test.each(['png', 'jpeg', 'webp'] as const)('half of a %s', async (format) => {
    const noise = sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
    const whole = await noise.toFormat(format).toBuffer()
    const { status, words, id } = await upload(
      whole.subarray(0, whole.length / 2),
      `image/${format}`,
    )
    expect([status, words]).toEqual([
      415,
      'This image file is damaged. Please save it again and upload the new file.',
    ])
    expect((await set(id)).status).toBe(400)
  })

  test('more than 40 megapixels, however small the file', async () => {
    const bomb = await picture(8000, 6000, '#fff').png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024)
    expect(await upload(bomb)).toMatchObject({
      status: 415,
      words: 'This image is too large. Please upload an image of at most 40 megapixels.',
    })
  })

  test('a stranger’s file', async () => {
    const nobody = { ...ann, cookie: '' }
    expect((await upload(Buffer.alloc(10), 'image/png', nobody)).status).toBe(401)
    expect((await set(crypto.randomUUID(), nobody)).status).toBe(401)
    expect((await remove(nobody)).status).toBe(401)
  })
})

test('an avatar that was uploaded and never used goes after a day; one in use stays', async () => {
  const used = await withAvatar()
  const { id: unused } = await upload(await picture(10, 10).png().toBuffer())
  const age = () =>
    app.services.pool.query(
      `update media_files set updated_at = now() - interval '25 hours' where owner_id = $1`,
      [ann.id],
    )
  await removeStaleUploads(app.services)
  expect((await rowsOf()).toSorted()).toEqual([used, unused].toSorted())
  await age()
  await removeStaleUploads(app.services)
  expect(await rowsOf()).toEqual([used])
  expect(await statusOf(`/storage/v1/images/${unused}/96.webp`)).toBe(404)
  expect(await statusOf(`/storage/v1/images/${used}/96.webp`)).toBe(200)
})
