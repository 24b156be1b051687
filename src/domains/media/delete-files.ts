import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { derivedFolder } from './derived-files.ts'
import { uploadKey } from './finish-upload.ts'
import { imagesFolder, postImagesFolder } from './store-image.ts'
import { mediaFiles } from './tables.ts'

/** Files that one job removes. */
const filesPerJob = 500

/** Their bytes go by a job when the transaction has committed, so that a crash in between loses nothing. */
async function deleteFiles(transaction: Transaction, which: SQL): Promise<void> {
  const deleted = await transaction.delete(mediaFiles).where(which).returning({ id: mediaFiles.id })
  for (let at = 0; at < deleted.length; at += filesPerJob) {
    const mediaIds = deleted.slice(at, at + filesPerJob).map(({ id }) => id)
    await enqueue(transaction, 'removeFiles', { mediaIds })
  }
}

/**
 * Their pictures, too, which were uploaded before there was a course, unless another course shows them: that may be
 * somebody else's by now, and the picture may have been uploaded for one of those that go.
 */
export async function deleteFilesOfCourses(
  transaction: Transaction,
  courseIds: string[],
): Promise<void> {
  const going = sql`any(${sql.param(courseIds)}::uuid[])`
  const staying = sql`other.id <> all(${sql.param(courseIds)}::uuid[])`
  await transaction.execute(sql`
    update media_files m set course_id = null
     where m.course_id = ${going} and m.purpose = 'thumbnail'
       and exists (select 1 from courses other
                    where other.thumbnail_id = m.id and ${staying})`)
  await deleteFiles(
    transaction,
    sql`${mediaFiles.courseId} = ${going} or ${mediaFiles.id} in (
      select c.thumbnail_id from courses c
       where c.id = ${going}
         and not exists (select 1 from courses other
                          where other.thumbnail_id = c.thumbnail_id and ${staying}))`,
  )
}

export const deleteFilesOf = (transaction: Transaction, ownerId: string) =>
  deleteFiles(transaction, eq(mediaFiles.ownerId, ownerId))

/** A course file that was imported, or that nobody wants to import any more. */
export const deleteCourseFile = (transaction: Transaction, ownerId: string, id: string) =>
  deleteFiles(
    transaction,
    sql`${eq(mediaFiles.id, id)} and ${eq(mediaFiles.ownerId, ownerId)} and ${eq(mediaFiles.purpose, 'import')}`,
  )

/** Files that a post of this course no longer shows; they leave it by the rows that point at them. */
export async function deletePostFiles(
  transaction: Transaction,
  courseId: string,
  mediaIds: string[],
): Promise<void> {
  if (mediaIds.length === 0) return
  await deleteFiles(
    transaction,
    sql`${inArray(mediaFiles.id, mediaIds)} and ${eq(mediaFiles.courseId, courseId)}
        and ${inArray(mediaFiles.purpose, ['post_image', 'post_video'])}`,
  )
}

/** A job: removes the bytes of files whose rows are gone. Doing it twice does no harm. */
export async function removeFiles(
  { mediaIds }: { mediaIds: string[] },
  { storage }: Services,
): Promise<void> {
  for (const id of mediaIds) {
    await storage.remove(uploadKey(id))
    await storage.remove(imagesFolder(id))
    await storage.remove(postImagesFolder(id))
    await storage.remove(derivedFolder(id))
  }
}
