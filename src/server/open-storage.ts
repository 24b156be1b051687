import { join } from 'node:path'
import type { Config } from './config.ts'
import { openDiskStorage } from './disk-storage.ts'
import type { Log } from './log.ts'
import type { Storage } from './storage.ts'

export async function openStorage(
  { dataDir, objectStore }: Pick<Config, 'dataDir' | 'objectStore'>,
  log: Log,
): Promise<Storage> {
  if (!objectStore) return openDiskStorage(dataDir)
  // Whoever has no object store does not load its library.
  const { openObjectStorage } = await import('./object-storage.ts')
  return openObjectStorage(objectStore, { workFolder: join(dataDir, 'work'), log })
}
