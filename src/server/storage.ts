import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'

/** Where uploaded bytes live. Keys are made by the server, never by a person. */
export interface Storage {
  /** The folder in which tus keeps the uploads under way; `uploads/{id}` are its keys. */
  readonly uploadsFolder: string
  put(key: string, bytes: Uint8Array): Promise<void>
  /** A file as long as what comes; nobody may know its key before this has resolved. */
  write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** A file of this machine becomes the bytes of a key, and is gone from where it was. */
  adopt(key: string, file: string): Promise<void>
  /** The same bytes under another key; removing one leaves the other. Bytes never change once stored. */
  copy(from: string, to: string): Promise<void>
  /** Bytes; null when there is no such key. */
  size(key: string): Promise<number | null>
  /** Both ends included, as in an HTTP range. */
  read(key: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>
  /** A path on this machine, for programs that need a file. */
  path(key: string): string
  remove(key: string): Promise<void>
  /** Bytes that still fit. */
  room(): Promise<number>
}

export async function openDiskStorage(dataDir: string): Promise<Storage> {
  const root = join(dataDir, 'storage')
  const uploadsFolder = join(root, 'uploads')
  await mkdir(uploadsFolder, { recursive: true })
  const path = (key: string) => join(root, key)
  return {
    uploadsFolder,
    path,
    async put(key, bytes) {
      const file = path(key)
      await mkdir(dirname(file), { recursive: true })
      // Written beside, synced, then renamed: a reader or a crash never meets half a file.
      const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
      const handle = await open(draft, 'w')
      await handle.writeFile(bytes)
      await handle.sync()
      await handle.close()
      await rename(draft, file)
    },
    async write(key, chunks) {
      await mkdir(dirname(path(key)), { recursive: true })
      const handle = await open(path(key), 'w')
      try {
        await handle.writeFile(chunks)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async adopt(key, file) {
      await mkdir(dirname(path(key)), { recursive: true })
      const handle = await open(file, 'r+')
      await handle.sync().finally(() => handle.close())
      await rename(file, path(key))
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
      const found = await stat(path(key)).catch(() => null)
      return found?.isFile() ? found.size : null
    },
    read: (key, range) =>
      Readable.toWeb(createReadStream(path(key), range)) as ReadableStream<Uint8Array>,
    async remove(key) {
      await rm(path(key), { force: true, recursive: true })
    },
    async room() {
      const { bavail, bsize } = await statfs(root)
      return bavail * bsize
    },
  }
}
