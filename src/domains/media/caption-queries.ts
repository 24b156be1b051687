import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { type CaptionCue, videoCaptions } from './tables.ts'

/** The captions of a video in one language; null when there are none. The caller has asked for access. */
export const captionsOf = async (
  executor: Executor,
  mediaId: string,
  language: string,
): Promise<CaptionCue[] | null> => (await captionsToEdit(executor, mediaId, language))?.cues ?? null

/** The same, with when they were saved. */
export async function captionsToEdit(executor: Executor, mediaId: string, language: string) {
  const [row] = await executor
    .select({ cues: videoCaptions.cues, updatedAt: videoCaptions.updatedAt })
    .from(videoCaptions)
    .where(and(eq(videoCaptions.mediaId, mediaId), eq(videoCaptions.language, language)))
  return row ?? null
}

/** The languages that a video has captions in, without their cues. */
export const captionLanguagesOf = (executor: Executor, mediaId: string) =>
  executor
    .select({
      language: videoCaptions.language,
      cuesCount: sql<number>`jsonb_array_length(${videoCaptions.cues})`,
      updatedAt: videoCaptions.updatedAt,
    })
    .from(videoCaptions)
    .where(eq(videoCaptions.mediaId, mediaId))
    .orderBy(asc(videoCaptions.language))

/** Of these videos, by their languages. The order is the same on every machine. */
export const allCaptionsOf = (executor: Executor, mediaIds: string[]) =>
  executor
    .select({
      mediaId: videoCaptions.mediaId,
      language: videoCaptions.language,
      cues: videoCaptions.cues,
    })
    .from(videoCaptions)
    .where(inArray(videoCaptions.mediaId, mediaIds))
    .orderBy(asc(videoCaptions.mediaId), sql`${videoCaptions.language} collate "C"`)
