// What tus knows of the uploads under way; where their bytes go is the storage's business.
import type { DataStore } from '@tus/server'
import type { Services } from '../../server/services.ts'
import { deleteUnfinished, mediaFile } from './queries.ts'
import { unfinishedDays } from './rules.ts'

const day = 24 * 60 * 60 * 1000

export function openUploadFiles({ db, storage }: Pick<Services, 'db' | 'storage'>): DataStore {
  const files = storage.uploads({
    find: (id) => mediaFile(db, id),
    keptFor: unfinishedDays * day,
  })
  const create = files.create.bind(files)
  files.create = async (file) => {
    try {
      return await create(file)
    } catch (error) {
      // Its row would count as an unfinished upload that nobody can go on with.
      const row = await mediaFile(db, file.id)
      if (row) await deleteUnfinished(db, row.ownerId, row.id)
      throw error
    }
  }
  return files
}

/** Bytes that have arrived; null when nothing is there to go on with. */
export async function arrivedBytes(files: DataStore, id: string): Promise<number | null> {
  try {
    return (await files.getUpload(id)).offset
  } catch (error) {
    // tus says so with a plain object.
    if (error instanceof Error) throw error
    return null
  }
}
