import { buffer } from 'node:stream/consumers'
import type { Services } from '../../server/services.ts'
import type { ReadyFile } from '../media/add-ready-files.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { inspectVideo } from '../media/inspect-video.ts'
import { restoreThumbnail } from '../media/restore-thumbnail.ts'
import { bytesPerMb, imageMaxMb } from '../media/rules.ts'
import { UnusableFile } from '../media/unusable-file.ts'
import type { CourseArchive } from './course-archive.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

/** A file of a course in a ZIP, and the id that it gets here. */
export interface ArchivedFile {
  id: string
  entry: string
  isVideo: boolean
  filename: string
}

/**
 * Compares what a course refers to with what the ZIP holds, before a byte is unpacked.
 * @throws {UnusableCourseFile}
 */
export function checkMedia(
  media: ArchivedFile[],
  sizes: ReadonlyMap<string, number>,
  videoMaxMb: number,
): void {
  for (const { entry, isVideo, filename } of media) {
    const size = sizes.get(entry)
    if (size === undefined) throw new UnusableCourseFile(`This ZIP lacks “${entry}”.`)
    if (size === 0) throw new UnusableCourseFile(`“${entry}” is empty.`)
    const maxMb = isVideo ? videoMaxMb : imageMaxMb.thumbnail
    if (size > maxMb * bytesPerMb) {
      const what = isVideo ? 'A video' : 'The picture of a course'
      throw new UnusableCourseFile(
        `“${filename}” is too large. ${what} can have at most ${maxMb.toLocaleString('en-US')} MB here.`,
      )
    }
  }
}

/** @throws {UnusableCourseFile} for a file that the course does not refer to. */
export function checkExtras(
  referred: { entry: string }[],
  sizes: ReadonlyMap<string, number>,
): void {
  const known = new Set(referred.map(({ entry }) => entry))
  const extra = [...sizes.keys()].find((name) => !known.has(name))
  if (extra !== undefined) {
    throw new UnusableCourseFile(`This ZIP holds “${extra}”, which the course does not show.`)
  }
}

/**
 * Stores the media of a course under their new ids, each looked at like an upload.
 * @throws {UnusableCourseFile} naming the file that is not what it has to be.
 */
export async function unpackMedia(
  { storage }: Pick<Services, 'storage'>,
  archive: CourseArchive,
  media: ArchivedFile[],
  onBytes: (count: number) => Promise<void>,
): Promise<ReadyFile[]> {
  const counted = async function* (entry: string) {
    for await (const chunk of archive.readMedia(entry)) {
      yield chunk
      await onBytes(chunk.length)
    }
  }

  async function video({ id, entry }: ArchivedFile) {
    await storage.write(uploadKey(id), counted(entry), archive.sizes.get(entry)!)
    const facts = await inspectVideo(storage, uploadKey(id))
    return { ...facts, width: null, height: null, purpose: 'video' as const }
  }

  async function picture({ id, entry }: ArchivedFile) {
    const bytes = await buffer(counted(entry))
    const size = await restoreThumbnail(storage, id, bytes)
    const purpose = 'thumbnail' as const
    return { ...size, contentType: 'image/webp', durationSeconds: null, purpose }
  }

  const files: ReadyFile[] = []
  for (const file of media) {
    const { id, entry, filename, isVideo } = file
    const sizeBytes = archive.sizes.get(entry)!
    const facts = await (isVideo ? video(file) : picture(file)).catch((error: unknown) => {
      if (!(error instanceof UnusableFile)) throw error
      throw new UnusableCourseFile(`“${filename}”: ${error.message}`, { cause: error })
    })
    files.push({ id, filename, sizeBytes, ...facts })
  }
  return files
}
