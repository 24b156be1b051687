import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** Lies in the data folder while a restore fills it. */
export const unfinishedRestore = 'restore.unfinished'

/** @throws {Error} when what is there is a part of a backup only */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const isWhole = await access(join(dataDir, unfinishedRestore)).then(
    () => false,
    () => true,
  )
  if (isWhole) return
  throw new Error(
    `A restore into ${dataDir} did not finish: run it again with the same backup, or begin with an empty folder.`,
  )
}
