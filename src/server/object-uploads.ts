// Uploads under way in an object store: a multipart upload, and beside it what does not fill a part yet.
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { Bucket, Part } from './bucket.ts'
import { type UploadRows } from './storage.ts'

const keyOf = (id: string) => `uploads/${id}`

/** Where an upload notes what it needs until its last byte is there. */
export const notesOf = (key: string) => `under-way/${key}/`

/** The least that S3 takes but for the last part is 5 MiB. One of these per upload is in the memory. */
const leastPart = 8 * 1024 * 1024

/** S3 takes 10,000 parts. */
const mostParts = 9000

/**
 * Every part of a file but the last has this size, so that a number says which bytes a part has; some stores, as
 * Cloudflare's R2, take no others.
 */
export const partSizeOf = (size: number) => Math.max(leastPart, Math.ceil(size / mostParts))

interface Known {
  uploadId: string
  parts: Part[]
  size: number
  /** Bytes that are kept beside the parts. */
  tail: number
}

/**
 * What a process notes is in the store alone, so any node can go on with an upload. Two that write the same
 * upload do no harm: the same part has the same bytes, whoever wrote it, and what waits beside the parts counts as
 * long as it is found to be.
 */
export class ObjectUploads extends DataStore {
  readonly #bucket: Bucket
  readonly #rows: UploadRows

  constructor(bucket: Bucket, rows: UploadRows) {
    super()
    this.#bucket = bucket
    this.#rows = rows
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  override getExpiration(): number {
    return this.#rows.keptFor
  }

  override async create(upload: Upload): Promise<Upload> {
    const key = keyOf(upload.id)
    const uploadId = await this.#bucket.begin(key)
    try {
      await this.#bucket.put(`${notesOf(key)}id`, Buffer.from(uploadId))
    } catch (error) {
      await this.#bucket.abort(key, uploadId).catch(() => {})
      throw error
    }
    return upload
  }

  override async remove(id: string): Promise<void> {
    await this.#bucket.remove(keyOf(id))
    await forget(this.#bucket, keyOf(id))
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#rows.find(id)
    if (!row) throw ERRORS.FILE_NOT_FOUND
    return new Upload({
      id,
      size: row.sizeBytes,
      offset: await this.#offset(id, row.sizeBytes),
      creation_date: row.createdAt.toISOString(),
    })
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#rows.find(id)
    const known = row && (await this.#known(id, row.sizeBytes))
    if (!known) throw ERRORS.FILE_NOT_FOUND
    const { uploadId, parts, size } = known
    const partSize = partSizeOf(size)
    const stored = parts.length * partSize
    if (stored + known.tail !== offset) throw ERRORS.INVALID_OFFSET

    let waiting: Uint8Array[] = known.tail > 0 ? [await this.#tail(id, parts.length + 1)] : []
    let length = waiting[0]?.length ?? 0
    // A node whose line broke just now has written less in its place: the client asks where it stands.
    if (length !== known.tail) throw ERRORS.INVALID_OFFSET
    let number = parts.length + 1
    const flush = async (part: Buffer) => {
      const done = await this.#bucket.part(keyOf(id), uploadId, number, part)
      if (!done) throw ERRORS.FILE_NOT_FOUND
      parts.push(done)
      number += 1
    }
    let failure: unknown
    try {
      for await (const chunk of bytes) {
        waiting.push(chunk)
        length += chunk.length
        if (length < partSize) continue
        const all = Buffer.concat(waiting)
        // Nothing is waiting twice when this fails: the client sends again what has no part.
        ;[waiting, length] = [[], 0]
        let at = 0
        for (; all.length - at >= partSize; at += partSize) {
          await flush(all.subarray(at, at + partSize))
        }
        ;[waiting, length] = [[all.subarray(at)], all.length - at]
      }
    } catch (error) {
      failure = error
    }
    // What came before a connection broke counts as well.
    const reached = parts.length * partSize + length
    if (length > 0) {
      const rest = Buffer.concat(waiting)
      if (reached === size) await flush(rest)
      else if (reached > offset) await this.#bucket.put(tailKey(id, number), rest)
    }
    if (failure) throw failure
    if (reached === size) await this.#complete(id, { ...known, parts })
    return reached
  }

  async #offset(id: string, size: number): Promise<number> {
    if ((await this.#bucket.size(keyOf(id))) === size) return size
    const known = await this.#known(id, size)
    if (!known) throw ERRORS.FILE_NOT_FOUND
    const offset = known.parts.reduce((sum, part) => sum + part.size, known.tail)
    // A process died, or the store failed, just before the end.
    if (offset === size) await this.#complete(id, known)
    return offset
  }

  async #known(id: string, size: number): Promise<Known | null> {
    const key = keyOf(id)
    if ((await this.#bucket.size(`${notesOf(key)}id`)) === null) return null
    const uploadId = String(await buffer(this.#bucket.read(`${notesOf(key)}id`, undefined)))
    const listed = await this.#bucket.parts(key, uploadId)
    if (!listed) return null
    const parts = listed.filter((part, at) => part.number === at + 1)
    const isWhole = parts.reduce((sum, part) => sum + part.size, 0) === size
    const tail = isWhole ? 0 : ((await this.#bucket.size(tailKey(id, parts.length + 1))) ?? 0)
    return { uploadId, parts, size, tail }
  }

  #tail(id: string, number: number): Promise<Buffer> {
    return buffer(this.#bucket.read(tailKey(id, number), undefined))
  }

  async #complete(id: string, { uploadId, parts, size }: Known): Promise<void> {
    const isDone = await this.#bucket.complete(keyOf(id), uploadId, parts)
    // Somebody else may have done it just now.
    if (!isDone && (await this.#bucket.size(keyOf(id))) !== size) throw ERRORS.FILE_NOT_FOUND
    await forget(this.#bucket, keyOf(id))
  }
}

const tailKey = (id: string, number: number) => `${notesOf(keyOf(id))}tail-${number}`

/** Ends what is under way of a key; a finished file stays. */
export async function forget(bucket: Bucket, key: string): Promise<void> {
  const notes: string[] = []
  for await (const note of bucket.list(notesOf(key))) notes.push(note.key)
  const idNote = `${notesOf(key)}id`
  if (notes.includes(idNote)) {
    // Another node may be ending it just now.
    const isStillThere = (await bucket.size(idNote)) !== null
    if (isStillThere) {
      await bucket.abort(key, String(await buffer(bucket.read(idNote, undefined))))
    }
  }
  // The id last: who dies before can begin anew.
  for (const note of notes.filter((name) => name !== idNote)) await bucket.remove(note)
  if (notes.includes(idNote)) await bucket.remove(idNote)
}
