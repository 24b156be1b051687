// Pictures that come back with a course file: those that we made keep their bytes, all others are made anew.
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { storedBytes } from '../../../test/stored-files.ts'
import { restoreThumbnail } from './restore-thumbnail.ts'
import { imageKey } from './store-image.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const made = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#4a30ee' } })

/** What is kept of it in the largest width. */
async function restored(bytes: Buffer) {
  const id = randomUUID()
  const size = await restoreThumbnail(app.services.storage, id, bytes)
  const kept = await storedBytes(app.services.storage, imageKey(id, 1280))
  return { size, keepsItsBytes: Buffer.from(kept).equals(bytes), kept }
}

describe('keeps its bytes', () => {
  test('what looks like ours', async () => {
    const { size, keepsItsBytes } = await restored(await made(1280, 720).webp().toBuffer())
    expect([size, keepsItsBytes]).toEqual([{ width: 1280, height: 720 }, true])
  })
})

describe('is made anew', () => {
  const withProfile = () => made(1280, 720).withIccProfile('p3').webp().toBuffer()
  const withExif = () =>
    made(1280, 720)
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .webp()
      .toBuffer()
  const withXmp = () =>
    made(1280, 720)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>Somebody</a></x:xmpmeta>')
      .webp()
      .toBuffer()
  const withMore = async () =>
    Buffer.concat([await made(1280, 720).webp().toBuffer(), Buffer.from('more')])

  test.each([
    ['what is narrower', () => made(1279, 720).webp().toBuffer()],
    ['what is lower', () => made(1280, 719).webp().toBuffer()],
    ['a PNG', () => made(1280, 720).png().toBuffer()],
    ['what has colours of its own', withProfile],
    ['what says who made it', withExif],
    ['what says it in another way', withXmp],
    ['what has something behind it', withMore],
  ])('%s', async (_what, bytesOf) => {
    const bytes = await bytesOf()
    const { keepsItsBytes, kept } = await restored(bytes)
    expect(keepsItsBytes).toBe(false)
    const { format, width, height, exif, xmp, icc } = await sharp(kept).metadata()
    expect({ format, width, height, exif, xmp, icc }).toEqual({
      format: 'webp',
      width: 1280,
      height: 720,
    })
  })

  test('what moves', async () => {
    const frames = await Promise.all(
      ['#4a30ee', '#ffd91f'].map((background) =>
        sharp({ create: { width: 1280, height: 720, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const bytes = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    expect((await sharp(bytes).metadata()).pages).toBe(2)
    expect((await restored(bytes)).keepsItsBytes).toBe(false)
  })

  test('what is far larger than any of ours', async () => {
    const noise = await sharp({
      create: {
        width: 1280,
        height: 720,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 80 },
      },
    })
      .webp({ lossless: true })
      .toBuffer()
    expect(noise.length).toBeGreaterThan(2 * 1024 * 1024)
    expect((await restored(noise)).keepsItsBytes).toBe(false)
  })
})

test('what is no picture is refused', async () => {
  for (const bytes of [Buffer.from('RIFF'), Buffer.from('no picture at all')]) {
    await expect(restored(bytes)).rejects.toThrow('This image file is damaged.')
  }
})
