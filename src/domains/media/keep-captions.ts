import { and, eq, or, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { mediaFiles, type CaptionCue, videoCaptions } from './tables.ts'

/** An uploaded video of a course, and a language. */
export interface CaptionsPlace {
  courseId: string
  mediaId: string
  language: string
}

const isVideoOf = ({ courseId, mediaId }: Omit<CaptionsPlace, 'language'>) =>
  and(
    eq(mediaFiles.id, mediaId),
    eq(mediaFiles.courseId, courseId),
    eq(mediaFiles.purpose, 'video'),
    eq(mediaFiles.status, 'ready'),
  )

/** Null when it is no video of this course that can be played. */
export async function videoOfCourse(
  executor: Executor,
  place: Omit<CaptionsPlace, 'language'>,
): Promise<{ durationSeconds: number | null } | null> {
  const [row] = await executor
    .select({ durationSeconds: mediaFiles.durationSeconds })
    .from(mediaFiles)
    .where(isVideoOf(place))
  return row ?? null
}

/**
 * Takes the place of what was there in this language; null when the video is gone, or when others are there than those
 * of `openedAt`: null of none, undefined of any. The very same may be saved again, as after a lost answer.
 */
export async function saveCaptions(
  executor: Executor,
  place: CaptionsPlace,
  cues: CaptionCue[],
  openedAt?: Date | null,
) {
  const [row] = await executor
    .insert(videoCaptions)
    .select(
      executor
        .select({
          id: sql`uuidv7()`.as('id'),
          mediaId: mediaFiles.id,
          language: sql`${place.language}::text`.as('language'),
          cues: sql`${JSON.stringify(cues)}::jsonb`.as('cues'),
          createdAt: sql`now()`.as('created_at'),
          updatedAt: sql`now()`.as('updated_at'),
        })
        .from(mediaFiles)
        .where(isVideoOf(place)),
    )
    .onConflictDoUpdate({
      target: [videoCaptions.mediaId, videoCaptions.language],
      set: { cues: sql`excluded.cues`, updatedAt: sql`now()` },
      setWhere: openedAt === undefined ? undefined : isOpenedOrSame(openedAt),
    })
    .returning({ updatedAt: videoCaptions.updatedAt })
  return row ?? null
}

/** JavaScript's dates have no microseconds. */
const isSavedAt = (time: Date) =>
  sql`floor(extract(epoch from ${videoCaptions.updatedAt}) * 1000) = ${time.getTime()}`

const isOpenedOrSame = (openedAt: Date | null) =>
  or(
    eq(videoCaptions.cues, sql`excluded.cues`),
    openedAt === null ? undefined : isSavedAt(openedAt),
  )

/** False when there were none; with the time at which those that are meant were saved, also when there are newer ones. */
export async function removeCaptions(
  executor: Executor,
  place: CaptionsPlace,
  savedAt?: Date,
): Promise<boolean> {
  if (!(await videoOfCourse(executor, place))) return false
  const removed = await executor
    .delete(videoCaptions)
    .where(
      and(
        eq(videoCaptions.mediaId, place.mediaId),
        eq(videoCaptions.language, place.language),
        savedAt && isSavedAt(savedAt),
      ),
    )
    .returning({ id: videoCaptions.id })
  return removed.length === 1
}
