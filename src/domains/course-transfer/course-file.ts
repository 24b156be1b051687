// The format of course files, docs/course-format.md: what course.json holds, and how media are named.
import * as z from 'zod'

export const formatName = 'thunder-course'
/** Raised with every change of the format; an older Thunder refuses what it would only half understand. */
export const formatVersion = 1

export const courseEntry = 'course.json'

/** Bytes of course.json: more than the largest course that can be saved. */
export const courseEntryMaxBytes = 32 * 1024 * 1024

/** The thumbnail and one video for each of 1,000 lessons. */
export const mediaMaxEntries = 1001

const mediaName = /^media\/(?:0|[1-9]\d{0,3})-[a-z0-9][a-z0-9.-]{0,79}$/

/** Lower case Latin letters, digits, dots and hyphens, so that no system has trouble with the name. */
export const isMediaEntry = (name: string): boolean =>
  mediaName.test(name) && !name.includes('..') && !name.endsWith('.')

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

export const courseFile = fields({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
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
      lessons: z.array(
        fields({
          title: text,
          content: z.unknown(),
          durationMinutes: z.number().nullable(),
          video: fields({
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
          }).nullable(),
          links: z.array(fields({ title: text, url: text, description: text })),
        }),
      ),
    }),
  ),
})
export type CourseFile = z.output<typeof courseFile>

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

/** Pictures are kept resized, without what they were called. */
export const thumbnailFilename = 'thumbnail.webp'
