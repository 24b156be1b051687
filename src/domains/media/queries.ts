import { and, count, eq, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { unfinishedDays } from './rules.ts'
import { processingOf } from './processing-of.ts'
import { mediaFiles, videoProcessings } from './tables.ts'

export type MediaFile = typeof mediaFiles.$inferSelect
type NewMediaFile = Pick<MediaFile, 'ownerId' | 'courseId' | 'purpose' | 'filename' | 'sizeBytes'>
type Facts = Pick<MediaFile, 'contentType' | 'durationSeconds' | 'width' | 'height'>

export async function mediaFile(executor: Executor, id: string): Promise<MediaFile | null> {
  const [row] = await executor.select().from(mediaFiles).where(eq(mediaFiles.id, id))
  return row ?? null
}

export async function ownMediaFile(
  executor: Executor,
  ownerId: string,
  id: string,
): Promise<MediaFile | null> {
  const [row] = await executor
    .select()
    .from(mediaFiles)
    .where(and(eq(mediaFiles.id, id), eq(mediaFiles.ownerId, ownerId)))
  return row ?? null
}

export async function processingOfFile(executor: Executor, id: string) {
  const [row] = await executor
    .select({ processing: processingOf })
    .from(videoProcessings)
    .where(eq(videoProcessings.mediaId, id))
  return row?.processing ?? null
}

/** Until the transaction ends, nobody else counts or adds uploads of this person. */
export async function lockUploadsOf(transaction: Transaction, ownerId: string) {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtext('unfinished uploads'), hashtext(${ownerId}))`,
  )
}

export async function countUnfinished(executor: Executor, ownerId: string): Promise<number> {
  const [row] = await executor
    .select({ total: count() })
    .from(mediaFiles)
    .where(and(eq(mediaFiles.ownerId, ownerId), eq(mediaFiles.status, 'uploading')))
  return row?.total ?? 0
}

export async function addMediaFile(executor: Executor, file: NewMediaFile): Promise<string> {
  const [row] = await executor.insert(mediaFiles).values(file).returning({ id: mediaFiles.id })
  if (!row) throw new Error('an insert without a condition returned no row')
  return row.id
}

const unfinished = (id: string) => and(eq(mediaFiles.id, id), eq(mediaFiles.status, 'uploading'))

/** False when the row is not 'uploading' any more: somebody else finished, failed or deleted it. */
export async function markReady(executor: Executor, id: string, facts: Facts): Promise<boolean> {
  const changed = await executor
    .update(mediaFiles)
    .set({ ...facts, status: 'ready', problem: null, updatedAt: sql`now()` })
    .where(unfinished(id))
    .returning({ id: mediaFiles.id })
  return changed.length === 1
}

export async function markFailed(
  executor: Executor,
  id: string,
  problem: string,
): Promise<boolean> {
  const changed = await executor
    .update(mediaFiles)
    .set({ status: 'failed', problem, updatedAt: sql`now()` })
    .where(unfinished(id))
    .returning({ id: mediaFiles.id })
  return changed.length === 1
}

/** A file that is ready may be in use, so it stays. */
export async function deleteUnfinished(
  executor: Executor,
  ownerId: string,
  id: string,
): Promise<boolean> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(eq(mediaFiles.id, id), eq(mediaFiles.ownerId, ownerId), ne(mediaFiles.status, 'ready')),
    )
    .returning({ id: mediaFiles.id })
  return deleted.length === 1
}

export async function unfinishedFiles(executor: Executor) {
  return executor
    .select({ id: mediaFiles.id, sizeBytes: mediaFiles.sizeBytes })
    .from(mediaFiles)
    .where(eq(mediaFiles.status, 'uploading'))
    .orderBy(mediaFiles.id)
}

/** Deletes the rows of uploads that were not finished in time, and of those that failed; answers their ids. */
export async function deleteExpired(executor: Executor): Promise<string[]> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(
        ne(mediaFiles.status, 'ready'),
        lt(mediaFiles.createdAt, sql`now() - make_interval(days => ${unfinishedDays})`),
      ),
    )
    .returning({ id: mediaFiles.id })
  return deleted.map((row) => row.id)
}

/** Deletes the rows of avatars that were uploaded and then not used within a day; answers their ids. */
export async function deleteUnusedAvatars(executor: Executor): Promise<string[]> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(
        eq(mediaFiles.purpose, 'avatar'),
        eq(mediaFiles.status, 'ready'),
        lt(mediaFiles.updatedAt, sql`now() - interval '1 day'`),
        sql`not exists (select 1 from ${users} where ${users.id} = ${mediaFiles.ownerId}
                         and strpos(${users.avatarUrl}, ${mediaFiles.id}::text) > 0)`,
      ),
    )
    .returning({ id: mediaFiles.id })
  return deleted.map((row) => row.id)
}

/**
 * Deletes the rows of logos and covers that no course has shown for a day; answers their ids. A certificate keeps
 * the logo that it was issued with, also when its course has another one.
 */
export async function deleteUnusedCoursePictures(executor: Executor): Promise<string[]> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(
        inArray(mediaFiles.purpose, ['course_logo', 'course_cover']),
        eq(mediaFiles.status, 'ready'),
        lt(mediaFiles.updatedAt, sql`now() - interval '1 day'`),
        sql`not exists (select 1 from course_brandings b
                         where b.logo_id = ${mediaFiles.id} or b.cover_id = ${mediaFiles.id})`,
        sql`not exists (select 1 from certificates k
                         where k.course_id = ${mediaFiles.courseId}
                           and k.look->>'logoUrl' like '%/' || ${mediaFiles.id} || '/%')`,
      ),
    )
    .returning({ id: mediaFiles.id })
  return deleted.map((row) => row.id)
}

/**
 * Deletes the rows of course files that nobody is importing: those that lie for `unfinishedDays`, or with
 * an `ownerId` all of this person's; answers their ids.
 */
export async function deleteUnusedCourseFiles(
  executor: Executor,
  ownerId?: string,
): Promise<string[]> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(
        eq(mediaFiles.purpose, 'import'),
        ownerId === undefined
          ? and(
              eq(mediaFiles.status, 'ready'),
              lt(mediaFiles.updatedAt, sql`now() - make_interval(days => ${unfinishedDays})`),
            )
          : eq(mediaFiles.ownerId, ownerId),
        sql`not exists (select 1 from course_imports i
                         where i.file_id = ${mediaFiles.id} and i.status in ('waiting', 'running'))`,
      ),
    )
    .returning({ id: mediaFiles.id })
  return deleted.map((row) => row.id)
}

/**
 * Deletes the rows of videos that no lesson has shown for `unfinishedDays`: until then their creator may still
 * save the lesson, or take back that they removed it; answers their ids.
 */
export async function deleteUnusedVideos(executor: Executor): Promise<string[]> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(
        eq(mediaFiles.purpose, 'video'),
        eq(mediaFiles.status, 'ready'),
        lt(mediaFiles.updatedAt, sql`now() - make_interval(days => ${unfinishedDays})`),
        sql`not exists (select 1 from lessons l where l.video_id = ${mediaFiles.id})`,
      ),
    )
    .returning({ id: mediaFiles.id })
  return deleted.map((row) => row.id)
}

/**
 * Deletes the rows of pictures that no course has had for `unfinishedDays`; answers their ids. Several courses may
 * have the same one. Who gives one to a course touches its row first (hold-course-picture.ts).
 */
export async function deleteUnusedThumbnails(executor: Executor): Promise<string[]> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(
        eq(mediaFiles.purpose, 'thumbnail'),
        eq(mediaFiles.status, 'ready'),
        lt(mediaFiles.updatedAt, sql`now() - make_interval(days => ${unfinishedDays})`),
        sql`not exists (select 1 from courses c where c.thumbnail_id = ${mediaFiles.id})`,
      ),
    )
    .returning({ id: mediaFiles.id })
  return deleted.map((row) => row.id)
}

/**
 * Deletes the rows of files that were uploaded for a post a day ago and stand in none; answers their ids. Who
 * puts one into a post touches its row first (community/keep-attachments.ts).
 */
export async function deleteUnusedPostFiles(executor: Executor): Promise<string[]> {
  const deleted = await executor
    .delete(mediaFiles)
    .where(
      and(
        inArray(mediaFiles.purpose, ['post_image', 'post_video']),
        eq(mediaFiles.status, 'ready'),
        lt(mediaFiles.updatedAt, sql`now() - interval '1 day'`),
        sql`not exists (select 1 from post_attachments a where a.media_id = ${mediaFiles.id})`,
      ),
    )
    .returning({ id: mediaFiles.id })
  return deleted.map((row) => row.id)
}

/** The files among these that this person may put into a post of this course; until the end they are nobody else's. */
export async function holdPostFiles(
  transaction: Transaction,
  { ownerId, courseId, ids }: { ownerId: string; courseId: string; ids: string[] },
): Promise<{ id: string; purpose: MediaFile['purpose'] }[]> {
  if (ids.length === 0) return []
  return transaction
    .update(mediaFiles)
    .set({ updatedAt: sql`now()` })
    .where(
      and(
        // In the same order for everybody.
        sql`${mediaFiles.id} in (select h.id from media_files h
                                  where ${inArray(sql`h.id`, ids)} order by h.id for update)`,
        eq(mediaFiles.ownerId, ownerId),
        eq(mediaFiles.courseId, courseId),
        inArray(mediaFiles.purpose, ['post_image', 'post_video']),
        eq(mediaFiles.status, 'ready'),
      ),
    )
    .returning({ id: mediaFiles.id, purpose: mediaFiles.purpose })
}

export async function knownIds(executor: Executor, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await executor
    .select({ id: mediaFiles.id })
    .from(mediaFiles)
    .where(inArray(mediaFiles.id, ids))
  return new Set(rows.map((row) => row.id))
}

/** Those of these ids whose upload goes on, or is kept as it is. */
export async function idsWithUpload(
  executor: Executor,
  ids: string[],
  kept: MediaFile['purpose'][],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await executor
    .select({ id: mediaFiles.id })
    .from(mediaFiles)
    .where(
      and(
        inArray(mediaFiles.id, ids),
        or(ne(mediaFiles.status, 'ready'), inArray(mediaFiles.purpose, kept)),
      ),
    )
  return new Set(rows.map((row) => row.id))
}
