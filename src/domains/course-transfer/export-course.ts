import { makeZip, predictLength } from 'client-zip'
import type { Services } from '../../server/services.ts'
import { slugOf } from '../courses/rules.ts'
import { toWebVtt } from '../media/caption-format.ts'
import { courseEntry } from './course-file.ts'
import { keyOfBytes } from './media-bytes.ts'
import { atOneMoment, type ReadCourse, readCourse } from './read-course.ts'

type Parts = Pick<Services, 'db' | 'storage' | 'log'>

/** The same for every file and every time zone, so that the same course is the same bytes. */
const lastModified = new Date(1980, 0, 1)

interface ZipEntry {
  name: string
  lastModified: Date
  size: number
  /** Text, or the key of stored bytes. */
  input: Uint8Array<ArrayBuffer> | { key: string }
}

async function entriesOf({ storage, log }: Parts, read: ReadCourse): Promise<ZipEntry[]> {
  const { course, media, captions } = read
  const files: ZipEntry[] = []
  const missing = new Set<string>()
  for (const [name, file] of media) {
    const key = keyOfBytes(file)
    const size = await storage.size(key)
    if (size === null) {
      log.error({ mediaId: file.id }, 'the bytes of a file are missing')
      missing.add(name)
    } else files.push({ name, lastModified, size, input: { key } })
  }
  for (const { entry, video, cues } of captions) {
    if (missing.has(video)) continue
    const input = new TextEncoder().encode(toWebVtt(cues))
    files.push({ name: entry, lastModified, size: input.length, input })
  }
  const text = new TextEncoder().encode(`${JSON.stringify(withoutMedia(course, missing))}\n`)
  return [{ name: courseEntry, lastModified, size: text.length, input: text }, ...files]
}

/** A reference to a file that is not there would make the whole ZIP unusable. */
function withoutMedia(course: ReadCourse['course'], missing: ReadonlySet<string | null>) {
  return {
    ...course,
    thumbnail: missing.has(course.thumbnail) ? null : course.thumbnail,
    chapters: course.chapters.map((chapter) => ({
      ...chapter,
      lessons: chapter.lessons.map((lesson) => ({
        ...lesson,
        video: lesson.video && missing.has(lesson.video.file) ? null : lesson.video,
      })),
    })),
  }
}

async function* bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value as Uint8Array<ArrayBuffer>
  }
}

/**
 * Each file is opened when its turn comes, and closed when the download is cut off. No generator: one
 * that has not started answers to the cut with a failure.
 */
function contents({ storage }: Parts, entries: ZipEntry[]) {
  const rest = entries.values()
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const over = { done: true as const, value: undefined }
  return {
    async next() {
      await reader?.cancel()
      const next = rest.next()
      if (next.done) return over
      const { input, ...entry } = next.value
      if (input instanceof Uint8Array) return { done: false as const, value: { ...entry, input } }
      reader = storage.read(input.key).getReader()
      return { done: false as const, value: { ...entry, input: bytesOf(reader) } }
    },
    async throw() {
      await reader?.cancel()
      return over
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/**
 * A course as a ZIP, made while it is sent. Null when the course is not this instructor's. Nothing is
 * compressed: nearly all bytes are video and WebP, and so the length is known before.
 */
export async function exportCourse(
  parts: Parts,
  own: { courseId: string; instructorId: string },
): Promise<{ filename: string; length: string; zip: ReadableStream<Uint8Array> } | null> {
  const read = await atOneMoment(parts.db, (transaction) => readCourse(transaction, own))
  if (!read) return null
  const entries = await entriesOf(parts, read)
  return {
    filename: `${slugOf(read.course.title) || 'course'}.course.zip`,
    length: String(predictLength(entries.map(({ name, size }) => ({ name, size })))),
    zip: makeZip(contents(parts, entries)),
  }
}
