import { and, eq, inArray } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import type { Storage } from '../../server/storage.ts'
import { derivedFolder, derivedKey } from './derived-files.ts'
import { videoProcessings } from './tables.ts'

/** Files of a video that are copied at the same time: an hour of film has thousands of small ones. */
const copiedAtOnce = 8

/** What a finished conversion came to. */
export type Derived = Awaited<ReturnType<typeof derivedOf>>[number]

/** Of these videos; nothing of those that are not converted. */
export const derivedOf = (executor: Executor, mediaIds: string[]) =>
  executor
    .select({
      mediaId: videoProcessings.mediaId,
      status: videoProcessings.status,
      percent: videoProcessings.percent,
      hasPoster: videoProcessings.hasPoster,
      hasPreview: videoProcessings.hasPreview,
      heights: videoProcessings.heights,
      sizeBytes: videoProcessings.sizeBytes,
    })
    .from(videoProcessings)
    .where(and(inArray(videoProcessings.mediaId, mediaIds), eq(videoProcessings.status, 'done')))

/** Also when one fails, none is under way any more. */
export async function copyDerivedFiles(storage: Storage, from: string, to: string): Promise<void> {
  const names = (await storage.files(derivedFolder(from))).values()
  const copyRest = async () => {
    for (const name of names) await storage.copy(derivedKey(from, name), derivedKey(to, name))
  }
  const outcomes = await Promise.allSettled(Array.from({ length: copiedAtOnce }, copyRest))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** What was made of a video serves its copy as well: converting the same bytes again would take hours. */
export async function addDerived(transaction: Transaction, derived: Derived[]): Promise<void> {
  if (derived.length > 0) await transaction.insert(videoProcessings).values(derived)
}
