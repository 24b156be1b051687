import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from './unless-missing.ts'

/** Folders of DATA_DIR that an operator may put on a disk of their own. */
const mayBeElsewhere = ['postgres', 'storage', 'work']

export interface Disk {
  /** `data`, or the folder of DATA_DIR that is on it. */
  name: string
  folder: string
  /** Bytes that are left, and that there are in all. */
  free: number
  size: number
}

/** Each disk once that holds what Thunder keeps; that of DATA_DIR comes first. */
export async function disksOf(dataDir: string): Promise<Disk[]> {
  const places = [
    { name: 'data', folder: dataDir },
    ...mayBeElsewhere.map((name) => ({ name, folder: join(dataDir, name) })),
  ]
  const looks = places.map(async (place) => {
    const found = Promise.all([stat(place.folder), statfs(place.folder)])
    const [about, disk] = await unlessMissing(found, [null, null])
    if (!about) return []
    const { bavail, blocks, bsize } = disk
    return [{ ...place, device: about.dev, free: bavail * bsize, size: blocks * bsize }]
  })
  const seen = new Set<number>()
  return (await Promise.all(looks)).flat().flatMap(({ device, ...disk }) => {
    if (seen.has(device)) return []
    seen.add(device)
    return [disk]
  })
}
