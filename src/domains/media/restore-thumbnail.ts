import sharp from 'sharp'
import type { Storage } from '../../server/storage.ts'
import { bytesPerMb, pictureShapes } from './rules.ts'
import { imageKey, storeImage } from './store-image.ts'

const { widths, ratio } = pictureShapes.thumbnail
const largest = Math.max(...widths)

/** Far more than our own largest picture has. */
const keptMaxBytes = 2 * bytesPerMb

/** A WebP of the size that we make, with nothing in it and nothing behind it but the picture. */
async function isLikeOurs(bytes: Buffer): Promise<boolean> {
  if (bytes.length > keptMaxBytes || bytes.toString('latin1', 0, 4) !== 'RIFF') return false
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return false
  const { format, width, height, pages, exif, xmp, icc } = await sharp(bytes).metadata()
  const isOurSize = width === largest && height === Math.round(largest / ratio)
  return format === 'webp' && isOurSize && (pages ?? 1) === 1 && !exif && !xmp && !icc
}

/**
 * Stores a thumbnail that was exported: checked and resized like an uploaded one, but the largest keeps
 * its bytes, so that a picture does not fade a little with each export and import.
 * @throws {UnusableFile} when the bytes are no picture.
 */
export async function restoreThumbnail(
  storage: Storage,
  mediaId: string,
  bytes: Buffer,
): Promise<{ width: number; height: number }> {
  const size = await storeImage(storage, mediaId, 'thumbnail', bytes)
  if (await isLikeOurs(bytes)) await storage.put(imageKey(mediaId, largest), bytes)
  return size
}
