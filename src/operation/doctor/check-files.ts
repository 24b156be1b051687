import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Pool } from 'pg'
import { expectedFiles, missingAmong } from '../../domains/media/expected-files.ts'
import type { Storage } from '../../server/storage.ts'
import { found, type Finding, well, wrong } from './finding.ts'

/** Rows of which the files are looked for, unless all are. */
const sample = 100
/** Files that are named when many are missing. */
const mostNamed = 5

/** Where nothing lasts: neither a backup nor anybody looks there. */
const trialKey = () => `drafts/doctor-${randomUUID()}`

async function roundTrip(storage: Storage): Promise<Finding> {
  const key = trialKey()
  const bytes = Buffer.from(randomUUID())
  await storage.put(key, bytes)
  try {
    const read = await buffer(storage.read(key))
    if (!read.equals(bytes)) throw new Error('What was stored came back changed')
  } finally {
    await storage.remove(key)
  }
  if ((await storage.size(key)) !== null) throw new Error('What was removed is still there')
  return well('storage', 'Files can be stored, read and removed.')
}

async function presence(storage: Storage, pool: Pool, all: boolean): Promise<Finding> {
  const expected = await expectedFiles(pool)
  // Others each time.
  const looked = all ? expected : expected.toSorted(() => Math.random() - 0.5).slice(0, sample)
  const missing = all
    ? missingAmong(expected, await storage.files(''))
    : await missingOf(storage, looked)
  const rows = `${looked.length} of ${expected.length}`
  if (missing.length === 0) return well('files', `Those of ${rows} rows are there.`)
  const named = missing.slice(0, mostNamed).map(({ key }) => key)
  return wrong(
    'files',
    `Of ${rows} rows ${missing.length} have no file: ${named.join(', ')}${missing.length > named.length ? '…' : ''}`,
    'Put them back from a backup (its folder “files” has them under the same names).',
  )
}

async function missingOf(storage: Storage, looked: Awaited<ReturnType<typeof expectedFiles>>) {
  const missing = []
  for (const one of looked) {
    const isThere =
      (await storage.size(one.key)) !== null || (await storage.names(one.key)).length > 0
    if (!isThere) missing.push(one)
  }
  return missing
}

export async function checkFiles(
  openedStorage: Promise<Storage>,
  pool: Pool,
  { all }: { all: boolean },
): Promise<Finding[]> {
  const todo = 'Look at the disk of DATA_DIR, or at the object store and its S3_… variables.'
  return found('storage', todo, async () => {
    const storage = await openedStorage
    return [await roundTrip(storage), await presence(storage, pool, all)]
  })
}
