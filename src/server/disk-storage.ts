import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import { keepRoom, roomOf } from './keep-room.ts'
import { sweepDaily } from './old-files.ts'
import type { Storage, UploadRows } from './storage.ts'
import { unlessMissing } from './unless-missing.ts'

/**
 * Files under a folder, as paths from there. Each folder is read by itself, because files come and go meanwhile:
 * one that is removed takes only its own files out of the list.
 */
async function filesUnder(
  folder: string,
  isLeftOut?: (name: string) => boolean,
): Promise<string[]> {
  const entries = await unlessMissing(readdir(folder, { withFileTypes: true }), [])
  const files: string[] = []
  for (const entry of entries) {
    if (isLeftOut?.(entry.name)) continue
    if (entry.isFile()) files.push(entry.name)
    if (!entry.isDirectory()) continue
    const inside = await filesUnder(join(folder, entry.name))
    for (const name of inside) files.push(`${entry.name}/${name}`)
  }
  return files
}

/** What the system keeps at the top of a disk, often for itself only (lost+found, .Trashes): no key begins so. */
const isOfSystem = (name: string) => name === 'lost+found' || name.startsWith('.')

/** tus keeps no files of its own beside the bytes. */
class DiskUploads extends FileStore {
  readonly #folder: string
  readonly #keepingRoom: ReturnType<typeof keepRoom>

  constructor(folder: string, rows: UploadRows, keepingRoom: ReturnType<typeof keepRoom>) {
    super({
      directory: folder,
      configstore: {
        async get(id: string) {
          const row = await rows.find(id)
          if (!row) return undefined
          const creation_date = row.createdAt.toISOString()
          return new Upload({ id, size: row.sizeBytes, offset: 0, creation_date })
        },
        async set() {},
        async delete() {},
      },
      expirationPeriodInMilliseconds: rows.keptFor,
    })
    this.#folder = folder
    this.#keepingRoom = keepingRoom
    // Without 'creation-defer-length': what may become any size cannot be refused in time.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  /** Unlike the library's own it says why it failed. What came before a failure is on the disk. */
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.#folder, id), { flags: 'r+', start: offset })
    await pipeline(bytes, this.#keepingRoom, file)
    return offset + file.bytesWritten
  }
}

export async function openDiskStorage(dataDir: string): Promise<Storage> {
  const root = join(dataDir, 'storage')
  const uploadsFolder = join(root, 'uploads')
  const draftsFolder = join(root, 'drafts')
  for (const folder of [uploadsFolder, draftsFolder]) await mkdir(folder, { recursive: true })
  // Of a process that died while it wrote.
  await sweepDaily(draftsFolder)
  const path = (key: string) => join(root, key)
  const keepingRoom = keepRoom(() => storage.room())

  /** Written elsewhere, synced, then renamed: a reader or a crash never meets half a file. */
  async function store(key: string, content: Uint8Array | AsyncIterable<Uint8Array>) {
    const draft = join(draftsFolder, randomUUID())
    try {
      const handle = await open(draft, 'wx')
      try {
        await handle.writeFile(keepingRoom(content instanceof Uint8Array ? [content] : content))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await mkdir(dirname(path(key)), { recursive: true })
      await rename(draft, path(key))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async function settle(file: string) {
    const handle = await open(file, 'r+')
    await handle.sync().finally(() => handle.close())
  }

  const storage: Storage = {
    put: store,
    write: store,
    async adopt(key, file) {
      await mkdir(dirname(path(key)), { recursive: true })
      await settle(file)
      try {
        await rename(file, path(key))
      } catch (error) {
        // The storage may be mounted from elsewhere.
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        await store(key, createReadStream(file))
        await rm(file)
      }
    },
    async copy(from, to) {
      await mkdir(dirname(path(to)), { recursive: true })
      // A link has the age of its file, and what is old and belongs to no row is swept away.
      const now = new Date()
      await utimes(path(from), now, now)
      // Two names of one file: neither time nor room. Some file systems know no such thing.
      await link(path(from), path(to)).catch(() => copyFile(path(from), path(to)))
    },
    async size(key) {
      const found = await unlessMissing(stat(path(key)), null)
      return found?.isFile() ? found.size : null
    },
    read: (key, range) =>
      Readable.toWeb(createReadStream(path(key), range)) as ReadableStream<Uint8Array>,
    withFile: (key, work) => work(path(key)),
    settle: (key) => settle(path(key)),
    async remove(key) {
      await rm(path(key), { force: true, recursive: true })
    },
    names: (folder) => unlessMissing(readdir(path(folder)), []),
    // The storage may be the top of a disk of its own.
    files: (folder) => filesUnder(path(folder), folder === '' ? isOfSystem : undefined),
    async changedAt(key) {
      const found = await unlessMissing(stat(path(key)), null)
      return found && found.mtime
    },
    room: () => roomOf(root),
    uploads: (rows) => new DiskUploads(uploadsFolder, rows, keepingRoom),
  }
  return storage
}
