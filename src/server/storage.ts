import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'

/** Where uploaded bytes live. Keys are made by the server, never by a person. */
export interface Storage {
  /** The folder in which tus keeps the uploads under way; `uploads/{id}` are its keys. */
  readonly uploadsFolder: string
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Bytes; null when there is no such key. */
  size(key: string): Promise<number | null>
  /** Both ends included, as in an HTTP range. */
  read(key: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>
  /** A path on this machine, for programs that need a file. */
  path(key: string): string
  remove(key: string): Promise<void>
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
    async size(key) {
      const found = await stat(path(key)).catch(() => null)
      return found?.isFile() ? found.size : null
    },
    read: (key, range) =>
      Readable.toWeb(createReadStream(path(key), range)) as ReadableStream<Uint8Array>,
    async remove(key) {
      await rm(path(key), { force: true, recursive: true })
    },
  }
}
