// What is kept of an uploaded picture: its versions to the pixel, and nothing else that was in its file.
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import { storedBytes } from '../../../test/stored-files.ts'
import { keepAvatar } from './keep-avatar.ts'
import { type PicturePurpose, problems } from './rules.ts'
import {
  imageKey,
  imagesFolder,
  postImagesFolder,
  storeImage,
  storePostImage,
} from './store-image.ts'
import { mediaFiles } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** Left half red, right half blue. */
const halves = async (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    {
      input: await sharp({
        create: { width: Math.floor(width / 2), height, channels: 3, background: '#0000ff' },
      })
        .png()
        .toBuffer(),
      gravity: 'east',
    },
  ])

const kept = async (folder: string) => {
  const { storage } = app.services
  const names = (await storage.files(folder)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const { format, width, height, exif, icc, xmp, pages } = await sharp(
        await storedBytes(storage, `${folder}/${name}`),
      ).metadata()
      const more = [exif, icc, xmp, pages].filter(Boolean).length
      return `${name}: ${format} ${width}x${height}${more > 0 ? ' and more' : ''}`
    }),
  )
}

describe('a picture', () => {
  test.each<[PicturePurpose, string[]]>([
    ['thumbnail', ['1280.webp: webp 1280x720', '320.webp: webp 320x180', '640.webp: webp 640x360']],
    ['avatar', ['256.webp: webp 256x256', '96.webp: webp 96x96']],
    ['course_logo', ['256.webp: webp 256x256', '96.webp: webp 96x96']],
    [
      'course_cover',
      ['1280.webp: webp 1280x427', '1920.webp: webp 1920x640', '640.webp: webp 640x213'],
    ],
  ])('for a %s is cut to its shape, whatever it was', async (purpose, versions) => {
    const id = randomUUID()
    const { storage } = app.services
    const bytes = await (await halves(500, 700)).png().toBuffer()
    expect(await storeImage(storage, id, purpose, bytes)).toEqual({ width: 500, height: 700 })
    expect(await kept(imagesFolder(id))).toEqual(versions)
    // Its middle is kept: what was left and right still is.
    const largest = await storedBytes(storage, `${imagesFolder(id)}/${versions[0]!.split(':')[0]}`)
    const { data, info } = await sharp(largest).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number) => {
      const start = (Math.floor(info.height / 2) * info.width + x) * info.channels
      return [...data.subarray(start, start + 3)].map((part) => Math.round(part / 255))
    }
    expect([at(5), at(info.width - 5)]).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ])
  })

  test('of a post is whole, never larger than it came', async () => {
    const { storage } = app.services
    const id = randomUUID()
    await storePostImage(storage, id, await (await halves(1000, 400)).jpeg().toBuffer())
    expect(await kept(postImagesFolder(id))).toEqual([
      '1920.webp: webp 1000x400',
      '480.webp: webp 480x192',
      '960.webp: webp 960x384',
    ])
    const small = randomUUID()
    await storePostImage(storage, small, await (await halves(100, 40)).webp().toBuffer())
    expect(await kept(postImagesFolder(small))).toEqual(['480.webp: webp 100x40'])
  })

  test('is turned upright, and loses what was in its file', async () => {
    const { storage } = app.services
    const id = randomUUID()
    const bytes = await (
      await halves(640, 360)
    )
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    expect(await storeImage(storage, id, 'thumbnail', bytes)).toEqual({ width: 360, height: 640 })
    expect(await kept(imagesFolder(id))).toEqual([
      '1280.webp: webp 1280x720',
      '320.webp: webp 320x180',
      '640.webp: webp 640x360',
    ])
  })

  test('that comes again takes the place of the first', async () => {
    const { storage } = app.services
    const id = randomUUID()
    const store = async (background: string) => {
      const create = { width: 96, height: 96, channels: 3, background } as const
      await storeImage(storage, id, 'avatar', await sharp({ create }).png().toBuffer())
      return sharp(await storedBytes(storage, imageKey(id, 96)))
        .raw()
        .toBuffer()
    }
    const [first, second] = [await store('#ff0000'), await store('#0000ff')]
    expect([first[0]! > 200, first[2]! < 50]).toEqual([true, true])
    expect([second[0]! < 50, second[2]! > 200]).toEqual([true, true])
  })

  test('of many at once is made of its own bytes', async () => {
    const { storage } = app.services
    const sizes = [40, 50, 60, 70]
    const stored = await Promise.all(
      sizes.map(async (size) => {
        const bytes = await (await halves(size, size)).png().toBuffer()
        return storeImage(storage, randomUUID(), 'avatar', bytes)
      }),
    )
    expect(stored).toEqual(sizes.map((size) => ({ width: size, height: size })))
  })
})

describe('is refused in words, and nothing is kept:', () => {
  const create = { width: 64, height: 64, channels: 3, background: '#ff0000' } as const
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  test.each([
    ['what is no picture', async () => Buffer.from('no picture'), problems.imageDamaged],
    ['nothing', async () => Buffer.alloc(0), problems.imageDamaged],
    ['a TIFF', () => sharp({ create }).tiff().toBuffer(), problems.imageType],
    [
      'a drawing',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      problems.imageType,
    ],
    [
      'half of a picture',
      async () => {
        const whole = await sharp({ create: { ...create, noise } })
          .jpeg()
          .toBuffer()
        return whole.subarray(0, Math.floor(whole.length / 2))
      },
      problems.imageDamaged,
    ],
    [
      'more than 40 million pixels',
      () =>
        sharp({ create: { ...create, width: 8001, height: 5000 } })
          .png()
          .toBuffer(),
      problems.imagePixels,
    ],
  ])('%s', async (_what, bytesOf, problem) => {
    const id = randomUUID()
    const bytes = await bytesOf()
    await expect(storeImage(app.services.storage, id, 'avatar', bytes)).rejects.toThrow(problem)
    expect(await app.services.storage.files(imagesFolder(id))).toEqual([])
  })

  test('40 million pixels are a picture', async () => {
    const bytes = await sharp({ create: { ...create, width: 8000, height: 5000 } })
      .png()
      .toBuffer()
    const size = await storeImage(app.services.storage, randomUUID(), 'avatar', bytes)
    expect(size).toEqual({ width: 8000, height: 5000 })
  })
})

test('of a person’s pictures one is kept, and it has to be ready and theirs', async () => {
  const { db, pool } = app.services
  const [owner, other] = [await makePerson(app.services), await makePerson(app.services)]
  const avatar = async (facts: Partial<typeof mediaFiles.$inferInsert> = {}) => {
    const [row] = await db
      .insert(mediaFiles)
      .values({
        ownerId: owner.id,
        purpose: 'avatar',
        status: 'ready',
        filename: 'a.png',
        sizeBytes: 1,
        ...facts,
      })
      .returning({ id: mediaFiles.id })
    return row!.id
  }
  const there = async (ids: string[]) => {
    const { rows } = await pool.query('select id from media_files where id = any($1)', [ids])
    const known = new Set(rows.map(({ id }) => id))
    return ids.map((id) => known.has(id))
  }
  const keep = (id: string | null) =>
    db.transaction((transaction) => keepAvatar(transaction, owner.id, id))
  const [first, second, unready, picture, theirs] = [
    await avatar(),
    await avatar(),
    await avatar({ status: 'uploading' }),
    await avatar({ purpose: 'thumbnail' }),
    await avatar({ ownerId: other.id }),
  ]
  const all = [first, second, unready, picture, theirs]
  for (const wrong of [unready, picture, theirs, randomUUID()]) {
    expect(await keep(wrong)).toBe(false)
  }
  expect(await there(all)).toEqual([true, true, true, true, true])
  await pool.query(`update media_files set updated_at = now() - interval '2 days'`)
  expect(await keep(second)).toBe(true)
  expect(await there(all)).toEqual([false, true, true, true, true])
  const { rows } = await pool.query(
    `select updated_at > now() - interval '1 hour' as touched from media_files where id = $1`,
    [second],
  )
  expect(rows).toEqual([{ touched: true }])
  expect(await keep(null)).toBe(true)
  expect(await there(all)).toEqual([false, false, true, true, true])
  expect(await keep(null)).toBe(true)
})
