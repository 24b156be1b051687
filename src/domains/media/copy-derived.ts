import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { Storage } from '../../server/storage.ts'
import { derivedFolder, derivedKey } from './derived-files.ts'

/**
 * What was made of a video serves its copy as well: converting the same bytes again would take hours. Nothing
 * happens where nothing was made yet.
 */
export async function copyDerived(
  transaction: Transaction,
  storage: Storage,
  from: string,
  to: string,
): Promise<void> {
  const { rows } = await transaction.execute(sql`
    insert into video_processings (media_id, status, percent, has_poster, has_preview, heights, size_bytes)
    select ${to}, p.status, p.percent, p.has_poster, p.has_preview, p.heights, p.size_bytes
      from video_processings p where p.media_id = ${from} and p.status = 'done'
    returning 1`)
  if (rows.length === 0) return
  for (const name of await storage.files(derivedFolder(from))) {
    await storage.copy(derivedKey(from, name), derivedKey(to, name))
  }
}
