import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { movieSeconds } from './movie-header.ts'
import { problems } from './rules.ts'
import { UnusableFile } from './unusable-file.ts'

/** What the sniffer calls what we accept, and what we call it when we deliver it. */
const typeOfSniffed: Record<string, string> = {
  'video/mp4': 'video/mp4',
  'video/x-m4v': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'video/webm': 'video/webm',
  'video/ogg': 'video/ogg',
  'video/vnd.avi': 'video/x-msvideo',
  'video/x-ms-asf': 'video/x-ms-wmv',
  'video/3gpp': 'video/3gpp',
}

/**
 * What a video file is by its bytes; whatever its name says.
 * @throws {UnusableFile} when it is none of the accepted kinds, or an MP4 that nothing can play.
 */
export async function inspectVideo(
  path: string,
): Promise<{ contentType: string; durationSeconds: number | null }> {
  const file = await open(path, 'r+')
  try {
    // What is called ready must still be there after the machine lost its power.
    await file.sync()
    const sniffed = await fileTypeFromFile(path).catch(() => undefined)
    const contentType = typeOfSniffed[sniffed?.mime ?? '']
    if (!contentType) throw new UnusableFile(problems.videoType)
    if (!['video/mp4', 'video/quicktime', 'video/3gpp'].includes(contentType)) {
      return { contentType, durationSeconds: null }
    }
    const { size } = await file.stat()
    const seconds = await movieSeconds(file, size)
    if (seconds === null) throw new UnusableFile(problems.videoDamaged)
    return { contentType, durationSeconds: seconds || null }
  } finally {
    await file.close()
  }
}
