import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ReadableStream as WebStream } from 'node:stream/web'
import { type Bucket, openBucket, type Part } from './bucket.ts'
import type { ObjectStore } from './config.ts'
import { keepRoom, roomOf } from './keep-room.ts'
import type { Log } from './log.ts'
import { forget, notesOf, ObjectUploads, partSizeOf } from './object-uploads.ts'
import { sweepDaily } from './old-files.ts'
import { type Storage, StoreFailure } from './storage.ts'

/** The bytes that come, in pieces of this size; the last is shorter, and may be empty. */
async function* inParts(chunks: AsyncIterable<Uint8Array>, size: number) {
  let [waiting, length]: [Uint8Array[], number] = [[], 0]
  for await (const chunk of chunks) {
    waiting.push(chunk)
    length += chunk.length
    while (length >= size) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, size)
      ;[waiting, length] = [[all.subarray(size)], length - size]
    }
  }
  yield Buffer.concat(waiting)
}

const lost = () => new StoreFailure('an upload to the object store was lost', { isFull: false })

async function write(bucket: Bucket, key: string, chunks: AsyncIterable<Uint8Array>, size: number) {
  const partSize = partSizeOf(size)
  let uploadId: string | null = null
  try {
    const parts: Part[] = []
    for await (const bytes of inParts(chunks, partSize)) {
      if (uploadId === null) {
        if (bytes.length < partSize) return await bucket.put(key, bytes)
        uploadId = await bucket.begin(key)
      }
      if (bytes.length === 0) continue
      const part = await bucket.part(key, uploadId, parts.length + 1, bytes)
      if (!part) throw lost()
      parts.push(part)
    }
    if (!(await bucket.complete(key, uploadId!, parts))) {
      throw lost()
    }
  } catch (error) {
    if (uploadId !== null) await bucket.abort(key, uploadId).catch(() => {})
    throw error
  }
}

const isUpload = (key: string) => key.startsWith('uploads/')

async function keysOf(list: AsyncIterable<{ key: string }>): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of list) keys.push(key)
  return keys
}

/** A store that cannot be used as configured must not be found out by the first upload. */
async function check(bucket: Bucket, { bucket: name }: ObjectStore, log: Log) {
  // One that does not answer may come back, and not everything needs it.
  const status = await bucket.check().catch((error: unknown) => {
    log.error({ err: error }, 'the object store does not answer')
    return 200
  })
  if (status === 404) throw new Error(`S3_BUCKET is “${name}”, but there is no such bucket.`)
  if (status !== 200) {
    throw new Error(
      `The object store refuses S3_BUCKET “${name}” with S3_ACCESS_KEY_ID (status ${status}).`,
    )
  }
}

/** Files in an S3-compatible store, which any number of nodes may share; `workFolder` is this node's own. */
export async function openObjectStorage(
  store: ObjectStore,
  { workFolder, log, copyAtOnce }: { workFolder: string; log: Log; copyAtOnce?: number },
): Promise<Storage> {
  const bucket = openBucket(store, copyAtOnce)
  await check(bucket, store, log)
  const copies = join(workFolder, 'copies')
  await mkdir(copies, { recursive: true })
  const keepingRoom = keepRoom(() => roomOf(copies))
  // Of a process that died while it worked with them.
  await sweepDaily(copies)

  return {
    put: bucket.put,
    write: (key, chunks, size) => write(bucket, key, chunks, size),
    async adopt(key, file) {
      const { size } = await stat(file)
      await write(bucket, key, createReadStream(file, { highWaterMark: 1024 * 1024 }), size)
      await rm(file)
    },
    copy: bucket.copy,
    size: bucket.size,
    read: (key, range) =>
      WebStream.from(bucket.read(key, range)) as unknown as ReadableStream<Uint8Array>,
    async withFile(key, work, signal) {
      const copy = join(copies, randomUUID())
      try {
        const file = createWriteStream(copy)
        await pipeline(bucket.read(key, undefined), keepingRoom, file, { signal })
        return await work(copy)
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      } finally {
        await rm(copy, { force: true })
      }
    },
    // What the store has said it has, it has.
    async settle() {},
    async remove(key) {
      await bucket.remove(key)
      for (const one of await keysOf(bucket.list(`${key}/`))) await bucket.remove(one)
      if (isUpload(key)) await forget(bucket, key)
    },
    async names(folder) {
      const found = new Set<string>()
      const starts = folder === 'uploads' ? [`${folder}/`, notesOf(folder)] : [`${folder}/`]
      for (const start of starts) {
        for (const key of await keysOf(bucket.list(start, '/'))) {
          found.add(key.slice(start.length).replace(/\/$/, ''))
        }
      }
      return [...found]
    },
    async files(folder) {
      const start = folder === '' ? '' : `${folder}/`
      const keys = await keysOf(bucket.list(start))
      return keys.map((key) => key.slice(start.length))
    },
    async changedAt(key) {
      let latest: Date | null = null
      for (const start of isUpload(key) ? [key, notesOf(key)] : [key]) {
        for await (const one of bucket.list(start)) {
          const isIt = start !== key || one.key === key || one.key.startsWith(`${key}/`)
          if (isIt && one.changedAt && (!latest || one.changedAt > latest)) latest = one.changedAt
        }
      }
      return latest
    },
    // The store says so itself when it is full.
    room: async () => Infinity,
    uploads: (rows) => new ObjectUploads(bucket, rows),
  }
}
