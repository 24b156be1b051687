// What a test wants to know of stored files, wherever they are.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import type { Storage } from '../src/server/storage.ts'

export const storedBytes = (storage: Storage, key: string) => buffer(storage.read(key))

/** For keys and folders, as if they were stored then. */
export function storedLongAgo(storage: Storage, keys: string[], milliseconds: number): void {
  const real = storage.changedAt
  const asked = vi
    .spyOn(storage, 'changedAt')
    .mockImplementation((one) =>
      keys.includes(one) ? Promise.resolve(new Date(Date.now() - milliseconds)) : real(one),
    )
  onTestFinished(() => asked.mockRestore())
}

/** A copy of a stored folder for programs that need one; gone after the test. */
export async function localFolder(storage: Storage, folder: string): Promise<string> {
  const local = await mkdtemp(join(tmpdir(), 'thunder-stored-'))
  onTestFinished(() => rm(local, { recursive: true, force: true }))
  for (const name of await storage.files(folder)) {
    await mkdir(dirname(join(local, name)), { recursive: true })
    await writeFile(join(local, name), await storedBytes(storage, `${folder}/${name}`))
  }
  return local
}
