import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expectedFiles, missingAmong } from '../../domains/media/expected-files.ts'
import type { Config } from '../../server/config.ts'
import type { Storage } from '../../server/storage.ts'
import { backUpDatabase } from './back-up-database.ts'
import { backUpFiles } from './back-up-files.ts'
import { fingerprintOf, type Manifest, secretPath, writeManifest } from './manifest.ts'
import { writePart } from './write-part.ts'

export interface BackupNeeds {
  config: Pick<Config, 'dataDir' | 'authSecret'>
  /** Past PgBouncer: one connection holds the moment that is copied. */
  databaseUrl: string
  storage: Storage
  say: (line: string) => void
  /** The moment of which the database is copied, when somebody else holds it (`pg_export_snapshot`). */
  snapshot?: string
}

/**
 * Copies database, files and secret into a new folder, while Thunder runs and people write. Files come after the
 * database: one without a row is harmless, a row without its file is not.
 *
 * @throws {Error} with a sentence for people; what is in the folder then is no backup, and says so
 */
export async function backUp(needs: BackupNeeds, folder: string): Promise<Manifest> {
  const { databaseUrl, storage, say, snapshot } = needs
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty: name a new folder for each backup.`)
  }
  const madeAt = new Date().toISOString()
  const secret = await backUpSecret(needs, folder)
  const client = new Client({ connectionString: databaseUrl, application_name: 'thunder backup' })
  // What breaks the connection fails the query that waits for it.
  client.on('error', () => {})
  await client.connect()
  try {
    const { answer: expected, ...database } = await backUpDatabase(client, {
      folder,
      say,
      snapshot,
      ask: expectedFiles,
    })
    const { files, keys } = await backUpFiles(storage, folder, say)
    const missing = missingAmong(expected, keys).map(({ key }) => key)
    const finishedAt = new Date().toISOString()
    const manifest = { format: 1 as const, madeAt, finishedAt, ...database, files, missing, secret }
    await writeManifest(folder, manifest)
    return manifest
  } finally {
    await client.end()
  }
}

async function backUpSecret(
  { config: { authSecret, dataDir }, say }: BackupNeeds,
  folder: string,
): Promise<Manifest['secret']> {
  if (authSecret) {
    say('AUTH_SECRET is not part of the backup: keep it elsewhere, nothing works without it.')
    return { fingerprint: fingerprintOf(authSecret), part: null }
  }
  const file = join(dataDir, secretPath)
  const secret = await readFile(file).catch((error: unknown) => {
    throw new Error(
      `The secret in ${file} cannot be read: set DATA_DIR to the folder of a Thunder, or AUTH_SECRET where that is used.`,
      { cause: error },
    )
  })
  const part = await writePart(folder, secretPath, [secret])
  return { fingerprint: fingerprintOf(secret.toString()), part }
}
