import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { queueProcessing } from './processing-queue.ts'
import type { MediaFile } from './queries.ts'
import { mediaFiles } from './tables.ts'

/** A file whose bytes are stored and were looked at. */
export type ReadyFile = Pick<
  MediaFile,
  | 'id'
  | 'purpose'
  | 'filename'
  | 'contentType'
  | 'sizeBytes'
  | 'durationSeconds'
  | 'width'
  | 'height'
>

/** Rows for files that came by another way than an upload. */
export async function addReadyFiles(
  transaction: Transaction,
  ownerId: string,
  files: ReadyFile[],
): Promise<void> {
  if (files.length === 0) return
  await transaction
    .insert(mediaFiles)
    .values(files.map((file) => ({ ...file, ownerId, status: 'ready' as const })))
}

/** Videos that came by another way than an upload are converted like those, where that is done. */
export async function processReadyFiles(
  transaction: Transaction,
  { ffmpeg }: Pick<Services, 'ffmpeg'>,
  files: ReadyFile[],
): Promise<void> {
  const videos = files.filter(({ purpose }) => purpose === 'video')
  if (!ffmpeg) return
  await queueProcessing(
    transaction,
    videos.map(({ id }) => id),
  )
}

/** Says that files of this person belong to a course, and go with it. */
export async function giveFilesToCourse(
  transaction: Transaction,
  ownerId: string,
  files: ReadyFile[],
  courseId: string,
): Promise<void> {
  if (files.length === 0) return
  const ids = files.map(({ id }) => id)
  await transaction
    .update(mediaFiles)
    .set({ courseId })
    .where(and(inArray(mediaFiles.id, ids), eq(mediaFiles.ownerId, ownerId)))
}
