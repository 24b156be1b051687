import { buffer } from 'node:stream/consumers'
import type { NewCaptions } from '../media/add-captions.ts'
import { captionLimits, captionProblems, parseCaptions } from '../media/caption-format.ts'
import { bytesPerMb } from '../media/rules.ts'
import type { CourseArchive } from './course-archive.ts'
import { type ArchivedCaptions, captionsMaxBytes } from './course-file.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

/**
 * Compares the captions that a course refers to with what the ZIP holds.
 * @throws {UnusableCourseFile}
 */
export function checkCaptions(
  captions: ArchivedCaptions[],
  sizes: ReadonlyMap<string, number>,
): void {
  let bytes = 0
  for (const { entry } of captions) {
    const size = sizes.get(entry)
    if (size === undefined) throw new UnusableCourseFile(`This ZIP lacks “${entry}”.`)
    if (size > captionLimits.bytes) {
      throw new UnusableCourseFile(`“${entry}”: ${captionProblems.tooLarge}`)
    }
    bytes += size
  }
  if (bytes > captionsMaxBytes) {
    throw new UnusableCourseFile(
      `The captions of a course can have at most ${captionsMaxBytes / bytesPerMb} MB together.`,
    )
  }
}

/**
 * The captions of a course, each read like an uploaded file; `idOf` names the stored videos.
 * @throws {UnusableCourseFile} naming the file and its line.
 */
export async function unpackCaptions(
  archive: CourseArchive,
  captions: ArchivedCaptions[],
  idOf: (entry: string) => string,
): Promise<NewCaptions[]> {
  const unpacked: NewCaptions[] = []
  for (const { entry, video, language } of captions) {
    const parsed = parseCaptions(textOf(await buffer(archive.readMedia(entry)), entry))
    if ('problem' in parsed) throw new UnusableCourseFile(`“${entry}”: ${parsed.problem}`)
    unpacked.push({ mediaId: idOf(video), language, cues: parsed.cues })
  }
  return unpacked
}

function textOf(bytes: Uint8Array, entry: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UnusableCourseFile(`“${entry}”: ${captionProblems.noFile}`, { cause: error })
  }
}
