import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Config } from '../../server/config.ts'
import { openDatabase } from '../../server/db.ts'
import type { Log } from '../../server/log.ts'
import { isOfBuild } from '../../server/kept-builds.ts'
import type { Storage } from '../../server/storage.ts'
import { unfinishedRestore } from '../../server/unfinished-restore.ts'
import { isThere, unlessMissing } from '../../server/unless-missing.ts'
import { pathOf } from './back-up-files.ts'
import { fingerprintOf, type Manifest, secretPath, type StoredFile } from './manifest.ts'
import { withoutOthers } from './own-tables.ts'
import {
  bringUpToDate,
  hasMoneyElsewhere,
  hasRestoredRows,
  refuseOtherVersion,
  refuseUsedDatabase,
  restoreRows,
} from './restore-database.ts'
import type { WholeBackup } from './verify-backup.ts'
import { sha256Of } from './write-part.ts'
import { writeWhole } from './write-whole.ts'

export interface RestoreNeeds {
  config: Pick<Config, 'dataDir' | 'authSecret'>
  databaseUrl: string
  storage: Storage
  log: Log
  say: (line: string) => void
  /** Goes on without the secret that the backup was made with, and with what that loses. */
  withoutSecret?: boolean
}

/**
 * Fills an empty machine from a backup that was verified. Cut in the middle it can be begun again; Thunder does not
 * start on what was left.
 *
 * @throws {Error} with a sentence for people
 */
export async function restore(needs: RestoreNeeds, backup: WholeBackup): Promise<void> {
  const { config, databaseUrl, storage, log, say } = needs
  const { folder, files } = backup
  const marker = join(config.dataDir, unfinishedRestore)
  const goesOn = await isThere(marker)
  refuseOtherVersion(backup.manifest)
  const manifest = withoutOthers(backup.manifest, say)
  await mkdir(config.dataDir, { recursive: true })
  const client = new Client({ connectionString: databaseUrl, application_name: 'thunder restore' })
  client.on('error', () => {})
  await client.connect()
  const { pool } = openDatabase(databaseUrl, log, { max: 4 })
  let isBehind = false
  try {
    // The rows come last.
    if (!goesOn || !(await hasRestoredRows(client, manifest))) {
      await refuseUsedDatabase(client, manifest)
      if (!goesOn && (await storage.files('')).some((key) => !isOfBuild(key))) {
        throw new Error(
          'There are files already: a restore needs an empty folder, or an empty bucket.',
        )
      }
      const writeSecret = await readSecret(needs, folder, manifest)
      await writeFile(marker, `${folder}\n`)
      await writeSecret()
      await restoreFiles(needs, folder, files)
      await restoreRows({ pool, client, log }, folder, manifest)
    }
    // From now on Thunder may start: what is left to do, it does as well.
    await rm(marker)
    await bringUpToDate(pool)
    isBehind = await hasMoneyElsewhere(client)
  } finally {
    await client.end()
    await pool.end()
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  say(`Restored: ${manifest.tables.length} tables, ${rows} rows, ${files.length} files.`)
  if (isBehind) {
    say(
      `What was bought, paid back and paid out at Stripe and PayPal since ${manifest.madeAt} is not in these books. Paying creators out is switched off until you have compared: before the first start read “After a restore” in operations.md.`,
    )
  }
}

/** Looks which secret there will be, and answers with how to keep it. */
async function readSecret(
  { config: { authSecret, dataDir }, withoutSecret = false, say }: RestoreNeeds,
  folder: string,
  { secret: { fingerprint, part } }: Manifest,
): Promise<() => Promise<void>> {
  const file = join(dataDir, secretPath)
  // An empty one is none, as at the start: power was lost while it was written.
  const here = authSecret ?? ((await unlessMissing(readFile(file, 'utf8'), null)) || null)
  if (here !== null && fingerprintOf(here) === fingerprint) return async () => {}
  if (withoutSecret) {
    say('Without the old secret: everybody has to log in again, see “The secret” in operations.md.')
    return async () => {}
  }
  if (here !== null) {
    throw new Error(
      `${authSecret ? 'AUTH_SECRET' : file} is not the secret that this backup was made with: ${part ? 'leave it out' : 'put the old one there'}, or add --without-secret and read “The secret” in operations.md.`,
    )
  }
  if (part === null) {
    throw new Error(
      'This backup was made with AUTH_SECRET, which is not part of it: set it, or add --without-secret and read “The secret” in operations.md.',
    )
  }
  const bytes = await readFile(join(folder, part.path))
  return () => writeWhole(file, bytes)
}

/** Each is read again from where it was stored. */
async function restoreFiles(
  { storage, say }: RestoreNeeds,
  folder: string,
  files: StoredFile[],
): Promise<void> {
  for (const [index, { key, sha256 }] of files.entries()) {
    const file = join(folder, pathOf(key))
    await storage.write(key, createReadStream(file), (await stat(file)).size)
    if ((await sha256Of(storage.read(key))) !== sha256) {
      throw new Error(`${key} is not stored as it was sent: look at the disk or the object store.`)
    }
    if ((index + 1) % 1000 === 0) say(`${index + 1} of ${files.length} files`)
  }
}
