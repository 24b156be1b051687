import { buffer } from 'node:stream/consumers'
import { fileTypeFromBuffer } from 'file-type'
import type { Services } from '../../server/services.ts'
import { inspectVideo } from './inspect-video.ts'
import { inspectZip } from './inspect-zip.ts'
import { markFailed, markReady, type MediaFile, mediaFile } from './queries.ts'
import { isVideo, problems } from './rules.ts'
import { queueProcessing } from './processing-queue.ts'
import { imagesFolder, postImagesFolder, storeImage, storePostImage } from './store-image.ts'
import { UnusableFile } from './unusable-file.ts'

/** Where tus keeps the bytes, and where a video stays. */
export const uploadKey = (mediaId: string) => `uploads/${mediaId}`

export type Finished =
  | { status: 'ready' }
  | { status: 'failed'; problem: string }
  /** Not all bytes are there yet. */
  | { status: 'uploading' }
  /** Cancelled meanwhile, or never there. */
  | { status: 'gone' }

type FinishServices = Pick<Services, 'db' | 'storage' | 'log' | 'ffmpeg'>

/** Purposes of which the uploaded bytes themselves are kept. */
export const keptAsUploaded: MediaFile['purpose'][] = ['video', 'post_video', 'import']

const imageTypes = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp'])

/** Looks at the bytes, whatever the browser said they were. Doing it twice does no harm. */
async function inspect({ storage }: FinishServices, row: MediaFile) {
  const key = uploadKey(row.id)
  if (isVideo(row.purpose)) {
    return { ...(await inspectVideo(storage, key)), width: null, height: null }
  }
  if (row.purpose === 'import') return inspectZip(storage, key)
  const bytes = await buffer(storage.read(key))
  const sniffed = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (!sniffed || !imageTypes.has(sniffed.mime)) throw new UnusableFile(problems.imageType)
  const size =
    row.purpose === 'post_image'
      ? await storePostImage(storage, row.id, bytes)
      : await storeImage(storage, row.id, row.purpose, bytes)
  return { ...size, contentType: 'image/webp', durationSeconds: null }
}

function stateOf(row: MediaFile | null): Finished {
  if (!row) return { status: 'gone' }
  if (row.status === 'failed')
    return { status: 'failed', problem: row.problem ?? problems.videoFailed }
  return { status: row.status }
}

async function finish(services: FinishServices, mediaId: string): Promise<Finished> {
  const { db, storage } = services
  const row = await mediaFile(db, mediaId)
  if (row?.status !== 'uploading') return stateOf(row)
  if ((await storage.size(uploadKey(mediaId))) !== row.sizeBytes) return { status: 'uploading' }
  try {
    const facts = await inspect(services, row)
    const isDecided = await db.transaction(async (transaction) => {
      const isReady = await markReady(transaction, mediaId, facts)
      if (isReady && isVideo(row.purpose) && services.ffmpeg) {
        await queueProcessing(transaction, [mediaId])
      }
      return isReady
    })
    if (!isDecided) return afterTheFact(services, mediaId)
    if (!keptAsUploaded.includes(row.purpose)) await storage.remove(uploadKey(mediaId))
    return { status: 'ready' }
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    services.log.info({ mediaId, reason: error.message }, 'an upload was refused for its content')
    if (!(await markFailed(db, mediaId, error.message))) return afterTheFact(services, mediaId)
    await storage.remove(uploadKey(mediaId))
    return { status: 'failed', problem: error.message }
  }
}

/** Somebody else decided while we looked at the bytes; a cancelled upload leaves nothing behind. */
async function afterTheFact({ db, storage }: FinishServices, mediaId: string): Promise<Finished> {
  const row = await mediaFile(db, mediaId)
  if (!row) {
    await storage.remove(uploadKey(mediaId))
    await storage.remove(imagesFolder(mediaId))
    await storage.remove(postImagesFolder(mediaId))
  }
  return stateOf(row)
}

const underWay = new Map<string, Promise<Finished>>()

/**
 * Decides about an upload whose last byte has arrived: its row becomes 'ready' or 'failed'. May be
 * called at any time and any number of times, also after a crash in the middle of an earlier call.
 */
export function finishUpload(services: FinishServices, mediaId: string): Promise<Finished> {
  const running = underWay.get(mediaId)
  if (running) return running
  const started = finish(services, mediaId).finally(() => underWay.delete(mediaId))
  underWay.set(mediaId, started)
  return started
}
