import { randomBytes, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from './unless-missing.ts'

const isTaken = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** Written whole and synced, then given its name, unless another process was first. */
async function create(file: string) {
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(randomBytes(48).toString('base64url'))
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Some file systems know no second name of a file.
    await link(draft, file).catch((error: unknown) => {
      if (isTaken(error)) throw error
      return copyFile(draft, file, constants.COPYFILE_EXCL)
    })
  } catch (error) {
    if (!isTaken(error)) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The secret that sessions are signed with, kept in the data folder so that they survive a restart. A file that
 * is there and cannot be read is an error, never a reason for a new secret.
 */
export async function ownSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'auth-secret')
  const kept = await unlessMissing(readFile(file, 'utf8'), null)
  if (kept) return kept
  // Empty: power was lost while it was written, and nobody was signed in with it.
  if (kept === '') await rm(file)
  await create(file)
  return readFile(file, 'utf8')
}
