// Where tus writes the bytes of uploads under way.
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { Services } from '../../server/services.ts'
import { uploadKey } from './finish-upload.ts'
import { deleteUnfinished, mediaFile } from './queries.ts'
import { unfinishedDays } from './rules.ts'

const day = 24 * 60 * 60 * 1000

/** The disk, or what this account may use of it, is full. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))

/** tus keeps no files of its own beside the bytes: the row in media_files is all there is to know. */
const rowsAsConfig = (db: Services['db']) => ({
  async get(id: string) {
    const row = await mediaFile(db, id)
    if (!row) return undefined
    return new Upload({
      id,
      size: row.sizeBytes,
      offset: 0,
      creation_date: row.createdAt.toISOString(),
    })
  },
  async set() {},
  async delete() {},
})

export class UploadFiles extends FileStore {
  readonly #services: Pick<Services, 'db' | 'storage'>

  constructor(services: Pick<Services, 'db' | 'storage'>) {
    super({
      directory: services.storage.uploadsFolder,
      configstore: rowsAsConfig(services.db),
      expirationPeriodInMilliseconds: unfinishedDays * day,
    })
    this.#services = services
    // Without 'creation-defer-length': what may become any size cannot be refused in time.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  override async create(file: Upload): Promise<Upload> {
    try {
      return await super.create(file)
    } catch (error) {
      // Its row would count as an unfinished upload that nobody can go on with.
      const { db } = this.#services
      const row = await mediaFile(db, file.id)
      if (row) await deleteUnfinished(db, row.ownerId, row.id)
      throw error
    }
  }

  /** Unlike the library's own it says why it failed. What came before a failure is on the disk. */
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const path = this.#services.storage.path(uploadKey(id))
    const file = createWriteStream(path, { flags: 'r+', start: offset })
    await pipeline(bytes, file)
    return offset + file.bytesWritten
  }
}
