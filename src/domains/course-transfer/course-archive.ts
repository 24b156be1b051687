import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { brand } from '../site/brand.ts'
import { bytesPerMb } from '../media/rules.ts'
import {
  courseEntry,
  courseEntryMaxBytes,
  isCaptionsEntry,
  isMediaEntry,
  maxEntries,
} from './course-file.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

const notZip = () =>
  `This is no course file, or it is incomplete. Please choose the ZIP that “Export” of a ${brand.name} gave you.`
const damaged = 'This course file is damaged. Please export the course again.'

/** A failure of this machine, such as a full disk, rather than of the file. */
const isOurs = (error: unknown) => error instanceof Error && 'syscall' in error

/** Names come from a file that anybody may have made. */
const shown = (name: string) =>
  `“${name
    .slice(0, 80)
    .replace(/[\p{Cc}\p{Cf}]/gu, '?')
    .toWellFormed()}”`

/** A course file whose list of entries is in order. */
export interface CourseArchive {
  /** Bytes of each entry once unpacked; `media/…` and `captions/…` only. */
  sizes: ReadonlyMap<string, number>
  /** The bytes of course.json, whatever they say. */
  readCourse(): Promise<Uint8Array>
  /** The bytes of an entry, as many as the list says. */
  readMedia(name: string): AsyncGenerator<Uint8Array>
  close(): void
}

/**
 * Opens the ZIP at `path` and checks everything that its list of entries says, before a byte is unpacked.
 * @throws {UnusableCourseFile} for whatever is not a course file of at most `maxMb` unpacked.
 */
export async function openCourseArchive(path: string, maxMb: number): Promise<CourseArchive> {
  const zip = await openPromise(path, {
    lazyEntries: true,
    autoClose: false,
    // Names are compared with what they may be, byte by byte, and are never used as paths.
    decodeStrings: false,
  }).catch((error: unknown) => {
    throw isOurs(error) ? error : new UnusableCourseFile(notZip(), { cause: error })
  })
  try {
    const entries = await entriesOf(zip, maxMb)
    return {
      sizes: new Map(
        [...entries]
          .filter(([name]) => name !== courseEntry)
          .map(([name, entry]) => [name, entry.uncompressedSize]),
      ),
      readCourse: () => buffer(unpacked(zip, entries.get(courseEntry)!)),
      readMedia: (name) => unpacked(zip, entries.get(name)!),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function entriesOf(zip: ZipFile, maxMb: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries + 1) throw new UnusableCourseFile(tooMany)
  const entries = new Map<string, Entry>()
  let bytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('latin1')
      const problem = entryProblem(name, entry) ?? (entries.has(name) ? twice(name) : null)
      if (problem !== null) throw new UnusableCourseFile(problem)
      entries.set(name, entry)
      bytes += entry.uncompressedSize
      if (bytes > maxMb * bytesPerMb) {
        throw new UnusableCourseFile(
          `This course file unpacks to more than ${maxMb.toLocaleString('en-US')} MB, the most that this ${brand.name} imports.`,
        )
      }
    }
  } catch (error) {
    if (error instanceof UnusableCourseFile || isOurs(error)) throw error
    throw new UnusableCourseFile(damaged, { cause: error })
  }
  if (!entries.has(courseEntry)) throw new UnusableCourseFile(notZip())
  return entries
}

const tooMany = `This file holds more than ${(maxEntries + 1).toLocaleString('en-US')} files, the most that a course file can have.`
const twice = (name: string) => `This file holds ${shown(name)} twice.`

function entryProblem(name: string, entry: Entry): string | null {
  if (name !== courseEntry && !isMediaEntry(name) && !isCaptionsEntry(name)) {
    return `This file holds ${shown(name)}, which does not belong into a course file.`
  }
  if (!isPlainFile(entry)) return `${shown(name)} is not a plain file.`
  if (entry.isEncrypted())
    return 'This file is locked with a password. Please export the course again.'
  if (!entry.canDecodeFileData()) return `${shown(name)} is packed in a way that is not understood.`
  if (name === courseEntry && entry.uncompressedSize > courseEntryMaxBytes) {
    return `The text of this course is too long: ${courseEntry} can have at most ${courseEntryMaxBytes / bytesPerMb} MB.`
  }
  return null
}

/** Of ZIPs that were made on Unix, which know links and devices as well. */
function isPlainFile(entry: Entry): boolean {
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000
  return kind === 0 || kind === 0o100000
}

/** As many bytes as the list says, with the checksum that it says: the library ends a stream that goes on. */
async function* unpacked(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk as Buffer, sum)
      yield chunk as Buffer
    }
  } catch (error) {
    throw isOurs(error) ? error : new UnusableCourseFile(damaged, { cause: error })
  }
  if (sum !== entry.crc32) throw new UnusableCourseFile(damaged)
}
