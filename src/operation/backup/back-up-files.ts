import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isOfBuild } from '../../server/kept-builds.ts'
import type { Storage } from '../../server/storage.ts'
import { filesListPath, type Manifest, type StoredFile } from './manifest.ts'
import { writePart } from './write-part.ts'

/** Files that are copied at once. */
const atOnce = 4
/** Folders of what is being written: nobody was told that it is there. */
const unfinished = /^(?:drafts|under-way)\//
/** Milliseconds between lines that say how far it is. */
const sayEvery = 2000

/** Where the file of a key stands in a backup. */
export const pathOf = (key: string) => `files/${key}`

async function* linesOf(stored: StoredFile[]) {
  for (const file of stored) yield Buffer.from(`${JSON.stringify(file)}\n`)
}

/**
 * Copies every stored file. Bytes under a key never change, so each is whole, whenever it is copied; what is
 * deleted meanwhile is left out.
 */
export async function backUpFiles(
  storage: Storage,
  folder: string,
  say: (line: string) => void,
): Promise<{ files: Manifest['files']; keys: string[] }> {
  const lasting = (key: string) => !unfinished.test(key) && !isOfBuild(key)
  const waiting = (await storage.files('')).filter(lasting).toSorted()
  const total = waiting.length
  const stored: StoredFile[] = []
  let saidAt = Date.now()

  async function copy(key: string): Promise<StoredFile | null> {
    try {
      const { bytes, sha256 } = await writePart(folder, pathOf(key), storage.read(key))
      return { key, bytes, sha256 }
    } catch (error) {
      if ((await storage.size(key)) !== null) throw error
      await rm(join(folder, pathOf(key)), { force: true })
      return null
    }
  }
  async function copyWaiting(): Promise<void> {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      const copied = await copy(key)
      if (copied) stored.push(copied)
      if (Date.now() - saidAt < sayEvery) continue
      saidAt = Date.now()
      say(`${total - waiting.length} of ${total} files`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, copyWaiting))
  stored.sort((one, other) => (one.key < other.key ? -1 : 1))
  const list = await writePart(folder, filesListPath, linesOf(stored))
  const totalBytes = stored.reduce((sum, { bytes }) => sum + bytes, 0)
  say(`${stored.length} files, ${totalBytes} bytes`)
  const files = { ...list, count: stored.length, totalBytes }
  return { files, keys: stored.map(({ key }) => key) }
}
