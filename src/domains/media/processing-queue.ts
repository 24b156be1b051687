// Which video is worked on, by whom, and what is said of it. The rows are the queue: graphile-worker's keeps
// the work of a dead process for hours.
import { sql } from 'drizzle-orm'
import type { Db, Executor } from '../../server/db.ts'
import { publishToCourse, publishToPerson } from '../../server/publish.ts'
import { whyNot } from './unconvertible.ts'
import { videoProcessings } from './tables.ts'

export const mostAttempts = 3

/** The right to work on a video, until somebody else took it over. */
export type Claim = {
  mediaId: string
  /** Which attempt this is; a later one has another number. */
  attempts: number
  contentType: string
  durationSeconds: number | null
}

/** Videos that are ready get their turn; those that had one keep what came of it. */
export async function queueProcessing(executor: Executor, mediaIds: string[]): Promise<void> {
  if (mediaIds.length === 0) return
  await executor
    .insert(videoProcessings)
    .values(mediaIds.map((mediaId) => ({ mediaId })))
    .onConflictDoNothing()
}

/** For the start of the process: videos from before there was an ffmpeg. */
export async function queueUnprocessed(executor: Executor): Promise<void> {
  await executor.execute(sql`
    insert into video_processings (media_id)
    select m.id from media_files m
     where m.purpose in ('video', 'post_video') and m.status = 'ready'
       and not exists (select 1 from video_processings p where p.media_id = m.id)
     order by m.created_at
        on conflict do nothing`)
}

/** A process that was not heard of for so long has died; also one of a clock that was ahead. */
const isAlive = (leaseSeconds: number) =>
  sql`heartbeat_at between clock_timestamp() - make_interval(secs => ${leaseSeconds})
                       and clock_timestamp() + make_interval(secs => ${leaseSeconds})`

async function isThereWork(executor: Executor, leaseSeconds: number): Promise<boolean> {
  const { rows } = await executor.execute(sql`
    select 1 from video_processings
     where status in ('queued', 'running')
    having count(*) filter (where status = 'running' and ${isAlive(leaseSeconds)}) = 0 and count(*) > 0`)
  return rows.length > 0
}

/**
 * Takes the next video, if nobody on any node works on one. What a dead process left behind counts as
 * waiting; who comes again waits behind the others, and after the third time is given up.
 */
export async function claimNext(
  db: Db,
  leaseSeconds: number,
): Promise<{ claim: Claim | null; givenUp: string[] }> {
  const nothing = { claim: null, givenUp: [] }
  if (!(await isThereWork(db, leaseSeconds))) return nothing
  return db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('video processing'))`)
    if (!(await isThereWork(transaction, leaseSeconds))) return nothing
    const givenUp = await giveUpDead(transaction)
    const { rows } = await transaction.execute<
      Claim & { ownerId: string; courseId: string | null }
    >(sql`
      update video_processings p
         set status = 'running', attempts = p.attempts + 1, percent = 0, problem = null,
             heartbeat_at = clock_timestamp(), updated_at = now()
        from media_files m
       where m.id = p.media_id
         and p.media_id = (select media_id from video_processings
                            where status in ('queued', 'running')
                            order by attempts, created_at, media_id
                            limit 1 for update)
      returning p.media_id as "mediaId", p.attempts, m.owner_id as "ownerId", m.course_id as "courseId",
                coalesce(m.content_type, '') as "contentType", m.duration_seconds as "durationSeconds"`)
    const [row] = rows
    if (!row) return { claim: null, givenUp }
    const { mediaId, ownerId, courseId } = row
    await publishToPerson(transaction, ownerId, { type: 'video', mediaId, courseId })
    return { claim: row, givenUp }
  })
}

/** Files on which the process died again and again. */
async function giveUpDead(executor: Executor): Promise<string[]> {
  const { rows } = await executor.execute<{ mediaId: string }>(sql`
    update video_processings p set status = 'failed', problem = ${whyNot.gaveUp}, updated_at = now()
     where status = 'running' and attempts >= ${mostAttempts}
    returning p.media_id as "mediaId"`)
  for (const { mediaId } of rows) {
    await tellOwner(executor, mediaId)
    await tellReaders(executor, mediaId)
  }
  return rows.map(({ mediaId }) => mediaId)
}

async function tellOwner(executor: Executor, mediaId: string): Promise<void> {
  const { rows } = await executor.execute<{ ownerId: string; courseId: string | null }>(
    sql`select owner_id as "ownerId", course_id as "courseId" from media_files where id = ${mediaId}`,
  )
  for (const { ownerId, courseId } of rows) {
    await publishToPerson(executor, ownerId, { type: 'video', mediaId, courseId })
  }
}

/** Whoever has the post open that it stands below: there it says whether more of it is on its way. */
async function tellReaders(executor: Executor, mediaId: string): Promise<void> {
  const { rows } = await executor.execute<{ postId: string; courseId: string }>(sql`
    select p.id as "postId", p.course_id as "courseId"
      from post_attachments a join posts p on p.id = a.post_id
     where a.media_id = ${mediaId} and p.status = 'published'`)
  for (const { postId, courseId } of rows) {
    await publishToCourse(executor, courseId, { type: 'post', courseId, postId, change: 'changed' })
  }
}

type News = Partial<
  Pick<
    typeof videoProcessings.$inferInsert,
    | 'status'
    | 'percent'
    | 'problem'
    | 'attempts'
    | 'hasPoster'
    | 'hasPreview'
    | 'heights'
    | 'sizeBytes'
  >
>

/**
 * Says how far the work is; also the sign of life. False when the video is gone, or somebody else's work
 * by now: then nothing is written.
 */
export async function note({ db }: { db: Db }, claim: Claim, news: News = {}): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const changed = await transaction
      .update(videoProcessings)
      .set({
        ...news,
        // A sign of life may arrive behind what was said after it; only who begins anew is at 0 again.
        ...(news.percent !== undefined &&
          !news.status && {
            percent: sql`greatest(${videoProcessings.percent}, ${news.percent})`,
          }),
        heartbeatAt: sql`clock_timestamp()`,
        updatedAt: sql`now()`,
      })
      .where(
        sql`media_id = ${claim.mediaId} and status = 'running' and attempts = ${claim.attempts}`,
      )
      .returning({ mediaId: videoProcessings.mediaId })
    if (changed.length === 0) return false
    if (Object.keys(news).length > 0) await tellOwner(transaction, claim.mediaId)
    if (news.hasPoster || news.status === 'done' || news.status === 'failed') {
      await tellReaders(transaction, claim.mediaId)
    }
    return true
  })
}

/** Puts what failed back into the queue, for its owner; whatever else it is stays as it is. */
export async function retryProcessing(
  { db }: { db: Db },
  file: { id: string; ownerId: string },
): Promise<void> {
  await db.transaction(async (transaction) => {
    const { rows } = await transaction.execute(sql`
      insert into video_processings as p (media_id)
      select m.id from media_files m
       where m.id = ${file.id} and m.owner_id = ${file.ownerId}
         and m.purpose in ('video', 'post_video') and m.status = 'ready'
          on conflict (media_id) do update
         set status = 'queued', attempts = 0, percent = 0, problem = null, created_at = now(), updated_at = now()
       where p.status = 'failed'
      returning 1`)
    if (rows.length === 0) return
    await tellOwner(transaction, file.id)
    await tellReaders(transaction, file.id)
  })
}
