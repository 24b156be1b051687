// The format of course files, docs/course-format.md: what course.json holds, and how media are named.
import * as z from 'zod'
import { isCaptionLanguage } from '../media/caption-languages.ts'

export const formatName = 'thunder-course'
/** Raised with every change of the format; an older Thunder refuses what it would only half understand. */
export const formatVersion = 2

export const courseEntry = 'course.json'

/** Bytes of course.json: more than the largest course that can be saved. */
export const courseEntryMaxBytes = 32 * 1024 * 1024

/** Bytes of all captions: they are in memory together before they are stored. */
export const captionsMaxBytes = 64 * 1024 * 1024

/** The thumbnail, and for each of 1,000 lessons a video with captions in several languages. */
export const maxEntries = 10_000

const mediaName = /^media\/(?:0|[1-9]\d{0,3})-[a-z0-9][a-z0-9.-]{0,79}$/

/** Lower case Latin letters, digits, dots and hyphens, so that no system has trouble with the name. */
export const isMediaEntry = (name: string): boolean =>
  mediaName.test(name) && !name.includes('..') && !name.endsWith('.')

const captionsName = /^captions\/[1-9]\d{0,3}\.[A-Za-z0-9-]{2,20}\.vtt$/

export const isCaptionsEntry = (name: string): boolean => captionsName.test(name)

/** Of the video with this number. */
export const captionsEntry = (number: number, language: string) =>
  `captions/${number}.${language}.vtt`

/** The name of the file with this number in the ZIP; 0 is the thumbnail. */
export function mediaEntry(number: number, filename: string): string {
  const safe = filename
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(-80)
    .replace(/^[.-]+|[.-]+$/g, '')
  return `media/${number}-${safe || 'file'}`
}

const mediaReference = z
  .string()
  .refine(isMediaEntry, 'A file of a course must lie in the folder media')

/** Which fields there are. What may be in them, the schemas of the course form and of the editor say. */
const fields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `There is no “${String(issue.keys[0]).slice(0, 80)}” in this version of the format`
        : undefined,
  })

/** Written by hand perhaps, so that each of them is checked later: here it only has to be there. */
const text = z.string()

const courseOf = <Version extends number, Lesson extends z.ZodType>(
  version: Version,
  lesson: Lesson,
) =>
  fields({
    format: z.literal(formatName),
    version: z.literal(version),
    title: text,
    shortDescription: text,
    description: z.unknown(),
    category: text,
    level: text,
    pricing: fields({
      type: z.enum(['free', 'one_time', 'monthly']),
      /** Minor units of the currency. */
      amount: z.int().min(0),
      currency: z.literal('usd'),
    }),
    application: fields({
      required: z.boolean(),
      instructions: text,
      questions: z.array(fields({ question: text, required: z.boolean() })),
    }),
    thumbnail: mediaReference.nullable(),
    chapters: z.array(
      fields({
        title: text,
        lessons: z.array(lesson),
      }),
    ),
  })

const lessonFields = {
  title: text,
  content: z.unknown(),
  durationMinutes: z.number().nullable(),
  links: z.array(fields({ title: text, url: text, description: text })),
}

const videoFields = {
  file: mediaReference,
  /** What it was called when it was uploaded. */
  filename: z
    .string()
    .transform((name) =>
      name
        .replace(/\p{Cc}/gu, '')
        .toWellFormed()
        .trim(),
    )
    .pipe(
      z
        .string()
        .min(1, 'A video needs a filename')
        .max(255, 'A filename can have at most 255 characters'),
    ),
}

const captions = fields({
  language: text.refine(isCaptionLanguage, 'There are captions in a language that is not known'),
  file: z.string().refine(isCaptionsEntry, 'A file of captions must lie in the folder captions'),
})

export const courseFile = courseOf(
  formatVersion,
  fields({
    ...lessonFields,
    video: fields({ ...videoFields, captions: z.array(captions) }).nullable(),
    /** A video elsewhere, instead. */
    videoUrl: text.nullable(),
    isPreview: z.boolean(),
  }),
)
export type CourseFile = z.output<typeof courseFile>

/** Version 1 knew neither captions nor links to videos nor previews. */
export const firstCourseFile = courseOf(
  1,
  fields({ ...lessonFields, video: fields(videoFields).nullable() }).transform((lesson) => ({
    ...lesson,
    video: lesson.video && { ...lesson.video, captions: [] },
    videoUrl: null,
    isPreview: false,
  })),
)

/** Only what is needed to tell whether the rest can be understood. */
export const courseFileHead = z.looseObject({
  format: z.literal(formatName),
  version: z.int().min(1),
})

/** The media that a course refers to, each once, in the order of the ZIP. */
export function mediaOf(
  course: CourseFile,
): { entry: string; isVideo: boolean; filename: string }[] {
  const found = new Map<string, { entry: string; isVideo: boolean; filename: string }>()
  if (course.thumbnail !== null) {
    const entry = course.thumbnail
    found.set(entry, { entry, isVideo: false, filename: thumbnailFilename })
  }
  for (const { video } of course.chapters.flatMap(({ lessons }) => lessons)) {
    if (video && !found.has(video.file)) {
      found.set(video.file, { entry: video.file, isVideo: true, filename: video.filename })
    }
  }
  return [...found.values()]
}

/** A language of a video's captions in a ZIP; `video` is the entry of the video. */
export interface ArchivedCaptions {
  entry: string
  video: string
  language: string
}

/** The captions that a course refers to, each once, in the order of the ZIP. */
export function captionsIn(course: CourseFile): ArchivedCaptions[] {
  const found = new Map<string, ArchivedCaptions>()
  for (const { video } of course.chapters.flatMap(({ lessons }) => lessons)) {
    for (const { language, file } of video?.captions ?? []) {
      const one = { entry: file, video: video!.file, language }
      const key = `${one.video} ${language}`
      // Two lessons may show the same video, and then say the same of it.
      if (!found.has(key)) found.set(key, one)
    }
  }
  return [...found.values()]
}

/** Pictures are kept resized, without what they were called. */
export const thumbnailFilename = 'thumbnail.webp'
