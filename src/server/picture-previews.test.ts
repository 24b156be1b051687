// What a kept page shows of its first picture before that has come.
import { randomUUID } from 'node:crypto'
import sharp, { type Create, type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { imageKey, imagesFolder, storeImage } from '../domains/media/store-image.ts'
import { createPicturePreviews } from './picture-previews.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const tagOf = (mediaId: string, more = 'fetchPriority="high"') =>
  `<p>$&</p><img src="/storage/v1/images/${mediaId}/640.webp" srcSet="/a 2x" alt="" ${more}/>`

const size = { width: 640, height: 360 }
const plain = { create: { ...size, channels: 3, background: '#cc3366' } } as const

async function stored(picture: Sharp): Promise<string> {
  const id = randomUUID()
  await storeImage(app.services.storage, id, 'thumbnail', await picture.png().toBuffer())
  return id
}

test('the first picture of a page has a coarse one behind it, also when its file is gone meanwhile', async () => {
  const { storage } = app.services
  const withPreview = createPicturePreviews(app.services)
  const id = await stored(sharp(plain))
  const html = tagOf(id)
  const page = await withPreview(html)
  const [style = '', base64 = ''] =
    / style="background:center\/cover url\(data:image\/webp;base64,([\w+/=]+)\)"/.exec(page) ?? []
  expect(page.replace(style, '')).toBe(html)
  const preview = sharp(Buffer.from(base64, 'base64'))
  expect(await preview.metadata()).toMatchObject({ format: 'webp', width: 400, height: 225 })
  const { channels } = await preview.stats()
  for (const [index, value] of [0xcc, 0x33, 0x66].entries()) {
    expect(Math.abs(channels[index]!.mean - value)).toBeLessThan(6)
  }
  await storage.remove(imagesFolder(id))
  expect(await withPreview(html)).toBe(page)
})

test('there is none where it would be seen through the picture, or is too large', async () => {
  const withPreview = createPicturePreviews(app.services)
  const clear = await stored(
    sharp({ create: { ...size, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.2 } } }),
  )
  const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
  const rough = await stored(sharp({ create: { ...size, channels: 3, noise } as Create }))
  for (const html of [tagOf(clear), tagOf(rough)]) expect(await withPreview(html)).toBe(html)
})

test('other pictures are left as they are, and one that cannot be read is no reason for no page', async () => {
  const warn = vi.spyOn(app.services.log, 'warn')
  const withPreview = createPicturePreviews(app.services)
  const id = await stored(sharp(plain))
  const below = tagOf(id, 'loading="lazy"')
  expect(await withPreview(below)).toBe(below)
  expect(warn).not.toHaveBeenCalled()
  const missing = tagOf(randomUUID())
  expect(await withPreview(missing)).toBe(missing)
  const damaged = randomUUID()
  await app.services.storage.put(imageKey(damaged, 640), new Uint8Array(2000))
  expect(await withPreview(tagOf(damaged))).toBe(tagOf(damaged))
  expect(warn).toHaveBeenCalledTimes(2)
  warn.mockRestore()
})

test('a store that does not answer holds the page up for a moment only', async () => {
  const { log } = app.services
  const silent = (_key: string, _work: unknown, signal?: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  const storage = { ...app.services.storage, withFile: silent }
  const html = tagOf(randomUUID())
  expect(await createPicturePreviews({ storage, log })(html)).toBe(html)
})
