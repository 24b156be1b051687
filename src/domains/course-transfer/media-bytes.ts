// Where the bytes lie that a course file holds of an uploaded file.
import type { Services } from '../../server/services.ts'
import type { Storage } from '../../server/storage.ts'
import { derivedFolder } from '../media/derived-files.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { knownIds, type MediaFile } from '../media/queries.ts'
import { pictureShapes } from '../media/rules.ts'
import { imageKey, imagesFolder } from '../media/store-image.ts'

const { widths } = pictureShapes.thumbnail

/** A video as it was uploaded; of a picture the largest that is kept. */
export const keyOfBytes = ({ id, purpose }: Pick<MediaFile, 'id' | 'purpose'>) =>
  purpose === 'video' ? uploadKey(id) : imageKey(id, widths.at(-1)!)

export async function copyBytes(storage: Storage, from: MediaFile, to: string): Promise<void> {
  if (from.purpose === 'video') await storage.copy(uploadKey(from.id), uploadKey(to))
  else for (const width of widths) await storage.copy(imageKey(from.id, width), imageKey(to, width))
}

/**
 * Runs work that stores bytes before their rows; when it fails, the bytes of the ids that it noted go. Those
 * that a row knows stay: a connection may break after its commit.
 */
export async function leavingNothing<Result>(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  work: (ids: string[]) => Promise<Result>,
): Promise<Result> {
  const ids: string[] = []
  try {
    return await work(ids)
  } catch (error) {
    const known = await knownIds(db, ids)
    await removeBytes(
      storage,
      ids.filter((id) => !known.has(id)),
    )
    throw error
  }
}

async function removeBytes(storage: Storage, ids: string[]): Promise<void> {
  for (const id of ids) {
    await storage.remove(uploadKey(id))
    await storage.remove(imagesFolder(id))
    await storage.remove(derivedFolder(id))
  }
}
