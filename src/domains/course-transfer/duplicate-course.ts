import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { limits } from '../courses/rules.ts'
import { lockContent } from '../courses/save-content.ts'
import { processReadyFiles, type ReadyFile } from '../media/add-ready-files.ts'
import { copyDerived } from '../media/copy-derived.ts'
import { type CourseParts, partsOf } from './check-course-file.ts'
import { copyBytes, keyOfBytes } from './media-bytes.ts'
import { readCourse } from './read-course.ts'
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

type Own = { courseId: string; instructorId: string }

/**
 * Makes a draft with everything that its creator put into a course, and nothing that others did. Files
 * are copied, so that neither course needs the other; `copies` gets the ids of the new ones. Asks for no
 * limit: the caller did. Null when the course is not this instructor's.
 */
export async function duplicateCourse(
  transaction: Transaction,
  { storage, log, ffmpeg }: Pick<Services, 'storage' | 'log' | 'ffmpeg'>,
  own: Own,
  copies: string[],
): Promise<{ id: string; slug: string; title: string } | null> {
  // From here on nobody saves it; whoever deletes it waits.
  await lockContent(transaction, own)
  const read = await readCourse(transaction, own)
  if (!read) return null
  const files: ReadyFile[] = []
  const idOf = new Map<string, string>()
  const originals = new Map<string, string>()
  for (const [entry, file] of read.media) {
    if ((await storage.size(keyOfBytes(file))) === null) {
      log.error({ mediaId: file.id }, 'the bytes of a file are missing')
      continue
    }
    const id = randomUUID()
    copies.push(id)
    await copyBytes(storage, file, id)
    const { purpose, filename, contentType, sizeBytes, durationSeconds, width, height } = file
    files.push({ id, purpose, filename, contentType, sizeBytes, durationSeconds, width, height })
    idOf.set(entry, id)
    if (purpose === 'video') originals.set(id, file.id)
  }
  const captions = read.captions.flatMap(({ video, language, cues }) => {
    const mediaId = idOf.get(video)
    return mediaId === undefined ? [] : [{ mediaId, language, cues }]
  })
  const title = titleOfCopy(read.course.title)
  const { form, chapters } = partsOf({ ...read.course, title }, (entry) => idOf.get(entry) ?? null)
  // It was checked when it was saved.
  const course = await storeCourse(
    transaction,
    own.instructorId,
    { form: { ...form, watermark: read.watermark }, chapters } as CourseParts,
    files,
    captions,
  )
  for (const [id, from] of originals) await copyDerived(transaction, storage, from, id)
  await processReadyFiles(transaction, { ffmpeg }, files)
  return { ...course, title }
}
