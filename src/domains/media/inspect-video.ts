import { fileTypeFromBuffer } from 'file-type'
import type { Storage } from '../../server/storage.ts'
import { movieSeconds } from './movie-header.ts'
import { problems } from './rules.ts'
import { readerOf } from './stored-bytes.ts'
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

/** All kinds that we accept are known by less. */
const sniffedBytes = 1024 * 1024

/**
 * What a video file is by its bytes; whatever its name says.
 * @throws {UnusableFile} when it is none of the accepted kinds, or an MP4 that nothing can play.
 */
export async function inspectVideo(
  storage: Storage,
  key: string,
): Promise<{ contentType: string; durationSeconds: number | null }> {
  // What is called ready must still be there after the machine lost its power.
  await storage.settle(key)
  const size = (await storage.size(key)) ?? 0
  const readAt = readerOf(storage, key, size)
  const sniffed = await fileTypeFromBuffer(await readAt(0, sniffedBytes)).catch(() => undefined)
  const contentType = typeOfSniffed[sniffed?.mime ?? '']
  if (!contentType) throw new UnusableFile(problems.videoType)
  if (!['video/mp4', 'video/quicktime', 'video/3gpp'].includes(contentType)) {
    return { contentType, durationSeconds: null }
  }
  const seconds = await movieSeconds(readAt, size)
  if (seconds === null) throw new UnusableFile(problems.videoDamaged)
  return { contentType, durationSeconds: seconds || null }
}
