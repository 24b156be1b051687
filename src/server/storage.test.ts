// One suite for all adapters. That of the object store needs a real one: `npm run prove:storage`.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../test/factories.ts'
import { mountSmallDisk, whyNoSmallDisk } from '../../test/faults/small-disk.ts'
import { startSmallStore } from '../../test/faults/small-store.ts'
import { bucketCalled, hasObjectStore } from '../../test/object-store.ts'
import { storedBytes } from '../../test/stored-files.ts'
import { courses } from '../domains/courses/tables.ts'
import { mediaFiles } from '../domains/media/tables.ts'
import { setFlagshipCourse } from '../domains/site/flagship.ts'
import { openBucket } from './bucket.ts'
import type { ObjectStore } from './config.ts'
import { openDiskStorage } from './disk-storage.ts'
import { createLog } from './log.ts'
import { openObjectStorage } from './object-storage.ts'
import { notesOf } from './object-uploads.ts'
import { type Storage, StoreFailure } from './storage.ts'

const MiB = 1024 * 1024
const log = createLog('silent')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-storage-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const cut = new Error('the line was cut')

async function* cutAfter(bytes: Uint8Array) {
  yield* inChunks(bytes, 64 * 1024)
  throw cut
}

const adapters: { name: string; isHere: boolean; open(bucket: string): Promise<Storage> }[] = [
  { name: 'the disk', isHere: true, open: (bucket) => openDiskStorage(join(folder, bucket)) },
  {
    name: hasObjectStore ? 'an object store' : 'skipped: no object store here',
    isHere: hasObjectStore,
    open: async (bucket) =>
      openObjectStorage(await bucketCalled(bucket), {
        workFolder: join(folder, bucket, 'work'),
        log,
        // As if a server copied no more than this at once.
        copyAtOnce: 6 * MiB,
      }),
  },
]

describe.each(adapters)('$name', ({ isHere, open }) => {
  const bucket = `thunder-${randomUUID()}`
  let storage: Storage
  beforeAll(async () => {
    if (isHere) storage = await open(bucket)
  })
  afterEach(async () => {
    // No part of a file that a test made stays on this machine.
    for (const left of ['storage/drafts', 'work/copies']) {
      expect(await readdir(join(folder, bucket, left)).catch(() => [])).toEqual([])
    }
  })

  const whole = async (key: string) => sha256(await storedBytes(storage, key))

  test.runIf(isHere)('gives back what it was given, whole and in parts', async () => {
    const bytes = randomBytes(300_000)
    await storage.put('images/a/320.webp', bytes)
    expect(await storage.size('images/a/320.webp')).toBe(bytes.length)
    expect(await whole('images/a/320.webp')).toBe(sha256(bytes))
    for (const [start, end] of [
      [0, 0],
      [0, 299_999],
      [100_000, 200_000],
      [299_999, 299_999],
    ] as const) {
      const part = await new Response(
        storage.read('images/a/320.webp', { start, end }),
      ).arrayBuffer()
      expect(sha256(Buffer.from(part))).toBe(sha256(bytes.subarray(start, end + 1)))
    }
    await storage.put('images/a/320.webp', Buffer.from('new'))
    expect(String(await storedBytes(storage, 'images/a/320.webp'))).toBe('new')
  })

  test.runIf(isHere)('keeps an empty file, and keys with odd signs', async () => {
    for (const key of [
      'odd/empty',
      'odd/a b+c%20&d=e#f?.bin',
      'odd/größe/🎬.vtt',
      "odd/it's(1)!*",
    ]) {
      const bytes = Buffer.from(key === 'odd/empty' ? '' : key)
      await storage.put(key, bytes)
      expect(await storage.size(key), key).toBe(bytes.length)
      expect(await storedBytes(storage, key), key).toEqual(bytes)
      await storage.copy(key, `${key}.copy`)
      expect(await storedBytes(storage, `${key}.copy`), key).toEqual(bytes)
    }
    expect((await storage.files('odd')).toSorted()).toContain('größe/🎬.vtt.copy')
  })

  test.runIf(isHere)('says what is missing', async () => {
    const key = 'images/nowhere/320.webp'
    expect(await storage.size(key)).toBeNull()
    expect(await storage.size('images')).toBeNull()
    expect(await storage.changedAt(key)).toBeNull()
    expect(await storage.files('images/nowhere')).toEqual([])
    expect(await storage.names('nowhere')).toEqual([])
    await expect(storedBytes(storage, key)).rejects.toThrow()
    await expect(storage.copy(key, 'images/b/320.webp')).rejects.toThrow()
    await expect(storage.withFile(key, () => storedBytes(storage, key))).rejects.toThrow()
    await storage.remove(key)
  })

  test.runIf(isHere)('lists every file that stays while others come and go', async () => {
    const lasting = Array.from({ length: 40 }, (_, number) => `busy/stays-${number}/file`)
    for (const key of lasting) await storage.put(key, Buffer.from('here'))
    const ending = new AbortController()
    const visitors = Array.from({ length: 4 }, async (_, visitor) => {
      for (let number = 0; !ending.signal.aborted; number += 1) {
        await storage.put(`busy/goes-${visitor}-${number % 50}/deep/file`, Buffer.from('gone soon'))
        await storage.remove(`busy/goes-${visitor}-${number % 50}`)
      }
    })
    const lists: string[][] = []
    for (let round = 0; round < 100; round += 1) lists.push(await storage.files('busy'))
    ending.abort()
    await Promise.all(visitors)
    for (const list of lists) {
      const stays = list.filter((name) => name.startsWith('stays-')).map((name) => `busy/${name}`)
      expect(stays.toSorted()).toEqual(lasting.toSorted())
    }
  })

  test.runIf(isHere)('takes streams of any length, piece by piece', async () => {
    for (const length of [0, 1, 8 * MiB - 1, 8 * MiB, 8 * MiB + 1, 21 * MiB + 7]) {
      const bytes = randomBytes(length)
      await storage.write('uploads/stream', inChunks(bytes, 1_000_003), length)
      expect(await storage.size('uploads/stream'), String(length)).toBe(length)
      expect(await whole('uploads/stream'), String(length)).toBe(sha256(bytes))
    }
  })

  test.runIf(isHere)('shows nothing of a stream that is cut', async () => {
    for (const length of [1000, 17 * MiB]) {
      const key = `uploads/cut-${length}`
      await expect(storage.write(key, cutAfter(randomBytes(length)), length)).rejects.toThrow(cut)
      expect(await storage.size(key)).toBeNull()
      expect(await storage.names('uploads')).not.toContain(`cut-${length}`)
    }
    await storage.put('uploads/kept', Buffer.from('before'))
    await expect(storage.write('uploads/kept', cutAfter(randomBytes(1000)), 1000)).rejects.toThrow(
      cut,
    )
    expect(String(await storedBytes(storage, 'uploads/kept'))).toBe('before')
  })

  test.runIf(isHere)('adopts a file of this machine', async () => {
    const file = join(folder, randomUUID())
    const bytes = randomBytes(9 * MiB)
    await writeFile(file, bytes)
    await storage.adopt('videos/a/hls/180p/0.m4s', file)
    expect(await stat(file).catch(() => null)).toBeNull()
    expect(await whole('videos/a/hls/180p/0.m4s')).toBe(sha256(bytes))
  })

  test.runIf(isHere && existsSync('/dev/shm'))('adopts a file of another disk', async () => {
    const file = join('/dev/shm', randomUUID())
    const bytes = randomBytes(MiB)
    await writeFile(file, bytes)
    await storage.adopt('videos/b/hls/180p/0.m4s', file)
    expect(existsSync(file)).toBe(false)
    expect(await whole('videos/b/hls/180p/0.m4s')).toBe(sha256(bytes))
  })

  test.runIf(isHere)('lends a file to programs, and takes it back whatever they do', async () => {
    const bytes = randomBytes(3 * MiB)
    await storage.put('uploads/lent', bytes)
    await storage.settle('uploads/lent')
    const lent = await storage.withFile('uploads/lent', async (path) => {
      expect((await stat(path)).size).toBe(bytes.length)
      return path
    })
    await expect(storage.withFile('uploads/lent', () => Promise.reject(cut))).rejects.toThrow(cut)
    expect(lent).toContain(folder)
    expect(await storage.size('uploads/lent')).toBe(bytes.length)
  })

  test.runIf(isHere)('copies so that either can go without the other', async () => {
    for (const [key, length] of [
      ['uploads/small', 1000],
      ['uploads/large', 20 * MiB + 1],
    ] as const) {
      const bytes = randomBytes(length)
      await storage.write(key, inChunks(bytes, MiB), length)
      await storage.copy(key, `${key}-2`)
      await storage.copy(`${key}-2`, `${key}-3`)
      await storage.remove(key)
      expect(await storage.size(key)).toBeNull()
      expect(await whole(`${key}-2`)).toBe(sha256(bytes))
      await storage.remove(`${key}-2`)
      expect(await whole(`${key}-3`)).toBe(sha256(bytes))
    }
  })

  test.runIf(isHere)('removes a folder, and no other that begins alike', async () => {
    for (const key of ['videos/x/a', 'videos/x/hls/1/b', 'videos/xy/a']) {
      await storage.put(key, Buffer.from('x'))
    }
    expect((await storage.files('videos/x')).toSorted()).toEqual(['a', 'hls/1/b'])
    expect((await storage.names('videos')).filter((name) => name[0] === 'x').toSorted()).toEqual([
      'x',
      'xy',
    ])
    await storage.remove('videos/x')
    expect(await storage.files('videos/x')).toEqual([])
    expect(await storage.names('videos')).not.toContain('x')
    expect(await storage.size('videos/xy/a')).toBe(1)
  })

  test.runIf(isHere)('takes many at once; of one key, one of them whole', async () => {
    const all = Array.from({ length: 12 }, () => randomBytes(200_000))
    await Promise.all(all.map((bytes, at) => storage.put(`images/many/${at}`, bytes)))
    for (const [at, bytes] of all.entries()) {
      expect(await whole(`images/many/${at}`)).toBe(sha256(bytes))
    }
    await Promise.all(all.map((bytes) => storage.put('images/same', bytes)))
    expect(all.map(sha256)).toContain(await whole('images/same'))
  })

  test.runIf(isHere)('reads no further than it is read, and lets go', async () => {
    const bytes = randomBytes(20 * MiB)
    await storage.put('uploads/slow', bytes)
    for (let times = 0; times < 60; times += 1) {
      const reader = storage.read('uploads/slow').getReader()
      const { value } = await reader.read()
      expect(bytes.subarray(0, value!.length).equals(value!)).toBe(true)
      await reader.cancel()
    }
    expect(await whole('uploads/slow')).toBe(sha256(bytes))
  })

  test.runIf(isHere)('knows when a key or something in a folder was stored', async () => {
    const before = Date.now()
    await storage.put('videos/aged/poster.jpg', Buffer.from('x'))
    const after = Date.now()
    for (const key of ['videos/aged', 'videos/aged/poster.jpg']) {
      const at = (await storage.changedAt(key))!.getTime()
      expect(at).toBeGreaterThan(before - 10_000)
      expect(at).toBeLessThan(after + 10_000)
    }
    expect(await storage.changedAt('videos/age')).toBeNull()
  })

  describe.runIf(isHere)('an upload in pieces', () => {
    const rows = new Map<string, { sizeBytes: number; createdAt: Date }>()
    const keptFor = 86_400_000
    const uploadsOf = (one: Storage) =>
      one.uploads({ find: async (id) => rows.get(id) ?? null, keptFor })

    async function begun(sizeBytes: number) {
      const id = randomUUID()
      rows.set(id, { sizeBytes, createdAt: new Date() })
      const files = uploadsOf(storage)
      const { Upload } = await import('@tus/server')
      await files.create(new Upload({ id, size: sizeBytes, offset: 0 }))
      return { id, files, key: `uploads/${id}` }
    }

    test('is cut and gone on with, at another node, until it is whole', async () => {
      const bytes = randomBytes(19 * MiB + 3)
      const { id, files, key } = await begun(bytes.length)
      expect((await files.getUpload(id)).offset).toBe(0)
      let offset = 0
      for (const length of [1000, 200_000, 9 * MiB, 1, 7 * MiB, bytes.length]) {
        const end = Math.min(offset + length, bytes.length)
        const node = uploadsOf(await open(bucket))
        expect(await storage.size(key)).not.toBe(bytes.length)
        const sent = Readable.from(inChunks(bytes.subarray(offset, end), 70_000))
        expect(await node.write(sent, id, offset)).toBe(end)
        offset = (await files.getUpload(id)).offset
        expect(offset).toBe(end)
      }
      expect(await whole(key)).toBe(sha256(bytes))
      expect(await storage.files(notesOf(key).slice(0, -1))).toEqual([])
    })

    test('of one byte, and of exactly one part', async () => {
      for (const length of [1, 8 * MiB, 16 * MiB]) {
        const bytes = randomBytes(length)
        const { id, files, key } = await begun(length)
        await files.write(Readable.from(inChunks(bytes, MiB)), id, 0)
        expect(await whole(key)).toBe(sha256(bytes))
      }
    })

    test('that is nowhere is said to be', async () => {
      const files = uploadsOf(storage)
      await expect(files.getUpload(randomUUID())).rejects.toMatchObject({ status_code: 404 })
    })

    test('counts as its key: it is found by a sweep, has an age, and goes', async () => {
      const { id, files, key } = await begun(12 * MiB)
      await expect(
        files.write(Readable.from(cutAfter(randomBytes(10 * MiB))), id, 0),
      ).rejects.toThrow(cut)
      expect(await storage.names('uploads')).toContain(id)
      expect(await storage.changedAt(key)).not.toBeNull()
      await storage.remove(key)
      expect(await storage.names('uploads')).not.toContain(id)
      expect(await storage.changedAt(key)).toBeNull()
      await expect(files.getUpload(id)).rejects.toHaveProperty('status_code')
    })
  })
})

describe('the disk', () => {
  test('has no files in what the system keeps at its top', async () => {
    const storage = await openDiskStorage(join(folder, 'mounted'))
    await storage.put('images/a/96.webp', Buffer.from('a face'))
    const top = join(folder, 'mounted', 'storage')
    for (const name of ['lost+found', '.snapshot']) {
      await mkdir(join(top, name))
      await writeFile(join(top, name, 'part'), 'of the system')
      // Only root looks into the first.
      await chmod(join(top, name), 0o000)
    }
    expect(await storage.files('')).toEqual(['images/a/96.webp'])
    for (const name of ['lost+found', '.snapshot']) await chmod(join(top, name), 0o700)
  })

  test('forgets drafts of a process that died, once they are a day old', async () => {
    const dataDir = join(folder, 'drafts-test')
    await openDiskStorage(dataDir)
    const draft = (name: string) => join(dataDir, 'storage', 'drafts', name)
    for (const name of ['old', 'young']) await writeFile(draft(name), 'x')
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
    await utimes(draft('old'), yesterday, yesterday)
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await openDiskStorage(dataDir)
    const left = () => readdir(join(dataDir, 'storage', 'drafts'))
    expect(await left()).toEqual(['young'])

    // A steady process sees the others grow old.
    await utimes(draft('young'), yesterday, yesterday)
    vi.advanceTimersByTime(24 * 3600 * 1000)
    await expect.poll(left).toEqual([])
  })
})

describe.runIf(hasObjectStore)('an object store', () => {
  test('completes an upload whose process died after the last part', async () => {
    const name = `thunder-${randomUUID()}`
    const store = await bucketCalled(name)
    const storage = await openObjectStorage(store, { workFolder: join(folder, name), log })
    const id = randomUUID()
    const bytes = randomBytes(1000)
    const files = storage.uploads({
      find: async () => ({ sizeBytes: bytes.length, createdAt: new Date() }),
      keptFor: 86_400_000,
    })
    const { Upload } = await import('@tus/server')
    await files.create(new Upload({ id, size: bytes.length, offset: 0 }))
    const uploadId = String(await storedBytes(storage, `${notesOf(`uploads/${id}`)}id`))
    const bucket = openBucket(store)
    await bucket.part(`uploads/${id}`, uploadId, 1, bytes)
    expect(await storage.size(`uploads/${id}`)).toBeNull()

    const offsets = await Promise.all([files.getUpload(id), files.getUpload(id)])
    expect(offsets.map(({ offset }) => offset)).toEqual([1000, 1000])
    expect(await storedBytes(storage, `uploads/${id}`)).toEqual(bytes)
  })

  test('is refused at the start when it cannot be used', async () => {
    const store = await bucketCalled(`thunder-${randomUUID()}`)
    const opened = (change: Partial<ObjectStore>) =>
      openObjectStorage({ ...store, ...change }, { workFolder: folder, log })
    await expect(opened({ bucket: 'no-such-bucket' })).rejects.toThrow(
      'S3_BUCKET is “no-such-bucket”, but there is no such bucket.',
    )
    await expect(opened({ secretAccessKey: 'wrong' })).rejects.toThrow('(status 403)')
  })
})

test('sends an object store parts of one size, as large as the whole file asks for', async () => {
  // How many bytes each had.
  const parts: number[] = []
  const taking = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url!, 'http://store')
    let bytes = 0
    for await (const chunk of request) bytes += (chunk as Buffer).length
    if (searchParams.has('partNumber')) parts.push(bytes)
    response.setHeader('etag', '"0"')
    const isBegun = searchParams.has('uploads')
    const word = isBegun ? 'InitiateMultipartUploadResult' : 'CompleteMultipartUploadResult'
    response.end(request.method === 'POST' ? `<${word}><UploadId>1</UploadId></${word}>` : '')
  })
  taking.listen(0, '127.0.0.1')
  await new Promise((resolve) => taking.once('listening', resolve))
  try {
    const storage = await openObjectStorage(
      {
        endpoint: `http://127.0.0.1:${(taking.address() as AddressInfo).port}`,
        bucket: 'files',
        region: 'us-east-1',
        accessKeyId: 'a',
        secretAccessKey: 'b',
        pathStyle: true,
      },
      { workFolder: folder, log },
    )
    await storage.write('uploads/a', inChunks(randomBytes(17 * MiB), MiB), 17 * MiB)
    expect(parts.splice(0)).toEqual([8 * MiB, 8 * MiB, MiB])
    // The beginning of one that 10,000 parts of 8 MiB could not hold.
    await storage.write('uploads/b', inChunks(randomBytes(23 * MiB), MiB), 9000 * 11 * MiB)
    expect(parts.splice(0)).toEqual([11 * MiB, 11 * MiB, MiB])
  } finally {
    taking.closeAllConnections()
    taking.close()
  }
})

test('an upload to an object store stays whole where the line of its former node breaks late', async () => {
  let meanwhile = async () => {}
  const small = await startSmallStore((key) =>
    key.endsWith('/tail-1') ? meanwhile() : Promise.resolve(),
  )
  onTestFinished(small.stop)
  const store = {
    endpoint: small.url,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'a',
    secretAccessKey: 'b',
    pathStyle: true,
  }
  const bytes = randomBytes(10 * MiB)
  const id = randomUUID()
  const rows = {
    find: async () => ({ sizeBytes: bytes.length, createdAt: new Date() }),
    keptFor: 86_400_000,
  }
  const storage = await openObjectStorage(store, { workFolder: folder, log })
  const [former, next] = [storage.uploads(rows), storage.uploads(rows)]
  const { Upload } = await import('@tus/server')
  await former.create(new Upload({ id, size: bytes.length, offset: 0 }))
  const piece = (start: number, end: number) => inChunks(bytes.subarray(start, end), MiB)
  const [halfOpen, cutting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* breakingLate() {
    yield* piece(0, 3 * MiB)
    halfOpen.resolve()
    await cutting.promise
    throw cut
  }
  const late = former.write(Readable.from(breakingLate()), id, 0).catch((error: unknown) => error)
  await halfOpen.promise
  expect(await next.write(Readable.from(piece(0, 5 * MiB)), id, 0)).toBe(5 * MiB)

  // What it had is written when the next one knows already how much there is.
  meanwhile = async () => {
    cutting.resolve()
    expect(await late).toBe(cut)
  }
  const sent = next.write(Readable.from(piece(5 * MiB, bytes.length)), id, 5 * MiB)
  await expect(sent).rejects.toHaveProperty('status_code', 409)
  const { offset } = await next.getUpload(id)
  expect(offset).toBe(3 * MiB)
  await next.write(Readable.from(piece(offset, bytes.length)), id, offset)
  expect(sha256(await storedBytes(storage, `uploads/${id}`))).toBe(sha256(bytes))
})

const whyNot = whyNoSmallDisk()

describe.skipIf(whyNot !== null)(whyNot ? `skipped: ${whyNot}` : 'the disk of a node', () => {
  test('has its room when something is copied out of an object store to work on it', async () => {
    const giving = createServer((request, response) => {
      request.resume()
      response.end(request.method === 'GET' ? 'a film' : '')
    })
    onTestFinished(() => void giving.close())
    giving.listen(0, '127.0.0.1')
    await new Promise((resolve) => giving.once('listening', resolve))
    const store = {
      endpoint: `http://127.0.0.1:${(giving.address() as AddressInfo).port}`,
      bucket: 'files',
      region: 'us-east-1',
      accessKeyId: 'a',
      secretAccessKey: 'b',
      pathStyle: true,
    }
    const disk = await mountSmallDisk(110)
    const storage = await openObjectStorage(store, { workFolder: disk.folder, log })
    const read = () => storage.withFile('uploads/a', (path) => readFile(path, 'utf8'))
    expect(await read()).toBe('a film')
    await disk.fill(99 * MiB)
    await expect(read()).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(join(disk.folder, 'copies'))).toEqual([])
  })
})

describe('a store that fails', () => {
  let answer: number
  const failing = createServer((request, response) => {
    request.resume()
    response.writeHead(answer).end()
  })
  let variables: Record<string, string>
  let store: ObjectStore
  beforeAll(async () => {
    failing.listen(0, '127.0.0.1')
    await new Promise((resolve) => failing.once('listening', resolve))
    const endpoint = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
    store = {
      endpoint,
      bucket: 'files',
      region: 'us-east-1',
      accessKeyId: 'a',
      secretAccessKey: 'b',
      pathStyle: true,
    }
    variables = {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    }
  })
  afterAll(() => failing.close())

  test.each([
    [503, 'ESTORE'],
    [403, 'ESTORE'],
    [507, 'ENOSPC'],
  ])('with %i is told from one that has nothing', async (status, code) => {
    answer = 503
    const storage = await openObjectStorage(store, { workFolder: folder, log })
    answer = status
    for (const asked of [
      () => storage.size('a'),
      () => storage.put('a', Buffer.from('a')),
      () => storedBytes(storage, 'a'),
      () => storage.names('images'),
    ]) {
      const error = await asked().then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(StoreFailure)
      expect(error).toMatchObject({ code })
    }
    answer = 404
    expect(await storage.size('a')).toBeNull()
  })

  test('is told to people in words, and leaves nothing half done', async () => {
    answer = 503
    const app = await startTestApp(variables)
    const person = await app.signUp()
    const words = 'Files cannot be reached at the moment. Please try again in a minute.'
    const begin = () =>
      app.request('/storage/v1/uploads', {
        method: 'POST',
        cookie: person.cookie,
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '1000',
          'upload-metadata': `purpose ${btoa('avatar')},filename ${btoa('a.png')},filetype ${btoa('image/png')}`,
        },
      })
    const refused = await begin()
    expect([refused.status, refused.body]).toEqual([503, words])
    answer = 507
    const full = await begin()
    expect([full.status, full.body]).toEqual([507, expect.stringContaining('no room left')])
    expect(await app.services.db.$count(mediaFiles)).toBe(0)

    answer = 503
    const picture = `/storage/v1/images/${randomUUID()}/320.webp`
    const unreachable = await app.request(picture)
    expect([unreachable.status, unreachable.body.message]).toEqual([503, words])
    const creator = await makePerson(app.services)
    const { id: courseId } = await makeCourse(app.services, creator)
    // It counts not, so there may be another.
    await setFlagshipCourse(app.services.db, courseId)
    const [thumbnail] = await app.services.db
      .insert(mediaFiles)
      .values({
        ownerId: creator.id,
        purpose: 'thumbnail',
        status: 'ready',
        filename: 'a.png',
        contentType: 'image/webp',
        sizeBytes: 1,
      })
      .returning()
    await app.services.db
      .update(courses)
      .set({ thumbnailId: thumbnail!.id })
      .where(eq(courses.id, courseId))
    const copied = await app.request(`/rest/v1/courses/${courseId}/duplicate`, {
      method: 'POST',
      cookie: await sessionCookieOf(app.services, creator.id),
    })
    expect([copied.status, copied.body.message]).toEqual([503, words])
    expect(await app.services.db.$count(courses)).toBe(1)

    answer = 404
    expect((await app.request(picture)).status).toBe(404)
    await app.stop()
  })
})
