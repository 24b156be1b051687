// What crosses the wire about copies, exports and imports of courses.
import * as z from 'zod'
import { timestamp, uuid } from '../../fields.ts'

export const courseImport = z.object({
  id: z.uuid(),
  status: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Of what has to be unpacked. */
  progressPercent: z.number().int(),
  /** Why it failed. */
  problem: z.string().nullable(),
  /** The file is still here. */
  canRetry: z.boolean(),
  /** What the file was called; null once it was removed. */
  filename: z.string().nullable(),
  /** What it became; null before, and when that was deleted. */
  course: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }).nullable(),
  createdAt: timestamp,
})
export type CourseImport = z.output<typeof courseImport>

export const myImports = z.object({
  /** Newest first, some. */
  imports: z.array(courseImport),
  importMaxMb: z.number().int(),
  canCreateCourse: z.boolean(),
})

export const byImportId = z.object({ importId: uuid('The import') })

/** The ZIP comes first, through an upload for the purpose `import`. */
export const newImport = z.object({ mediaId: uuid('The course file') })

export const duplicatedCourse = z.object({ id: z.uuid(), slug: z.string(), title: z.string() })

/** A file, with the headers that go with it. */
export const exportedCourse = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.custom<ReadableStream<Uint8Array>>((value) => value instanceof ReadableStream),
})
