import { and, asc, eq, inArray, or } from 'drizzle-orm'
import type { Db, Executor, Transaction } from '../../server/db.ts'
import { questionsOf } from '../applications/queries.ts'
import { courseContent } from '../courses/queries.ts'
import { courses } from '../courses/tables.ts'
import { lessons } from '../lessons/tables.ts'
import { allCaptionsOf } from '../media/caption-queries.ts'
import { type CaptionCue, mediaFiles } from '../media/tables.ts'
import type { MediaFile } from '../media/queries.ts'
import {
  type ArchivedCaptions,
  captionsEntry,
  type CourseFile,
  formatName,
  formatVersion,
  mediaEntry,
  thumbnailFilename,
} from './course-file.ts'

export interface ReadCourse {
  course: CourseFile
  /** What the entries of its media are stored as, in the order of the ZIP. */
  media: Map<string, MediaFile>
  /** In the order of the ZIP. */
  captions: (ArchivedCaptions & { cues: CaptionCue[] })[]
  /** Goes with a copy; the format of course files has no field for it. */
  watermark: boolean
}

/** Rows of one moment, whoever saves meanwhile. */
export const atOneMoment = <Result>(
  db: Db,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })

/**
 * A course as a course file says it. Give it a transaction in which rows do not change while they are
 * read (`atOneMoment`). Null when the course is not this instructor's.
 */
export async function readCourse(
  executor: Executor,
  own: { courseId: string; instructorId: string },
): Promise<ReadCourse | null> {
  const [row] = await executor
    .select()
    .from(courses)
    .where(and(eq(courses.id, own.courseId), eq(courses.instructorId, own.instructorId)))
  const content = row && (await courseContent(executor, own))
  if (!content) return null
  const questions = await questionsOf(executor, own.courseId)
  const files = await mediaOfCourse(executor, own.courseId)
  const stored = new Map<string | null | undefined, MediaFile>(files.map((one) => [one.id, one]))
  const captionsOf = Map.groupBy(
    await allCaptionsOf(
      executor,
      files.map(({ id }) => id),
    ),
    ({ mediaId }) => mediaId,
  )

  const media = new Map<string, MediaFile>()
  const captions: ReadCourse['captions'] = []
  const entryOf = new Map<string, string>()
  const enter = (file: MediaFile, number: number, name: string) => {
    const entry = mediaEntry(number, name)
    media.set(entry, file)
    entryOf.set(file.id, entry)
    return entry
  }
  const thumbnail = stored.get(row.thumbnailId)
  const thumbnailEntry = thumbnail ? enter(thumbnail, 0, thumbnailFilename) : null
  let videos = 0
  const enterVideo = (file: MediaFile) => {
    videos += 1
    const video = enter(file, videos, file.filename)
    for (const { language, cues } of captionsOf.get(file.id) ?? []) {
      captions.push({ entry: captionsEntry(videos, language), video, language, cues })
    }
    return video
  }
  const videoOf = (id: string | undefined) => {
    const file = stored.get(id)
    if (!file) return null
    const entry = entryOf.get(file.id) ?? enterVideo(file)
    return {
      file: entry,
      filename: file.filename,
      captions: captions
        .filter(({ video }) => video === entry)
        .map((one) => ({ language: one.language, file: one.entry })),
    }
  }

  const course: CourseFile = {
    format: formatName,
    version: formatVersion,
    title: row.title,
    shortDescription: row.shortDescription,
    description: row.description,
    category: row.category,
    level: row.level,
    pricing: { type: row.pricingType, amount: row.priceAmount, currency: 'usd' },
    application: {
      required: row.applicationRequired,
      instructions: row.applicationInstructions,
      questions: questions.map(({ question, required }) => ({ question, required })),
    },
    thumbnail: thumbnailEntry,
    chapters: content.chapters.map((chapter) => ({
      title: chapter.title,
      lessons: chapter.lessons.map((lesson) => ({
        title: lesson.title,
        content: lesson.content,
        durationMinutes: lesson.durationMinutes,
        video: videoOf(lesson.video?.id),
        videoUrl: lesson.videoUrl,
        isPreview: lesson.isPreview,
        links: lesson.links.map(({ title, url, description }) => ({ title, url, description })),
      })),
    })),
  }
  return { course, media, captions, watermark: row.watermark }
}

/** The files that its lessons play, and its picture. */
function mediaOfCourse(executor: Executor, courseId: string) {
  const played = executor
    .select({ id: lessons.videoId })
    .from(lessons)
    .where(eq(lessons.courseId, courseId))
  const pictured = executor
    .select({ id: courses.thumbnailId })
    .from(courses)
    .where(eq(courses.id, courseId))
  return executor
    .select()
    .from(mediaFiles)
    .where(
      and(
        or(inArray(mediaFiles.id, played), inArray(mediaFiles.id, pictured)),
        eq(mediaFiles.status, 'ready'),
      ),
    )
    .orderBy(asc(mediaFiles.id))
}
