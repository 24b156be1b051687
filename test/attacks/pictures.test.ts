// Pictures that are small and unpack to much, are two things at once, or are not pictures, for every purpose that
// takes one: refused in words, or made anew so that nothing else is left of them.
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { imageMaxPixels } from '../../src/domains/media/rules.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { storedBytes } from '../stored-files.ts'
import { makeWorld, type World } from './world.ts'

let app: TestApp
let world: World
beforeAll(async () => {
  app = await startTestApp()
  world = await makeWorld(app.services)
})
afterAll(() => app?.stop())

const purposes = ['avatar', 'thumbnail', 'course_logo', 'course_cover', 'post_image']

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function upload(
  bytes: Buffer,
  { type, name, purpose }: Record<'type' | 'name' | 'purpose', string>,
) {
  const metadata = { purpose, filename: name, filetype: type, courseId: world.target.courseId }
  const start = await fetch(`${app.url}/storage/v1/uploads`, {
    method: 'POST',
    headers: {
      cookie: world.owner.cookie,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(','),
    },
  })
  if (start.status !== 201) return { id: '', status: start.status, words: await start.text() }
  const location = start.headers.get('location') ?? ''
  const sent = await fetch(app.url + location, {
    method: 'PATCH',
    headers: {
      cookie: world.owner.cookie,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  })
  return { id: location.split('/').at(-1) ?? '', status: sent.status, words: await sent.text() }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG of one colour, a bit for each pixel, whatever its header says. */
function png(
  width: number,
  height: number,
  { rows = height, extra = [] as Buffer[] } = {},
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const data = deflateSync(Buffer.alloc(rows * (Math.ceil(width / 8) + 1)), { level: 9 })
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const script = '<script>alert(document.domain)</script>'

/** Of which everything but the pixels has to go. */
const withMore: [what: string, make: () => Promise<Buffer> | Buffer, type: string][] = [
  [
    'a JPEG with a page behind it',
    async () => Buffer.concat([await photo('jpeg'), Buffer.from(script)]),
    'image/jpeg',
  ],
  [
    'a PNG with a page in a comment',
    () => png(64, 64, { extra: [chunk('tEXt', Buffer.from(`Comment\0${script}`))] }),
    'image/png',
  ],
  [
    'a PNG with a ZIP behind it',
    () => Buffer.concat([png(64, 64), Buffer.from('PK\x03\x04'), Buffer.from(script)]),
    'image/png',
  ],
  [
    'a JPEG whose description is a page',
    async () =>
      sharp(await photo('jpeg'))
        .withExif({ IFD0: { ImageDescription: script, Copyright: script } })
        .jpeg()
        .toBuffer(),
    'image/jpeg',
  ],
  ['a picture called a page', () => png(64, 64), 'image/png'],
]

/** That are no picture, or too much of one. */
const refused: [what: string, make: () => Buffer, type: string][] = [
  ['50,000 × 50,000 pixels in 300 KB', () => png(50_000, 50_000, { rows: 100 }), 'image/png'],
  [
    'one pixel more than is allowed',
    () => png(Math.ceil(imageMaxPixels / 5000) + 1, 5000),
    'image/png',
  ],
  ['2³¹ pixels wide', () => png(2 ** 31 - 1, 1, { rows: 0 }), 'image/png'],
  ['no pixels', () => png(0, 0, { rows: 0 }), 'image/png'],
  [
    'a profile that unpacks to 200 MB',
    () => {
      const profile = Buffer.concat([
        Buffer.from('icc\0\0', 'latin1'),
        deflateSync(Buffer.alloc(200_000_000), { level: 9 }),
      ])
      return png(9000, 9000, { rows: 10, extra: [chunk('iCCP', profile)] })
    },
    'image/png',
  ],
  [
    'an SVG with a script',
    () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`),
    'image/svg+xml',
  ],
  [
    'an SVG that calls itself PNG',
    () =>
      Buffer.from(
        `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>`,
      ),
    'image/png',
  ],
  [
    'entities that multiply',
    () =>
      Buffer.from(
        `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>`,
      ),
    'image/png',
  ],
  [
    'a GIF that is also a script',
    () => Buffer.from(`GIF89a/*\0\0\0\0\0*/=1;alert(1)//`, 'latin1'),
    'image/png',
  ],
  ['a page that calls itself JPEG', () => Buffer.from(`<!doctype html>${script}`), 'image/jpeg'],
  [
    'instructions for a printer',
    () => Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file'),
    'image/png',
  ],
  [
    'a PDF',
    () => Buffer.from('%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'),
    'image/png',
  ],
  [
    'instructions for a drawing program',
    () =>
      Buffer.from(
        'push graphic-context\nfill \'url(https://127.0.0.1/"|id")\'\npop graphic-context',
      ),
    'image/png',
  ],
  ['nothing but a signature', () => signature, 'image/png'],
]

const photo = (format: 'jpeg' | 'png') =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: '#26c' } })
    .toFormat(format)
    .toBuffer()

describe.each(purposes)('as %s', (purpose) => {
  test.each(refused)('%s is refused in words, at once', async (_what, make, type) => {
    const bytes = make()
    const { status, words } = await upload(bytes, { type, name: 'picture.png', purpose })
    expect([400, 413, 415, 422], words).toContain(status)
    expect(words).toMatch(/[A-Z“].+ .+/)
    expect(words).not.toMatch(/vips|sharp|Error:|node_modules|\/tmp/i)
  })

  test.each(withMore)('%s is its pixels and nothing else', async (_what, make, type) => {
    const { id, status, words } = await upload(await make(), {
      type,
      name: `x.html"><script>alert(1)</script>.png`,
      purpose,
    })
    expect(status, words).toBe(204)
    const keys = (await app.services.storage.files('')).filter((key) => key.includes(id))
    const kept = keys.filter((key) => !key.startsWith('drafts/'))
    expect(kept.length).toBeGreaterThan(0)
    for (const key of kept) {
      const stored = await storedBytes(app.services.storage, key)
      expect(stored.includes('script'), key).toBe(false)
      expect(stored.includes('PK\x03\x04'), key).toBe(false)
      const { format, exif } = await sharp(stored).metadata()
      expect([format, exif], key).toEqual(['webp', undefined])
    }
  })
})
