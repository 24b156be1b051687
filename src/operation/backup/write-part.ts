import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { keepRoom, roomOf } from '../../server/keep-room.ts'
import { unlessMissing } from '../../server/unless-missing.ts'
import type { Part } from './manifest.ts'

/** Only whoever runs it may read a backup: it holds everything about everybody. */
const mode = 0o600
const folderMode = 0o700

/** Writes a new file of the backup, which is on the disk when this is done. */
export async function writePart(
  folder: string,
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Part> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true, mode: folderMode })
  const hash = createHash('sha256')
  let bytes = 0
  const handle = await open(file, 'wx', mode)
  // It may lie beside the database, which has to go on.
  const keepingRoom = keepRoom(() => roomOf(folder))
  try {
    for await (const chunk of keepingRoom(chunks)) {
      hash.update(chunk)
      bytes += chunk.length
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

export async function sha256Of(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Null when the file is what the manifest says; else what is wrong, in words. */
export async function whatIsWrong(folder: string, part: Part): Promise<string | null> {
  const file = join(folder, part.path)
  const found = await unlessMissing(stat(file), null)
  if (!found?.isFile()) return `${part.path} is missing`
  if (found.size !== part.bytes) {
    return `${part.path} has ${found.size} bytes instead of ${part.bytes}`
  }
  const isRight = (await sha256Of(createReadStream(file))) === part.sha256
  return isRight ? null : `${part.path} is damaged`
}
