import { join } from 'node:path'
import { isThere } from './unless-missing.ts'

/** Lies in the data folder while a restore fills it. */
export const unfinishedRestore = 'restore.unfinished'

/** @throws {Error} when what is there is a part of a backup only */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (!(await isThere(join(dataDir, unfinishedRestore)))) return
  throw new Error(
    `A restore into ${dataDir} did not finish: run it again with the same backup, or begin with an empty folder.`,
  )
}
