import { randomUUID } from 'node:crypto'
import type { Executor, Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { limits } from '../courses/rules.ts'
import { lockContent } from '../courses/save-content.ts'
import { processReadyFiles, type ReadyFile } from '../media/add-ready-files.ts'
import { addDerived, copyDerivedFiles, type Derived, derivedOf } from '../media/copy-derived.ts'
import { knownIds } from '../media/queries.ts'
import { type CourseParts, partsOf } from './check-course-file.ts'
import { copyBytes, keyOfBytes } from './media-bytes.ts'
import { atOneMoment, type ReadCourse, readCourse } from './read-course.ts'
import { storeCourse } from './store-course.ts'

const prefix = 'Copy of '

/** The end of a long title gives way. */
export function titleOfCopy(title: string): string {
  const whole = `${prefix}${title}`
  if (whole.length <= limits.title) return whole
  // Half of a character that takes two units goes as well.
  const cut = whole.slice(0, limits.title - 1).replace(/[\ud800-\udbff]$/, '')
  return `${cut.trimEnd()}…`
}

type Parts = Pick<Services, 'db' | 'storage' | 'log' | 'ffmpeg'>

type Own = { courseId: string; instructorId: string }

/** A file of it was removed while it was being copied. */
export class CourseChanged extends Error {}

/**
 * Makes a draft with everything that its creator put into a course, and nothing that others did. Files
 * are copied, so that neither course needs the other; `copies` gets the ids of the new ones. That can
 * take minutes, in which nobody waits for it: rows come in one transaction at the end, which begins with
 * `admit`. Null when the course is not this instructor's.
 * @throws {CourseChanged}
 */
export async function duplicateCourse(
  services: Parts,
  own: Own,
  admit: (transaction: Transaction) => Promise<void>,
  copies: string[],
): Promise<{ id: string; slug: string; title: string } | null> {
  const { db, log, ffmpeg } = services
  const found = await atOneMoment(db, (transaction) => readAll(transaction, own))
  if (!found) return null
  const { read, derived } = found
  const originals = [...read.media.values()].map(({ id }) => id)
  const areThere = async (executor: Executor) =>
    (await knownIds(executor, originals)).size === originals.length
  const copyOf = await copyFiles(services, found, copies).catch(async (error: unknown) => {
    throw (await areThere(db)) ? error : new CourseChanged()
  })
  return db.transaction(async (transaction) => {
    await admit(transaction)
    // From here on nobody saves it; whoever deletes it waits.
    if ((await lockContent(transaction, own)) === null) return null
    // Bytes go after their rows: these were all there until now.
    if (!(await areThere(transaction))) throw new CourseChanged()
    for (const mediaId of originals) {
      if (!copyOf.has(mediaId)) log.error({ mediaId }, 'the bytes of a file are missing')
    }
    const { files, ...copy } = await storeCopy(transaction, own, read, copyOf)
    await addDerived(
      transaction,
      derived.flatMap((one) => {
        const mediaId = copyOf.get(one.mediaId)
        return mediaId === undefined ? [] : [{ ...one, mediaId }]
      }),
    )
    await processReadyFiles(transaction, { ffmpeg }, files)
    return copy
  })
}

async function readAll(transaction: Transaction, own: Own) {
  const read = await readCourse(transaction, own)
  if (!read) return null
  const mediaIds = [...read.media.values()].map(({ id }) => id)
  return { read, derived: await derivedOf(transaction, mediaIds) }
}

/** The ids of the copies by those of their originals, without those of which the bytes are missing. */
async function copyFiles(
  { storage }: Parts,
  { read, derived }: { read: ReadCourse; derived: Derived[] },
  copies: string[],
): Promise<Map<string, string>> {
  const converted = new Set(derived.map(({ mediaId }) => mediaId))
  const copyOf = new Map<string, string>()
  for (const file of read.media.values()) {
    if ((await storage.size(keyOfBytes(file))) === null) continue
    const id = randomUUID()
    copies.push(id)
    await copyBytes(storage, file, id)
    if (converted.has(file.id)) await copyDerivedFiles(storage, file.id, id)
    copyOf.set(file.id, id)
  }
  return copyOf
}

async function storeCopy(
  transaction: Transaction,
  { instructorId }: Own,
  read: ReadCourse,
  copyOf: ReadonlyMap<string, string>,
) {
  const idOf = (entry: string) => copyOf.get(read.media.get(entry)!.id) ?? null
  const files = [...read.media.values()].flatMap((file): ReadyFile[] => {
    const id = copyOf.get(file.id)
    const { purpose, filename, contentType, sizeBytes, durationSeconds, width, height } = file
    const facts = { purpose, filename, contentType, sizeBytes, durationSeconds, width, height }
    return id === undefined ? [] : [{ id, ...facts }]
  })
  const captions = read.captions.flatMap(({ video, language, cues }) => {
    const mediaId = idOf(video)
    return mediaId === null ? [] : [{ mediaId, language, cues }]
  })
  const title = titleOfCopy(read.course.title)
  const { form, chapters } = partsOf({ ...read.course, title }, idOf)
  // It was checked when it was saved.
  const parts = { form: { ...form, watermark: read.watermark }, chapters } as CourseParts
  const course = await storeCourse(transaction, instructorId, parts, files, captions)
  return { ...course, title, files }
}
