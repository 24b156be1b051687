import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from './unless-missing.ts'

const day = 24 * 60 * 60 * 1000

/** Now, and each day as long as this process lives. What fails later is tried again a day after. */
export async function sweepDaily(folder: string): Promise<void> {
  await removeOlderThanADay(folder)
  setInterval(() => void removeOlderThanADay(folder).catch(() => {}), day).unref()
}

/** What a process left behind that died; a younger file may be another's that works on it. */
export async function removeOlderThanADay(folder: string): Promise<void> {
  for (const name of await unlessMissing(readdir(folder), [])) {
    const file = join(folder, name)
    const found = await unlessMissing(stat(file), null)
    if (found && found.mtimeMs < Date.now() - day) await rm(file, { force: true, recursive: true })
  }
}
